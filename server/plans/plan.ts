import type { TaskAsks } from '../domain/asks.ts';
import type { TaskId } from '../domain/ids.ts';
import type { HazardPolicy } from '../domain/run.ts';
import type { TaskDefinition } from '../domain/task.ts';

/** Offsets into a text, the end left out. */
export interface TextRange {
  /** By its path in the workspace folder. Absent: the file that the plan is named after. */
  readonly file?: string;
  readonly start: number;
  readonly end: number;
}

export type ProblemCode =
  | 'syntax'
  | 'too-large'
  | 'wrong-type'
  | 'unknown-key'
  | 'duplicate-key'
  | 'missing-key'
  | 'not-yet'
  | 'no-tasks'
  | 'invalid-id'
  | 'duplicate-id'
  | 'invalid-path'
  | 'not-portable'
  | 'unknown-task'
  | 'unknown-plan'
  | 'ambiguous-plan'
  | 'unknown-limit'
  | 'unknown-agent'
  | 'unknown-host'
  | 'too-much'
  | 'contradiction'
  | 'cycle'
  | 'hazard'
  /** Only an editor can do it: no mistake, but whatever needs it cannot start here. */
  | 'editor-only'
  | 'more-problems';

/** A finding in a plan. An error keeps its task from starting, and so does `editor-only`; all else does not. */
export interface Problem {
  readonly code: ProblemCode;
  /** `hint` is no mistake of whoever wrote the plan. */
  readonly severity: 'error' | 'warning' | 'hint';
  readonly message: string;
  readonly range: TextRange;
  /** Of a slip of syntax the lines that it spoils, and no others; absent: all of its file. */
  readonly within?: TextRange;
  /** Other places, in this plan or another, that belong to it. */
  readonly related: readonly { readonly message: string; readonly range: TextRange }[];
}

/** An id or a path pattern at the place where it is written. */
export interface Mention {
  readonly text: string;
  readonly range: TextRange;
}

/** `task` needs `dependsOn`, though it does not say so itself. */
export interface OrderedPair {
  readonly task: TaskId;
  readonly dependsOn: TaskId;
}

/** A task as it is written, mistakes and all. */
export interface PlanTask extends TaskDefinition {
  /** What it says, wherever in the text it stands: tasks that share it differ in their places at most. */
  readonly said?: object;
  /** Only what the plan says. */
  readonly asks: Partial<TaskAsks>;
  /** What the plan calls it, where that may be no id. */
  readonly label?: string;
  /** The order that it wants for what it depends on, in runs that have it. */
  readonly inOrder?: readonly OrderedPair[];
  readonly idRange: TextRange;
  /** From the id to the end of the task's keys. */
  readonly range: TextRange;
  readonly dependsOnMentions: readonly Mention[];
  readonly afterMentions: readonly Mention[];
  readonly readMentions: readonly Mention[];
  readonly writeMentions: readonly Mention[];
  /** The hosts that it names, where its text is never moved. */
  readonly hostMentions?: readonly Mention[];
  /** The keys of "defaults" that it takes: a mistake there is one of this task, too. */
  readonly inherited: readonly TextRange[];
  /** Prose for whoever does it. */
  readonly description?: string | undefined;
  /** Its plan says, by this word, that it is done: nobody does it, and nobody has to wait for it. */
  readonly doneAs?: string;
  /** Why it cannot start, though nothing is wrong with how it is written. */
  readonly obstacle?: string;
  /** Somebody has said in the plan that they do it. */
  readonly claimInPlan?: ClaimInPlan;
}

interface ClaimInPlan {
  readonly by: string;
  /** By the time of day, in milliseconds since 1970; absent: the plan does not say it. */
  readonly since?: number;
  /** By the time of day, in milliseconds since 1970; absent: until they take it back. */
  readonly endsAt?: number;
}

/** What the text of one plan says, before its tasks are looked at together. */
export interface ParsedPlan {
  readonly name: string | undefined;
  /** `limits.parallel`; absent: the machine's number of cores. */
  readonly parallel: number | undefined;
  /** All other limits; sizes in bytes. Of `cpu` and `memory` an absent one is what the machine has. */
  readonly limits: Readonly<Record<string, number>>;
  /** Only what the plan says. */
  readonly hazards: Partial<HazardPolicy>;
  /** The agents that tasks may name. */
  readonly agents?: readonly Mention[];
  /** The hosts that its tasks name, and those that its defaults do. */
  readonly hosts?: readonly Mention[];
  readonly tasks: readonly PlanTask[];
  readonly problems: readonly Problem[];
  /** What is run when nobody names a task of it; absent: all of it. */
  readonly byDefault?: readonly TaskId[];
}

/** A task, and the plan that it is in by its path. */
export interface TaskOfPlan {
  readonly plan: string;
  readonly task: TaskId;
}

/** A plan whose tasks have been looked at together, and with those of the other plans of its folder. */
export interface AnalyzedPlan extends ParsedPlan {
  /** What other plans call it: the `name` that it gives itself, or what its file is called. */
  readonly knownAs: string;
  /** Each reference of the form `plan/id` that is right, as it is written. */
  readonly references: ReadonlyMap<string, TaskOfPlan>;
  /** Why a task cannot start until the plan is edited; tasks that can are not in it. */
  readonly obstacles: ReadonlyMap<TaskId, string>;
}
