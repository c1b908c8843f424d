import { unreachable } from '../domain/assert.ts';
import { parseTaskId, type RunId, type TaskId, type WorkerId } from '../domain/ids.ts';
import type { TaskDefinition } from '../domain/task.ts';
import type { ReferredTask, SubmitResult } from '../engine/run-request.ts';
import type { PlanTask, TaskOfPlan } from '../plans/plan.ts';
import { listOf } from '../scheduler/predicate/explain.ts';
import { inOrder } from './in-order.ts';
import { noSuchPlan, noSuchTask } from './no-such-task.ts';
import type { LoadedPlan } from './plan-set.ts';
import { selectTasks, type Wanted } from './select-tasks.ts';

export interface RunOptions {
  /** Absent: all plans of the folder. */
  readonly plan?: string | undefined;
  /** Empty: all tasks. */
  readonly tasks: readonly NamedTask[];
  readonly requestedBy: string;
  /** Who asks, where that is a worker: what it has claimed in a file, it may start. */
  readonly claimant?: WorkerId;
  readonly parallel?: number | undefined;
  readonly isFailFast?: boolean;
  readonly isNew?: boolean;
  /** The tasks that are named run in a terminal, whatever their plan says. */
  readonly isInTerminal?: boolean;
  /** They run on this host, whatever their plan says. */
  readonly host?: string;
}

/** A task as somebody asked for it. */
interface NamedTask {
  readonly id: string;
  /** Absent: whichever plan has it, of those that were asked for. */
  readonly plan?: string | undefined;
}

/** A task that was asked for and cannot start until its plan is edited. */
interface LeftOut {
  readonly task: TaskId;
  readonly why: string;
}

