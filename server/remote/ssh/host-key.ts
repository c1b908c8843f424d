import { createHash } from 'node:crypto';

/** The public half of what a host proves that it is itself with. */
export interface HostKey {
  /** Such as `ssh-ed25519`. */
  readonly type: string;
  /** All of it, as base64, as it stands in a known_hosts file. */
  readonly key: string;
}

const LENGTH_BYTES = 4;

/** Answers with nothing for what is no key. */
export function readHostKey(blob: Buffer): HostKey | undefined {
  if (blob.length < LENGTH_BYTES) return undefined;
  const length = blob.readUInt32BE(0);
  const type = blob.subarray(LENGTH_BYTES, LENGTH_BYTES + length).toString('latin1');
  if (type.length !== length || !/^[\w@.-]+$/.test(type)) return undefined;
  return { type, key: blob.toString('base64') };
}

/** As `ssh-keygen -l` says it. */
export function fingerprint({ key }: HostKey): string {
  const hash = createHash('sha256').update(Buffer.from(key, 'base64')).digest('base64');
  return `SHA256:${hash.replace(/=+$/, '')}`;
}
