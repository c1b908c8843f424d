import {
  parseRunId,
  parseTaskId,
  parseWorkerId,
  type RunId,
  type TaskId,
  type WorkerId,
} from '../../server/domain/ids.ts';

export function taskId(text: string): TaskId {
  return known(parseTaskId(text), text);
}

export function runId(text: string): RunId {
  return known(parseRunId(text), text);
}

export function workerId(text: string): WorkerId {
  return known(parseWorkerId(text), text);
}

function known<Id>(id: Id | undefined, text: string): Id {
  if (id === undefined) throw new TypeError(`"${text}" is no id.`);
  return id;
}
