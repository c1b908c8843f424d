import { parseWorkerId, type WorkerId } from '../domain/ids.ts';
import { type Failure, type LossCause, type ProcessIdentity } from '../domain/task.ts';
import { type Instant, instant } from '../domain/time.ts';
import type { ClaimCall, SayCall, UncheckedHook, UncheckedSpeaker } from '../engine/board-calls.ts';
import { isRunner, type Worker } from '../scheduler/model/workers.ts';
import type { OwnerName, TaskAttempt } from '../scheduler/model/ownership.ts';
import type { ReleaseRequest } from '../scheduler/requests/ask-release.ts';
import type { ControlRequest } from '../scheduler/requests/control.ts';
import type { AgentEnd } from '../scheduler/requests/leave.ts';
import type { OwnRequest } from '../scheduler/requests/own.ts';
import type { Saying } from '../scheduler/requests/settle.ts';
import { boolean, list, object, parsed, type Shape, text, union, whole, word } from './shape.ts';
import { durationMs, name, runId, taskId } from './task-shapes.ts';

const PATH = 32_767;
const PATHS = 20_000;
/** As many files as a task is told of. */
const DISMISSED = 2000;
const CAPABILITIES = 1000;
/** As many as any board has that somebody works on. */
const EXCEPTED = 20_000;
/** More attempts than a person lets start beside one file. */
const LETS = 100;
const MESSAGE = 2 ** 16;

export const wholeNumber = whole({ from: 0, to: Number.MAX_SAFE_INTEGER });
const integer = whole({ from: Number.MIN_SAFE_INTEGER, to: Number.MAX_SAFE_INTEGER });
const at: Shape<Instant> = (value, where) => instant(wholeNumber(value, where));
const paths = list(text(PATH), PATHS);

/** Asked for again under the same name, it changes nothing again. */
export const operation = name;

/** A worker that somebody speaks about; a runner of ours, too. */
const anyWorkerId: Shape<WorkerId> = parsed(parseWorkerId, {
  longest: 1000,
  need: 'the id of a worker is needed',
});

/** Our runners are in the process that decides: no peer speaks in their name. */
export const workerId: Shape<WorkerId> = parsed(
  (said) => {
    const id = parseWorkerId(said);
    return id === undefined || isRunner(id) ? undefined : id;
  },
  { longest: 1000, need: 'the id of a worker is needed, and not that of a runner' },
);

export const worker: Shape<Worker> = object(
  {
    id: workerId,
    kind: word('agent', 'person', 'terminal'),
    capabilities: list(name, CAPABILITIES),
    isIdle: boolean,
    since: at,
  },
  { root: text(PATH) },
);

export const claimCall: Shape<ClaimCall> = object(
  { worker, operation },
  {
    task: object({ run: runId, task: taskId }),
    except: list(object({ run: runId, task: taskId }), EXCEPTED),
    leaseMs: durationMs,
  },
);

const processIdentity: Shape<ProcessIdentity> = object({
  bootId: name,
  pid: whole({ from: 1, to: 2 ** 32 - 1 }),
  startTime: name,
});

const failure = union<Failure>({
  exit: object({ kind: word('exit'), code: integer }, { message: text(MESSAGE) }),
  signal: object({ kind: word('signal'), signal: name }),
  timeout: object({ kind: word('timeout'), limitMs: durationMs }),
  'not-started': object({ kind: word('not-started'), message: text(MESSAGE) }),
});

const lossCause: Shape<LossCause> = word('lease-expired', 'host-lost', 'not-started', 'killed');

const saying = union<Saying>({
  started: object({ kind: word('started') }, { process: processIdentity }),
  renew: object({ kind: word('renew') }, { leaseMs: durationMs, isAutomatic: boolean }),
  completed: object({ kind: word('completed') }),
  failed: object({ kind: word('failed'), failure }),
  lost: object({ kind: word('lost'), cause: lossCause }),
  released: object({ kind: word('released'), reason: word('released', 'shutdown', 'lost') }),
  'rate-limited': object({ kind: word('rate-limited') }, { retryAfterMs: durationMs }),
  asked: object({ kind: word('asked') }),
  stuck: object({ kind: word('stuck') }),
  progressed: object({ kind: word('progressed') }),
});

