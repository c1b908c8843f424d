import type { RunId } from '../domain/ids.ts';
import type { BoardEvent } from '../scheduler/model/board-event.ts';
import type { BoardModel, Permission } from '../scheduler/model/board-model.ts';
import { LOCAL } from '../scheduler/model/workers.ts';
import { type Instant, isOver } from '../domain/time.ts';
import type { BoardWriter } from './board-writer.ts';

export interface TenureOptions {
  /** How this process presents itself to others who want the board. */
  readonly name: string;
  readonly permission: Permission;
  /**
   * Which unfinished runs go on by themselves. The others wait until somebody asks for them again:
   * nothing starts behind the back of whoever opens a folder the next day.
   */
  readonly carriesOn: 'all' | 'recent' | 'none';
  /** What this machine has: `cpu`, `memory`. */
  readonly machine: Readonly<Record<string, number>>;
  /** The process that decided until now is stopped, and has not ended. */
  readonly isTakeover?: boolean;
}

/** A board on which nothing has happened for this long was left alone. */
const RECENT_MS = 60_000;
const CRASHES = { most: 3, withinMs: 60_000 } as const;
const LOOK_BACK = 200;
const CRASH_LOOP =
  'Interlock has stopped three times within a minute, without anything getting done. So nothing starts ' +
  'now: everything is paused. Look at the newest log, then resume ("interlock resume").';

/** Writes that this process decides from now on. Answers with what the user should know. */
export function beginTenure(
  writer: BoardWriter,
  {
    tenure,
    name,
    permission,
    carriesOn,
    machine,
    isTakeover = false,
  }: TenureOptions & { readonly tenure: number },
): string | undefined {
  const { board } = writer;
  const at = writer.now();
  const began = { kind: 'tenureBegan', at, tenure, name, permission } as const;
  const events: BoardEvent[] = [isTakeover ? { ...began, isTakeover } : began];
  if (JSON.stringify(board.workers.places.get(LOCAL)?.limits) !== JSON.stringify(machine)) {
    const place = { name: LOCAL, isReachable: true, capabilities: [], limits: machine };
    events.push({ kind: 'placeSeen', at, place });
  }
  // Whoever runs commands there says anew what can be reached.
  for (const { breaker: _, runner: __, ...place } of board.workers.places.values())
    if (place.name !== LOCAL && place.isReachable)
      events.push({ kind: 'placeSeen', at, place: { ...place, isReachable: false } });
  // Whoever is still here greets the new one.
  for (const worker of board.workers.sessions.keys())
    events.push({ kind: 'workerLeft', at, worker });
  const isRecent = at - board.now < RECENT_MS;
  for (const [run, { isInterrupted }] of board.runs) {
    const goesOn =
      carriesOn === 'all' || (carriesOn === 'recent' && (isRecent || isAttended(board, run, at)));
    if (!goesOn && !isInterrupted) events.push({ kind: 'runInterrupted', at, run });
  }
  // The last one to begin is stopped, and has not crashed.
  const crashes = crashesBefore(writer, at) - (isTakeover ? 1 : 0);
  const hasCrashed = !board.isPaused && crashes >= CRASHES.most;
  if (hasCrashed) events.push({ kind: 'boardPaused', at });
  writer.record(events);
  return hasCrashed ? CRASH_LOOP : undefined;
}

/** Whether an agent or a person is at work on it, whoever decides. */
function isAttended({ claims }: BoardModel, run: RunId, now: Instant): boolean {
  for (const { entry, holder } of claims.pulled)
    if (entry.run.manifest.id === run && !isOver(holder.expiresAt, now)) return true;
  return false;
}

/** How often in a row whoever decided went without a word, soon after it came. */
function crashesBefore(writer: BoardWriter, now: Instant): number {
  let crashes = 0;
  let began: Instant | undefined;
  for (const { event } of writer.recent(LOOK_BACK)) {
    const at = event.kind === 'taskMoved' ? event.event.at : event.at;
    if (now - at > CRASHES.withinMs) continue;
    if (event.kind === 'tenureBegan') {
      // A process that was stopped has not crashed.
      crashes += began === undefined || event.isTakeover === true ? 0 : 1;
      began = at;
    } else if (isSign(event)) [crashes, began] = [0, undefined];
  }
  return crashes + (began === undefined ? 0 : 1);
}

/** An orderly end, a task that has come to its end, or a person: that is no loop. */
function isSign(event: BoardEvent): boolean {
  if (event.kind === 'taskMoved')
    return event.event.kind === 'taskCompleted' || event.event.kind === 'taskFailed';
  return (
    event.kind === 'boardResumed' ||
    (event.kind === 'permissionChanged' && event.permission === 'shutting-down')
  );
}
