import type { Board } from '../../board/board.ts';
import { claimsOf, type PersonClaim } from '../../board/person-claims.ts';
import { nowOn } from '../../board/writers-now.ts';
import type { PersonParts } from './person-parts.ts';

/** Whoever does not answer now is not asked more often. */
const AGAIN_MS = 1000;

/**
 * Renews what was claimed in this window while the window lives. Mostly there is nothing to renew: people
 * have a task until they release it, unless its plan gives it a lease.
 */
export class Renewals {
  readonly #parts: PersonParts;

  constructor(parts: PersonParts) {
    this.#parts = parts;
  }

  keep(board: Board, entry: PersonClaim['entry']): void {
    const term = entry.claim?.holder.term;
    if (term === undefined) return;
    this.#renewInTime(board, { run: entry.run.manifest.id, task: entry.id, term });
  }

  #renewInTime(board: Board, which: Which, leastMs = 1): void {
    const open = board.live;
    const claim = open && this.#find(board, which);
    if (open === undefined || claim?.expiresAt === undefined) return;
    // Half of what is left: a renewal that is late is still in time.
    const delayMs = Math.max(leastMs, (claim.expiresAt - nowOn(open)) / 2);
    this.#parts.world.alarm.after(delayMs, () => void this.#renew(board, which));
  }

  async #renew(board: Board, which: Which): Promise<void> {
    const { connection, world } = this.#parts;
    const open = board.live;
    if (open === undefined || this.#find(board, which) === undefined) return;
    try {
      const request = { ...which, says: { kind: 'renew' } } as const;
      const reply = await open.keeper.calls.say(request, world.ids.operation());
      if (reply.kind === 'accepted') this.#renewInTime(board, which);
    } catch (error) {
      // Whoever decides has gone, and the next one gives the lease once more.
      connection.console.warn(`The claim on "${which.task}" was not renewed: ${String(error)}`);
      this.#renewInTime(board, which, AGAIN_MS);
    }
  }

  #find(board: Board, { run, task, term }: Which): PersonClaim | undefined {
    const { person } = this.#parts.live.window;
    const claims = board.live === undefined ? [] : claimsOf(board.live, person);
    return claims.find(
      (each) => each.entry.run.manifest.id === run && each.entry.id === task && each.term === term,
    );
  }
}

interface Which {
  readonly run: PersonClaim['entry']['run']['manifest']['id'];
  readonly task: PersonClaim['entry']['id'];
  readonly term: number;
}
