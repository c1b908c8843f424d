import {
  parseRunId,
  parseTaskId,
  parseTaskReference,
  parseWorkerId,
  splitReference,
} from '../../server/domain/ids.ts';
import type { RunId, TaskId, WorkerId } from '../../server/domain/ids.ts';
import type { RunManifest } from '../../server/domain/run.ts';
import {
  NEW_TASK,
  type TaskDefinition,
  type TaskState,
  type Tries,
} from '../../server/domain/task.ts';
import { type Instant, instant } from '../../server/domain/time.ts';
import { BoardModel } from '../../server/scheduler/model/board-model.ts';
import { LOCAL, runnerAt } from '../../server/scheduler/model/workers.ts';
import {
  amountsIn,
  asksIn,
  type BoardLine,
  type Clauses,
  hazardsIn,
  parseBoardText,
} from './board-text.ts';
import { definition } from './runs.ts';

export const AT = instant(1000);

/**
 * A board from a tiny text, one line for each thing, its clauses separated by commas:
 *
 *     board untrusted
 *     host build-1: unreachable, can gpu, limits cpu:8, busy load:0.5, apart
 *     agent claude: can code, may be started
 *     worker ann: person, can code, busy
 *     person ann: writes src/**, unsaved
 *     run older-run: parallel 2, fail-fast, stopping, limits db:1 cpu:8, hazards read-write:wait
 *     build: needs lint, after docs, writes src/**, priority high, takes db:1, on build-1, running
 *
 * Boards are `untrusted`, `shutting-down` or `paused`, and may `folds case`. Tasks belong to the run
 * line above them; without one they make up a run of their own, with many free places. A task
 * without a state is pending, one that is held has a term of its own. Older runs stand first. What a
 * task asks for is in `asksIn`. A task of another run is named by both, as `needs older-run/lint`.
 */
export function boardOf(text: string): BoardModel {
  const lines = parseBoardText(text);
  const says = (what: string): boolean =>
    lines.some(({ kind, name }) => kind === 'board' && name === what);
  const board = new BoardModel({ foldCase: says('folds case') });
  board.permission = says('untrusted') ? 'untrusted' : 'granted';
  if (says('shutting-down')) board.permission = 'shutting-down';
  board.isPaused = says('paused');
  for (const line of lines) applyLine(board, line);
  for (const [index, draft] of runsIn(lines).entries()) addRun(board, draft, instant(index + 1));
  return board;
}

export function taskId(text: string): TaskId {
  const id = parseTaskId(text);
  if (id === undefined) throw new Error(`"${text}" is no task id.`);
  return id;
}

export const PROCESS = { bootId: 'boot', pid: 7, startTime: 'noon' };
export const FIRST_TRY: Tries = { revision: 1, attempts: 1, failures: 0, losses: 0 };

/** A state of each kind, reached by the first claim. */
export function stateOf(
  kind: TaskState['kind'],
  { term = 1, worker = runnerAt(LOCAL) }: { term?: number; worker?: WorkerId } = {},
): TaskState {
  const tries = FIRST_TRY;
  const span = { tries, startedAt: AT, finishedAt: AT };
  const states: Readonly<Record<TaskState['kind'], TaskState>> = {
    pending: NEW_TASK,
    claimed: { kind: 'claimed', tries, term, worker, claimedAt: AT },
    running: { kind: 'running', tries, term, worker, startedAt: AT, process: PROCESS },
    attention: { kind: 'attention', tries, why: 'asked', since: AT, holder: undefined },
    completed: { kind: 'completed', ...span },
    failed: { kind: 'failed', ...span, failure: { kind: 'exit', code: 1 } },
    cancelled: { kind: 'cancelled', tries, finishedAt: AT },
    skipped: { kind: 'skipped', tries, because: taskId('other'), finishedAt: AT },
  };
  return states[kind];
}

export const STATE_KINDS = [
  'pending',
  'claimed',
  'running',
  'attention',
  'completed',
  'failed',
  'cancelled',
  'skipped',
] as const;

function applyLine(board: BoardModel, { kind, name, clauses }: BoardLine): void {
  switch (kind) {
    case 'worker':
      board.apply({
        kind: 'workerSeen',
        at: AT,
        worker: {
          id: workerId(name),
          kind: (['person', 'terminal'] as const).find((each) => clauses.says(each)) ?? 'agent',
          capabilities: clauses.wordsAfter('can'),
          isIdle: !clauses.says('busy'),
          since: AT,
        },
      });
      break;
    case 'host':
      board.apply({
        kind: 'placeSeen',
        at: AT,
        place: {
          name,
          isReachable: !clauses.says('unreachable'),
          capabilities: clauses.wordsAfter('can'),
          limits: clauses.amountsAfter('limits'),
          ...(clauses.says('apart') && { isIsolated: true }),
          ...clauses.amountsAfter('busy'),
        },
      });
      break;
    case 'agent': {
      const mayBeStarted = clauses.says('may be started');
      const agent = { name, capabilities: clauses.wordsAfter('can'), mayBeStarted };
      board.apply({ kind: 'agentConfigured', at: AT, agent });
      break;
    }
    case 'person':
      board.apply({
        kind: 'pathsOwned',
        at: AT,
        id: name,
        worker: workerId(name),
        tree: FOLDER,
        reads: clauses.wordsAfter('reads'),
        writes: clauses.wordsAfter('writes'),
        isUnsaved: clauses.says('unsaved'),
      });
      break;
    case 'board':
    case 'run':
    case 'task':
      break;
    default:
      kind satisfies never;
  }
}

