import type { RunId, TaskId } from '../domain/ids.ts';
import type { TaskEvent } from '../domain/task.ts';
import type { Store } from '../engine/store-port.ts';
import { ledgerOfRun } from './run-ledger.ts';

/** A claim as somebody names it; the run is not known where it has ended. */
interface NamedClaim {
  readonly root: string;
  readonly run: RunId | undefined;
  readonly plan: string | undefined;
  readonly task: TaskId;
  readonly term: number;
}

/** A claim of which the ledger tells, and what its holder said at its end, if that was the end. */
export interface PastClaim {
  readonly run: RunId;
  readonly end: 'done' | 'fail' | 'release' | undefined;
}

/** A term is of one run; whoever asks about an older one has waited very long. */
const RUNS_LIMIT = 20;
const STORED_LIMIT = 200;

export function findPastClaim(store: Store, named: NamedClaim): PastClaim | undefined {
  const { root, run, plan, task } = named;
  const runs = store
    .runs(STORED_LIMIT)
    .map(({ manifest }) => manifest)
    .filter(({ id }) => run === undefined || id === run)
    .filter((manifest) => run !== undefined || manifest.root === root)
    .filter((manifest) => plan === undefined || manifest.plan === plan)
    .filter(({ tasks }) => tasks.some(({ id }) => id === task));
  for (const { id } of runs.slice(0, RUNS_LIMIT)) {
    const found = findIn(store, id, named);
    if (found !== undefined) return found;
  }
  return undefined;
}

function findIn(store: Store, run: RunId, { task, term }: NamedClaim): PastClaim | undefined {
  let found: PastClaim | undefined;
  for (const { event } of ledgerOfRun(store, run)) {
    if (event.kind !== 'taskMoved' || event.task !== task) continue;
    const said = event.event;
    if (!('term' in said) || said.term !== term) continue;
    found = { run, end: endIn(said) ?? found?.end };
  }
  return found;
}

function endIn({ kind }: TaskEvent): PastClaim['end'] {
  if (kind === 'taskCompleted') return 'done';
  if (kind === 'taskFailed') return 'fail';
  return kind === 'taskReleased' ? 'release' : undefined;
}
