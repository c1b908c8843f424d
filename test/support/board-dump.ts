import { isPushed } from '../../server/domain/asks.ts';
import { NO_PATHS, parsePathSet } from '../../server/domain/paths/path-set.ts';
import { priorityIndex } from '../../server/domain/priority.ts';
import { holderOf, isFinal } from '../../server/domain/task.ts';
import type { BoardModel } from '../../server/scheduler/model/board-model.ts';
import type { Owner } from '../../server/scheduler/model/ownership.ts';
import { standingFor } from './outside-state.ts';
import type { Lane, RunModel, TaskEntry } from '../../server/scheduler/model/run-model.ts';

/** What is on a board, in plain values: two boards are equal when their dumps are. */
export function dumpOf(board: BoardModel): unknown {
  const { permission, isPaused, mode, load, credits, pullCredits, totals, workers } = board;
  return {
    facts: { permission, isPaused, mode, load, credits, pullCredits, totals },
    runs: [...board.runs.values()].map(
      ({ manifest, isStopping, isInterrupted, entries, outside }) => ({
        manifest,
        outside: [...outside].map(([reference, { standing }]) => [reference, standing]),
        isStopping,
        isInterrupted,
        tasks: entries.map(dumpOfTask),
      }),
    ),
    derived: derivedOf(board),
    leftovers: [...board.owners.leftovers].map(([term, { run, task, owner }]) => [
      term,
      `${run}/${task}`,
      owner.until,
    ]),
    people: [...board.owners.people].map(([id, { worker, since, until, asked }]) => [
      id,
      worker,
      since,
      until,
      asked,
    ]),
    past: board.owners.past.all.map(({ owner, endedAt }) => [owner.who, owner.since, endedAt]),
    sessions: [...workers.sessions.values()],
    places: [...workers.places.values()],
    agents: [...workers.agents.values()],
    drained: [...workers.drained],
    dismissed: board.owners.dismissed.all,
    untold: board.losses.all,
    waiters: board.waiters.plain,
  };
}

function dumpOfTask(entry: TaskEntry): unknown {
  const { definition, state, isPaused, readySince, starvation, wokenAt, leftover, claim, leftBy } =
    entry;
  return {
    id: definition.id,
    state,
    isPaused,
    readySince,
    starvation,
    wokenAt: wokenAt === undefined ? undefined : [...wokenAt],
    leftover: leftover?.who,
    leftBy,
    undeclared: [...(claim?.undeclared?.keys() ?? [])],
  };
}

/** What the board keeps because it would be slow to work out each time. */
export function derivedOf(board: BoardModel): Derived {
  const { ready, claims } = board;
  return {
    runs: [...board.runs.values()].map(derivedOfRun),
    pushLanes: ready.pushLanes.map((lanes) => sorted([...lanes].flatMap(tasksOf))),
    pullLanes: sorted([...ready.pullLanes].flatMap(tasksOf)),
    queued: ready.size,
    pushed: sorted(
      [...claims.pushed].map(({ entry, holder }) => `${nameOf(entry)} ${holder.term}`),
    ),
    pulled: sorted(
      [...claims.pulled].map(({ entry, holder }) => `${nameOf(entry)} ${holder.term}`),
    ),
    leases: [...claims.leases.inOrder()].map(({ holder }) => holder.expiresAt ?? 0),
    busy: sorted([...board.workers.sessions.keys()].filter((id) => !claims.holdsNothing(id))),
    owners: sorted(ownersOf(board)),
  };
}

export interface Derived {
  readonly runs: readonly unknown[];
  readonly pushLanes: readonly (readonly string[])[];
  readonly pullLanes: readonly string[];
  readonly queued: number;
  readonly pushed: readonly string[];
  readonly pulled: readonly string[];
  readonly leases: readonly number[];
  readonly busy: readonly string[];
  readonly owners: readonly string[];
}