/** As many as one connection renews. */
const TERMS = 1000;

export const agentEnd: Shape<AgentEnd> = object({
  terms: list(wholeNumber, TERMS),
  left: word('ended', 'unknown'),
});

/** More than any proof has. */
const PROOF = 200;

/** The runners of a board are in the process that decides: no peer speaks for one. */
const speaker = union<UncheckedSpeaker>({
  worker: object({ kind: word('worker'), worker: workerId }),
  command: object({ kind: word('command') }, { proof: text(PROOF) }),
});

export const sayRequest: Shape<SayCall> = object({
  run: runId,
  task: taskId,
  term: wholeNumber,
  by: speaker,
  says: saying,
});

const taskAttempt: Shape<TaskAttempt> = object({
  run: runId,
  task: taskId,
  revision: wholeNumber,
  attempt: wholeNumber,
});

export const ownRequest: Shape<OwnRequest> = object(
  { id: name, worker: workerId, tree: text(PATH), reads: paths, writes: paths, isUnsaved: boolean },
  { until: at, isSaved: boolean, lets: list(taskAttempt, LETS) },
);

/** As many as a hook reads of one call of a tool. */
const HOOK_PATHS = 1000;
const MARKS = 100;
const NAME_OF_CALL = 200;

export const hookRequest: Shape<UncheckedHook> = object(
  {
    what: word('writes', 'over'),
    caller: object({ marks: list(name, MARKS), session: name }, { as: workerId, name: workerId }),
    tree: text(PATH),
    paths: list(text(PATH), HOOK_PATHS),
    forMs: whole({ from: 1, to: Number.MAX_SAFE_INTEGER }),
  },
  {
    inside: object({ run: runId, task: taskId }, { term: wholeNumber, proof: text(PROOF) }),
    shell: object({ is: word('begun', 'over'), call: text(NAME_OF_CALL) }),
  },
);

const ownerName = union<OwnerName>({
  task: object({ kind: word('task'), run: runId, task: taskId }),
  leftover: object({ kind: word('leftover'), run: runId, task: taskId, term: wholeNumber }),
  person: object({ kind: word('person'), id: name, isUnsaved: boolean }, { isSaved: boolean }),
});

export const releaseRequest: Shape<ReleaseRequest> = object({
  owner: ownerName,
  worker: workerId,
  path: text(PATH),
});

/** A run is submitted by a request of its own. */
export type RemoteControlRequest = Exclude<ControlRequest, { readonly kind: 'submit-run' }>;

const ofTask = object({
  kind: word('cancel-task', 'retry-task', 'answer-task', 'pause-task', 'resume-task'),
  run: runId,
  task: taskId,
});

/** "This machine" is a runner, and is drained like any other worker. */
const ofWorker = object({ kind: word('drain-worker', 'undrain-worker'), worker: anyWorkerId });

export const controlRequest = union<RemoteControlRequest>({
  'stop-run': object({ kind: word('stop-run'), run: runId }),
  'pause-board': object({ kind: word('pause-board', 'resume-board') }),
  'resume-board': object({ kind: word('pause-board', 'resume-board') }),
  rebuild: object({ kind: word('rebuild') }),
  'drain-worker': ofWorker,
  'undrain-worker': ofWorker,
  'dismiss-writes': object({
    kind: word('dismiss-writes'),
    tree: text(PATH),
    paths: list(text(PATH), DISMISSED),
    of: object({ run: runId, task: taskId }),
    isForAll: boolean,
  }),
  'cancel-task': ofTask,
  'retry-task': ofTask,
  'answer-task': ofTask,
  'pause-task': ofTask,
  'resume-task': ofTask,
  'take-task': object({ kind: word('take-task'), run: runId, task: taskId, term: wholeNumber }),
});
