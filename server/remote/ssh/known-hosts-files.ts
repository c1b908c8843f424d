import { randomBytes } from 'node:crypto';
import { appendFile, mkdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { LinkError } from '../channel.ts';
import type { HostKey } from './host-key.ts';
import {
  hashedName,
  type HostKeyVerdict,
  judgeHostKey,
  knownName,
  type KnownHostsFile,
  type KnownLine,
  linesOf,
} from './known-hosts.ts';
import type { SshConfig } from './ssh-config.ts';

/** A key of a host that no file knows, as somebody may add it who has looked at its fingerprint. */
export interface OfferedHostKey extends HostKey {
  /** What files call the host. */
  readonly name: string;
  /** Where the user's own known hosts are. */
  readonly file: string;
  readonly isHashed: boolean;
}

const MOST_BYTES = 16 * 1024 * 1024;
const SALT_BYTES = 20;

/** What all files say of one host. */
export class KnownHost {
  readonly #config: SshConfig;
  readonly #lines: readonly KnownLine[];
  /** Of the host with the usual port, where another one is not mentioned; OpenSSH takes these too. */
  readonly #linesOfAnyPort: readonly KnownLine[];

  private constructor(config: SshConfig, files: readonly KnownHostsFile[]) {
    this.#config = config;
    this.#lines = linesOf(files, this.name);
    const anyPort = knownName({ ...config, port: 22 });
    this.#linesOfAnyPort = anyPort === this.name ? [] : linesOf(files, anyPort);
  }

  /** Throws `LinkError` where a file cannot be read: a key that is revoked there would count. */
  static async read(config: SshConfig): Promise<KnownHost> {
    const paths = [...config.userKnownHosts, ...config.globalKnownHosts];
    const files: KnownHostsFile[] = [];
    for (const each of paths) files.push({ path: each, text: await readKnownHosts(each) });
    return new KnownHost(config, files);
  }

  get name(): string {
    return knownName(this.#config);
  }

  /** The types of the keys that it is known by. */
  get types(): readonly string[] {
    const lines = [...this.#lines, ...this.#linesOfAnyPort];
    return [...new Set(lines.filter(({ mark }) => mark === 'plain').map(({ type }) => type))];
  }

  judge(offered: HostKey): HostKeyVerdict {
    const verdict = judgeHostKey(this.#lines, offered);
    if (verdict.kind !== 'unknown') return verdict;
    const ofAnyPort = judgeHostKey(this.#linesOfAnyPort, offered);
    return ofAnyPort.kind === 'changed' ? verdict : ofAnyPort;
  }

  /** Absent where the user has no file of known hosts. */
  offer({ type, key }: HostKey): OfferedHostKey | undefined {
    const [file] = this.#config.userKnownHosts;
    if (file === undefined || file === NOTHING) return undefined;
    return { type, key, name: this.name, file, isHashed: this.#config.isHashingKnownHosts };
  }
}

/**
 * Writes down that a host has this key, because the user has said so. Throws `LinkError` where the file
 * has another one by now: nothing that is known is ever replaced.
 */
export async function addKnownHost(offered: OfferedHostKey): Promise<void> {
  const { name, type, key, file, isHashed } = offered;
  const text = await readKnownHosts(file);
  const verdict = judgeHostKey(linesOf([{ path: file, text }], name), offered);
  if (verdict.kind === 'known') return;
  if (verdict.kind !== 'unknown')
    throw new LinkError(`${file} has another key of ${name} by now.`, { mayPass: false });
  const host = isHashed ? hashedName(name, randomBytes(SALT_BYTES)) : name;
  const line = `${text === '' || text.endsWith('\n') ? '' : '\n'}${host} ${type} ${key}\n`;
  try {
    await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
    await appendFile(file, line, { mode: 0o600 });
  } catch (cause) {
    throw new LinkError(`${file} cannot be written: ${String(cause)}.`, { mayPass: false, cause });
  }
}

const NOTHING = '/dev/null';

/** A file that is not there knows nobody. */
async function readKnownHosts(file: string): Promise<string> {
  if (file === NOTHING) return '';
  try {
    const { size, isFile } = await look(file);
    // From a pipe one may wait for ever.
    if (!isFile) throw unreadable(file, 'it is no file');
    if (size > MOST_BYTES) throw unreadable(file, 'it is too large');
    return await readFile(file, 'utf8');
  } catch (error) {
    if (error instanceof LinkError) throw error;
    if (isMissing(error)) return '';
    throw unreadable(file, String(error), error);
  }
}

async function look(file: string): Promise<{ size: number; isFile: boolean }> {
  const found = await stat(file);
  return { size: found.size, isFile: found.isFile() };
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

function unreadable(file: string, why: string, cause?: unknown): LinkError {
  return new LinkError(`${file} says which hosts are known, and cannot be read: ${why}.`, {
    mayPass: false,
    cause,
  });
}
