declare const kind: unique symbol;

/** A string that a parser has checked; the brand exists at compile time only. */
type Checked<Kind extends string> = string & { readonly [kind]: Kind };

export type TaskId = Checked<'task'>;
export type RunId = Checked<'run'>;
/** Whatever can hold a claim: a runner of ours (`runner/local`), an agent, a person. */
export type WorkerId = Checked<'worker'>;

const TASK_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
/** `plan/id` reaches a task of another plan. */
const TASK_REFERENCE = /^(?:[A-Za-z0-9][A-Za-z0-9._-]{0,63}\/)?[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
const WORKER_ID = /^[A-Za-z0-9][\w.@:/-]{0,127}$/;
const RUN_ID = /^[0-9a-z-]{8,64}$/;

export function parseTaskId(text: string): TaskId | undefined {
  return isTaskId(text) ? text : undefined;
}

export function parseRunId(text: string): RunId | undefined {
  return isRunId(text) ? text : undefined;
}

/** An id of the plan itself, or `other-plan/id`. In a run that spans plans, that is its id. */
export function parseTaskReference(text: string): TaskId | undefined {
  return isTaskReference(text) ? text : undefined;
}

export function parseWorkerId(text: string): WorkerId | undefined {
  return isWorkerId(text) ? text : undefined;
}

/** Ids that differ only in case name one task, because some file systems cannot tell them apart. */
export function foldTaskId(id: string): string {
  return id.toLowerCase();
}

function isTaskId(text: string): text is TaskId {
  return TASK_ID.test(text);
}

function isRunId(text: string): text is RunId {
  return RUN_ID.test(text);
}

function isTaskReference(text: string): text is TaskId {
  return TASK_REFERENCE.test(text);
}

function isWorkerId(text: string): text is WorkerId {
  return WORKER_ID.test(text);
}
