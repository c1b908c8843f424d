import { readFile, stat } from 'node:fs/promises';
import ssh2, { type ParsedKey } from 'ssh2';

/** A file that the user proves with who they are. */
export interface Identity {
  readonly file: string;
  /** As base64; absent where only whoever can decrypt it knows. */
  readonly publicKey: string | undefined;
  readonly privateKey: ParsedKey | undefined;
  /** OpenSSH would show it with the key. */
  readonly hasCertificate: boolean;
  /** Why it is of no use by itself, as a clause. */
  readonly problem: string | undefined;
}

const MOST_BYTES = 1024 * 1024;

/** Files that are not there are left out, as OpenSSH does with those that it looks for by itself. */
export async function readIdentities(files: readonly string[]): Promise<readonly Identity[]> {
  const all = await Promise.all(files.map(async (file) => await readIdentity(file)));
  return all.filter((each) => each !== undefined);
}

async function readIdentity(file: string): Promise<Identity | undefined> {
  const [text, beside] = [await textOf(file), await textOf(`${file}.pub`)];
  if (text === undefined && beside === undefined) return undefined;
  const [key, other] = [parsed(text), parsed(beside)];
  const publicKey = (key ?? other)?.getPublicSSH().toString('base64');
  const isPrivate = key?.isPrivateKey() === true;
  const privateKey = isPrivate ? key : undefined;
  // What is public alone is how users say which key of their agent is meant.
  const isMeant = text === undefined || key !== undefined;
  const why = isEncrypted(text ?? '') ? 'is encrypted' : 'is of a kind that only an agent can use';
  const hasCertificate = (await textOf(`${file}-cert.pub`)) !== undefined;
  return { file, publicKey, privateKey, hasCertificate, problem: isMeant ? undefined : why };
}

async function textOf(file: string): Promise<string | undefined> {
  try {
    const found = await stat(file);
    return found.isFile() && found.size <= MOST_BYTES ? await readFile(file, 'utf8') : undefined;
  } catch {
    // OpenSSH goes on with the next one too, and in the end it is said which ones were tried.
    return undefined;
  }
}

function parsed(text: string | undefined): ParsedKey | undefined {
  if (text === undefined) return undefined;
  const key: unknown = ssh2.utils.parseKey(text);
  return isKey(key) ? key : undefined;
}

export function isKey(value: unknown): value is ParsedKey {
  return typeof value === 'object' && value !== null && 'getPublicSSH' in value;
}

const OPENSSH = /-----BEGIN OPENSSH PRIVATE KEY-----([A-Za-z0-9+/=\s]+)/;
/** What such a file begins with when nobody has encrypted it. */
const OPEN = Buffer.from('openssh-key-v1\0\0\0\0\u0004none', 'latin1');

export function isEncrypted(text: string): boolean {
  const body = OPENSSH.exec(text)?.[1];
  if (body === undefined) return /^(?:Proc-Type: 4,ENCRYPTED|-----BEGIN ENCRYPTED)/m.test(text);
  return !Buffer.from(body, 'base64').subarray(0, OPEN.length).equals(OPEN);
}