function derivedOfRun(run: RunModel): unknown {
  return {
    open: run.open,
    failed: run.failed,
    held: run.held,
    attention: namesOf(run.attention),
    // A task may stay paused when it ends; nobody waits for that.
    paused: namesOf([...run.paused].filter(({ state }) => !isFinal(state))),
    inBackoff: namesOf(run.inBackoff),
    doomed: namesOf(run.doomed),
    revivable: namesOf(run.revivable),
    lanes: sorted(run.lanes.flat().flatMap((lane) => (lane === undefined ? [] : tasksOf(lane)))),
    tasks: run.entries.map((entry) => ({
      id: entry.definition.id,
      unmet: entry.unmet,
      doomed: entry.doomed,
      rank: isFinal(entry.state) ? undefined : entry.rank,
      term: entry.claim?.holder.term,
      isQueued: entry.slot >= 0 || entry.lane !== undefined,
      isInLane: entry.lane !== undefined,
    })),
  };
}

/** The same, worked out from the facts alone and without any thought of time. */
export function recomputedOf(board: BoardModel): Derived {
  const all = [...board.runs.values()].flatMap(({ entries }) => entries);
  const ready = all.filter((entry) => placeIn(board, entry) === 'ready');
  const pushReady = ready.filter(({ asks }) => isPushed(asks.doer));
  const held = all.filter(({ state }) => holderOf(state) !== undefined);
  const holding = (entries: readonly TaskEntry[]): readonly string[] =>
    sorted(entries.map((entry) => `${nameOf(entry)} ${holderOf(entry.state)?.term}`));
  const pulled = held.filter(({ asks }) => !isPushed(asks.doer));
  const busy = new Set(pulled.map(({ state }) => holderOf(state)?.worker));
  return {
    runs: [...board.runs.values()].map((run) => recomputedOfRun(board, run)),
    pushLanes: [0, 1, 2, 3].map((rank) =>
      sorted(pushReady.filter((entry) => rankOf(entry) === rank).map(withRank)),
    ),
    pullLanes: sorted(ready.filter(({ asks }) => !isPushed(asks.doer)).map(withRank)),
    queued: ready.length,
    pushed: holding(held.filter(({ asks }) => isPushed(asks.doer))),
    pulled: holding(pulled),
    leases: held.flatMap(({ state }) => holderOf(state)?.expiresAt ?? []).toSorted((a, b) => a - b),
    busy: sorted([...board.workers.sessions.keys()].filter((id) => busy.has(id))),
    owners: sorted(recomputedOwners(board, held)),
  };
}

function recomputedOfRun(board: BoardModel, run: RunModel): unknown {
  const { entries } = run;
  const ready = entries.filter((entry) => placeIn(board, entry) === 'ready');
  const namesWhere = (holds: (entry: TaskEntry) => boolean): readonly string[] =>
    namesOf(entries.filter(holds));
  return {
    open: entries.filter(({ state }) => !isFinal(state)).length,
    failed: entries.filter(({ state }) => state.kind === 'failed').length,
    held: entries.filter(({ state }) => holderOf(state) !== undefined).length,
    attention: namesWhere(({ state }) => state.kind === 'attention'),
    paused: namesWhere(({ state, isPaused }) => isPaused && !isFinal(state)),
    inBackoff: namesWhere((entry) => placeIn(board, entry) === 'backoff'),
    doomed: namesWhere((entry) => entry.state.kind === 'pending' && doomedOf(board, entry) > 0),
    revivable: namesWhere(
      (entry) => entry.state.kind === 'skipped' && doomedOf(board, entry) === 0,
    ),
    lanes: sorted(ready.map(withRank)),
    tasks: entries.map((entry) => ({
      id: entry.definition.id,
      unmet: unmetOf(board, entry),
      doomed: doomedOf(board, entry),
      rank: isFinal(entry.state) ? undefined : rankOf(entry),
      term: holderOf(entry.state)?.term,
      isQueued: placeIn(board, entry) !== 'nowhere',
      isInLane: placeIn(board, entry) === 'ready',
    })),
  };
}

function placeIn(board: BoardModel, entry: TaskEntry): 'ready' | 'backoff' | 'nowhere' {
  const { state, isPaused } = entry;
  if (state.kind !== 'pending' || isPaused) return 'nowhere';
  if (unmetOf(board, entry) > 0 || doomedOf(board, entry) > 0) return 'nowhere';
  return state.notBefore !== undefined && state.notBefore > board.now ? 'backoff' : 'ready';
}

