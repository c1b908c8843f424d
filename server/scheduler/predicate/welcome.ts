import { isForPerson, isPushed } from '../../domain/asks.ts';
import type { WorkerId } from '../../domain/ids.ts';
import { reasonsOfResources } from './choose-place.ts';
import type { Reason } from '../model/reason.ts';
import type { TaskEntry } from '../model/run-model.ts';
import type { Turn } from './turn.ts';
import { LOCAL, placeNamed, type Worker } from '../model/workers.ts';

/** Whether a task that workers take for themselves is for this one; without one, for any at all. */
export function reasonsOfWorker(
  turn: Turn,
  {
    entry,
    worker,
    isQuick,
  }: {
    readonly entry: TaskEntry;
    readonly worker: Worker | undefined;
    readonly isQuick: boolean;
  },
  reasons: Reason[],
): undefined {
  if (worker !== undefined) {
    reasonsOfFit(entry, worker, reasons);
    if (turn.board.workers.isDrained(worker.id)) reasons.push(drained(worker.id));
  } else if (!isForPerson(entry.asks.doer) && !couldAnybody(turn, entry))
    reasons.push(
      drainedFor(turn, entry) ?? {
        kind: 'capability',
        because: entry.asks.doer.kind === 'terminal' ? 'window' : 'nobody',
        missing: entry.asks.needs,
      },
    );
  const place = turn.board.workers.places.get(LOCAL) ?? placeNamed(LOCAL);
  reasonsOfResources(turn, { entry, place, isQuick }, reasons);
}

/** Whether somebody who is here could take it, busy or not. */
function couldAnybody({ board }: Turn, entry: TaskEntry): boolean {
  const { workers } = board;
  for (const worker of workers.sessions.values())
    if (!workers.isDrained(worker.id) && isFit(entry, worker)) return true;
  return false;
}

/** Whoever could take it if they were given anything. */
function drainedFor({ board: { workers } }: Turn, entry: TaskEntry): Reason | undefined {
  if (workers.drained.size === 0) return undefined;
  for (const worker of workers.sessions.values())
    if (isFit(entry, worker)) return drained(worker.id);
  return undefined;
}

function drained(worker: WorkerId): Reason {
  return { kind: 'paused', because: 'drained', worker };
}

/** Whether it is a task for this worker at all. */
export function isFit(entry: TaskEntry, worker: Worker): boolean {
  const reasons: Reason[] = [];
  reasonsOfFit(entry, worker, reasons);
  return reasons.length === 0;
}

function reasonsOfFit({ run, asks }: TaskEntry, worker: Worker, reasons: Reason[]): void {
  const who = worker.id;
  const { kind } = asks.doer;
  // What a runner of ours does, nobody takes away from it.
  if (isPushed(asks.doer))
    reasons.push({ kind: 'capability', because: 'role', missing: ['runner'], who });
  if (!isPushed(asks.doer) && !isRoleOf(worker, kind))
    reasons.push({ kind: 'capability', because: 'role', missing: [kind], who });
  if (worker.root !== undefined && worker.root !== run.manifest.root)
    reasons.push({ kind: 'capability', because: 'folder', missing: [run.manifest.root], who });
  const missing = asks.needs.filter((need) => !worker.capabilities.includes(need));
  if (missing.length > 0) reasons.push({ kind: 'capability', because: 'needs', missing, who });
}

/** Anybody is somebody who knows what to do: a terminal runs what the plan says, and nothing else. */
function isRoleOf({ kind }: Worker, asked: TaskEntry['asks']['doer']['kind']): boolean {
  return asked === 'anyone' ? kind !== 'terminal' : asked === kind;
}
