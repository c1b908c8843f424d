import type { RunManifest } from '../../server/domain/run.ts';
import { isFinal } from '../../server/domain/task.ts';
import { decideTurn } from '../../server/scheduler/decide.ts';
import { mayStart } from '../../server/scheduler/predicate/may-start.ts';
import type { TaskEntry } from '../../server/scheduler/model/run-model.ts';
import type { LedgerEntry, Store } from '../../server/engine/store-port.ts';
import type { RunRequest } from '../../server/engine/run-request.ts';
import { replayLedger } from '../../server/scheduler/replay.ts';
import { answerControl } from '../../server/scheduler/requests/control.ts';
import { MemoryDisk, MemoryStore } from '../support/memory-store.ts';
import { Coordinator } from './coordinator.ts';
import { Desk } from './desk.ts';
import { Healing } from './healing.ts';
import { workerId } from './ids.ts';
import { checkBoard } from './invariants.ts';
import { Ledger } from './ledger.ts';
import { type Listener, Machine } from './machine.ts';
import { runId } from './ids.ts';
import { Operator, requestOf } from './operator.ts';
import { Physical } from './physical.ts';
import { AGENT, makeManifest, referTo, tasteOf } from './plans.ts';
import { PullWorker } from './pull-worker.ts';
import { Shadow } from './shadow.ts';
import { readyTasks } from './shadow-load.ts';
import type { Surroundings } from './surroundings.ts';
import { SimClock } from './sim-time.ts';
import type { TerminalAround } from './terminal-program.ts';
import { TerminalWindow } from './terminal-window.ts';
import { RULES } from './turn-checks.ts';
import { Violation } from './violation.ts';
import { loseLink } from './weather.ts';
import { World } from './world.ts';

export interface Outcome {
  readonly seed: number;
  readonly hash: string;
  readonly events: number;
  readonly simulatedMs: number;
  readonly faults: ReadonlyMap<string, number>;
  readonly checks: ReadonlyMap<string, number>;
  readonly ledger: readonly LedgerEntry[];
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

export interface Setting {
  readonly print?: (line: string) => void;
  /** Opens what is on the disk, for one process after the other. Absent: the disk is in memory. */
  readonly openStore?: (clock: SimClock) => Store;
}

/** Lives through one world, and says whether anything happened that must not. */
export async function simulate(seed: number, setting: Setting = {}): Promise<Outcome> {
  const simulation = new Simulation(seed, setting);
  const failure = await attempt(simulation);
  const { world } = simulation;
  return {
    seed,
    hash: world.trace.hash,
    events: world.events,
    simulatedMs: world.now,
    faults: world.faults.counts,
    checks: world.checks.counts,
    ledger: simulation.ledger,
    failure,
  };
}

async function attempt(simulation: Simulation): Promise<Outcome['failure']> {
  const { world } = simulation;
  try {
    await simulation.run();
    return undefined;
  } catch (error) {
    const violation = world.checks.first ?? error;
    const invariant = violation instanceof Violation ? violation.invariant : 'crash';
    const what =
      violation instanceof Violation
        ? violation.message
        : `crash: ${String(violation instanceof Error ? violation.stack : violation)}`;
    return { invariant, message: `seed ${world.seed}, event ${world.events}: ${what}` };
  }
}

/** So long are the chains of promises between the engine and whoever asks it. */
const LONGEST_CHAIN = 12;
const SETTLED = Promise.resolve();

class Simulation {
  readonly world: World;
  readonly #around: Surroundings;
  readonly #operator: Operator;
  readonly #workers: PullWorker[] = [];
  readonly #windows: TerminalWindow[] = [];
  #unsubmitted = 0;
  /** That were asked for by themselves. */
  readonly #plans: RunManifest[] = [];

