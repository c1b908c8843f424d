import { LogText } from '../domain/log-text.ts';
import type { TaskRecord } from '../engine/store-port.ts';
import type { OpenBoard } from './ports.ts';

const KEPT_BYTES = 4096;

/** The last thing that the newest attempt at a task has said; nothing where it has said nothing. */
export async function lastLineOf(
  open: Pick<OpenBoard, 'logFile' | 'readLog'>,
  { run, task, state: { tries } }: TaskRecord,
): Promise<string | undefined> {
  const { revision, attempts: attempt } = tries;
  if (attempt === 0) return undefined;
  let tail = new Uint8Array();
  for await (const piece of open.readLog(open.logFile({ run, task, revision, attempt }))) {
    const joined = new Uint8Array(tail.length + piece.length);
    joined.set(tail);
    joined.set(piece, tail.length);
    tail = joined.subarray(-KEPT_BYTES);
  }
  const text = new LogText({ hasColors: false });
  const lines = (text.take(tail) + text.end()).split('\n');
  return lines.findLast((line) => line.trim() !== '')?.trim();
}
