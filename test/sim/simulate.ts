import { isFinal } from '../../server/domain/task.ts';
import { decideTurn } from '../../server/scheduler/decide.ts';
import { mayStart } from '../../server/scheduler/predicate/may-start.ts';
import type { TaskEntry } from '../../server/scheduler/model/run-model.ts';
import { answerControl } from '../../server/scheduler/requests/control.ts';
import { Coordinator } from './coordinator.ts';
import { Desk } from './desk.ts';
import { Dispatcher } from './dispatcher.ts';
import { Healing } from './healing.ts';
import { workerId } from './ids.ts';
import { checkBoard } from './invariants.ts';
import { Ledger } from './ledger.ts';
import { type Listener, Machine } from './machine.ts';
import { Operator } from './operator.ts';
import { Physical } from './physical.ts';
import { AGENT, makeManifest, tasteOf } from './plans.ts';
import { PullWorker } from './pull-worker.ts';
import { Shadow } from './shadow.ts';
import { readyTasks } from './shadow-claim.ts';
import type { Surroundings } from './surroundings.ts';
import { Violation } from './violation.ts';
import { World } from './world.ts';

export interface Outcome {
  readonly seed: number;
  readonly hash: string;
  readonly events: number;
  readonly simulatedMs: number;
  readonly faults: ReadonlyMap<string, number>;
  readonly checks: ReadonlyMap<string, number>;
  readonly failure: { readonly invariant: string; readonly message: string } | undefined;
}

const MINUTE = 60_000;
const HEALING_LIMIT_MS = 120 * MINUTE;
/** Lost agents and people keep their files for a while. */
const SETTLE_MS = 6 * MINUTE;
const CHAOS_EVENTS = 300;
/** Some worlds go on for longer: whoever starves does so for minutes. */
const MANY_EVENTS = 1000;
const EVENT_LIMIT = 30_000;

/** Lives through one world, and says whether anything happened that must not. */
export function simulate(seed: number, print?: (line: string) => void): Outcome {
  const simulation = new Simulation(seed, print);
  const failure = attempt(simulation);
  const { world } = simulation;
  return {
    seed,
    hash: world.trace.hash,
    events: world.events,
    simulatedMs: world.now,
    faults: world.faults.counts,
    checks: world.checks.counts,
    failure,
  };
}

function attempt(simulation: Simulation): Outcome['failure'] {
  try {
    simulation.run();
    return undefined;
  } catch (error) {
    const { world } = simulation;
    const invariant = error instanceof Violation ? error.invariant : 'crash';
    const what =
      error instanceof Violation
        ? error.message
        : `crash: ${String(error instanceof Error ? error.stack : error)}`;
    return { invariant, message: `seed ${world.seed}, event ${world.events}: ${what}` };
  }
}

class Simulation {
  readonly world: World;
  readonly #around: Surroundings;
  readonly #ledger: Ledger;
  readonly #operator: Operator;
  readonly #dispatcher: Dispatcher;
  readonly #workers: PullWorker[] = [];
  #unsubmitted = 0;

