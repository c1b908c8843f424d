import type { RunId, TaskId } from '../domain/ids.ts';
import type { TaskRecord } from '../engine/store-port.ts';
import type { ControlRequest } from '../scheduler/requests/control.ts';
import type { Board } from './board.ts';

type TaskWord = 'cancel' | 'retry' | 'pause' | 'resume' | 'answer';

/** What a person wants to be done with a folder. */
export type BoardIntervention =
  | { readonly kind: 'pause-all' | 'resume-all' }
  | { readonly kind: 'stop-run'; readonly run: RunId }
  | {
      readonly kind: TaskWord;
      readonly tasks: readonly { readonly plan: string; readonly id: TaskId }[];
    };

/** Does it, and answers with a sentence for each thing that was not done. */
export async function intervene(board: Board, what: BoardIntervention): Promise<readonly string[]> {
  switch (what.kind) {
    case 'pause-all':
      return await askEach(board, [{ kind: 'pause-board' }]);
    case 'resume-all':
      return await askEach(board, [{ kind: 'resume-board' }]);
    case 'stop-run':
      return await askEach(board, [what]);
    default:
      return await interveneInTasks(board, what);
  }
}

async function interveneInTasks(
  board: Board,
  { kind, tasks }: Extract<BoardIntervention, { tasks: unknown }>,
): Promise<readonly string[]> {
  const requests: ControlRequest[] = [];
  const ended = new Map<string, TaskId[]>();
  const refusals: string[] = [];
  for (const { plan, id } of tasks) {
    const record = board.table.recordOf(plan, id);
    const run = liveRunOf(record);
    if (run !== undefined) requests.push({ kind: `${kind}-task`, run, task: id });
    else if (kind === 'retry' && record !== undefined)
      ended.set(plan, [...(ended.get(plan) ?? []), id]);
    else refusals.push(`"${id}" is in no unfinished run. ${ADVICE[kind]}`);
  }
  refusals.push(...(await askEach(board, requests)));
  for (const [plan, ids] of ended) refusals.push(...(await runAgain(board, plan, ids)));
  return refusals;
}

const ADVICE: Readonly<Record<TaskWord, string>> = {
  cancel: 'There is nothing to cancel.',
  retry: 'Run it instead.',
  pause: 'There is nothing to pause.',
  resume: 'There is nothing to resume.',
  answer: 'It has asked nothing.',
};

function liveRunOf(record: TaskRecord | undefined): RunId | undefined {
  return record?.runStatus === 'finished' ? undefined : record?.run;
}

/** All of them are asked before any of them is waited for: whoever decides does them in one turn. */
async function askEach(
  board: Board,
  requests: readonly ControlRequest[],
): Promise<readonly string[]> {
  const answers = await Promise.all(requests.map(async (request) => board.control(request)));
  return answers.filter((answer) => answer !== undefined);
}

async function runAgain(
  board: Board,
  plan: string,
  ids: readonly TaskId[],
): Promise<readonly string[]> {
  const tasks = ids.map((id) => ({ id }));
  const result = await board.run({ plan, tasks, requestedBy: 'editor' });
  if (result.kind === 'refused') return [result.message];
  return [
    ...result.refusedPlans.map(({ message }) => message),
    ...result.leftOut.map(({ task, why }) => `"${task}" was left out: ${why}`),
  ];
}
