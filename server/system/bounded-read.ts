import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  promises,
  readSync,
  type Stats,
  statSync,
} from 'node:fs';

/*
 * Reading files in folders of users.
 *
 * Folders come from anywhere: what has the name of a file may be a pipe, which is waited for, a device,
 * which never ends, or a file that grows while it is read. So nothing is opened that is not a regular
 * file, nothing is waited for if it is replaced in between, and nothing past the size it had is read.
 *
 * Invariant: every read of a file in a user's folder goes through this module.
 */

/** Windows has none. */
const TO_READ = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/** Reads at most `limit` bytes from the start of a regular file; returns undefined for anything else. */
export function readStart(file: string, limit: number): Buffer | undefined {
  try {
    // Most files that are looked for are not there, and to throw that takes longer than to look.
    if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true) return undefined;
    const opened = openIfRegular(file);
    if (opened === undefined) return undefined;
    try {
      return bytesOf(opened, Math.min(fstatSync(opened).size, limit));
    } finally {
      closeSync(opened);
    }
  } catch {
    return undefined;
  }
}

/** Reads a whole regular file; returns undefined if it is longer than `limit` bytes. */
export function readWithin(file: string, limit: number): Buffer | undefined {
  const bytes = readStart(file, limit + 1);
  return bytes === undefined || bytes.length > limit ? undefined : bytes;
}

/** The same as text. */
export function readTextWithin(file: string, limit: number): string | undefined {
  return readWithin(file, limit)?.toString('utf8');
}

/** As `readWithin`, without holding up anything else, for many files one after the other. */
export async function readWithinLater(file: string, limit: number): Promise<Buffer | undefined> {
  try {
    if (!(await promises.stat(file)).isFile()) return undefined;
    await using opened = await promises.open(file, TO_READ);
    const stats = await opened.stat();
    if (!isReadable(stats, limit)) return undefined;
    const { buffer, bytesRead } = await opened.read(
      Buffer.allocUnsafe(stats.size),
      0,
      stats.size,
      0,
    );
    return buffer.subarray(0, bytesRead);
  } catch {
    return undefined;
  }
}

/** Opens a regular file; returns undefined for anything else. Throws what the system says. */
export function openRegular(file: string): number | undefined {
  return statSync(file).isFile() ? openIfRegular(file) : undefined;
}

/** Looked at before, so that no pipe is waited for; it may have been replaced in between. */
function openIfRegular(file: string): number | undefined {
  const opened = openSync(file, TO_READ);
  if (fstatSync(opened).isFile()) return opened;
  closeSync(opened);
  return undefined;
}

/** The first `length` bytes, or fewer if the file has become shorter. */
export function bytesOf(opened: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length);
  let at = 0;
  for (let read = -1; at < length && read !== 0; at += read)
    read = readSync(opened, bytes, at, length - at, at);
  return bytes.subarray(0, at);
}

function isReadable(stats: Stats, limit: number): boolean {
  return stats.isFile() && stats.size <= limit;
}
