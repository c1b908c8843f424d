import type { RunId } from '../domain/ids.ts';
import { isFinal } from '../domain/task.ts';
import type { NamedTask } from './attempts.ts';
import type { Board } from './board.ts';
import { stateOf, type TriedAttempt } from './follow-task.ts';

export type RunFollowed =
  | {
      readonly kind: 'running';
      readonly asked: TriedAttempt;
      /** What it needs; not what was done before. */
      readonly needed: readonly TriedAttempt[];
      /** Those that were begun for it, and not by somebody else before. */
      readonly begun: readonly RunId[];
    }
  /** Other tasks of its plan are being run, and it is none of them. */
  | { readonly kind: 'busy'; readonly message: string }
  | { readonly kind: 'refused'; readonly message: string };

/** Runs a task, or joins the run that has it already, for somebody who looks at what comes of it. */
export async function runFollowed(board: Board, { plan, id }: NamedTask): Promise<RunFollowed> {
  const result = await board.run({ plan, tasks: [{ id }], requestedBy: 'editor' });
  if (result.kind === 'refused') {
    const { why, message } = result;
    return { kind: why === 'busy' ? 'busy' : 'refused', message };
  }
  const open = board.opened;
  const all = result.runs.flatMap(({ id: run, plan: ofPlan, isJoined, tasks }) =>
    tasks.map((task) => {
      const state = open && stateOf(open, { run, task });
      const { revision, attempts } = state?.tries ?? { revision: 1, attempts: 0 };
      // Of a run that was there before, what it has printed by now is shown from its newest attempt on.
      const tried = { run, task, revision, attempt: isJoined ? attempts : 1 };
      const isDone = state !== undefined && isFinal(state) && isJoined;
      return { tried, isDone, isAsked: ofPlan === plan && task === id };
    }),
  );
  const asked = all.find(({ isAsked }) => isAsked)?.tried;
  if (asked === undefined) {
    const [refused] = result.refusedPlans;
    return { kind: 'refused', message: refused?.message ?? `"${id}" cannot start.` };
  }
  return {
    kind: 'running',
    asked,
    needed: all.filter(({ tried, isDone }) => tried !== asked && !isDone).map(({ tried }) => tried),
    begun: result.runs.filter(({ isJoined }) => !isJoined).map(({ id: run }) => run),
  };
}

/** Ends what was begun for it; of a run that others had begun, only the task itself. */
export async function cancelFollowed(
  board: Board,
  { asked, begun }: Extract<RunFollowed, { kind: 'running' }>,
): Promise<void> {
  if (begun.length > 0) await board.stop(begun);
  else await board.control({ kind: 'cancel-task', ...asked });
}
