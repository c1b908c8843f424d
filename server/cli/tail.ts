import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

/** The last lines of a file, without control characters that would move the cursor or set titles. */
export function tailOf(
  file: string | undefined,
  { lineCount, byteCount }: { readonly lineCount: number; readonly byteCount: number },
): string {
  if (file === undefined) return '';
  try {
    const opened = openSync(file, 'r');
    try {
      const { size } = fstatSync(opened);
      const bytes = Buffer.alloc(Math.min(size, byteCount));
      readSync(opened, bytes, 0, bytes.length, size - bytes.length);
      const lines = bytes.toString('utf8').trimEnd().split('\n').slice(-lineCount);
      return lines.join('\n').replaceAll(/[^\P{Cc}\n\t]/gu, '');
    } finally {
      closeSync(opened);
    }
  } catch {
    return '';
  }
}
