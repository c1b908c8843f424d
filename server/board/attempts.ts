import { parseTaskId } from '../domain/ids.ts';
import { displayText } from '../domain/display-text.ts';
import type { RunManifest } from '../domain/run.ts';
import type { OpenBoard } from './ports.ts';
import { ClockText } from './clock-text.ts';
import { stateOf, type TriedAttempt } from './follow-task.ts';
import { statusOf } from './task-status.ts';

/** More runs than people look back. */
const RUNS_LIMIT = 20;

/** One workspace folder, and what is known of its board. */
interface FolderBoard {
  readonly root: string;
  readonly opened: OpenBoard | undefined;
}

/** A task as a plan of the folder has it. */
export interface NamedTask {
  readonly plan: string;
  readonly id: string;
}

export interface PastAttempt extends TriedAttempt {
  readonly runAt: string;
  /** What became of the task, of the newest attempt of a run. */
  readonly outcome: string;
}

/** The newest try at a task, in the newest run that has it. Nobody has tried it there: attempt 0. */
export function newestAttempt(board: FolderBoard, named: NamedTask): TriedAttempt | undefined {
  const record = board.opened?.store
    .latestStates(board.root)
    .find(({ plan, task }) => plan === named.plan && task === named.id);
  if (record === undefined) return undefined;
  const { run, task, state } = record;
  return { run, task, revision: state.tries.revision, attempt: state.tries.attempts };
}

/** The try that comes after one that is over: of a later run, or because somebody retried it. */
export function laterAttempt(
  board: FolderBoard,
  named: NamedTask,
  last: TriedAttempt | undefined,
): TriedAttempt | undefined {
  const task = parseTaskId(named.id);
  if (task === undefined) return undefined;
  for (const model of board.opened?.keeper.board.runs.values() ?? []) {
    const { id: run, root, plan } = model.manifest;
    const tries = model.find(task)?.state.tries;
    if (root !== board.root || plan !== named.plan || tries === undefined) continue;
    const { revision, attempts: attempt } = tries;
    const isRetried = run === last?.run && revision > last.revision;
    // Ids of runs are in the order in which they were asked for.
    if (last === undefined || run > last.run || isRetried) return { run, task, revision, attempt };
  }
  return undefined;
}

/** Those that have a log, the newest first. */
export function pastAttempts(board: FolderBoard, named: NamedTask): readonly PastAttempt[] {
  const open = board.opened;
  const task = parseTaskId(named.id);
  if (open === undefined || task === undefined) return [];
  const clock = new ClockText();
  const now = open.clock.now();
  const isOfTask = ({ root, plan, tasks }: RunManifest): boolean =>
    root === board.root && plan === named.plan && tasks.some(({ id }) => id === task);
  return open.store
    .runs(RUNS_LIMIT)
    .filter(({ manifest }) => isOfTask(manifest))
    .flatMap(({ manifest, status }) => {
      const { id: run, plan } = manifest;
      const state = stateOf(open, { run, task });
      const runAt = clock.short(manifest.requestedAt, now);
      const record = state && { run, plan, task, state, runStatus: status };
      const { kind, detail } = statusOf(record, undefined, undefined);
      const outcome = displayText([kind, detail].filter((part) => part !== '').join(', '));
      return open
        .loggedAttempts(run, task)
        .map((tried) => {
          const tries = state?.tries;
          const isNewest = tried.revision === tries?.revision && tried.attempt === tries.attempts;
          return { run, task, ...tried, runAt, outcome: isNewest ? outcome : '' };
        })
        .toReversed();
    });
}
