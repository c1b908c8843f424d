import type { CommandEnd } from '../../server/engine/ports.ts';
import type { Checks } from './violation.ts';
import { mustNotMeet, type Work } from './work.ts';

/** Something that really does a task's work: a process, or an agent or a person at it. */
export interface Actor {
  readonly work: Work;
  readonly term: number;
  readonly place: string | undefined;
  /** A lease bounds it, or we can stop it. Nobody can fence a person who was given no limit. */
  readonly isBounded: boolean;
  /** The working tree there is its own. */
  readonly isApart?: boolean;
  /** Whether it could write a file right now. */
  readonly isActing: () => boolean;
}

/** What is really going on, whatever the board believes. */
export class Physical {
  readonly actors = new Set<Actor>();
  /** The task of each term in the ledger. */
  readonly claimed = new Map<number, string>();
  /** Who was given each term in the ledger; a person whichever of their windows asked. */
  readonly claimedBy = new Map<number, string>();
  /** Commands that the process which decides has started or found, by their terms, and since when. */
  readonly known = new Map<number, number>();
  /** Ordered of a host, and whoever decides was not told yet what has become of it. */
  readonly ordered = new Set<number>();
  /** Commands that nobody waits for any more: their host has been silent for too long. */
  readonly givenUp = new Set<number>();
  /** Until when hosts were silent; those that are now are so for ever. */
  readonly silentUntil = new Map<string, number>();
  /** Commands that print nothing, and since when. */
  readonly hung = new Map<number, number>();
  /** Terms in which somebody has really begun; an order may be lost on its way. */
  readonly begun = new Set<number>();
  /** How the commands of our runners ended. */
  readonly truth = new Map<number, CommandEnd>();
  /** A clock that was set forward ends leases early, and nobody who works far away knows. */
  isClockHonest = true;
  readonly #checks: Checks;

  constructor(checks: Checks) {
    this.#checks = checks;
  }

  begin(actor: Actor): void {
    const { term, work } = actor;
    const isClaimed = this.claimed.get(term) === nameOf(work);
    this.#checks.holds('I8', isClaimed, () => `${nameOf(work)} starts without a claim`);
    this.actors.add(actor);
    this.begun.add(term);
    this.check(actor);
  }

  end(actor: Actor): void {
    this.actors.delete(actor);
  }

  /** Nobody who acts now may meet another one. */
  check(actor: Actor): void {
    if (!actor.isActing()) return;
    for (const other of this.actors) {
      if (other === actor || !other.isActing() || !this.#isFenced(actor, other)) continue;
      if (actor.isApart === true || other.isApart === true) continue;
      const isSameTask = other.work.run === actor.work.run && other.work.task === actor.work.task;
      this.#checks.holds(
        'I13',
        !isSameTask || actor.work.asks.isIsolated,
        () => `terms ${other.term} and ${actor.term} both work at ${nameOf(actor.work)}`,
      );
      this.#checks.holds(
        'I4-physical',
        isSameTask || !mustNotMeet(actor.work, other.work),
        () =>
          `${nameOf(actor.work)}@${actor.term} and ${nameOf(other.work)}@${other.term} write the same`,
      );
    }
  }

  /** It may write, and everybody can know that. */
  mustBeLeftAlone(actor: Actor): boolean {
    if (!actor.isActing() || !actor.isBounded) return false;
    return this.isClockHonest || actor.place !== undefined;
  }

  #isFenced(a: Actor, b: Actor): boolean {
    if (!a.isBounded || !b.isBounded) return false;
    return this.isClockHonest || (a.place !== undefined && b.place !== undefined);
  }
}

export function nameOf({ run, task }: Pick<Work, 'run' | 'task'>): string {
  return `${run}/${task}`;
}
