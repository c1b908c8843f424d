declare const kind: unique symbol;

/** A string that a parser has checked; the brand exists at compile time only. */
type Checked<Kind extends string> = string & { readonly [kind]: Kind };

export type TaskId = Checked<'task'>;
export type RunId = Checked<'run'>;
/** Whatever can hold a claim: a runner of ours (`runner/local`), an agent, a person. */
export type WorkerId = Checked<'worker'>;

const TASK_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
/** `plan/id` reaches a task of another plan; its name, or its path, is free text. */
// oxlint-disable-next-line no-control-regex -- control characters are what is refused
const TASK_REFERENCE = /^(?:[^\u0000-\u001f\u007f]{1,512}\/)?[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
const WORKER_ID = /^[A-Za-z0-9][\w.@:/-]{0,127}$/;
const RUN_ID = /^[0-9a-z-]{8,64}$/;

export function parseTaskId(text: string): TaskId | undefined {
  return isTaskId(text) ? text : undefined;
}

export function parseRunId(text: string): RunId | undefined {
  return isRunId(text) ? text : undefined;
}

/** An id of the plan itself, or `other-plan/id`. */
export function parseTaskReference(text: string): TaskId | undefined {
  return isTaskReference(text) ? text : undefined;
}

/** The plan that a reference names, and the id there. What has no "/" names no plan. */
export function splitReference(text: string): {
  readonly plan: string | undefined;
  readonly task: string;
} {
  const slash = text.lastIndexOf('/');
  if (slash < 0) return { plan: undefined, task: text };
  return { plan: text.slice(0, slash), task: text.slice(slash + 1) };
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