  constructor(seed: number, { print, openStore }: Setting) {
    const world = new World(seed, print);
    this.world = world;
    const physical = new Physical(world.checks);
    const shadow = new Shadow(world.checks, physical);
    const ledger = new Ledger(world, shadow);
    const clock = new SimClock(world);
    const machines = machinesOf({
      world,
      physical,
      tell: () => coordinator,
      lost: (machine) => loseLink(this.#around, machine),
    });
    const disk = new MemoryDisk();
    const coordinator: Coordinator = new Coordinator({
      world,
      clock,
      ledger,
      shadow,
      physical,
      machines,
      wake: (worker, task) => {
        this.#workers.find(({ facts }) => facts.id === worker)?.wake(task);
        this.#windows.find(({ id }) => id === worker)?.wake(task);
      },
      openStore: () => openStore?.(clock) ?? new MemoryStore(clock, disk),
    });
    const taste = tasteOf(world.random);
    this.#around = { world, clock, ledger, coordinator, machines, shadow, physical, taste };
    this.#operator = new Operator(this.#around);
    this.#addWorkers();
  }

  get ledger(): readonly LedgerEntry[] {
    return this.#around.ledger.entries;
  }

  async run(): Promise<void> {
    const { world } = this;
    const { coordinator } = this.#around;
    this.#nameHosts();
    coordinator.begin();
    const chaosMs = world.random.between(MINUTE / 2, 8 * MINUTE);
    this.#introduce();
    this.#submitRuns(chaosMs);
    this.#operator.begin(chaosMs);
    for (const worker of this.#workers) worker.begin();
    for (const window of this.#windows) window.begin();
    const interval = world.random.between(5, 30);
    const most = world.random.chance(0.04) ? MANY_EVENTS : CHAOS_EVENTS;
    while (world.now < chaosMs && world.events < most) await this.#step(interval);
    // There is most to lose now. Whoever has crashed has shown it already.
    if (!coordinator.hasRefolded && world.seed % 4 === 0) coordinator.checkRefold();
    await this.#heal(interval);
    this.#checkEnd();
  }

  async #step(interval: number): Promise<void> {
    const { world } = this;
    world.step();
    while (world.isStirred) {
      world.isStirred = false;
      for (let tick = 0; tick < LONGEST_CHAIN; tick += 1) await SETTLED;
    }
    if (world.checks.first !== undefined) throw world.checks.first;
    const { coordinator, shadow } = this.#around;
    if (world.events % interval === 0 && coordinator.isUp)
      checkBoard(coordinator, { shadow, checks: world.checks });
  }

  async #heal(interval: number): Promise<void> {
    const { world } = this;
    const healedAt = world.now;
    const hasMore = (): boolean => this.#hasMore;
    const others = { operator: this.#operator, workers: this.#workers, hasMore };
    new Healing(this.#around, others).begin();
    for (const window of this.#windows) window.heal();
    let endAt: number | undefined;
    while (endAt === undefined || world.now < endAt) {
      await this.#step(interval * 4);
      endAt = this.#hasMore ? undefined : (endAt ?? world.now + SETTLE_MS);
      if (this.#isStill) return;
      const isInTime = world.now - healedAt < HEALING_LIMIT_MS && world.events < EVENT_LIMIT;
      world.checks.holds('I9', isInTime, () => `no end in sight:\n${this.#describe()}`);
    }
  }

  get #hasMore(): boolean {
    const { coordinator } = this.#around;
    const { runs, owners } = coordinator.board;
    return this.#unsubmitted > 0 || !coordinator.isUp || runs.size > 0 || owners.people.size > 0;
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
    const { world, physical, shadow } = this.#around;
    const desk = new Desk(this.#around);
    const around = { world, desk, physical, shadow };
    const facts = [
      { id: workerId('agent/1'), kind: 'agent', capabilities: ['fast'] },
      { id: workerId('agent/2'), kind: 'agent', capabilities: [], root: '/tree/one' },
      { id: workerId('person/1'), kind: 'person', capabilities: ['fast'] },
    ] as const;
    for (const each of facts) this.#workers.push(new PullWorker(each, around));
    if (this.#around.taste.terminals > 0) this.#addWindows(around);
  }

  /** Two in one folder, where the same terminals could be opened twice. */
  #addWindows(around: TerminalAround): void {
    const facts = [
      { name: 'one', capabilities: ['fast'], root: '/tree/one' },
      { name: 'other', capabilities: [], root: '/tree/one' },
      { name: 'two', capabilities: ['fast'], root: '/tree/two' },
    ];
    for (const each of facts) {
      const window = new TerminalWindow(each, around);
      this.#windows.push(window);
      this.#around.ledger.readers.push(() => window.look());
    }
  }

  /** What the user's settings say of hosts. */
  #nameHosts(): void {
    const { machines, taste } = this.#around;
    const limits = { parallel: taste.placesOfHost, cpu: 2 };
    for (const machine of machines.values()) {
      const isIsolated = this.world.random.chance(0.5);
      if (machine.name !== 'local') machine.host = { capabilities: ['fast'], limits, isIsolated };
    }
  }

  /** What the configuration says of agents, and of what is here. */
  #introduce(): void {
    const { coordinator } = this.#around;
    const isFast = this.world.random.chance(0.8);
    coordinator.insist(() => {
      const at = coordinator.now();
      const capabilities = ['fast'];
      const local = { name: 'local', isReachable: true, limits: coordinator.machine };
      if (isFast)
        coordinator.record([{ kind: 'placeSeen', at, place: { ...local, capabilities } }]);
      const agent = { name: AGENT, capabilities, mayBeStarted: true };
      coordinator.record([{ kind: 'agentConfigured', at, agent }]);
    });
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

  #submit(number: number, size: number): void {
    const { coordinator, taste } = this.#around;
    const at = coordinator.now();
    const manifest = makeManifest(this.world.random, { taste, number, size, at });
    this.#plans.push(manifest);
    const other = this.world.random.pick(this.#plans);
    if (other.plan === manifest.plan || !this.world.random.chance(taste.outside * 2)) {
      this.#insistOn([requestOf(manifest)], manifest);
      return;
    }
    const { random } = this.world;
    const inPlace = { ...manifest, root: other.root };
    const waiting = {
      ...requestOf(inPlace),
      ...referTo(random, { manifest: inPlace, other, taste }),
    };
    const needed = { ...requestOf(other), id: runId(`need-000${number}`), isNeeded: true };
    // Some wait for each other; and some that are merely to come after it are sent alone.
    const back = random.chance(0.3)
      ? referTo(random, { manifest: other, other: inPlace, taste })
      : {};
    const isAlone = random.chance(0.2);
    this.#insistOn(isAlone ? [waiting] : [{ ...needed, ...back }, waiting], inPlace);
  }

  /** Whoever asks for a run asks again until it is accepted. */
  #insistOn(requests: readonly RunRequest[], manifest: RunManifest): void {
    const { coordinator, shadow } = this.#around;
    let isKnown = false;
    coordinator.receive(() => {
      if (!coordinator.isClean || isSubmitted(shadow, manifest)) return;
      const at = coordinator.now();
      coordinator.board.advanceTo(at);
      const answer = answerControl(coordinator.board, { kind: 'submit-run', manifest }, at);
      const isFull = readyTasks(shadow.facts, at).length >= shadow.facts.load.queueLimit;
      const isRight = isFull !== (answer.kind === 'accepted');
      this.world.checks.holds('queue', isRight, () => `full: ${isFull}`);
    });
    this.#operator.submit(requests, (isDone) => {
      if (isDone && !isKnown) this.#unsubmitted -= 1;
      isKnown ||= isDone;
    });
    this.world.after(3000, () => {
      if (!isKnown) this.#insistOn(requests, manifest);
    });
  }

  /** Whoever reads what was decided decides the same. */
  #checkReplay(): void {
    const { ledger, world } = this.#around;
    const replay = replayLedger(ledger.entries, { base: undefined, rules: RULES });
    const isSame = replay.kind === 'same';
    world.checks.holds('replay', isSame, () => JSON.stringify(replay));
  }

  /** When all is over, nothing is left anywhere. */
  #checkEnd(): void {
    const { world, coordinator, physical } = this.#around;
    const { board } = coordinator;
    const { checks } = world;
    if (world.seed % 8 === 0) coordinator.checkRefold();
    if (world.seed % 8 === 4) coordinator.checkDisk();
    if (world.seed % 8 === 2) this.#checkReplay();
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

function isSubmitted({ facts }: Shadow, { id }: RunManifest): boolean {
  return facts.runs.has(id) || facts.outcomes.has(id);
}

function machinesOf({
  world,
  physical,
  tell,
  lost,
}: {
  world: World;
  physical: Physical;
  tell: () => Coordinator;
  lost: Listener['lost'];
}): ReadonlyMap<string, Machine> {
  const listener: Listener = {
    ended: (order, end) => tell().ended(order, end),
    said: (order, says) => tell().said(order, says),
    lost,
  };
  const names = ['local', 'host-1', 'host-2'];
  return new Map(names.map((name) => [name, new Machine(name, { world, physical, listener })]));
}
