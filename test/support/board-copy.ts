import { decideTurn } from '../../server/scheduler/decide.ts';
import { boardOf, factsOf, parseFacts } from '../../server/scheduler/model/board-facts.ts';
import type { BoardModel } from '../../server/scheduler/model/board-model.ts';
import { nextDueAt } from '../../server/scheduler/model/next-due.ts';
import type { Owner } from '../../server/scheduler/model/ownership.ts';
import type { Claim, RunModel, TaskEntry } from '../../server/scheduler/model/run-model.ts';
import { why } from '../../server/scheduler/predicate/why.ts';
import { dumpBoard } from '../sim/board-dump.ts';
import { dumpOf } from './board-dump.ts';

/** A board from the facts of another, by way of a text. */
export function copyOf(board: BoardModel): BoardModel {
  const facts = parseFacts(JSON.parse(JSON.stringify(factsOf(board))));
  if (facts === undefined) throw new Error('The facts of a board are not understood.');
  return boardOf(facts, { foldCase: false });
}

/** Everything that anybody can find out about a board now. */
export function allOf(board: BoardModel): unknown {
  const turn = decideTurn(board, board.now);
  const entries = [...board.runs.values()].flatMap((run) => run.entries);
  const workers = [undefined, ...board.workers.sessions.values()];
  return {
    dump: dumpOf(board),
    lines: dumpBoard(board),
    orders: ordersOf(board),
    decisions: turn.decisions,
    whys: entries.map((entry) =>
      workers.map((worker) => why(turn, entry, worker === undefined ? {} : { worker })),
    ),
    due: nextDueAt(board),
    isCycleDue: board.isCycleDue(board.now),
  };
}

/** What no dump tells: orders, and what matters only later. */
function ordersOf({ runs, claims, owners, workers, loadChanges, recovered, times }: BoardModel) {
  return {
    board: { loadChanges, recovered, times },
    runs: [...runs.values()].map(ordersOfRun),
    claims: [...claims.pushed, ...claims.pulled].map(nameOfClaim),
    limits: [...claims.limits.inOrder()].map(({ claim, at }) => [nameOfClaim(claim), at]),
    leases: [...claims.leases.inOrder()].map(nameOfClaim),
    leftovers: [...owners.leftovers.values()].map(({ asks, patterns, owner, undeclared }) => [
      asks,
      patterns,
      ...ownerOf(owner),
      ...undeclared.keys(),
    ]),
    owners: [...owners.map.owners].map(ownerOf),
    names: [workers.sessions, workers.places, workers.agents].map((each) => [...each.keys()]),
  };
}

function ordersOfRun({ entries, doomed, revivable, earlierRevisions, lanes, ...run }: RunModel) {
  return {
    counts: [run.open, run.failed, run.cancelled, run.held],
    doomed: Array.from(doomed, ({ id }) => id),
    revivable: Array.from(revivable, ({ id }) => id),
    earlierRevisions: [...earlierRevisions],
    ranks: entries.filter(({ isOpen }) => isOpen).map(({ rank }) => rank),
    lanes: lanes.flat().flatMap(({ oldest }) => (oldest === undefined ? [] : [agesFrom(oldest)])),
  };
}

export function agesFrom(oldest: TaskEntry): readonly string[] {
  const ids: string[] = [];
  for (let entry: TaskEntry | undefined = oldest; entry !== undefined; entry = entry.newer)
    ids.push(entry.id);
  return ids;
}

function nameOfClaim({ entry, holder, undeclared }: Claim): string {
  return [entry.run.manifest.id, entry.id, holder.term, ...(undeclared?.keys() ?? [])].join(' ');
}

function ownerOf({ who, worker, tree, reads, writes, policy, until }: Owner): readonly unknown[] {
  const pathsOf = [reads.text, writes.text];
  return [who, worker, tree, ...pathsOf, policy, until];
}