/** A plan none of whose tasks run, while those of others do. */
export interface RefusedPlan {
  readonly plan: string;
  readonly why: Refusal['why'];
  readonly message: string;
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

export interface AcceptedRun {
  readonly id: RunId;
  readonly plan: string;
  readonly isJoined: boolean;
  /** What was asked for, and what that needs; one that was joined may have more. */
  readonly tasks: readonly TaskId[];
}

export type RunResult =
  | {
      readonly kind: 'accepted';
      readonly runs: readonly AcceptedRun[];
      readonly leftOut: readonly LeftOut[];
      readonly refusedPlans: readonly RefusedPlan[];
    }
  | Refusal;

/** The tasks of one plan that a run will have. */
export interface ChosenPart {
  readonly plan: LoadedPlan;
  readonly tasks: readonly TaskDefinition[];
  readonly selection: readonly TaskId[];
  /** What they call the tasks of other plans that they wait for. */
  readonly refersTo: readonly ReferredTask[];
  /** Nobody asked for it by itself. */
  readonly isNeeded: boolean;
}

type Choice =
  | {
      readonly kind: 'chosen';
      readonly parts: readonly ChosenPart[];
      readonly leftOut: readonly LeftOut[];
    }
  | Refusal;

/** Which tasks were asked for, what they need, in other plans too, and which of them cannot start. */
export function chooseTasks(all: readonly LoadedPlan[], options: RunOptions): Choice {
  const wanted = findWanted(all, options);
  if ('kind' in wanted) return wanted;
  const parts: ChosenPart[] = [];
  const leftOut: LeftOut[] = [];
  for (const [plan, { tasks: chosen, selection }] of selectTasks(all, wanted)) {
    const tasks: PlanTask[] = [];
    for (const task of chosen) {
      const why = plan.plan.obstacles.get(task.id);
      const isMoved = options.isInTerminal === true || options.host !== undefined;
      if (isMoved && selection.includes(task.id) && task.command === undefined)
        return withoutCommand(task.id, options);
      if (why === undefined) tasks.push(task);
      else leftOut.push({ task: task.id, why });
    }
    if (tasks.length > 0)
      parts.push(
        partOf(all, plan, {
          tasks: inOrder(tasks),
          selection,
          isNeeded: !wanted.has(plan),
          how: options,
        }),
      );
  }
  if (parts.length > 0) return { kind: 'chosen', parts, leftOut };
  const [first] = leftOut;
  return first === undefined
    ? refuse('nothing-to-run', 'There is no task to run in this folder.')
    : refuse('cannot-start', `No task can start. "${first.task}": ${first.why}`);
}

function partOf(
  all: readonly LoadedPlan[],
  plan: LoadedPlan,
  {
    tasks: chosen,
    how,
    ...part
  }: Pick<ChosenPart, 'selection' | 'isNeeded'> & {
    readonly tasks: readonly PlanTask[];
    readonly how: RunOptions;
  },
): ChosenPart {
  const tasks = chosen.map((task) => {
    const definition = definitionOf(all, plan, task);
    return part.selection.includes(task.id) ? moved(definition, how) : definition;
  });
  const references = new Set<TaskId>(tasks.flatMap((task) => [...task.dependsOn, ...task.after]));
  const refersTo = [...references].flatMap((reference): readonly ReferredTask[] => {
    const task = plan.plan.references.get(reference);
    return task === undefined ? [] : [{ reference, ...task }];
  });
  return { plan, tasks, refersTo, ...part };
}

/** What it asks beside that stays as it is. */
function moved(definition: TaskDefinition, { isInTerminal, host }: RunOptions): TaskDefinition {
  const { asks } = definition;
  if (isInTerminal === true)
    return { ...definition, asks: { ...asks, doer: { kind: 'terminal' } } };
  if (host === undefined) return definition;
  const doer = asks?.doer?.kind === 'started-agent' ? asks.doer : ({ kind: 'runner' } as const);
  return { ...definition, asks: { ...asks, doer, hosts: [host] } };
}

function withoutCommand(task: TaskId, { host }: RunOptions): Refusal {
  const where = host === undefined ? 'in a terminal' : `on "${host}"`;
  return refuse('cannot-start', `"${task}" has no command that could run ${where}.`);
}

/** Parts of which tasks wait for each other's. */
export function groupsOf(parts: readonly ChosenPart[]): readonly (readonly ChosenPart[])[] {
  const groups = new Map(parts.map((part) => [part.plan.path, new Set([part])]));
  for (const part of parts)
    for (const { plan } of part.refersTo) {
      const [own, other] = [groups.get(part.plan.path)!, groups.get(plan)];
      if (other === undefined || other === own) continue;
      for (const each of other) {
        own.add(each);
        groups.set(each.plan.path, own);
      }
    }
  return [...new Set(groups.values())].map((group) => parts.filter((part) => group.has(part)));
}

function findWanted(all: readonly LoadedPlan[], { plan, tasks }: RunOptions): Wanted | Refusal {
  if (tasks.length === 0) {
    const plans = plansAt(all, plan);
    return 'kind' in plans ? plans : unnamed(plans);
  }
  const named = new Map<LoadedPlan, Set<TaskId>>();
  for (const task of tasks) {
    const found = findNamed(all, { id: task.id, plan: task.plan ?? plan });
    if ('kind' in found) return found;
    named.set(found.owner, (named.get(found.owner) ?? new Set()).add(found.id));
  }
  return new Map([...named].map(([each, ids]) => [each, [...ids]]));
}

/**
 * What is run when no task is named: of a plan that says what, only that, and only where there is no
 * other. Nobody who presses Run means all that an editor has been taught to do, `deploy` and `clean` included.
 */
function unnamed(plans: readonly LoadedPlan[]): Wanted | Refusal {
  const whole = plans.filter(({ plan }) => plan.byDefault === undefined);
  if (whole.length > 0 || plans.length === 0) return new Map(whole.map((each) => [each, []]));
  const some = plans.filter(
    ({ plan }) => plan.byDefault !== undefined && plan.byDefault.length > 0,
  );
  if (some.length > 0) return new Map(some.map((each) => [each, each.plan.byDefault ?? []]));
  return refuse('nothing-to-run', notAllOf(plans));
}

function notAllOf(plans: readonly LoadedPlan[]): string {
  const paths = plans.map(({ path }) => path).join(', ');
  const ids = plans.flatMap(({ plan }) => plan.tasks.map(({ id }) => id));
  const rule = `The tasks of ${paths} are run by name, never all together, and none of them is the default build task.`;
  return ids.length > 0 ? `${rule} Tasks here: ${listOf(ids)}.` : rule;
}

function plansAt(
  all: readonly LoadedPlan[],
  plan: string | undefined,
): readonly LoadedPlan[] | Refusal {
  const plans = all.filter(({ path }) => plan === undefined || path === plan);
  if (plan === undefined || plans.length > 0) return plans;
  return refuse('unknown-plan', noSuchPlan(plan, all));
}

/** A task that was named has to exist, in one plan only, and has to be able to start. */
function findNamed(
  all: readonly LoadedPlan[],
  { id: name, plan }: NamedTask,
): { readonly owner: LoadedPlan; readonly id: TaskId } | Refusal {
  const plans = plansAt(all, plan);
  if ('kind' in plans) return plans;
  const having = plans.filter((loaded) => loaded.plan.tasks.some((task) => task.id === name));
  // What a plan of ours calls so comes before what an editor calls so.
  const ours = having.filter((loaded) => loaded.plan.byDefault === undefined);
  const owners = ours.length > 0 ? ours : having;
  const [owner] = owners;
  const id = parseTaskId(name);
  if (owner === undefined || id === undefined) {
    const where = plan === undefined ? '' : ` in ${plan}`;
    return refuse('unknown-task', noSuchTask(name, plans, where));
  }
  if (owners.length > 1) {
    const paths = owners.map(({ path }) => path).join(', ');
    return refuse(
      'unknown-task',
      `Several plans have a task "${name}" (${paths}). Say which one with --plan.`,
    );
  }
  const done = owner.plan.tasks.find((task) => task.id === id)?.doneAs;
  if (done !== undefined)
    return refuse('cannot-start', `"${name}" is not to be done any more: its status is "${done}".`);
  const why = owner.plan.obstacles.get(id);
  return why === undefined
    ? { owner, id }
    : refuse('cannot-start', `"${name}" cannot start. ${why}`);
}

/** As others call a task of this plan it is known in its own runs, too. */
function definitionOf(
  all: readonly LoadedPlan[],
  { path, plan }: LoadedPlan,
  task: PlanTask,
): TaskDefinition {
  const { id, title, command, cwd, env, reads, writes, asks } = task;
  const known = (reference: TaskId): readonly TaskId[] => {
    const found = plan.references.get(reference);
    if (found?.plan === path) return [found.task];
    return found !== undefined && isDone(all, found) ? [] : [reference];
  };
  const [dependsOn, after] = [task.dependsOn.flatMap(known), task.after.flatMap(known)];
  return { id, title, command, cwd, env, dependsOn, after, reads, writes, asks };
}

/** Its plan says so: nobody has to wait for it. */
function isDone(all: readonly LoadedPlan[], { plan, task: id }: TaskOfPlan): boolean {
  const owner = all.find(({ path }) => path === plan);
  return owner?.plan.tasks.find((task) => task.id === id)?.doneAs !== undefined;
}

export function refuse(why: Refusal['why'], message: string): Refusal {
  return { kind: 'refused', why, message };
}

/** Why nothing more of a plan can be run now. */
export function othersOf(plan: string): string {
  return `Other tasks of ${plan} are being run now. Wait for them, or stop them.`;
}

/** What the engine refused, as a sentence that says what to do. */
export function refusedPlan(
  result: Exclude<SubmitResult, { kind: 'started' | 'joined' }>,
  plan: string,
): RefusedPlan {
  switch (result.kind) {
    case 'busy':
      return { plan, why: 'busy', message: othersOf(plan) };
    case 'queue-full': {
      const message = `${result.queued} tasks are waiting already, and ${result.limit} may. Wait until some have started.`;
      return { plan, why: 'queue-full', message };
    }
    case 'refused':
      return { plan, why: 'cannot-start', message: result.message };
    case 'untrusted':
      return { plan, why: 'untrusted', message: 'Trust this folder to run its tasks.' };
    default:
      return unreachable(result);
  }
}