/** Edges whose earlier task is not there yet. What does not exist need not end first, though it never completes. */
function unmetOf(board: BoardModel, { run, definition: { dependsOn, after } }: TaskEntry): number {
  const needed = new Set(dependsOn);
  const later = new Set(after.filter((id) => !needed.has(id)));
  const missing = [...needed].filter((id) => standingFor(board, run, id) !== 'completed').length;
  return missing + [...later].filter((id) => standingFor(board, run, id) === 'open').length;
}

function doomedOf(board: BoardModel, { run, definition }: TaskEntry): number {
  return [...new Set(definition.dependsOn)].filter((id) => standingFor(board, run, id) === 'ended')
    .length;
}

/** The highest class of it and of all open tasks that wait for it, through open ones. */
function rankOf(entry: TaskEntry, seen: Set<TaskEntry> = new Set()): number {
  seen.add(entry);
  let rank: number = priorityIndex(entry.asks.priority);
  for (const other of entry.run.entries) {
    const { dependsOn, after } = other.definition;
    const isWaiting = [...dependsOn, ...after].includes(entry.definition.id);
    if (isWaiting && !seen.has(other) && !isFinal(other.state))
      rank = Math.min(rank, rankOf(other, seen));
  }
  return rank;
}

const EVERYTHING = ['**'];
const STRICT = { writeWrite: 'wait', readWrite: 'wait', human: 'wait', worktrees: 'wait' } as const;

/** The map is asked for everybody: whoever writes everything meets all that touch anything. */
function ownersOf({ owners, now }: BoardModel): readonly string[] {
  const intent = {
    tree: 'nowhere',
    reads: NO_PATHS,
    writes: parsePathSet(EVERYTHING),
    policy: STRICT,
    worker: undefined,
  };
  return owners.map.collisions(intent, now).map(({ owner }) => nameOfOwner(owner));
}

function recomputedOwners(
  { owners, now }: BoardModel,
  held: readonly TaskEntry[],
): readonly string[] {
  const ofClaims = held.flatMap((entry) => {
    const { definition, claim, run, state } = entry;
    const worker = holderOf(state)?.worker;
    const name = `task ${run.manifest.id}/${definition.id} ${worker}`;
    const count = (claim?.undeclared?.size ?? 0) + (entry.touchesFiles ? 1 : 0);
    return Array.from({ length: count }, () => name);
  });
  const rest = [
    ...[...owners.leftovers.values()].flatMap(({ owner, undeclared }) => [
      owner,
      ...undeclared.values(),
    ]),
    ...owners.people.values(),
  ];
  const live = rest.filter(
    ({ reads, writes, until }) =>
      !(reads.isEmpty && writes.isEmpty) && (until === undefined || now < until),
  );
  return [...ofClaims, ...live.map(nameOfOwner)];
}

function nameOfOwner({ who, worker }: Owner): string {
  switch (who.kind) {
    case 'task':
      return `task ${who.run}/${who.task} ${worker}`;
    case 'leftover':
      return `leftover ${who.term} ${who.run}/${who.task} ${worker}`;
    case 'person':
      return `person ${who.id} ${worker}`;
    default:
      return who satisfies never;
  }
}

function tasksOf(lane: Lane): readonly string[] {
  return [...lane.ready.inOrder()].map((entry) => `${nameOf(entry)} ${lane.rank}`);
}

function withRank(entry: TaskEntry): string {
  return `${nameOf(entry)} ${rankOf(entry)}`;
}

function nameOf({ run, definition }: TaskEntry): string {
  return `${run.manifest.id}/${definition.id}`;
}

function namesOf(entries: Iterable<TaskEntry>): readonly string[] {
  return sorted([...entries].map(nameOf));
}

function sorted(texts: readonly string[]): readonly string[] {
  return texts.toSorted((a, b) => (a < b ? -1 : Number(a > b)));
}
