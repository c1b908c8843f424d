import type { Machine } from './machine.ts';
import type { Operator } from './operator.ts';
import type { PullWorker } from './pull-worker.ts';
import type { Surroundings } from './surroundings.ts';

const OBLIGE_MS = 4000;

/** Everything that was broken is mended, and an obliging person sees to what is left. */
export class Healing {
  readonly #around: Surroundings;
  readonly #operator: Operator;
  readonly #workers: readonly PullWorker[];
  readonly #hasMore: () => boolean;

  constructor(
    around: Surroundings,
    others: { operator: Operator; workers: readonly PullWorker[]; hasMore: () => boolean },
  ) {
    this.#around = around;
    this.#operator = others.operator;
    this.#workers = others.workers;
    this.#hasMore = others.hasMore;
  }

  begin(): void {
    const { world, machines } = this.#around;
    world.say('healing');
    world.faults.end();
    this.#around.shadow.facts.mendedAt = this.#now;
    for (const machine of machines.values()) machine.heal();
    for (const worker of this.#workers) worker.heal();
    this.#operator.permit('granted');
    this.#oblige();
  }

  #oblige(): void {
    const { world, coordinator } = this.#around;
    coordinator.receive(
      () => this.#mend(),
      (isDone) => {
        if (isDone) this.#handOver();
      },
    );
    if (this.#hasMore()) world.after(OBLIGE_MS, () => this.#oblige());
  }

  #mend(): void {
    const { board } = this.#around.coordinator;
    this.#mendBoard();
    if (board.isPaused) this.#operator.control({ kind: 'resume-board' });
    for (const worker of board.workers.drained)
      this.#operator.control({ kind: 'undrain-worker', worker });
    for (const run of board.runs.values()) {
      if (run.isInterrupted)
        this.#record({ kind: 'runResumed', at: this.#now, run: run.manifest.id });
      for (const entry of run.entries) {
        const which = { run: run.manifest.id, task: entry.definition.id };
        if (entry.isPaused) this.#operator.control({ kind: 'resume-task', ...which });
        if (entry.state.kind !== 'attention') continue;
        if (entry.claim === undefined) this.#operator.control({ kind: 'answer-task', ...which });
      }
    }
    for (const id of board.owners.people.keys())
      this.#record({ kind: 'pathsFreed', at: this.#now, id });
  }

  /** Whoever has a task learns of it. */
  #handOver(): void {
    const { board } = this.#around.coordinator;
    for (const { entry, holder } of board.claims.pulled) {
      const worker = this.#workers.find(({ facts }) => facts.id === holder.worker);
      if (worker === undefined || worker.term === holder.term) continue;
      const { term, leaseMs } = holder;
      const lease = leaseMs === undefined ? {} : { leaseMs };
      worker.adopt({ run: entry.run.manifest.id, task: entry.definition.id, term, ...lease });
    }
  }

  /** Hosts are there with all that is asked for, nothing is short, and somebody can do anything. */
  #mendBoard(): void {
    const { coordinator, machines } = this.#around;
    const { workers, load } = coordinator.board;
    for (const machine of machines.values()) {
      if (machine.host !== undefined) coordinator.reach(({ runner }) => runner.see(machine));
      else if (!isWell(workers.places, machine)) this.#seePlace(machine);
    }
    if (load.memory > 0 || load.cpu > 0 || load.queueLimit < 1000) {
      const mended = { queueLimit: 10_000, memory: 0, cpu: 0 };
      this.#record({ kind: 'loadMeasured', at: this.#now, load: mended });
    }
    const agent = workers.agents.get('coder');
    if (agent !== undefined && !agent.capabilities.includes('fast')) {
      const { name, mayBeStarted } = agent;
      const mended = { name, mayBeStarted, capabilities: ['fast'] };
      this.#record({ kind: 'agentConfigured', at: this.#now, agent: mended });
    }
  }

  #seePlace({ name }: Machine): void {
    const before = this.#around.coordinator.board.workers.places.get(name);
    const own = name === 'local' ? this.#around.coordinator.machine : {};
    const limits = before?.limits ?? own;
    const place = { name, isReachable: true, capabilities: ['fast'], limits };
    this.#record({ kind: 'placeSeen', at: this.#now, place });
  }

  get #now() {
    return this.#around.coordinator.now();
  }

  #record(event: Parameters<Surroundings['coordinator']['record']>[0][number]): void {
    this.#around.coordinator.record([event]);
  }
}

type Places = Surroundings['coordinator']['board']['workers']['places'];

function isWell(places: Places, { name }: Machine): boolean {
  const place = places.get(name);
  return place?.isReachable === true && place.capabilities.includes('fast');
}
