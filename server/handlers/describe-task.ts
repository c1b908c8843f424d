import type { Board } from '../board/board.ts';
import { ClockText } from '../board/clock-text.ts';
import { lastLineOf } from '../board/last-line.ts';
import { formatDuration } from '../domain/time.ts';
import { codeText, plainText } from '../language/markdown.ts';
import { stateWords } from '../language/state-text.ts';
import { parseTaskId } from '../domain/ids.ts';
import type { BoardTask } from '../board/board-task.ts';
import { spanOf } from '../board/task-span.ts';

/** All there is to say of a task in Markdown, for whoever points at it; nothing where there is none. */
export async function describeTask(
  board: Board,
  { plan, id }: { readonly plan: string; readonly id: string },
): Promise<string | undefined> {
  const row = board.table.get(plan, id);
  const task = parseTaskId(id);
  if (row === undefined || task === undefined) return undefined;
  const { status, record } = row;
  const title = row.task.title === '' || row.task.title === id ? '' : plainText(row.task.title);
  const why = board.whyNot(plan, task).map((sentence) => `- ${plainText(sentence)}`);
  const detail = why.length > 0 ? '' : status.detail;
  const state = [status.kind === 'idle' ? 'not run yet' : stateWords(status.kind), detail];
  const open = board.live;
  const line = record && open && (await lastLineOf(open, record));
  return [
    `**${plainText(id)}** — ${state
      .filter((part) => part !== '')
      .map(plainText)
      .join(', ')}`,
    title,
    why.join('\n'),
    factsOf(row, board).join('  \n'),
    line === undefined ? '' : `Last output: ${codeText(line)}`,
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

/** A line each. */
function factsOf(row: BoardTask, board: Board): readonly string[] {
  const { record } = row;
  const open = board.live;
  if (record === undefined || open === undefined) return [];
  const clock = new ClockText();
  const now = open.keeper.board.timeAt(open.clock.now());
  const { startedAt, finishedAt } = spanOf(record.state);
  const began = startedAt === undefined ? '' : `Started ${clock.short(startedAt, now)}`;
  const since = startedAt === undefined ? undefined : (finishedAt ?? now) - startedAt;
  const ended = finishedAt === undefined ? '' : `ended ${clock.short(finishedAt, now)}`;
  const took = since === undefined ? '' : formatDuration(Math.max(0, since));
  const times = [began, ended, took].filter((part) => part !== '').join(', ');
  const { attempts } = record.state.tries;
  const holder = board.heldBy(row);
  return [
    capitalised(times),
    attempts > 0 ? `Attempt ${attempts}` : '',
    capitalised(holder),
    row.isPaused ? 'Paused: it does not start until it is resumed' : '',
  ]
    .filter((part) => part !== '')
    .map(plainText);
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
