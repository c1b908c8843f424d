import { unreachable } from '../domain/assert.ts';
import { parseTaskId, type RunId, type TaskId } from '../domain/ids.ts';
import type { TaskDefinition } from '../domain/task.ts';
import type { SubmitResult } from '../engine/run-request.ts';
import type { PlanTask } from '../plans/plan.ts';
import { type LoadedPlan, selectTasks } from './plan-set.ts';

export interface RunOptions {
  /** Absent: all plans of the folder. */
  readonly plan?: string | undefined;
  /** Empty: all tasks. */
  readonly tasks: readonly string[];
  readonly requestedBy: string;
  readonly parallel?: number | undefined;
  readonly isFailFast?: boolean;
  readonly isNew?: boolean;
}

/** A task that was asked for and cannot start until its plan is edited. */
interface LeftOut {
  readonly task: TaskId;
  readonly why: string;
}

export interface Refusal {
  readonly kind: 'refused';
  readonly why:
    | 'nothing-to-run'
    | 'unknown-plan'
    | 'unknown-task'
    | 'cannot-start'
    | 'busy'
    | 'queue-full'
    | 'untrusted'
    | 'store';
  readonly message: string;
}

export type RunResult =
  | {
      readonly kind: 'accepted';
      readonly runs: readonly { readonly id: RunId; readonly isJoined: boolean }[];
      readonly leftOut: readonly LeftOut[];
    }
  | Refusal;

/** The tasks of one plan that a run will have. */
export interface ChosenPart {
  readonly plan: LoadedPlan;
  readonly tasks: readonly TaskDefinition[];
  readonly selection: readonly TaskId[];
}

type Choice =
  | {
      readonly kind: 'chosen';
      readonly parts: readonly ChosenPart[];
      readonly leftOut: readonly LeftOut[];
    }
  | Refusal;

/** Which tasks were asked for, what they need, and which of them cannot start. */
export function chooseTasks(all: readonly LoadedPlan[], options: RunOptions): Choice {
  const plans = all.filter(({ path }) => options.plan === undefined || path === options.plan);
  if (options.plan !== undefined && plans.length === 0)
    return refuse('unknown-plan', `There is no plan "${options.plan}" in this folder.`);
  const wrong = findWrongName(plans, options);
  if (wrong !== undefined) return wrong;
  const parts: ChosenPart[] = [];
  const leftOut: LeftOut[] = [];
  for (const plan of plans) {
    const ids = new Set(plan.plan.tasks.map(({ id }) => id));
    const selection = options.tasks
      .flatMap((id) => parseTaskId(id) ?? [])
      .filter((id) => ids.has(id));
    if (options.tasks.length > 0 && selection.length === 0) continue;
    const tasks: TaskDefinition[] = [];
    for (const task of selectTasks(plan.plan, selection)) {
      const why = plan.plan.obstacles.get(task.id);
      if (why !== undefined) leftOut.push({ task: task.id, why });
      else tasks.push(definitionOf(task));
    }
    if (tasks.length > 0) parts.push({ plan, tasks, selection });
  }
  if (parts.length > 0) return { kind: 'chosen', parts, leftOut };
  const [first] = leftOut;
  return first === undefined
    ? refuse('nothing-to-run', 'There is no task to run in this folder.')
    : refuse('cannot-start', `No task can start. "${first.task}": ${first.why}`);
}

/** A task that was named has to exist, in one plan only, and has to be able to start. */
function findWrongName(
  plans: readonly LoadedPlan[],
  { plan, tasks }: RunOptions,
): Refusal | undefined {
  for (const name of tasks) {
    const owners = plans.filter((loaded) => loaded.plan.tasks.some(({ id }) => id === name));
    const [owner] = owners;
    if (owner === undefined) {
      const where = plan === undefined ? '' : ` in ${plan}`;
      return refuse('unknown-task', `There is no task "${name}"${where}.`);
    }
    if (owners.length > 1) {
      const paths = owners.map(({ path }) => path).join(', ');
      return refuse(
        'unknown-task',
        `Several plans have a task "${name}" (${paths}). Say which one with --plan.`,
      );
    }
    const id = parseTaskId(name);
    const why = id === undefined ? undefined : owner.plan.obstacles.get(id);
    if (why !== undefined) return refuse('cannot-start', `"${name}" cannot start. ${why}`);
  }
  return undefined;
}

function definitionOf(task: PlanTask): TaskDefinition {
  const { id, title, command, cwd, env, dependsOn, after, reads, writes, asks } = task;
  return { id, title, command, cwd, env, dependsOn, after, reads, writes, asks };
}

export function refuse(why: Refusal['why'], message: string): Refusal {
  return { kind: 'refused', why, message };
}

/** What the engine refused, as a sentence that says what to do. */
export function refusalOf(
  result: Exclude<SubmitResult, { kind: 'started' | 'joined' }>,
  plan: string,
): Refusal {
  switch (result.kind) {
    case 'busy':
      return refuse(
        'busy',
        `Other tasks of ${plan} are being run now. Wait for them, or stop them.`,
      );
    case 'queue-full':
      return refuse(
        'queue-full',
        `${result.queued} tasks are waiting already, and ${result.limit} may. Wait until some have started.`,
      );
    case 'refused':
      return refuse('cannot-start', result.message);
    case 'untrusted':
      return refuse('untrusted', 'Trust this folder to run its tasks.');
    default:
      return unreachable(result);
  }
}
