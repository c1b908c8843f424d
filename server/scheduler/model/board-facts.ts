import { assert } from '../../domain/assert.ts';
import { fromExactJson, toExactJson } from '../../domain/exact-json.ts';
import type { RunId, TaskId, WorkerId } from '../../domain/ids.ts';
import type { PathRules } from '../../domain/paths/overlap.ts';
import { holderOf } from '../../domain/task.ts';
import type { Instant } from '../../domain/time.ts';
import { BoardModel } from './board-model.ts';
import { plainLeftoversOf, type PlainLeftover, restoreLeftover } from './leftover-facts.ts';
import type { DismissedWrite } from './dismissed-writes.ts';
import type { PlainLoss } from './losses.ts';
import type { Owner, ReleaseAsk } from './ownership.ts';
import type { OwnerOfPerson } from './past-people.ts';
import { plainRunOf, type PlainRun, restoreRun } from './run-facts.ts';
import type { Claim } from './run-model.ts';
import type { PlainWaiters } from './waiters.ts';
import type { Agent, Place, Worker } from './workers.ts';

/**
 * Everything that is so on a board, in values that survive JSON, so that nobody has to read how it came
 * about. What follows from the facts is worked out again, unless it depends on the order in which they
 * became so: then that order is a fact.
 *
 * Whom a task was last seen to meet is not among them. It is a memory that saves looking.
 */
export interface BoardFacts {
  readonly version: typeof VERSION;
  readonly board: unknown;
}

/** Facts of another version are not understood. */
const VERSION = 1;

export function factsOf(board: BoardModel): BoardFacts {
  return { version: VERSION, board: toExactJson(plainBoardOf(board)) };
}

/** `undefined`: they were written by another version, or are no facts at all. */
export function parseFacts(json: unknown): BoardFacts | undefined {
  return isFacts(json) ? json : undefined;
}

/** Whatever happens from then on makes of it what it would have made of the board it is taken from. */
export function boardOf({ board: json }: BoardFacts, rules: PathRules): BoardModel {
  const plain = fromExactJson(json);
  assert(isPlainBoard(plain), 'facts are those of a board');
  const board = new BoardModel(rules);
  restoreSettings(board, plain);
  for (const run of plain.runs) restoreRun(board, run);
  for (const claim of plain.claims) restoreClaim(board, claim);
  board.waiters.restore(plain.waiters ?? waitersFrom(board));
  for (const leftover of plain.leftovers) restoreLeftover(board, leftover);
  // Each had gone before the next came.
  for (const past of plain.past ?? []) {
    restorePerson(board, past);
    board.owners.apply({ kind: 'pathsFreed', at: past.endedAt, id: past.id }, () => undefined);
  }
  for (const person of plain.people) restorePerson(board, person);
  const owners = ownersOf(board);
  board.owners.map.arrange(plain.owners.map((number) => owners[number]!));
  for (const loss of plain.untold ?? []) board.losses.add(loss);
  for (const [number, asked] of plain.asked ?? []) owners[number]!.asked = asked;
  return board;
}

type Settings = Pick<
  BoardModel,
  | 'permission'
  | 'isPaused'
  | 'mode'
  | 'loadChanges'
  | 'load'
  | 'credits'
  | 'pullCredits'
  | 'totals'
  | 'recovered'
  | 'times'
>;

interface PlainBoard extends Settings {
  /** In their order, like all that follows. */
  readonly runs: readonly PlainRun[];
  readonly claims: readonly PlainClaim[];
  readonly leftovers: readonly PlainLeftover[];
  readonly people: readonly PlainPerson[];
  /** Those who had some a moment ago. */
  readonly past?: readonly (PlainPerson & { readonly endedAt: Instant })[];
  readonly sessions: readonly Worker[];
  readonly places: readonly Place[];
  readonly agents: readonly Agent[];
  /** Absent: none, as in what an earlier release has written. */
  readonly drained?: readonly WorkerId[];
  /** Absent: none. */
  readonly dismissed?: readonly DismissedWrite[];
  /** Lost claims that their agents do not know of; absent: none. */
  readonly untold?: readonly PlainLoss[];
  /** Absent in what an earlier release has written: each session waits since it came. */
  readonly waiters?: PlainWaiters;
  /** In which order they came, by their places in `ownersOf`. */
  readonly owners: readonly number[];
  /** Who asked some of them for a file, by the same places. */
  readonly asked?: readonly (readonly [number, readonly ReleaseAsk[]])[];
}

/** Who holds it, and how, is in the state of the task. */
interface PlainClaim {
  readonly run: RunId;
  readonly task: TaskId;
  /** What it wrote without having said so. */
  readonly undeclared: readonly string[];
  readonly isApart?: true;
}

type PlainPerson = Pick<Owner, 'worker' | 'tree' | 'until' | 'lets'> & {
  readonly id: string;
  readonly reads: readonly string[];
  readonly writes: readonly string[];
  readonly isUnsaved: boolean;
  readonly isSaved?: boolean;
  readonly since?: Instant;
};

