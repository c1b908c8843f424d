import type { BoardEvent } from '../../server/scheduler/model/board-event.ts';
import type { Decision } from '../../server/scheduler/decision.ts';
import type { RunId, TaskId, WorkerId } from '../../server/domain/ids.ts';
import { answerHolder, type Saying } from '../../server/scheduler/requests/settle.ts';
import type { Claim } from '../../server/scheduler/model/run-model.ts';
import type { Coordinator } from './coordinator.ts';
import type { Machine, Order, Result } from './machine.ts';
import type { Shadow } from './shadow.ts';
import { placeOfWorker } from './shadow-claim.ts';
import type { World } from './world.ts';

const POLL_MS = 4000;
/** An order may be under way for this long. */
const ORDER_MS = 35_000;

export type Wake = (worker: WorkerId, run: RunId, task: TaskId) => void;

/** The part of the coordinator that has to do with processes. */
export class Dispatcher {
  readonly #world: World;
  readonly #coordinator: Coordinator;
  readonly #machines: ReadonlyMap<string, Machine>;
  readonly #shadow: Shadow;
  readonly #wake: Wake;
  /** When what was ordered, as far as this coordinator remembers. */
  readonly #orderedAt = new Map<number, number>();

  constructor(facts: {
    world: World;
    coordinator: Coordinator;
    machines: ReadonlyMap<string, Machine>;
    shadow: Shadow;
    wake: Wake;
  }) {
    this.#world = facts.world;
    this.#coordinator = facts.coordinator;
    this.#machines = facts.machines;
    this.#shadow = facts.shadow;
    this.#wake = facts.wake;
  }

  act(decision: Decision, event: BoardEvent): void {
    if (decision.kind === 'wake') {
      const { worker, run, task } = decision;
      this.#world.send(() => this.#wake(worker, run, task));
      return;
    }
    if (decision.kind !== 'claim' && decision.kind !== 'stop') return;
    const claim = this.#coordinator.board.find(decision.run, decision.task)?.claim;
    if (claim === undefined || event.kind !== 'taskMoved') return;
    if (decision.kind === 'claim') this.#order(claim);
    else this.#machineOf(claim)?.signal(claim.holder.term, decision.signal);
  }

  recover(): void {
    this.#orderedAt.clear();
    this.#look();
  }

  /** Looks at its processes again and again, because any message may be lost. */
  poll(): void {
    const { board } = this.#coordinator;
    if (board.claims.pushed.size > 0 || board.owners.leftovers.size > 0)
      this.#coordinator.receive(() => this.#look());
    this.#world.after(POLL_MS, () => this.poll());
  }

  started(order: Order): void {
    this.#coordinator.receive(() => this.#say(order, { kind: 'started' }));
  }

  /** The same result may come twice, and long after anybody cares. */
  ended(order: Order, result: Result): void {
    this.#coordinator.receive(() => this.#settle(order, result));
  }

