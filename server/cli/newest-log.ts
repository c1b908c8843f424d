import type { OpenBoard } from '../board/ports.ts';
import type { TaskState } from '../domain/task.ts';
import { EXIT } from './exit-code.ts';
import { refuseLog, type TriedTask } from './find-attempt.ts';
import { readRunId } from './find-task.ts';
import type { Refused } from './say.ts';
import type { Arguments } from './terminal.ts';

const RUNS_LIMIT = 200;

/** What is most likely to be asked for: what failed last in the newest run, else what ran last. */
export function findNewestLog(
  { store }: OpenBoard,
  { folder, options }: Pick<Arguments, 'folder' | 'options'>,
): TriedTask | Refused {
  const wanted = readRunId(options);
  if (wanted !== undefined && typeof wanted !== 'string') return wanted;
  for (const { manifest } of store.runs(RUNS_LIMIT)) {
    const { id: run, root, plan } = manifest;
    const isMeant = wanted === undefined ? root === folder : run === wanted;
    if (!isMeant || plan !== (options['plan'] ?? plan)) continue;
    const newest = newestOf(store.statesOf(run));
    if (newest === undefined) continue;
    const [task, { tries }] = newest;
    const { revision, attempts: attempt } = tries;
    return { kind: 'tried', run, plan, task, revision, attempt };
  }
  return refuseLog('No task has run yet.', EXIT.refused);
}

function newestOf<Id>(states: ReadonlyMap<Id, TaskState>): readonly [Id, TaskState] | undefined {
  const tried = [...states].filter(([, { tries }]) => tries.attempts > 0);
  const failed = tried.filter(([, { kind }]) => kind === 'failed');
  return (failed.length > 0 ? failed : tried).toSorted(([, a], [, b]) => timeOf(b) - timeOf(a))[0];
}

function timeOf(state: TaskState): number {
  if ('finishedAt' in state) return state.finishedAt;
  return 'startedAt' in state ? state.startedAt : 0;
}