function plainBoardOf(board: BoardModel): PlainBoard {
  const { permission, isPaused, mode, loadChanges, load, credits, pullCredits } = board;
  const { totals, recovered, times, claims, workers } = board;
  const all = ownersOf(board);
  const dismissed = board.owners.dismissed.all;
  const numbers = new Map(all.map((owner, number) => [owner, number]));
  return {
    permission,
    isPaused,
    mode,
    loadChanges,
    load,
    credits,
    pullCredits,
    totals,
    recovered,
    times,
    runs: [...board.runs.values()].map(plainRunOf),
    claims: [...claims.pushed, ...claims.pulled].map(plainClaimOf),
    leftovers: plainLeftoversOf(board),
    people: Array.from(board.owners.people.values(), plainPersonOf),
    past: board.owners.past.all.map(({ owner, endedAt }) => ({
      ...plainPersonOf(owner),
      endedAt,
    })),
    sessions: [...workers.sessions.values()],
    places: [...workers.places.values()],
    agents: [...workers.agents.values()],
    ...(workers.drained.size > 0 && { drained: [...workers.drained] }),
    ...(dismissed.length > 0 && { dismissed }),
    ...(board.losses.all.length > 0 && { untold: board.losses.all }),
    waiters: board.waiters.plain,
    owners: [...board.owners.map.owners].map((owner) => {
      const number = numbers.get(owner);
      assert(number !== undefined, 'paths are owned by a claim, a lost attempt or a person');
      return number;
    }),
    asked: all.flatMap(({ asked }, number) =>
      asked === undefined ? [] : [[number, asked] as const],
    ),
  };
}

/** Everybody who is in the ownership map, in an order that follows from the facts before it. */
function ownersOf({ claims, owners }: BoardModel): readonly Owner[] {
  const all: Owner[] = [];
  for (const { owner, undeclared } of [...claims.pushed, ...claims.pulled])
    all.push(...(owner === undefined ? [] : [owner]), ...(undeclared?.values() ?? []));
  for (const { owner, undeclared } of owners.leftovers.values())
    all.push(owner, ...undeclared.values());
  all.push(...owners.people.values());
  return all;
}

function plainClaimOf({ entry, undeclared, isApart }: Claim): PlainClaim {
  const { run, id: task } = entry;
  const which = { run: run.manifest.id, task, undeclared: [...(undeclared?.keys() ?? [])] };
  return isApart ? { ...which, isApart } : which;
}

function plainPersonOf(owner: OwnerOfPerson): PlainPerson {
  const { who, worker, tree, patterns, since, until, lets } = owner;
  assert(who.kind === 'person', 'these are the paths of people');
  const { id, isUnsaved, isSaved } = who;
  const { reads, writes } = patterns;
  return {
    id,
    worker,
    tree,
    reads,
    writes,
    isUnsaved,
    ...(isSaved !== undefined && { isSaved }),
    since,
    ...(lets !== undefined && { lets }),
    ...(until !== undefined && { until }),
  };
}

function restoreSettings(board: BoardModel, plain: PlainBoard): void {
  board.restoreTimes(plain.times);
  board.permission = plain.permission;
  board.isPaused = plain.isPaused;
  board.mode = plain.mode;
  board.loadChanges = plain.loadChanges;
  board.load = plain.load;
  board.credits = plain.credits;
  board.pullCredits = plain.pullCredits;
  board.totals = plain.totals;
  board.recovered = plain.recovered;
  const { sessions, places, agents, drained } = board.workers;
  for (const worker of plain.sessions) sessions.set(worker.id, worker);
  for (const place of plain.places) places.set(place.name, place);
  for (const agent of plain.agents) agents.set(agent.name, agent);
  for (const worker of plain.drained ?? []) drained.add(worker);
  for (const write of plain.dismissed ?? []) board.owners.dismissed.add(write);
}

function waitersFrom({ workers, claims }: BoardModel): PlainWaiters {
  const waiting = [...workers.sessions.values()].filter(
    ({ id, isIdle }) => isIdle && claims.holdsNothing(id),
  );
  return { since: waiting.map(({ id, since }) => [id, since]), offers: [] };
}

function restoreClaim(board: BoardModel, plain: PlainClaim): void {
  const { run, task, undeclared, isApart = false } = plain;
  const entry = board.find(run, task);
  assert(entry !== undefined, 'a claim is for a task of the board');
  const holder = holderOf(entry.state);
  assert(holder !== undefined, 'a claim is that of the holder of a task');
  const claim = board.claims.take(entry, holder);
  claim.isApart = isApart;
  board.owners.take(claim);
  board.owners.takeUndeclared(claim, undeclared);
}

function restorePerson(board: BoardModel, { since, ...person }: PlainPerson): void {
  const at = since ?? board.now;
  board.owners.apply({ kind: 'pathsOwned', at, ...person }, () => undefined);
}

function isFacts(json: unknown): json is BoardFacts {
  return isObject(json) && 'version' in json && json.version === VERSION && 'board' in json;
}

/** What this version wrote is as it wrote it. */
function isPlainBoard(value: unknown): value is PlainBoard {
  return isObject(value) && 'runs' in value;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