  #look(): void {
    const { claims, owners } = this.#coordinator.board;
    for (const claim of claims.pushed) if (this.#coordinator.isUp) this.#lookAfter(claim);
    for (const { run, task, term, owner } of owners.leftovers.values())
      if (owner.until === undefined && this.#coordinator.isUp)
        this.#sweep({ run, task, term }, owner.worker);
  }

  #sweep(which: { run: RunId; task: TaskId; term: number }, worker: WorkerId): void {
    const machine = this.#machines.get(placeOfWorker(worker) ?? '');
    if (machine === undefined || !machine.isReachable) return;
    if (this.#world.faults.hits('lookFailed')) return;
    machine.sweep(which.term);
    this.#coordinator.record([{ kind: 'leftoverGone', at: this.#coordinator.now(), ...which }]);
  }

  #lookAfter(claim: Claim): void {
    const machine = this.#machineOf(claim);
    const { holder, entry } = claim;
    if (machine === undefined || !machine.isReachable) return;
    if (this.#world.faults.hits('lookFailed')) return;
    const order = this.#orderOf(claim);
    const sight = machine.look(holder.term);
    if (sight.kind === 'ended') {
      this.#settle(order, sight.result);
      return;
    }
    if (sight.kind === 'alive') {
      if (holder.stop !== undefined) machine.signal(holder.term, holder.stop.signal);
      if (holder.kind === 'claimed' && !this.#say(order, { kind: 'started' })) return;
      const lease = entry.asks.leaseMs ?? 0;
      const left = (holder.expiresAt ?? Infinity) - this.#coordinator.now();
      if (left < (lease * 2) / 3) this.#say(order, { kind: 'renew' });
      return;
    }
    this.#missing(claim, { machine, order, hasRebooted: sight.hasRebooted });
  }

  /** It was ordered and is not there: not yet, never, or no more. */
  #missing(
    claim: Claim,
    { machine, order, hasRebooted }: { machine: Machine; order: Order; hasRebooted: boolean },
  ): void {
    const { holder } = claim;
    const orderedAt = this.#orderedAt.get(holder.term);
    const mayStart = this.#coordinator.permission === 'granted' && holder.stop === undefined;
    if (holder.kind === 'claimed' && orderedAt === undefined && mayStart && !hasRebooted) {
      this.#order(claim);
      return;
    }
    const isUnderWay = orderedAt !== undefined && this.#world.now - orderedAt < ORDER_MS;
    if (holder.kind === 'claimed' && isUnderWay && !hasRebooted) {
      this.#say(order, { kind: 'renew' });
      return;
    }
    machine.sweep(holder.term);
    const cause = hasRebooted ? 'host-lost' : 'killed';
    if (holder.kind === 'running') this.#say(order, { kind: 'lost', cause });
    else
      this.#say(order, { kind: 'failed', failure: { kind: 'not-started', message: 'no process' } });
  }

  #settle(order: Order, result: Result): void {
    const machine = this.#machineOfTerm(order.term);
    const { doer } = order.work.asks;
    if (!this.#say(order, result)) return;
    machine?.forget(order.term);
    if (result.kind !== 'rate-limited' || doer.kind !== 'started-agent') return;
    const { agents, coolDowns, lastAt } = this.#shadow.facts;
    const isHeard = !agents.has(doer.agent) || (coolDowns.get(doer.agent)?.until ?? 0) > lastAt;
    this.#world.checks.holds('cool-down', isHeard, () => `nobody hears of ${doer.agent}'s limit`);
  }

  /** Answers whether that is the end of it: written, or nobody's business any more. */
  #say({ work, term }: Order, says: Saying | Result): boolean {
    const { board } = this.#coordinator;
    const { run, task } = work;
    const answer = answerHolder(
      board,
      { run, task, term, says: sayingOf(says) },
      this.#coordinator.now(),
    );
    if (answer.kind === 'stale') return false;
    return this.#coordinator.record(answer.events);
  }

  #order(claim: Claim): void {
    const { term } = claim.holder;
    this.#world.checks.holds(
      'I22',
      this.#coordinator.permission === 'granted',
      () => `order #${term}`,
    );
    this.#world.checks.holds(
      'I18',
      claim.holder.stop === undefined,
      () => `order #${term}, which is to stop`,
    );
    this.#orderedAt.set(term, this.#world.now);
    this.#machineOf(claim)?.order(this.#orderOf(claim));
  }

  #orderOf({ entry, holder }: Claim): Order {
    const work = this.#shadow.facts.find(entry.run.manifest.id, entry.definition.id)?.work;
    if (work === undefined)
      throw new Error(`${entry.definition.id} is claimed, and not in the ledger.`);
    return { work, term: holder.term };
  }

  #machineOf({ holder }: Claim): Machine | undefined {
    return this.#machines.get(placeOfWorker(holder.worker) ?? '');
  }

  #machineOfTerm(term: number): Machine | undefined {
    for (const machine of this.#machines.values())
      if (machine.look(term).kind !== 'nothing') return machine;
    return undefined;
  }
}

function sayingOf(says: Saying | Result): Saying {
  if (says.kind !== 'rate-limited') return says;
  const { retryAfterMs } = says;
  return retryAfterMs === undefined
    ? { kind: 'rate-limited' }
    : { kind: 'rate-limited', retryAfterMs };
}
