import { canBeStopped, isPushed, lastLimitMs } from '../../domain/asks.ts';
import { Heap, SLOTTED } from '../../domain/heap.ts';
import type { WorkerId } from '../../domain/ids.ts';
import type { HolderState } from '../../domain/task.ts';
import { NEVER } from '../../domain/time.ts';
import { ClaimOf, LimitOf } from './claim.ts';
import {
  type Claim,
  type Limit,
  type RunModel,
  startsBefore,
  type TaskEntry,
} from './run-model.ts';
import { nextSignal } from './stop-signals.ts';

/**
 * Every live claim of the board. What is used up of a limit is worked out from these each time, so
 * nothing can leak.
 */
export class ClaimTable {
  /** Claims that the scheduler made for a runner of ours. */
  readonly pushed = new Set<Claim>();
  /** Claims that agents and people made for themselves. */
  readonly pulled = new Set<Claim>();
  /** Claims that end by themselves, the next one first. */
  readonly leases = new Heap<Claim>(
    {
      keyOf: ({ holder }) => holder.expiresAt ?? NEVER,
      isBefore: isFirst,
    },
    SLOTTED,
  );
  /** Claims that are asked to end at some time, the next one first. */
  readonly limits = new Heap<Limit>(
    {
      keyOf: ({ at }) => at,
      isBefore: (a, b) => isFirst(a.claim, b.claim),
    },
    SLOTTED,
  );
  readonly #pulledBy = new Map<WorkerId, number>();

  holdsNothing(worker: WorkerId): boolean {
    return !this.#pulledBy.has(worker);
  }

  take(entry: TaskEntry, holder: HolderState): Claim {
    const claim = new ClaimOf(entry, holder);
    entry.claim = claim;
    entry.run.held += 1;
    if (isPushed(entry.asks.doer)) this.pushed.add(claim);
    else {
      this.pulled.add(claim);
      this.#pulledBy.set(holder.worker, (this.#pulledBy.get(holder.worker) ?? 0) + 1);
    }
    this.#setAlarms(claim);
    return claim;
  }

  /** The holder goes on under the same term, with another deadline or another wish to end. */
  change(claim: Claim, holder: HolderState): void {
    const { expiresAt, stop } = claim.holder;
    const isSameLease = holder.expiresAt === expiresAt;
    const isUnlimited = lastLimitMs(claim.entry.asks.timeout) === undefined;
    if (isSameLease && holder.stop === stop && isUnlimited) {
      claim.holder = holder;
      return;
    }
    this.#unsetAlarms(claim);
    claim.holder = holder;
    this.#setAlarms(claim);
  }

  *ofRun(run: RunModel): Generator<Claim, void> {
    for (const claim of this.pushed) if (claim.entry.run === run) yield claim;
    for (const claim of this.pulled) if (claim.entry.run === run) yield claim;
  }

  letGo(claim: Claim): void {
    const { entry, holder } = claim;
    this.#unsetAlarms(claim);
    entry.claim = undefined;
    entry.run.held -= 1;
    if (this.pushed.delete(claim)) return;
    this.pulled.delete(claim);
    const left = (this.#pulledBy.get(holder.worker) ?? 0) - 1;
    if (left > 0) this.#pulledBy.set(holder.worker, left);
    else this.#pulledBy.delete(holder.worker);
  }

  #setAlarms(claim: Claim): void {
    const { holder, entry } = claim;
    if (holder.expiresAt !== undefined) this.leases.push(claim);
    // Nobody else who claimed for itself can be asked to end; its lease bounds it.
    if (!canBeStopped(entry.asks.doer)) return;
    const signal = nextSignal(holder, entry.asks.timeout, 1);
    if (signal === undefined) return;
    claim.limit = new LimitOf(claim, signal.at);
    this.limits.push(claim.limit);
  }

  #unsetAlarms(claim: Claim): void {
    if (claim.slot >= 0) this.leases.remove(claim);
    if (claim.limit !== undefined) this.limits.remove(claim.limit);
    claim.limit = undefined;
  }
}

function isFirst(a: Claim, b: Claim): boolean {
  return startsBefore(a.entry, b.entry);
}
