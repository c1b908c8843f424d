import { foldTaskId, type RunId, type TaskId } from './ids.ts';
import type { TaskDefinition, TaskState } from './task.ts';
import type { Instant } from './time.ts';

/**
 * What one run executes, fixed when it is asked for. Edits of the plan do not reach a run that has
 * begun, unless somebody revises it: it carries its own copy of the tasks.
 */
export interface RunManifest {
  readonly id: RunId;
  /** The workspace folder, as an absolute real path. */
  readonly root: string;
  /** Where it lies in its working tree, with `/`; absent where it is the whole of it. */
  readonly folder?: string;
  /** The plan file, relative to `root`. */
  readonly plan: string;
  /** Equal for two runs of the same tasks with the same definitions. */
  readonly planHash: string;
  /** The ids that were asked for; empty means all of the plan. */
  readonly selection: readonly TaskId[];
  readonly requestedBy: string;
  readonly requestedAt: Instant;
  readonly policy: RunPolicy;
  readonly tasks: readonly TaskDefinition[];
  /** What its tasks wait for in runs of other plans; absent where they wait for none. */
  readonly outside?: readonly OutsideTask[];
}

/** A task of another run, which was there or came with this one. */
export interface OutsideTask {
  /** What `depends_on` and `after` call it: `plan/id`. */
  readonly reference: TaskId;
  readonly run: RunId;
  readonly task: TaskId;
}

/** The working tree that a workspace folder lies in; paths of all its folders are compared from there. */
export function treeOf({ root, folder = '' }: Pick<RunManifest, 'root' | 'folder'>): string {
  return folder === '' ? root : root.slice(0, -folder.length - 1);
}

/** The ids that an earlier task has, whatever the case: they are one in file names. */
export function duplicatesIn(tasks: readonly TaskDefinition[]): readonly TaskId[] {
  const isFirst = firstOfEach();
  return tasks.filter((task) => !isFirst(task)).map(({ id }) => id);
}

/** A run with duplicates is refused when it is asked for, so this is only a safeguard. */
export function withoutDuplicates(manifest: RunManifest): RunManifest {
  const tasks = manifest.tasks.filter(firstOfEach());
  return tasks.length === manifest.tasks.length ? manifest : { ...manifest, tasks };
}

function firstOfEach(): (task: TaskDefinition) => boolean {
  const known = new Set<string>();
  return ({ id }) => known.size !== known.add(foldTaskId(id)).size;
}

export interface RunPolicy {
  /** How many tasks of the board may run at once. */
  readonly parallel: number;
  /** Start nothing more after the first failure. */
  readonly failFast: boolean;
  /** How much of each named amount the board has for this run's tasks. */
  readonly limits?: Readonly<Record<string, number>>;
  readonly hazards?: Partial<HazardPolicy>;
}

/** What an overlap with live work does to a task that wants to start. */
export interface HazardPolicy {
  readonly writeWrite: HazardRule;
  readonly readWrite: HazardRule;
  /** `ask`: it waits, and the person is asked. */
  readonly human: HazardRule | 'ask';
  /** The other one is in another working tree: nothing breaks before they are merged. */
  readonly worktrees: HazardRule;
}

/** `wait` holds it back, `warn` lets it start and marks both. */
export type HazardRule = 'wait' | 'warn' | 'ignore';

const DEFAULT_HAZARDS: HazardPolicy = {
  writeWrite: 'wait',
  readWrite: 'warn',
  human: 'ask',
  worktrees: 'warn',
};

export function hazardPolicyOf({ hazards }: Pick<RunPolicy, 'hazards'>): HazardPolicy {
  return hazards === undefined ? DEFAULT_HAZARDS : { ...DEFAULT_HAZARDS, ...hazards };
}

/**
 * `superseded`: interrupted, and then a changed plan or selection was run instead. `deadlocked`:
 * tasks are left, and none of them can ever start.
 */
export type RunOutcome = 'completed' | 'failed' | 'cancelled' | 'superseded' | 'deadlocked';

/** An unfinished run with the state of each of its tasks. */
export interface Run {
  readonly manifest: RunManifest;
  readonly states: ReadonlyMap<TaskId, TaskState>;
}
