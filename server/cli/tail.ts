import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { LogText } from '../domain/log-text.ts';

interface TailWish {
  readonly lineCount: number;
  readonly byteCount: number;
  /** A screen shows colors; a file or a program gets none. */
  readonly hasColors: boolean;
}

/** The last lines of a log, without sequences that would move the cursor or set titles. */
export function tailOf(
  file: string | undefined,
  { lineCount, byteCount, hasColors }: TailWish,
): string {
  if (file === undefined) return '';
  try {
    const opened = openSync(file, 'r');
    try {
      const { size } = fstatSync(opened);
      // One more byte says whether the cut is between two lines.
      const bytes = Buffer.alloc(Math.min(size, byteCount + 1));
      readSync(opened, bytes, 0, bytes.length, size - bytes.length);
      return lastLines(fromWholeLine(bytes, size), { lineCount, hasColors });
    } finally {
      closeSync(opened);
    }
  } catch {
    return '';
  }
}

/** A cut may be in the middle of a character or of an escape sequence; a new line begins neither. */
function fromWholeLine(bytes: Buffer, size: number): Buffer {
  if (bytes.length === size) return bytes;
  const end = bytes.indexOf(0x0a);
  return end === -1 ? bytes : bytes.subarray(end + 1);
}

function lastLines(
  bytes: Buffer,
  { lineCount, hasColors }: Pick<TailWish, 'lineCount' | 'hasColors'>,
): string {
  const text = new LogText({ hasColors });
  const lines = text.take(bytes).trimEnd().split('\n').slice(-lineCount);
  return lines.join('\n') + text.end();
}
