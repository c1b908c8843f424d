import type { RunId, TaskId } from '../domain/ids.ts';
import { holderOf, isFinal, type TaskState } from '../domain/task.ts';
import type { AttemptName, OpenBoard } from './ports.ts';
import type { Poke } from './poke.ts';

/** A try at a task of a run. Nobody has tried it yet: attempt 0. */
export interface TriedAttempt extends AttemptName {
  readonly run: RunId;
  readonly task: TaskId;
}

export type LogPart =
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  /** There is no more for now. Whoever has had enough leaves here, and pokes so that it comes. */
  | { readonly kind: 'pause' };

type TaskPart =
  | LogPart
  /** What follows is the output of this one. */
  | { readonly kind: 'attempt'; readonly attempt: TriedAttempt }
  /** Nothing more comes; absent: nobody knows its run any more. */
  | { readonly kind: 'ended'; readonly state: TaskState | undefined };

/** What a task prints until it has ended, attempt after attempt; `first` is shown from its beginning. */
export async function* followTask(
  open: OpenBoard,
  first: TriedAttempt,
  poke: Poke,
): AsyncGenerator<TaskPart, void> {
  let { revision } = first;
  let attempt = Math.max(1, first.attempt);
  for (;;) {
    const state = stateOf(open, first);
    // Of a run that nobody knows any more, only what was asked for.
    const tries = state?.tries ?? { revision: first.revision, attempts: first.attempt };
    if (tries.revision > revision) [revision, attempt] = [tries.revision, 1];
    if (revision === tries.revision && attempt <= tries.attempts) {
      const next = { ...first, revision, attempt };
      yield { kind: 'attempt', attempt: next };
      yield* followAttempt(open, next, poke);
      attempt += 1;
      continue;
    }
    if (state === undefined || isFinal(state)) {
      yield { kind: 'ended', state };
      return;
    }
    yield { kind: 'pause' };
    await poke.next();
  }
}

/** What one attempt prints until it is over. */
export async function* followAttempt(
  open: OpenBoard,
  attempt: TriedAttempt,
  poke: Poke,
): AsyncGenerator<LogPart, void> {
  await using log = open.openLog(open.logFile(attempt), () => poke.now());
  for (;;) {
    // What it printed before it was over is there by the time that is known.
    const isOver = !isUnderWay(stateOf(open, attempt), attempt);
    for await (const bytes of log.read()) yield { kind: 'bytes', bytes };
    yield { kind: 'pause' };
    if (isOver) return;
    await poke.next();
  }
}

/** As it stands now; of a run that has ended, as it ended. */
export function stateOf(
  { keeper, store }: OpenBoard,
  { run, task }: Pick<TriedAttempt, 'run' | 'task'>,
): TaskState | undefined {
  return keeper.board.find(run, task)?.state ?? store.statesOf(run).get(task);
}

function isUnderWay(state: TaskState | undefined, { revision, attempt }: TriedAttempt): boolean {
  if (state === undefined || holderOf(state) === undefined) return false;
  return state.tries.revision === revision && state.tries.attempts === attempt;
}
