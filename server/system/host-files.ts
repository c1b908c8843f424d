import { mkdirSync, renameSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { readTextWithin } from './bounded-read.ts';

/** What a file of hosts says, or why nobody may know. */
export type HostText =
  | { readonly kind: 'none' }
  | { readonly kind: 'said'; readonly value: unknown }
  /** The message is a sentence for the user. */
  | { readonly kind: 'wrong'; readonly message: string };

const SIZE_LIMIT_BYTES = 1024 * 1024;

/** Whoever can write it decides on which machines this user's tasks run: that is the user alone. */
export function readHostFile(file: string): HostText {
  try {
    const { mode, size, uid } = statSync(file);
    if (isOthers({ mode, uid }))
      return wrong(`${file} can be written by others: make it yours, with "chmod go-w ${file}".`);
    if (size > SIZE_LIMIT_BYTES) return wrong(`${file} is longer than 1 MiB: name fewer hosts.`);
    const text = readTextWithin(file, SIZE_LIMIT_BYTES);
    if (text === undefined)
      return wrong(`${file} cannot be read: make it a file that you may read.`);
    return { kind: 'said', value: JSON.parse(text) };
  } catch (error) {
    if (error instanceof SyntaxError)
      return wrong(`${file} is not JSON (${error.message}): correct it.`);
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return { kind: 'none' };
    return wrong(`${file} cannot be read (${code}): let it be read by you.`);
  }
}

/** For those who have no editor to ask, such as the command line. */
export function writeHostFile(file: string, value: unknown): void {
  const text = `${JSON.stringify(value, undefined, 2)}\n`;
  if (readTextWithin(file, SIZE_LIMIT_BYTES) === text) return;
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  const fresh = `${file}.${process.pid}`;
  writeFileSync(fresh, text, { mode: 0o600 });
  renameSync(fresh, file);
}

function isOthers({ mode, uid }: { readonly mode: number; readonly uid: number }): boolean {
  const own = process.getuid?.();
  if (own === undefined) return false;
  return (mode & 0o022) !== 0 || (uid !== own && uid !== 0);
}

function wrong(message: string): HostText {
  return { kind: 'wrong', message };
}