const FOLDER = '/folder';

interface DraftRun {
  readonly name: string;
  readonly clauses: Clauses | undefined;
  readonly tasks: BoardLine[];
}

function runsIn(lines: readonly BoardLine[]): readonly DraftRun[] {
  const runs: DraftRun[] = [];
  for (const line of lines) {
    const { kind, name, clauses } = line;
    if (kind === 'run') runs.push({ name, clauses, tasks: [] });
    if (kind !== 'task') continue;
    if (runs.length === 0) runs.push({ name: 'only-run', clauses: undefined, tasks: [] });
    runs.at(-1)?.tasks.push(line);
  }
  return runs;
}

function addRun(board: BoardModel, { name, clauses, tasks }: DraftRun, requestedAt: Instant): void {
  const run = runId(name);
  const limits = clauses && amountsIn(clauses, 'limits');
  const hazards = clauses && hazardsIn(clauses);
  // `run inner-run: folder a/b`, `run other-run: folder a, tree /other`
  const tree = clauses?.wordAfter('tree') ?? FOLDER;
  const folder = clauses?.wordAfter('folder');
  const manifest: RunManifest = {
    id: run,
    root: folder === undefined ? tree : `${tree}/${folder}`,
    ...(folder !== undefined && { folder }),
    plan: 'interlock.yaml',
    planHash: '',
    selection: [],
    requestedBy: 'test',
    requestedAt,
    policy: {
      parallel: clauses?.numberAfter('parallel') ?? 100,
      failFast: clauses?.says('fail-fast') ?? false,
      ...(limits && { limits }),
      ...(hazards && { hazards }),
    },
    tasks: tasks.map(definitionIn),
    ...outsideIn(tasks.map(definitionIn)),
  };
  const before = [...board.runs.values()].reduce((sum, { entries }) => sum + entries.length, 0);
  const states = tasks.map(
    (line, index) => [taskId(line.name), stateIn(line.clauses, before + index + 1)] as const,
  );
  board.addRun({ manifest, states: new Map(states) }, requestedAt);
  const at = AT;
  if (clauses?.says('stopping') === true) board.apply({ kind: 'runStopAsked', at, run });
  if (clauses?.says('interrupted') === true) board.apply({ kind: 'runInterrupted', at, run });
  for (const line of tasks)
    if (line.clauses.says('paused'))
      board.apply({ kind: 'taskPaused', at, run, task: taskId(line.name) });
}

function definitionIn({ name, clauses }: BoardLine): TaskDefinition {
  const asks = asksIn(clauses);
  return definition(name, {
    dependsOn: clauses.wordsAfter('needs').map(reference),
    after: clauses.wordsAfter('after').map(reference),
    reads: clauses.wordsAfter('reads'),
    writes: clauses.wordsAfter('writes'),
    ...(asks && { asks }),
  });
}

/** `older-run/a` is a task of that run. */
function outsideIn(tasks: readonly TaskDefinition[]): Pick<RunManifest, 'outside'> {
  const mentioned = new Set(tasks.flatMap(({ dependsOn, after }) => [...dependsOn, ...after]));
  const outside = [...mentioned].flatMap((each) => {
    const { plan, task } = splitReference(each);
    return plan === undefined ? [] : [{ reference: each, run: runId(plan), task: taskId(task) }];
  });
  return outside.length === 0 ? {} : { outside };
}

function reference(text: string): TaskId {
  const id = parseTaskReference(text);
  if (id === undefined) throw new Error(`"${text}" names no task.`);
  return id;
}

/** Who holds it is whoever `by ann` names, or the runner of the first host it may run on. */
function stateIn(clauses: Clauses, term: number): TaskState {
  const kind = STATE_KINDS.find((each) => clauses.says(each)) ?? 'pending';
  const holder = clauses.wordAfter('by');
  const worker =
    holder === undefined ? runnerAt(clauses.wordAfter('on') ?? LOCAL) : workerId(holder);
  return stateOf(kind, { term, worker });
}

function runId(text: string): RunId {
  const id = parseRunId(text);
  if (id === undefined) throw new Error(`"${text}" is no run id.`);
  return id;
}

export function workerId(text: string): WorkerId {
  const id = parseWorkerId(text);
  if (id === undefined) throw new Error(`"${text}" is no worker id.`);
  return id;
}