  constructor(seed: number, print?: (line: string) => void) {
    const world = new World(seed, print);
    this.world = world;
    const physical = new Physical(world.checks);
    const shadow = new Shadow(world.checks, physical);
    this.#ledger = new Ledger(world, shadow);
    const coordinator = new Coordinator(world, this.#ledger);
    const listener: Listener = {
      started: (order) => this.#dispatcher.started(order),
      ended: (order, result) => this.#dispatcher.ended(order, result),
    };
    const machines = new Map(
      ['local', 'host-1', 'host-2'].map((name) => [
        name,
        new Machine(name, { world, physical, listener }),
      ]),
    );
    this.#around = { world, coordinator, machines, shadow, physical, taste: tasteOf(world.random) };
    this.#operator = new Operator(this.#around);
    this.#dispatcher = new Dispatcher({
      ...this.#around,
      wake: (worker, run, task) =>
        this.#workers.find(({ facts }) => facts.id === worker)?.wake(run, task),
    });
    coordinator.use({
      act: (decision, event) => this.#dispatcher.act(decision, event),
      recover: () => this.#dispatcher.recover(),
    });
    this.#addWorkers();
  }

  run(): void {
    const { world } = this;
    const { coordinator } = this.#around;
    const chaosMs = world.random.between(MINUTE / 2, 8 * MINUTE);
    this.#introduce();
    this.#submitRuns(chaosMs);
    this.#operator.begin(chaosMs);
    this.#dispatcher.poll();
    for (const worker of this.#workers) worker.begin();
    const interval = world.random.between(5, 30);
    const most = world.random.chance(0.04) ? MANY_EVENTS : CHAOS_EVENTS;
    while (world.now < chaosMs && world.events < most) this.#step(interval);
    // There is most to lose now. Whoever has crashed has shown it already.
    if (!coordinator.hasRefolded && world.seed % 4 === 0) coordinator.checkRefold();
    this.#heal(interval);
    this.#checkEnd();
  }

  #step(interval: number): void {
    const { world } = this;
    world.step();
    const { coordinator, shadow } = this.#around;
    if (world.events % interval === 0 && coordinator.isUp)
      checkBoard(coordinator, { shadow, checks: world.checks });
  }

  #heal(interval: number): void {
    const { world } = this;
    const healedAt = world.now;
    const hasMore = (): boolean => this.#hasMore;
    const others = { operator: this.#operator, workers: this.#workers, hasMore };
    new Healing(this.#around, others).begin();
    let endAt: number | undefined;
    while (endAt === undefined || world.now < endAt) {
      this.#step(interval * 4);
      endAt = this.#hasMore ? undefined : (endAt ?? world.now + SETTLE_MS);
      if (this.#isStill) return;
      const isInTime = world.now - healedAt < HEALING_LIMIT_MS && world.events < EVENT_LIMIT;
      world.checks.holds('I9', isInTime, () => `no end in sight:\n${this.#describe()}`);
    }
  }

  get #hasMore(): boolean {
    const { coordinator } = this.#around;
    return this.#unsubmitted > 0 || !coordinator.isUp || coordinator.board.runs.size > 0;
  }

  /** Nobody is at work any more, and no files are kept for those who may be. */
  get #isStill(): boolean {
    if (this.#hasMore) return false;
    const { coordinator, physical } = this.#around;
    const { owners } = coordinator.board;
    return owners.leftovers.size === 0 && owners.people.size === 0 && physical.actors.size === 0;
  }

  /** What is left, and what the board says of it. */
  #describe(): string {
    const { board } = this.#around.coordinator;
    const turn = decideTurn(board, board.now);
    const open = [...board.runs.values()].flatMap(({ entries }) =>
      entries.filter(({ state }) => !isFinal(state)),
    );
    const describe = (entry: TaskEntry): string => {
      const { kind } = entry.state;
      const verdict = kind === 'pending' ? JSON.stringify(mayStart(turn, entry)) : '';
      return `${entry.run.manifest.id}/${entry.definition.id} ${kind} ${verdict}`;
    };
    return open.map(describe).join('\n');
  }

  #addWorkers(): void {
    const { world, coordinator, physical, shadow } = this.#around;
    const desk = new Desk({ world, coordinator, ledger: this.#ledger });
    const around = { world, desk, physical, shadow };
    const facts = [
      { id: workerId('agent/1'), kind: 'agent', capabilities: ['fast'] },
      { id: workerId('agent/2'), kind: 'agent', capabilities: [], root: '/tree/one' },
      { id: workerId('person/1'), kind: 'person', capabilities: ['fast'] },
    ] as const;
    for (const each of facts) this.#workers.push(new PullWorker(each, around));
  }

  /** What the configuration says of hosts and agents. */
  #introduce(): void {
    const { coordinator, taste } = this.#around;
    coordinator.receive(() => {
      const at = coordinator.now();
      const capabilities = ['fast'];
      const local = { name: 'local', isReachable: true, limits: {} };
      if (this.world.random.chance(0.8))
        this.#insist({ kind: 'placeSeen', at, place: { ...local, capabilities } });
      for (const name of ['host-1', 'host-2']) {
        const place = {
          name,
          isReachable: true,
          capabilities,
          limits: { parallel: taste.placesOfHost, cpu: 2 },
        };
        this.#insist({ kind: 'placeSeen', at, place });
      }
      const agent = { name: AGENT, capabilities, mayBeStarted: true };
      this.#insist({ kind: 'agentConfigured', at, agent });
    });
  }

  #insist(event: Parameters<Coordinator['record']>[0][number]): void {
    const { coordinator } = this.#around;
    for (let tries = 0; coordinator.isUp && tries < 20; tries += 1)
      if (coordinator.record([event])) return;
  }

  #submitRuns(chaosMs: number): void {
    const { random } = this.world;
    const runs = random.pick([1, 1, 2, 3]);
    for (let number = 1; number <= runs; number += 1) {
      this.#unsubmitted += 1;
      const size = Math.max(2, Math.round(random.between(6, 14) / runs));
      const delayMs = number === 1 ? 10 : random.next() * chaosMs * 0.7;
      this.world.after(delayMs, () => this.#submit(number, size));
    }
  }

  /** Whoever asks for a run asks again until it is accepted. */
  #submit(number: number, size: number): void {
    const { coordinator, taste, shadow } = this.#around;
    let isKnown = false;
    coordinator.receive(() => {
      const at = coordinator.now();
      const manifest = makeManifest(this.world.random, { taste, number, size, at });
      const { runs, outcomes } = shadow.facts;
      isKnown = runs.has(manifest.id) || outcomes.has(manifest.id);
      if (isKnown) return;
      const answer = answerControl(coordinator.board, { kind: 'submit-run', manifest }, at);
      const isFull = readyTasks(shadow.facts, at).length >= shadow.facts.load.queueLimit;
      this.world.checks.holds(
        'queue',
        isFull !== (answer.kind === 'accepted'),
        () => `full: ${isFull}`,
      );
      isKnown = answer.kind === 'accepted' && coordinator.record(answer.events);
    });
    if (isKnown) this.#unsubmitted -= 1;
    else this.world.after(3000, () => this.#submit(number, size));
  }

  /** When all is over, nothing is left anywhere. */
  #checkEnd(): void {
    const { world, coordinator, physical } = this.#around;
    const { board } = coordinator;
    const { checks } = world;
    if (world.seed % 8 === 0) coordinator.checkRefold();
    const left = {
      runs: board.runs.size,
      pushed: board.claims.pushed.size,
      pulled: board.claims.pulled.size,
      leases: board.claims.leases.size,
      limits: board.claims.limits.size,
      leftovers: board.owners.leftovers.size,
      people: board.owners.people.size,
      lanes: board.ready.pullLanes.size,
    };
    const total = Object.values(left).reduce((sum, count) => sum + count, 0);
    checks.holds('I20', total === 0, () => `left over: ${JSON.stringify(left)}`);
    const alive = [...physical.actors].filter((actor) => actor.isActing() && actor.isBounded);
    checks.holds('I18', alive.length === 0, () => `term ${alive[0]?.term} is still at work`);
  }
}
