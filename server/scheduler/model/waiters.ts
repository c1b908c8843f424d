import type { RunId, TaskId, WorkerId } from '../../domain/ids.ts';
import { type Instant, instant, NEVER } from '../../domain/time.ts';

/** A task that an agent was woken for: for a short time it is kept for this one. */
export interface Offer {
  readonly run: RunId;
  readonly task: TaskId;
  readonly at: Instant;
}

/** An agent that does not claim within this time after it was woken loses its turn. */
export const OFFER_MS = 5000;

/** The waiters, in a form that survives JSON. */
export interface PlainWaiters {
  readonly since: readonly (readonly [WorkerId, Instant])[];
  readonly offers: readonly (readonly [WorkerId, Offer])[];
}

/**
 * The workers that wait for a task: since when, and which task each agent was offered last.
 *
 * They are served in the order in which they began to wait. A worker begins when it comes, or when it
 * ends its last task, and ends when it claims, leaves or says that it is busy. An agent that lets an
 * offer lapse goes to the end of the line, so that one that hangs holds up the others only once a round.
 */
export class Waiters {
  readonly #since = new Map<WorkerId, Instant>();
  readonly #offers = new Map<WorkerId, Offer>();

  begin(worker: WorkerId, at: Instant): void {
    if (!this.#since.has(worker)) this.#since.set(worker, at);
  }

  end(worker: WorkerId): void {
    this.#since.delete(worker);
    this.#offers.delete(worker);
  }

  offer(worker: WorkerId, offer: Offer): void {
    if (this.#since.has(worker)) this.#offers.set(worker, offer);
  }

  forgetOffers(): void {
    this.#offers.clear();
  }

  /** The offers that have not lapsed. */
  openOffers(now: Instant): readonly (readonly [WorkerId, Offer])[] {
    if (this.#offers.size === 0) return [];
    return [...this.#offers].filter(([, offer]) => now < lapsesAt(offer));
  }

  openOffer(worker: WorkerId, now: Instant): Offer | undefined {
    const offer = this.#offers.get(worker);
    return offer !== undefined && now < lapsesAt(offer) ? offer : undefined;
  }

  /** Whether `a` is served before `b`. A worker that does not wait comes last. */
  isBefore(a: WorkerId, b: WorkerId, now: Instant): boolean {
    const [first, second] = [this.#placeInLine(a, now), this.#placeInLine(b, now)];
    return first === second ? a < b : first < second;
  }

  /** When the next offer after `at` lapses, as far as another waiter could be offered the task then. */
  nextLapseAfter(at: Instant): Instant {
    if (this.#offers.size >= this.#since.size) return NEVER;
    let next: number = NEVER;
    for (const offer of this.#offers.values())
      if (lapsesAt(offer) > at) next = Math.min(next, lapsesAt(offer));
    return instant(next);
  }

  get plain(): PlainWaiters {
    return { since: [...this.#since], offers: [...this.#offers] };
  }

  restore({ since, offers }: PlainWaiters): void {
    for (const [worker, at] of since) this.#since.set(worker, at);
    for (const [worker, offer] of offers) this.#offers.set(worker, offer);
  }

  #placeInLine(worker: WorkerId, now: Instant): number {
    const since = this.#since.get(worker) ?? NEVER;
    const offer = this.#offers.get(worker);
    const isLapsed = offer !== undefined && now >= lapsesAt(offer);
    return isLapsed ? Math.max(since, lapsesAt(offer)) : since;
  }
}

function lapsesAt({ at }: Offer): Instant {
  return instant(at + OFFER_MS);
}
