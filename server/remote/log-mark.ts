import { closeSync, fstatSync, ftruncateSync, openSync, readSync } from 'node:fs';

/**
 * What a wrapper prints last where tmux writes the log: all that its command has printed is in the log
 * then. No terminal shows it.
 */
function markOfLog(term: number): Buffer {
  return Buffer.from(`\u001B_interlock ${term}\u001B\\`);
}

/** Takes the mark off the end of a log. */
export function stripMark(file: string, term: number): void {
  let opened: number;
  try {
    opened = openSync(file, 'r+');
  } catch {
    // It has printed nothing, or the log is gone.
    return;
  }
  try {
    const mark = markOfLog(term);
    const at = fstatSync(opened).size - mark.length;
    const end = Buffer.alloc(mark.length);
    if (at < 0 || readSync(opened, end, 0, mark.length, at) < mark.length) return;
    if (end.equals(mark)) ftruncateSync(opened, at);
  } finally {
    closeSync(opened);
  }
}
