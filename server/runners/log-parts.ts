import {
  closeSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readSync,
  renameSync,
  statSync,
  writeSync,
} from 'node:fs';
import { type FileHandle, open, rm } from 'node:fs/promises';

export const HEAD_BYTES = 1024 * 1024;
export const TAIL_BYTES = 9 * 1024 * 1024;

/** Where the last part of a long log is while its command runs. */
export function tailFile(file: string): string {
  return `${file}.tail`;
}

/** Of a log that is not there, or cannot be looked at: 0. */
export function sizeOf(file: string): number {
  try {
    return statSync(file).size;
  } catch {
    return 0;
  }
}

/** The most that it takes to say that something is missing. */
export const MARKER_BYTES = 64;

/** What stands in a log for the part of it that was not kept. */
export function marker(leftOutBytes: number): string {
  return `\n… ${leftOutBytes} bytes left out …\n`;
}

/** Whether it is the first and the last part of a longer log, and what stands between them. */
export function isJoined(file: string): boolean {
  const size = sizeOf(file);
  if (size <= HEAD_BYTES + TAIL_BYTES || size > HEAD_BYTES + TAIL_BYTES + MARKER_BYTES)
    return false;
  const found = Buffer.alloc(MARKER_BYTES);
  const opened = openSync(file, 'r');
  try {
    readSync(opened, found, 0, MARKER_BYTES, HEAD_BYTES);
  } finally {
    closeSync(opened);
  }
  return /^\n… \d+ bytes left out …\n/.test(found.toString());
}

/** The first line of a tail file says how much is missing before the rest; it has this many bytes. */
export const TAIL_START = 24;

export interface Tail {
  readonly leftOutBytes: number;
  /** How much of the output it holds. */
  readonly bytes: number;
}

const NO_TAIL: Tail = { leftOutBytes: 0, bytes: 0 };

export async function readTail(file: string): Promise<Tail> {
  try {
    await using tail = await open(tailFile(file), 'r');
    const { buffer } = await tail.read(Buffer.alloc(TAIL_START), 0, TAIL_START, 0);
    const { size } = await tail.stat();
    return { leftOutBytes: Number(buffer.toString()), bytes: size - TAIL_START };
  } catch {
    return NO_TAIL;
  }
}

/**
 * Moves all but the first part of a log to a new tail file; answers how much the log lost. When it is
 * not wanted any more by then, somebody else looks after the log, and nothing has changed.
 */
export async function moveTail(file: string, isWanted: () => boolean): Promise<number> {
  const before = await readTail(file);
  const draft = `${tailFile(file)}.draft`;
  await using source = await open(file, 'r+');
  await using target = await open(draft, 'w', 0o600);
  const { size } = await source.stat();
  const from = size - TAIL_BYTES;
  const leftOut = before.leftOutBytes + before.bytes + from - HEAD_BYTES;
  await target.write(`${String(leftOut).padEnd(TAIL_START - 1)}\n`);
  await copyBytes(source, target, { from, to: size });
  if (!isWanted()) {
    await rm(draft, { force: true });
    return 0;
  }
  renameSync(draft, tailFile(file));
  // What the command writes between the last look at the size and the cut is lost, so nothing else is
  // done in between.
  const end = copyLast(source, target, size);
  ftruncateSync(source.fd, HEAD_BYTES);
  return end - HEAD_BYTES;
}

/**
 * Copies what has come meanwhile; of a flood only the end, because whoever tries to catch up with it
 * falls back more and more. Answers how far it got.
 */
function copyLast(source: FileHandle, target: FileHandle, from: number): number {
  const { size } = fstatSync(source.fd);
  const skipped = Math.max(0, size - PIECE_BYTES - from);
  if (skipped > 0) writeSync(target.fd, marker(skipped));
  const piece = Buffer.allocUnsafe(size - from - skipped);
  const bytes = readSync(source.fd, piece, 0, piece.length, from + skipped);
  writeSync(target.fd, piece, 0, bytes);
  return size;
}

const PIECE_BYTES = 1024 * 1024;

/** Appends a part of one file to another. */
export async function copyBytes(
  source: FileHandle,
  target: FileHandle,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<void> {
  const piece = Buffer.allocUnsafe(Math.max(0, Math.min(PIECE_BYTES, to - from)));
  for (let at = from; at < to;) {
    const { bytesRead } = await source.read(piece, 0, Math.min(piece.length, to - at), at);
    if (bytesRead === 0) return;
    await target.write(piece, 0, bytesRead);
    at += bytesRead;
  }
}
