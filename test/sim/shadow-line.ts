import type { RunId, TaskId, WorkerId } from '../../server/domain/ids.ts';
import type { TaskEvent } from '../../server/domain/task.ts';
import type { Worker } from '../../server/scheduler/model/workers.ts';
import { nameOf } from './physical.ts';
import { type ClaimContext, meetsPerson } from './shadow-claim.ts';
import { OFFER_MS } from './shadow-order.ts';
import { isFor } from './work.ts';

interface Offered {
  readonly run: RunId;
  readonly task: TaskId;
  readonly at: number;
}

/** Who waits for a task, since when, and what each agent was woken for last. */
export class ShadowLine {
  readonly #since = new Map<WorkerId, number>();
  readonly #offered = new Map<WorkerId, Offered>();

  seen({ id, isIdle }: Worker, { holds, at }: { holds: boolean; at: number }): void {
    if (!isIdle) this.left(id);
    else if (!holds && !this.#since.has(id)) this.#since.set(id, at);
  }

  left(worker: WorkerId): void {
    this.#since.delete(worker);
    this.#offered.delete(worker);
  }

  woken(worker: Worker | undefined, offered: Offered): void {
    if (worker?.kind === 'agent' && this.#since.has(worker.id))
      this.#offered.set(worker.id, offered);
  }

  forgetOffers(): void {
    this.#offered.clear();
  }

  /** Once the task has moved. */
  follow(
    event: TaskEvent,
    { worker, isFree }: { worker: Worker | undefined; isFree: boolean },
  ): void {
    if (worker === undefined) return;
    if (event.kind === 'taskClaimed') this.left(worker.id);
    else if (isFree) this.seen(worker, { holds: false, at: event.at });
  }

  /** No agent takes what another one was just offered that has waited longer. */
  check({ facts, task, event, checks }: ClaimContext): void {
    const { worker, at } = event;
    if (facts.sessions.get(worker)?.kind !== 'agent' || this.#isOffered(worker, event, task.work))
      return;
    for (const [other, offered] of this.#offered) {
      const session = facts.sessions.get(other);
      const isOpen = at < offered.at + OFFER_MS && session !== undefined;
      if (!isOpen || other === worker || facts.drained.has(other)) continue;
      if (offered.run !== task.work.run || offered.task !== task.work.task) continue;
      const isAtFiles = [...facts.owned.values()].some(
        (owned) => owned.worker !== other && meetsPerson(task.work, owned),
      );
      if (isAtFiles || !isFor(task.work, session)) continue;
      const isFirst = this.#isBefore(worker, other, at);
      const why = (): string => `${nameOf(task.work)} by ${worker}: it is the turn of ${other}`;
      checks.holds('fair', isFirst, why);
    }
  }

  #isOffered(
    worker: WorkerId,
    { at }: { at: number },
    { run, task }: Omit<Offered, 'at'>,
  ): boolean {
    const own = this.#offered.get(worker);
    return own?.run === run && own.task === task && at < own.at + OFFER_MS;
  }

  #isBefore(a: WorkerId, b: WorkerId, now: number): boolean {
    const [first, second] = [this.#placeOf(a, now), this.#placeOf(b, now)];
    return first === second ? a < b : first < second;
  }

  #placeOf(worker: WorkerId, now: number): number {
    const since = this.#since.get(worker) ?? Infinity;
    const lapsedAt = (this.#offered.get(worker)?.at ?? Infinity) + OFFER_MS;
    return lapsedAt <= now ? Math.max(since, lapsedAt) : since;
  }
}
