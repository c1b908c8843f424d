import { assert } from '../domain/assert.ts';
import { holderOf, type TaskState } from '../domain/task.ts';
import { type Instant, isOver } from '../domain/time.ts';
import type {
  ClaimOutcome,
  ClaimWrite,
  CommittedDecision,
  Grant,
  HolderOutcome,
  HolderWrite,
  LedgerEntry,
} from '../engine/store-port.ts';
import { boardEventOf, type Decision, keyOf } from '../scheduler/decision.ts';
import type { BoardEvent } from '../scheduler/model/board-event.ts';
import type { Decided } from './ledger-rows.ts';
import type { LedgerWriter } from './ledger-writer.ts';
import type { OperationTable } from './operation-table.ts';

/** What a write goes by. */
export interface Books {
  readonly writer: LedgerWriter;
  readonly operations: OperationTable;
  readonly now: Instant;
  readonly mintTerm: () => number;
}

export function commitDecision(
  books: Books,
  turn: number,
  decision: Decision,
): CommittedDecision | undefined {
  const key = keyOf(decision);
  const entry = decide(books, decision, { key, of: { turn, decision } });
  return entry === undefined ? undefined : { decision, entry };
}

export function claimTask(books: Books, { operation, decision }: ClaimWrite): ClaimOutcome {
  const { operations, now } = books;
  const before = operations.find(operation);
  if (before !== undefined) {
    const { grant } = before;
    return grant === undefined ? { kind: 'refused' } : { kind: 'repeated', grant };
  }
  const entry = decide(books, decision, { key: keyOf(decision) });
  if (entry === undefined) return { kind: 'refused' };
  const grant = grantIn(entry.event);
  operations.add(operation, { at: now, grant });
  return { kind: 'granted', grant, entry };
}

/** Nothing where the holder may say what it says. */
export function refusedHolder(
  { writer, now }: Books,
  { run, task, term, events }: HolderWrite,
): Extract<HolderOutcome, { kind: 'stale' }> | undefined {
  for (const event of events) if (event.kind === 'taskMoved') assertOwn(event, { run, task, term });
  const state = writer.stateOf(run, task);
  const holder = state === undefined ? undefined : holderOf(state);
  if (holder === undefined || holder.term !== term)
    return { kind: 'stale', currentTerm: holder?.term };
  return isOver(holder.expiresAt, now) ? { kind: 'stale', currentTerm: undefined } : undefined;
}

function assertOwn(
  moved: Extract<BoardEvent, { kind: 'taskMoved' }>,
  { run, task, term }: Pick<HolderWrite, 'run' | 'task' | 'term'>,
): void {
  const { event } = moved;
  const isOwn = moved.run === run && moved.task === task;
  assert(isOwn && (!('term' in event) || event.term === term), 'a holder speaks of its own claim');
}

function decide(books: Books, decision: Decision, decided: Decided): LedgerEntry | undefined {
  const { writer, now, mintTerm } = books;
  if (writer.hasKey(decided.key)) return undefined;
  if (decision.kind === 'claim' && isOver(decision.expiresAt, now)) return undefined;
  const event = boardEventOf(decision, stateFor(writer, decision), { now, mintTerm });
  return event === undefined ? undefined : writer.write(event, decided);
}

function stateFor(writer: LedgerWriter, decision: Decision): TaskState | undefined {
  return 'task' in decision ? writer.stateOf(decision.run, decision.task) : undefined;
}

function grantIn(event: BoardEvent): Grant {
  assert(event.kind === 'taskMoved' && event.event.kind === 'taskClaimed', 'a claim claims');
  const { run, task } = event;
  const { term, at, expiresAt } = event.event;
  if (expiresAt === undefined) return { run, task, term };
  return { run, task, term, leaseMs: expiresAt - at };
}
