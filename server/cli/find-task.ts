import { parseRunId, parseTaskId, type RunId, type TaskId } from '../domain/ids.ts';
import type { BoardModel } from '../scheduler/model/board-model.ts';
import type { RunModel, TaskEntry } from '../scheduler/model/run-model.ts';
import { EXIT } from './exit-code.ts';
import type { Refused } from './say.ts';
import type { Arguments } from './terminal.ts';

/** A task as the user names it: `id`, `plan:id`, with `--plan` or with `--run`. */
export interface TaskName {
  readonly kind: 'name';
  readonly task: TaskId;
  readonly plan: string | undefined;
  readonly run: RunId | undefined;
}

export function readTaskName(word: string, options: Arguments['options']): TaskName | Refused {
  const colon = word.lastIndexOf(':');
  const id = word.slice(colon + 1);
  const task = parseTaskId(id);
  if (task === undefined) return wrong('unknown-task', `"${word}" is not the name of a task.`);
  const plan = colon < 0 ? options['plan'] : word.slice(0, colon);
  const run = readRunId(options);
  if (run !== undefined && typeof run !== 'string') return run;
  return { kind: 'name', task, plan: plan === undefined ? undefined : String(plan), run };
}

export function readRunId({ run }: Arguments['options']): RunId | Refused | undefined {
  if (run === undefined) return undefined;
  return (
    parseRunId(String(run)) ?? wrong('unknown-run', `"${String(run)}" is not the id of a run.`)
  );
}

export type FoundTask =
  | { readonly kind: 'found'; readonly run: RunModel; readonly entry: TaskEntry }
  | Refused;

/** In the newest unfinished run that has it; one that somebody carries on comes first. */
export function findTask(
  board: BoardModel,
  folder: string,
  { task, plan, run: wanted }: TaskName,
): FoundTask {
  const runs = [...board.runs.values()]
    .filter(({ manifest }) =>
      wanted === undefined ? manifest.root === folder : manifest.id === wanted,
    )
    .filter(({ manifest }) => plan === undefined || manifest.plan === plan)
    .filter((run) => run.find(task) !== undefined);
  const plans = [...new Set(runs.map(({ manifest }) => manifest.plan))];
  if (plans.length > 1) return wrong('ambiguous', severalPlans(task, plans));
  const run = runs.findLast(({ isInterrupted }) => !isInterrupted) ?? runs.at(-1);
  const entry = run?.find(task);
  if (run !== undefined && entry !== undefined) return { kind: 'found', run, entry };
  const where =
    wanted === undefined ? 'No unfinished run has' : `Run ${wanted} has ended, or does not have`;
  return {
    kind: 'refused',
    why: 'not-running',
    message: `${where} a task "${task}".`,
    code: EXIT.refused,
  };
}

export function severalPlans(task: string, plans: readonly string[]): string {
  return `Several plans have a task "${task}" (${plans.join(', ')}). Say which one with --plan.`;
}

function wrong(why: string, message: string): Refused {
  return { kind: 'refused', why, message, code: EXIT.usage };
}
