import type { OpenBoard } from '../board/ports.ts';
import type { RunId, TaskId } from '../domain/ids.ts';
import type { TaskRecord } from '../engine/store-port.ts';
import { EXIT, type ExitCode } from './exit-code.ts';
import { findTask, severalPlans, type TaskName } from './find-task.ts';
import type { Refused } from './say.ts';

const RUNS_LIMIT = 200;

/** One try at a task, which has a log of its own. */
export interface TriedTask {
  readonly kind: 'tried';
  readonly run: RunId;
  readonly plan: string;
  readonly task: TaskId;
  readonly revision: number;
  /** Nobody has tried it yet: 0. */
  readonly attempt: number;
}

/** The newest one, in the newest run that has the task, whether or not it has ended. */
export function findAttempt(open: OpenBoard, folder: string, name: TaskName): TriedTask | Refused {
  const found = findTask(open.keeper.board, folder, name);
  if (found.kind === 'found') {
    const { run, entry } = found;
    const { revision, attempts: attempt } = entry.state.tries;
    const { id, plan } = run.manifest;
    if (attempt > 0 || revision > 1)
      return { kind: 'tried', run: id, plan, task: entry.id, revision, attempt };
  } else if (found.code === EXIT.usage) return found;
  const records =
    name.run === undefined ? open.store.latestStates(folder) : recordsOf(open, name.run);
  const matching = records.filter(
    ({ task, plan }) => task === name.task && plan === (name.plan ?? plan),
  );
  const [record] = matching;
  if (record !== undefined && matching.length > 1)
    return refuseLog(
      severalPlans(
        name.task,
        matching.map(({ plan }) => plan),
      ),
      EXIT.usage,
    );
  if (record === undefined || record.state.tries.attempts === 0)
    return refuseLog(`"${name.task}" has not run yet.`, EXIT.refused);
  const { run, plan, task, state } = record;
  const { revision, attempts: attempt } = state.tries;
  return { kind: 'tried', run, plan, task, revision, attempt };
}

function recordsOf({ store }: OpenBoard, run: RunId): readonly TaskRecord[] {
  const record = store.runs(RUNS_LIMIT).find(({ manifest }) => manifest.id === run);
  if (record === undefined) return [];
  const { plan } = record.manifest;
  return [...store.statesOf(run)].map(([task, state]) => ({
    run,
    plan,
    task,
    state,
    runStatus: record.status,
  }));
}

export function refuseLog(message: string, code: ExitCode): Refused {
  return { kind: 'refused', why: code === EXIT.usage ? 'ambiguous' : 'no-log', message, code };
}
