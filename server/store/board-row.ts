import type { Clock } from '../engine/ports.ts';
import type { Instant } from '../domain/time.ts';
import { checkSum, rowSum } from './row-sum.ts';
import type { BoardRow } from './statements.ts';

/** When somebody wrote last, and what the machine's own clock read then. */
export interface SavedTime {
  readonly at: Instant;
  readonly bootId: string;
  readonly uptimeMs: number;
}

/** The clock that leases are measured by. It goes on from what was saved on the board. */
export interface BoardClock extends Clock {
  resume(saved: SavedTime): void;
  save(): SavedTime;
}

export type BoardFacts = Pick<BoardRow, 'tenure' | 'term'> & Extent & SavedTime;

/** How much there is of what grows. */
interface Extent {
  /** The last number of the ledger. */
  readonly sequence: number;
  readonly baseRevision: number;
  readonly operation: number;
}

export function boardToRow(board: BoardFacts): BoardRow {
  const { tenure, term, at, bootId: boot_id, uptimeMs: uptime_ms } = board;
  const { sequence, baseRevision: base_revision, operation } = board;
  const row = { tenure, term, at, boot_id, uptime_ms, sequence, base_revision, operation };
  return { ...row, sum: rowSum(...summedOf(row)) };
}

export function rowToBoard(row: BoardRow): BoardFacts {
  checkSum('board', row.sum, summedOf(row));
  const { tenure, term, at, boot_id: bootId, uptime_ms: uptimeMs } = row;
  const { sequence, base_revision: baseRevision, operation } = row;
  return { tenure, term, at, bootId, uptimeMs, sequence, baseRevision, operation };
}

/** Nobody has saved one yet. */
export function hasTime({ at }: SavedTime): boolean {
  return at > 0;
}

function summedOf(row: Omit<BoardRow, 'sum'>): readonly (string | number)[] {
  const { tenure, term, at, boot_id, uptime_ms, sequence, base_revision, operation } = row;
  return [tenure, term, at, boot_id, uptime_ms, sequence, base_revision, operation];
}
