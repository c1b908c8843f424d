import type { RunId, TaskId } from '../domain/ids.ts';
import type { Instant } from '../domain/time.ts';
import type { LedgerEntry } from '../engine/store-port.ts';
import type { Decision } from '../scheduler/decision.ts';
import type { BoardEvent } from '../scheduler/model/board-event.ts';
import { checkSum, rowSum } from './row-sum.ts';

/** A line of the ledger as it is kept. */
export interface EventRow {
  readonly sequence: number;
  readonly at: Instant;
  readonly kind: BoardEvent['kind'];
  readonly run_id: RunId | null;
  readonly task_id: TaskId | null;
  readonly body: string;
  readonly key: string | null;
  readonly turn: number | null;
  readonly decision: string | null;
  readonly sum: number;
}

/** What an entry is written with besides its event. */
export interface Decided {
  readonly key: string;
  /** Absent for what no turn has decided. */
  readonly of?: NonNullable<LedgerEntry['decided']>;
}

export function entryToRow({ sequence, event }: LedgerEntry, decided?: Decided): EventRow {
  const { at, run, task } = aboutEvent(event);
  const row = {
    sequence,
    at,
    kind: event.kind,
    run_id: run ?? null,
    task_id: task ?? null,
    body: JSON.stringify(event),
    key: decided?.key ?? null,
    turn: decided?.of?.turn ?? null,
    decision: decided?.of === undefined ? null : JSON.stringify(decided.of.decision),
  };
  return { ...row, sum: rowSum(...summedOf(row)) };
}

export function rowToEntry(row: EventRow): LedgerEntry {
  checkSum('event', row.sum, summedOf(row));
  const { sequence, turn } = row;
  const event: BoardEvent = JSON.parse(row.body);
  if (turn === null || row.decision === null) return { sequence, event };
  const decision: Decision = JSON.parse(row.decision);
  return { sequence, event, decided: { turn, decision } };
}

/** The same entry, said with other paths. */
export function eventWithBody(row: EventRow, body: string): EventRow {
  checkSum('event', row.sum, summedOf(row));
  const changed = { ...row, body };
  return { ...changed, sum: rowSum(...summedOf(changed)) };
}

/** How many characters it has at least, when it is said. */
export function lengthOf({ body, decision }: EventRow): number {
  return body.length + (decision?.length ?? 0);
}

/** When it happened, and what it is about. */
function aboutEvent(event: BoardEvent): {
  readonly at: Instant;
  readonly run: RunId | undefined;
  readonly task: TaskId | undefined;
} {
  switch (event.kind) {
    case 'taskMoved':
      return { at: event.event.at, run: event.run, task: event.task };
    case 'runSubmitted':
      return { at: event.at, run: event.manifest.id, task: undefined };
    default: {
      const run = 'run' in event ? event.run : undefined;
      return { at: event.at, run, task: 'task' in event ? event.task : undefined };
    }
  }
}

function summedOf(row: Omit<EventRow, 'sum'>): readonly (string | number | null)[] {
  const { sequence, at, kind, run_id, task_id, body, key, turn, decision } = row;
  return [sequence, at, kind, run_id, task_id, body, key, turn, decision];
}
