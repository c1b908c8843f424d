import { parseRunId, parseTaskId, type RunId, type TaskId } from '../../server/domain/ids.ts';
import { NEW_TASK, type TaskDefinition, type TaskState } from '../../server/domain/task.ts';
import { instant } from '../../server/domain/time.ts';
import type { RunManifest } from '../../server/domain/run.ts';
import { planRun, type ActiveRun, type Snapshot } from '../../server/scheduler/snapshot.ts';

export const AT = instant(1000);

/**
 * A snapshot from a tiny text, one line for each task, its clauses separated by commas:
 *
 *     board untrusted
 *     run older-run: parallel 2, fail-fast, stopping
 *     build: needs lint, after docs, writes src/**, running
 *
 * Tasks belong to the run line above them. Without one they make up a run of their own, with many
 * free places. A task without a state is pending.
 */
export function snapshotOf(text: string): Snapshot {
  const board: string[] = [];
  const runs: DraftRun[] = [];
  for (const line of text.split('\n')) {
    const [head = '', rest = ''] = line.split(/: ?/, 2);
    const clauses = rest === '' ? [] : rest.split(', ');
    if (head.startsWith('board ')) board.push(head.slice('board '.length));
    else if (head.startsWith('run ')) runs.push({ name: head.slice(4), clauses, tasks: [] });
    else {
      if (runs.length === 0) runs.push({ name: 'only-run', clauses: [], tasks: [] });
      runs.at(-1)?.tasks.push({ id: taskId(head), clauses });
    }
  }
  const stopping = runs.filter(({ clauses }) => clauses.includes('stopping'));
  return {
    permission: permissionOf(board),
    runs: runs.map(activeRun),
    stopping: new Set(stopping.map(({ name }) => runId(name))),
    rules: { foldCase: board.includes('folds case') },
  };
}

export function taskId(text: string): TaskId {
  const id = parseTaskId(text);
  if (id === undefined) throw new Error(`"${text}" is no task id.`);
  return id;
}

/** A definition that nothing is said about, but what a test is about. */
export function definitionOf(id: string, said: Partial<TaskDefinition> = {}): TaskDefinition {
  return {
    id: taskId(id),
    title: '',
    command: { kind: 'shell', script: 'true' },
    cwd: '',
    env: {},
    dependsOn: [],
    after: [],
    reads: [],
    writes: [],
    ...said,
  };
}

/** A state of each kind, reached by the first claim. */
export function stateOf(kind: TaskState['kind']): TaskState {
  const held = { attempts: 1, term: 1 };
  const span = { attempts: 1, startedAt: AT, finishedAt: AT };
  const states: Readonly<Record<TaskState['kind'], TaskState>> = {
    pending: NEW_TASK,
    claimed: { kind: 'claimed', ...held, claimedAt: AT },
    running: { kind: 'running', ...held, startedAt: AT, process: PROCESS },
    completed: { kind: 'completed', ...span },
    failed: { kind: 'failed', ...span, failure: { kind: 'exit', code: 1 } },
    cancelled: { kind: 'cancelled', attempts: 1, finishedAt: AT },
    skipped: { kind: 'skipped', because: taskId('other'), finishedAt: AT },
  };
  return states[kind];
}

export const PROCESS = { bootId: 'boot', pid: 7, startTime: 'noon' };

export const STATE_KINDS = [
  'pending',
  'claimed',
  'running',
  'completed',
  'failed',
  'cancelled',
  'skipped',
] as const;

interface DraftRun {
  readonly name: string;
  readonly clauses: readonly string[];
  readonly tasks: { readonly id: TaskId; readonly clauses: readonly string[] }[];
}

function activeRun({ name, clauses, tasks }: DraftRun): ActiveRun {
  const manifest: RunManifest = {
    id: runId(name),
    root: '/folder',
    plan: 'interlock.yaml',
    planHash: '',
    selection: [],
    requestedBy: 'test',
    requestedAt: AT,
    policy: {
      parallel: Number(argumentsOf(clauses, 'parallel')[0] ?? 100),
      failFast: clauses.includes('fail-fast'),
    },
    tasks: tasks.map((task) =>
      definitionOf(task.id, {
        dependsOn: argumentsOf(task.clauses, 'needs').map(taskId),
        after: argumentsOf(task.clauses, 'after').map(taskId),
        reads: argumentsOf(task.clauses, 'reads'),
        writes: argumentsOf(task.clauses, 'writes'),
      }),
    ),
  };
  const states = tasks.map((task) => {
    const kind = STATE_KINDS.find((each) => task.clauses.includes(each));
    return [task.id, stateOf(kind ?? 'pending')] as const;
  });
  return { plan: planRun(manifest), states: new Map(states) };
}

/** The words after `word` in the clause that starts with it. */
function argumentsOf(clauses: readonly string[], word: string): readonly string[] {
  const clause = clauses.find((each) => each.startsWith(`${word} `));
  return clause?.split(' ').slice(1) ?? [];
}

function permissionOf(board: readonly string[]): Snapshot['permission'] {
  if (board.includes('untrusted')) return 'untrusted';
  return board.includes('shutting-down') ? 'shutting-down' : 'granted';
}

function runId(text: string): RunId {
  const id = parseRunId(text);
  if (id === undefined) throw new Error(`"${text}" is no run id.`);
  return id;
}
