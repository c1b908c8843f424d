import { isPushed } from '../../domain/asks.ts';
import { Heap, SLOTTED } from '../../domain/heap.ts';
import { type Instant, NEVER } from '../../domain/time.ts';
import { type Lane, startsBefore, type TaskEntry } from './run-model.ts';

/**
 * Tasks that wait for nothing but a place. A task is in one queue or in none, and moves when a fact
 * about it changes, so nobody ever looks for ready tasks.
 */
export class ReadyQueues {
  /** Lanes with something in them, by class, the highest first. */
  readonly pushLanes: readonly Set<Lane>[] = [new Set(), new Set(), new Set(), new Set()];
  /** Those of tasks that agents and people take for themselves. */
  readonly pullLanes = new Set<Lane>();
  #size = 0;
  #lanesForHosts = 0;
  readonly #inBackoff = new Heap<TaskEntry>(
    { keyOf: notBeforeOf, isBefore: startsBefore },
    SLOTTED,
  );

  /** How many tasks wait for nothing but a place. */
  get size(): number {
    return this.#size;
  }

  /** Whether one of ours waits that may run elsewhere than on this machine. */
  get isAnyForHosts(): boolean {
    return this.#lanesForHosts > 0;
  }

  /** The class of the highest task that is ready; behind the last class when none is. */
  get highestRank(): number {
    let rank = this.pushLanes.findIndex(({ size }) => size > 0);
    if (rank < 0) rank = this.pushLanes.length;
    for (const lane of this.pullLanes) rank = Math.min(rank, lane.rank);
    return rank;
  }

  /** Puts a task where it belongs now. */
  place(entry: TaskEntry, now: Instant): void {
    this.remove(entry);
    const { state } = entry;
    if (state.kind !== 'pending' || entry.unmet > 0 || entry.doomed > 0 || entry.isPaused) return;
    if (state.notBefore !== undefined && state.notBefore > now) {
      this.#inBackoff.push(entry);
      entry.run.inBackoff.add(entry);
      return;
    }
    const lane = entry.run.laneOf(entry);
    if (lane.ready.size === 0) this.#addLane(lane);
    lane.add(entry);
    this.#size += 1;
  }

  remove(entry: TaskEntry): void {
    const { lane } = entry;
    if (lane !== undefined) {
      lane.remove(entry);
      this.#size -= 1;
      if (lane.ready.size === 0) this.#dropLane(lane);
    } else if (entry.slot >= 0) {
      this.#inBackoff.remove(entry);
      entry.run.inBackoff.delete(entry);
    }
  }

  /** Those whose backoff is over are ready again. Answers whether there were any. */
  advanceTo(now: Instant): boolean {
    for (let isNews = false; ; isNews = true) {
      const entry = this.#inBackoff.peek();
      if (entry === undefined || notBeforeOf(entry) > now) return isNews;
      this.place(entry, now);
    }
  }

  nextDueAt(): Instant {
    const next = this.#inBackoff.peek();
    return next === undefined ? NEVER : notBeforeOf(next);
  }

  #addLane(lane: Lane): void {
    this.#lanesLike(lane).add(lane);
    if (isForHosts(lane)) this.#lanesForHosts += 1;
  }

  #dropLane(lane: Lane): void {
    this.#lanesLike(lane).delete(lane);
    if (isForHosts(lane)) this.#lanesForHosts -= 1;
  }

  #lanesLike({ asks, rank }: Lane): Set<Lane> {
    return isPushed(asks.doer) ? this.pushLanes[rank]! : this.pullLanes;
  }
}

function notBeforeOf({ state }: TaskEntry): Instant {
  return (state.kind === 'pending' ? state.notBefore : undefined) ?? NEVER;
}

function isForHosts({ asks }: Lane): boolean {
  return isPushed(asks.doer) && asks.hosts.length > 0;
}
