import type { Doer, TaskAsks } from '../domain/asks.ts';
import { parseRunId, parseTaskId, parseTaskReference } from '../domain/ids.ts';
import { parsePattern } from '../domain/paths/path-set.ts';
import { refusePath } from '../domain/paths/relative-path.ts';
import { PRIORITIES } from '../domain/priority.ts';
import type { Command, TaskDefinition } from '../domain/task.ts';
import type { RunRequest } from '../engine/run-request.ts';
import {
  boolean,
  list,
  number,
  object,
  parsed,
  record,
  type Shape,
  text,
  union,
  whole,
  word,
} from './shape.ts';

/**
 * Whatever a run brings with it is written to the ledger and read for ever after. So it is all looked
 * at, and by the limits of plans: what a window can start by itself, it can start through another.
 */

/** As much as a whole plan. */
const TEXT = 2 ** 20;
const NAME = 1000;
const PATH = 32_767;
const NAMES = 20_000;
const TASKS = 100_000;
const LONGEST_MS = 365 * 24 * 60 * 60 * 1000;
const LAST_EXIT_CODE = 2 ** 32 - 1;

const ENV_NAME = /^(?!INTERLOCK_)[A-Za-z_][A-Za-z0-9_]*$/;
const ABSOLUTE = /^(?:\/|[A-Za-z]:[\\/]|\\\\)/;

export const runId = parsed(parseRunId, { longest: NAME, need: 'the id of a run is needed' });
/** It becomes part of file names, so it names no plan. */
export const taskId = parsed(parseTaskId, { longest: NAME, need: 'the id of a task is needed' });
const reference = parsed(parseTaskReference, {
  longest: NAME,
  need: 'the id of a task is needed, or "plan/id"',
});
export const name = text(NAME);
export const durationMs = whole({ from: 0, to: LONGEST_MS });

const amount = number({ from: 0, to: Number.MAX_VALUE });
const names = list(name, NAMES);
const taskIds = list(taskId, TASKS);
const references = list(reference, TASKS);
const amounts = record(name, amount, NAMES);

const environmentName = parsed((said) => (ENV_NAME.test(said) ? said : undefined), {
  longest: NAME,
  need: 'a name of letters, digits and "_" is needed that does not begin with INTERLOCK_',
});

const folder = parsed(
  (said) => (said === '' || refusePath(said) === undefined ? said : undefined),
  { longest: TEXT, need: 'a path in the workspace folder is needed' },
);

const pattern = parsed((said) => (parsePattern(said).kind === 'glob' ? said : undefined), {
  longest: TEXT,
  need: 'a pattern of paths in the workspace folder is needed',
});

const patterns = list(pattern, NAMES);

const command = union<Command>({
  shell: object({ kind: word('shell'), script: text(TEXT) }),
  program: object({ kind: word('program'), file: text(TEXT), args: list(text(TEXT), NAMES) }),
});

const doer = union<Doer>({
  runner: object({ kind: word('runner') }),
  terminal: object({ kind: word('terminal') }),
  'started-agent': object({ kind: word('started-agent'), agent: name }),
  agent: object({ kind: word('agent') }),
  person: object({ kind: word('person') }),
  anyone: object({ kind: word('anyone') }),
});

const retry = object({
  attempts: whole({ from: 1, to: 1000 }),
  backoffMs: durationMs,
  factor: number({ from: 1, to: 100 }),
  maxMs: durationMs,
  on: list(whole({ from: 0, to: LAST_EXIT_CODE }), NAMES),
});

const asks: Shape<Partial<TaskAsks>> = object(
  {},
  {
    priority: word(...PRIORITIES),
    doer,
    needs: names,
    hosts: names,
    resources: amounts,
    retry,
    timeout: object({}, { softMs: durationMs, hardMs: durationMs }),
    leaseMs: durationMs,
    stuckAfterMs: durationMs,
    isIsolated: boolean,
    isInSession: boolean,
    expectedMs: amount,
  },
);

const definitionFields = object(
  {
    id: taskId,
    title: text(TEXT),
    cwd: folder,
    env: record(environmentName, text(TEXT), NAMES),
    dependsOn: references,
    after: references,
    reads: patterns,
    writes: patterns,
  },
  { command, asks },
);

const taskDefinition: Shape<TaskDefinition> = (value, at) => {
  const fields = definitionFields(value, at);
  const { command: said } = fields;
  // The order of the fields stays.
  return said === undefined ? { ...fields, command: undefined } : { ...fields, command: said };
};

const rule = word('wait', 'warn', 'ignore');

const FOLDER = /^(?!\.\.?(?:\/|$))[^/]+(?:\/(?!\.\.?(?:\/|$))[^/]+)*$/;

const runFields = {
  id: runId,
  root: parsed((said) => (ABSOLUTE.test(said) ? said : undefined), {
    longest: PATH,
    need: 'the whole path of a folder is needed',
  }),
  plan: text(PATH),
  planHash: name,
  selection: taskIds,
  requestedBy: name,
  policy: object(
    { parallel: whole({ from: 1, to: Number.MAX_SAFE_INTEGER }), failFast: boolean },
    {
      limits: amounts,
      hazards: object(
        {},
        {
          writeWrite: rule,
          readWrite: rule,
          human: word('wait', 'warn', 'ignore', 'ask'),
          worktrees: rule,
        },
      ),
    },
  ),
  tasks: list(taskDefinition, TASKS),
  isNew: boolean,
};

const referred = object({ reference, plan: text(PATH), task: taskId });

export const runRequest: Shape<RunRequest> = object(runFields, {
  refersTo: list(referred, TASKS),
  isNeeded: boolean,
  folder: parsed((said) => (FOLDER.test(said) ? said : undefined), {
    longest: PATH,
    need: 'the names of folders with "/" between them are needed',
  }),
});
