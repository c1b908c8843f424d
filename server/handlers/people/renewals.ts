import type { Board } from '../../board/board.ts';
import { claimsOf, type PersonClaim } from '../../board/person-claims.ts';
import { nowOn } from '../../board/writers-now.ts';
import type { Instant } from '../../domain/time.ts';
import type { PersonParts } from './person-parts.ts';

/** Whoever does not answer now is not asked more often. */
const AGAIN_MS = 1000;

/**
 * Renews what the person before the window has, for as long as the window is there: they may have claimed
 * it in another one, or in this one before it was reloaded. Mostly there is nothing to renew: people have a
 * task until they release it, unless its plan gives it a lease.
 */
export class Renewals {
  readonly #parts: PersonParts;
  /** By their names: each is renewed once, of however many folders its board is. */
  readonly #kept = new Set<string>();

  constructor(parts: PersonParts) {
    this.#parts = parts;
  }

  follow(): void {
    this.#parts.workspace.onNews(() => this.#look());
  }

  #look(): void {
    for (const { board } of this.#parts.workspace.folders)
      for (const claim of this.#claimsOn(board)) {
        const name = nameOf(claim);
        if (claim.expiresAt === undefined || this.#kept.has(name)) continue;
        this.#kept.add(name);
        this.#renewInTime({ board, name });
      }
  }

  #renewInTime(kept: Kept, leastMs = 1): void {
    const { open, claim } = this.#find(kept);
    if (open === undefined || claim?.expiresAt === undefined) {
      this.#kept.delete(kept.name);
      // Where the folder has gone, another one of the same board may be there.
      this.#look();
      return;
    }
    // Half of what is left: a renewal that is late is still in time.
    const delayMs = Math.max(leastMs, (claim.expiresAt - nowOn(open)) / 2);
    this.#parts.world.alarm.after(delayMs, () => void this.#renew(kept, claim.expiresAt));
  }

  async #renew(kept: Kept, expected: Instant | undefined): Promise<void> {
    const { connection, world } = this.#parts;
    const { open, claim } = this.#find(kept);
    // Another window of theirs was there first, or it is theirs no more.
    if (open === undefined || claim === undefined || claim.expiresAt !== expected) {
      this.#renewInTime(kept);
      return;
    }
    const { entry, term } = claim;
    const by = { kind: 'worker', worker: this.#parts.live.window.person } as const;
    const request = { run: entry.run.manifest.id, task: entry.id, term, by } as const;
    try {
      const says = { kind: 'renew' } as const;
      const reply = await open.keeper.calls.say({ ...request, says }, world.ids.operation());
      this.#renewInTime(kept, reply.kind === 'accepted' ? 1 : AGAIN_MS);
    } catch (error) {
      // Whoever decides has gone, and the next one gives the lease once more.
      connection.console.warn(`The claim on "${entry.id}" was not renewed: ${String(error)}`);
      this.#renewInTime(kept, AGAIN_MS);
    }
  }

  #find({ board, name }: Kept): {
    readonly open?: NonNullable<Board['live']>;
    readonly claim?: PersonClaim;
  } {
    const open = board.live;
    const claim = this.#claimsOn(board).find((each) => nameOf(each) === name);
    return { ...(open && { open }), ...(claim && { claim }) };
  }

  /**
   * Those under which somebody has begun; the others they still have to confirm themselves. In a folder
   * that is not trusted nothing is claimed, and nothing goes on by itself either.
   */
  #claimsOn({ live, isTrusted }: Board): readonly PersonClaim[] {
    const { person } = this.#parts.live.window;
    const claims = live === undefined || !isTrusted ? [] : claimsOf(live, person);
    return claims.filter(({ entry }) => entry.claim?.holder.kind === 'running');
  }
}

interface Kept {
  readonly board: Board;
  readonly name: string;
}

function nameOf({ entry, term }: PersonClaim): string {
  return `${entry.run.manifest.id}\n${entry.id}\n${term}`;
}
