import type { Instant } from '../domain/time.ts';
import type { Owner } from '../scheduler/model/ownership.ts';
import type { OpenBoard } from './ports.ts';

/** Somebody who writes something; the same one for as long as they write the same. */
export type Writer = Pick<Owner, 'until'>;

/** Everybody who writes anything on a board now. */
export function writersNow(open: OpenBoard): readonly Writer[] {
  const now = nowOn(open);
  return [...open.keeper.board.owners.map.owners].filter(
    ({ writes, until }) => !writes.isEmpty && (until === undefined || until > now),
  );
}

/** The time of a board: a clock that is set back does not turn it back. */
export function nowOn({ keeper, clock }: OpenBoard): Instant {
  return keeper.board.timeAt(clock.now());
}
