import { createHmac } from 'node:crypto';
import { type HostKey, readHostKey } from './host-key.ts';

/** What is in a file that says which host has which key. */
export interface KnownHostsFile {
  readonly path: string;
  readonly text: string;
}

/** A line that is about a host. */
export interface KnownLine extends HostKey {
  readonly path: string;
  /** From one on. */
  readonly line: number;
  readonly mark: 'plain' | 'revoked' | 'authority';
}

export type HostKeyVerdict =
  | { readonly kind: 'known' }
  /** `authorities` say who may vouch for it; that it has such a voucher was not asked for. */
  | { readonly kind: 'unknown'; readonly authorities: readonly KnownLine[] }
  | { readonly kind: 'changed'; readonly known: readonly KnownLine[] }
  | { readonly kind: 'revoked'; readonly by: KnownLine };

/** What files call a host: its alias, or its name with a port that is not the usual one. */
export function knownName(host: {
  readonly hostname: string;
  readonly port: number;
  readonly hostKeyAlias: string | undefined;
}): string {
  if (host.hostKeyAlias !== undefined) return host.hostKeyAlias.toLowerCase();
  const name = host.hostname.toLowerCase();
  return host.port === SSH_PORT ? name : `[${name}]:${host.port}`;
}

const SSH_PORT = 22;

/** Everything that the files say of a host. */
export function linesOf(files: readonly KnownHostsFile[], name: string): readonly KnownLine[] {
  return files.flatMap(({ path, text }) =>
    text.split(/\r?\n/).flatMap((line, index): readonly KnownLine[] => {
      const read = readLine(line);
      if (read === undefined || !isAbout(read.hosts, name)) return [];
      const { type, key, mark } = read;
      return [{ path, line: index + 1, type, key, mark }];
    }),
  );
}

/**
 * Whether a host that shows this key is who it should be.
 *
 * A key of another type than those that are known is another key: types that are known are asked for
 * first, so a host that had one of them would have shown it.
 */
export function judgeHostKey(lines: readonly KnownLine[], offered: HostKey): HostKeyVerdict {
  const isSame = ({ type, key }: HostKey): boolean => key === offered.key && type === offered.type;
  const revoked = lines.find((line) => line.mark === 'revoked' && isSame(line));
  if (revoked !== undefined) return { kind: 'revoked', by: revoked };
  const known = lines.filter(({ mark }) => mark === 'plain');
  if (known.some(isSame)) return { kind: 'known' };
  if (known.length > 0) return { kind: 'changed', known };
  return { kind: 'unknown', authorities: lines.filter(({ mark }) => mark === 'authority') };
}

/** The name as a file has it where others are not to read it. */
export function hashedName(name: string, salt: Buffer): string {
  return `|1|${salt.toString('base64')}|${hmac(name, salt)}`;
}

const MARKS: Readonly<Record<string, KnownLine['mark']>> = {
  '@revoked': 'revoked',
  '@cert-authority': 'authority',
};

/** Answers with nothing for a comment, and for what OpenSSH would not read either. */
function readLine(
  line: string,
): (HostKey & { readonly hosts: string; readonly mark: KnownLine['mark'] }) | undefined {
  const words = line.trim().split(/[ \t]+/);
  if (words[0]?.startsWith('#') === true) return undefined;
  const mark = words[0]?.startsWith('@') === true ? MARKS[words.shift() ?? ''] : 'plain';
  const [hosts, type, text] = words;
  if (mark === undefined || hosts === undefined || text === undefined) return undefined;
  const key = readHostKey(Buffer.from(text, 'base64'));
  return key === undefined || key.type !== type ? undefined : { ...key, hosts, mark };
}

function isAbout(hosts: string, name: string): boolean {
  const [, salt, hash] = /^\|1\|([^|]+)\|([^|]+)$/.exec(hosts) ?? [];
  if (salt !== undefined) return hmac(name, Buffer.from(salt, 'base64')) === hash;
  const patterns = hosts.toLowerCase().split(',');
  const isNot = patterns.some((each) => each.startsWith('!') && matches(each.slice(1), name));
  return !isNot && patterns.some((each) => !each.startsWith('!') && matches(each, name));
}

function hmac(name: string, salt: Buffer): string {
  return createHmac('sha1', salt).update(name).digest('base64');
}

/** `*` is any text and `?` one letter. Never goes back further than to the last `*`. */
function matches(pattern: string, name: string): boolean {
  let [at, star, since] = [0, -1, 0];
  for (let letter = 0; letter < name.length;)
    if (pattern[at] === '*') [star, since, at] = [at, letter, at + 1];
    else if (at < pattern.length && (pattern[at] === '?' || pattern[at] === name[letter])) {
      at += 1;
      letter += 1;
    } else if (star >= 0) {
      since += 1;
      [at, letter] = [star + 1, since];
    } else return false;
  return /^\**$/.test(pattern.slice(at));
}
