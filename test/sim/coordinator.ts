import { Engine } from '../../server/engine/engine.ts';
import { EngineCalls } from '../../server/engine/engine-calls.ts';
import { lateNews } from '../../server/engine/late-news.ts';
import type { Listener } from '../../server/engine/ports.ts';
import type { Store } from '../../server/engine/store-port.ts';
import { StoreError } from '../../server/engine/store-error.ts';
import type { RunId, TaskId, WorkerId } from '../../server/domain/ids.ts';
import type { Instant } from '../../server/domain/time.ts';
import { decide } from '../../server/scheduler/decide.ts';
import type { Decision } from '../../server/scheduler/decision.ts';
import type { BoardEvent } from '../../server/scheduler/model/board-event.ts';
import { BoardModel, type Permission } from '../../server/scheduler/model/board-model.ts';
import type { Saying } from '../../server/scheduler/requests/settle.ts';
import { FaultyStore } from './faulty-store.ts';
import type { Ledger } from './ledger.ts';
import { isDeath, Life } from './life.ts';
import type { Machine, Order } from './machine.ts';
import type { Physical } from './physical.ts';
import type { Shadow } from './shadow.ts';
import { SimRunner } from './sim-runner.ts';
import { SimTreeWatch } from './sim-tree-watch.ts';
import { SimAlarm, type SimClock } from './sim-time.ts';
import type { Tenure } from './shadow-tenure.ts';
import { Violation } from './violation.ts';
import { type Deciding, RULES, TurnChecks } from './turn-checks.ts';
import { HAND_PROOFS } from '../support/hand-proofs.ts';
import type { World } from './world.ts';

/** For so long a process shows no sign of life before another takes the board from it. */
const SILENT_MS = [3500, 5000] as const;

type Wake = (worker: WorkerId, task: { run: RunId; task: TaskId }) => void;

interface CoordinatorParts {
  readonly world: World;
  readonly clock: SimClock;
  readonly ledger: Ledger;
  readonly shadow: Shadow;
  readonly physical: Physical;
  readonly machines: ReadonlyMap<string, Machine>;
  readonly wake: Wake;
  /** Opens what is on the disk, for one process. */
  readonly openStore: () => Store;
}

/** What one process consists of. */
interface Process extends Deciding {
  readonly calls: EngineCalls;
  readonly store: FaultyStore;
  readonly watch: SimTreeWatch;
}

/**
 * The engine, and the processes in which it lives one after the other: each begins with what is on the
 * disk, may die at any call, and the next one comes some time later.
 */
export class Coordinator {
  permission: Permission = 'granted';
  /** A board was compared with one that was read from the ledger. */
  hasRefolded = false;
  readonly #parts: CoordinatorParts;
  readonly #checks: TurnChecks;
  readonly #tenure: Tenure;
  readonly #lagMs: number;
  /** Whoever comes next comes soon, and does not stay for long. */
  readonly #isHasty: boolean;
  #current: Process | undefined;
  /** The last board that anybody had. */
  #board = new BoardModel(RULES);
  #starts = 0;

  constructor(parts: CoordinatorParts) {
    this.#parts = parts;
    this.#checks = new TurnChecks(parts);
    const { random } = parts.world;
    this.#lagMs = random.pick([0, 0, 5, 40]);
    this.#isHasty = random.chance(0.06);
    this.#tenure = {
      carriesOn: random.pick(['all', 'all', 'all', 'recent', 'none'] as const),
      machine: random.pick([{}, {}, { cpu: 3 }]),
    };
  }

  /** What this machine has. */
  get machine(): Readonly<Record<string, number>> {
    return this.#tenure.machine;
  }

  get board(): BoardModel {
    return this.#current?.engine.board ?? this.#board;
  }

  /** It is there and decides, and knows what is on the disk. */
  get isUp(): boolean {
    return this.#current?.life.hasBegun === true && !this.#current.store.isUnread;
  }

  /** Nothing was written yet in the turn that is being written. */
  get isClean(): boolean {
    return this.#current?.store.isClean !== false;
  }

  /** The clock of the board never goes back. */
  now(): Instant {
    return this.board.timeAt(this.#parts.clock.now());
  }

  begin(): void {
    this.#start();
  }

  permit(permission: Permission): void {
    this.permission = permission;
    const process = this.#current;
    if (process === undefined) return;
    process.life.run(() => {
      process.engine.permit(permission).catch(() => {
        if (this.permission === permission && process.life.isAlive)
          this.#parts.world.after(500, () => this.permit(permission));
      });
    });
  }

  /**
   * Performs something in the next turn, and says whether what it wrote has reached the disk. Nobody
   * hears anything where the process dies.
   */
  receive(perform: () => void, done: (isDone: boolean) => void = () => {}): void {
    this.reach((process) => {
      const { engine, life, store } = process;
      const answered = life.begun();
      let isOurs = true;
      engine.take(
        () => {
          // Whoever was replaced meanwhile, and does not know it, has nothing to say here.
          isOurs = this.#current === process;
          if (isOurs) perform();
        },
        () => {
          answered();
          this.#parts.world.checks.holds('answered', !store.isInside, () => 'before the commit');
          life.checkFenced('answers');
          if (life.isAlive) done(isOurs);
        },
        (error) => {
          answered();
          this.#checkRefusal(error);
          if (life.isAlive) done(false);
        },
      );
    });
  }

  /** Until it is on the disk. */
  insist(perform: () => void, done: () => void = () => {}): void {
    let isDone = false;
    this.receive(perform, (hasWorked) => {
      isDone ||= hasWorked;
      if (hasWorked) done();
    });
    this.#parts.world.after(2000, () => {
      if (!isDone) this.insist(perform, done);
    });
  }

  /** A request reaches the engine, if it is there; the answer does only if it still is. */
  ask<Answer>(
    request: (calls: EngineCalls) => Promise<Answer>,
    reply: (answer: Answer | 'again') => void,
  ): void {
    this.reach(({ calls, life }) => {
      void this.#answer(request(calls), { life, reply });
    });
  }

  async #answer<Answer>(
    asked: Promise<Answer>,
    { life, reply }: { life: Life; reply: (answer: Answer | 'again') => void },
  ): Promise<void> {
    const answered = life.begun();
    let answer: Answer | 'again' = 'again';
    try {
      answer = await asked;
    } catch (error) {
      this.#parts.world.checks.guard(() => this.#checkRefusal(error));
    }
    answered();
    const { checks } = this.#parts.world;
    if (answer !== 'again') checks.guard(() => life.checkFenced('answers'));
    checks.guard(() => life.run(() => reply(answer)));
  }

  reach(what: (process: Process) => void): void {
    const process = this.#current;
    process?.life.run(() => {
      this.#parts.world.stir();
      this.#checks.reached(process);
      what(process);
    });
  }

  /** Within `receive`: writes what somebody said. */
  record(events: readonly BoardEvent[]): void {
    const process = this.#current;
    if (events.length === 0 || process === undefined) return;
    const { kind } = process.engine.writer.record(events);
    this.#parts.world.checks.holds(
      'applies',
      kind === 'recorded',
      () => `${events.map((event) => event.kind).join()} is refused`,
    );
  }

  rebase(): void {
    this.receive(() => this.#current?.engine.writer.rebase());
  }

  ended(order: Order, end: Parameters<SimRunner['ended']>[1]): void {
    this.#current?.runner.ended(order, end);
  }

  /** A command of ours, or its agent, says how it ends; that counts when its end is told. */
  said({ work: { run, task, asks }, term }: Order, says: Saying): void {
    const { world, shadow } = this.#parts;
    const proof = HAND_PROOFS.of({ run, task, term });
    const by = { kind: 'command', proof } as const;
    this.ask(
      (calls) => calls.say({ run, task, term, by, says }, `agent ${term} ${says.kind}`),
      (answer) => {
        const { doer } = asks;
        if (answer === 'again' || answer.kind !== 'accepted') return;
        const isAnnounced = answer.isAnnounced === true;
        world.checks.holds('ending', isAnnounced, () => `what term ${term} says counts at once`);
        if (says.kind !== 'rate-limited' || doer.kind !== 'started-agent') return;
        const { agents, coolDowns, lastAt } = shadow.facts;
        const isHeard = !agents.has(doer.agent) || (coolDowns.get(doer.agent)?.until ?? 0) > lastAt;
        world.checks.holds('cool-down', isHeard, () => `nobody hears of ${doer.agent}'s limit`);
      },
    );
  }

  /** For a while it does nothing at all; everything that reaches it waits. */
  suspend(forMs: number): void {
    this.#current?.life.sleep(forMs);
  }

  /** To it, time has passed or not. */
  turnClock(byMs: number): void {
    const { clock, physical, world } = this.#parts;
    clock.offsetMs += byMs;
    if (byMs > 0) physical.isClockHonest = false;
    const life = this.#current?.life;
    // One that is suspended is not calm before it continues.
    if (life !== undefined) life.calmSince = Math.max(life.calmSince, world.now + 1);
  }

  crash(why: string): void {
    this.#current?.life.end(why);
  }

  /** It is asked to end, and does. */
  quit(): void {
    const process = this.#current;
    process?.life.run(() => {
      process.life.hasBegun = false;
      process.engine.end();
      const { world, ledger } = this.#parts;
      const last = ledger.entries.at(-1)?.event;
      const isSaid = last?.kind === 'permissionChanged' && last.permission === 'shutting-down';
      const { isAlive, isFailing, isTakenOver } = process.life;
      // Frozen right after it wrote its last word, it may be followed by the entries of its successor.
      const isExcused = !isAlive || isFailing || isTakenOver;
      world.checks.holds('ended', isSaid || isExcused, () => `${last?.kind} is its last word`);
      process.life.end('quit');
    });
  }

  /** It stops at what it does. After some seconds of silence another process takes the board from it. */
  freeze(): void {
    const process = this.#current;
    if (process === undefined) return;
    const { random } = this.#parts.world;
    const forMs = random.between(1000, 60_000);
    process.life.sleep(forMs);
    this.#takeOverAfter(random.between(...SILENT_MS), process, forMs);
  }

  /** As long as it sleeps. Where that fails for now it is tried again. */
  #takeOverAfter(delayMs: number, process: Process, forMs: number): void {
    this.#parts.world.after(delayMs, () => {
      if (!process.life.isAsleep || this.#current !== process) return;
      if (!this.#takeOver(process, forMs)) this.#takeOverAfter(500, process, forMs);
    });
  }

  #takeOver({ life, engine }: Process, forMs: number): boolean {
    const { world } = this.#parts;
    if (!this.#tryToStart(life)) return false;
    world.faults.note('takenOver');
    // At the latest its beat says so, once it is awake.
    world.after(forMs + world.random.between(0, 1000), () =>
      life.run(() => {
        engine.end();
        life.end('taken over');
      }),
    );
    return true;
  }

  /** Compares the board with what whoever reads the ledger from the beginning has. */
  checkRefold(): void {
    if (this.isUp) this.#checks.refold(this.board);
  }

  checkDisk(): void {
    this.#checks.disk();
  }

  #start(): void {
    if (!this.#tryToStart()) this.#startLater();
  }

  /** Right after a commit, before anything follows from it. */
  #freezeInside(life: Life): void {
    const { random, faults } = this.#parts.world;
    const forMs = random.between(1000, 120_000);
    this.turnClock(forMs);
    const process = this.#current;
    const isSilent = forMs > SILENT_MS[1] && process?.life === life;
    if (isSilent && !faults.isOver && random.chance(0.6)) this.#takeOver(process, 0);
  }

  /** `silent`: it is taken over from that one. Answers whether it decides. */
  #tryToStart(silent?: Life): boolean {
    const { world, clock, openStore } = this.#parts;
    const life = new Life(world, (which) => this.#gone(which));
    const freeze = (): void => this.#freezeInside(life);
    const decideAgain = (): readonly Decision[] =>
      engine === undefined ? [] : decide(engine.board, this.now());
    const inner = openStore();
    const store = new FaultyStore({ ...this.#parts, inner, life, freeze, decideAgain });
    const runner = new SimRunner({
      ...this.#parts,
      life,
      store,
      now: () => this.now(),
      news: lateNews(() => engine),
    });
    const alarm = new SimAlarm(world, life, this.#lagMs);
    const watch = new SimTreeWatch();
    const ports = { clock, alarm, store, runner, listener: this.#listener(life), watch };
    world.say('start');
    let engine: Engine | undefined;
    try {
      engine = new Engine(ports, { rules: RULES });
    } catch (error) {
      if (!isDeath(error) && !(error instanceof StoreError)) throw error;
      world.faults.note('startFailed');
      life.isAlive = false;
      return false;
    }
    if (silent !== undefined) {
      silent.isTakenOver = true;
      silent.hasBegun = false;
    }
    runner.begin();
    this.#current = {
      life,
      engine,
      calls: new EngineCalls(engine, HAND_PROOFS),
      store,
      runner,
      watch,
    };
    this.#starts += 1;
    life.toldUntil = this.#parts.ledger.entries.length;
    if (this.#starts > 1 && (world.seed + this.#starts) % 2 === 0) {
      this.#checks.refold(engine.board);
      this.hasRefolded = true;
    }
    this.#begin(this.#current, silent !== undefined);
    return true;
  }

  #begin({ engine, life }: Process, isTakeover: boolean): void {
    const { world, shadow } = this.#parts;
    const { permission } = this;
    shadow.tenures.expect({ ...this.#tenure, permission });
    world.stir();
    const begun = engine.begin({ name: 'sim', permission, ...this.#tenure, isTakeover });
    void this.#await(begun, life);
  }

  async #await(begun: Promise<void>, life: Life): Promise<void> {
    try {
      await begun;
    } catch (error) {
      if (!isDeath(error)) this.#checkRefusal(error);
      life.end('cannot begin');
      return;
    }
    life.hasBegun = life.isAlive && !life.isTakenOver;
    const { world } = this.#parts;
    if (!this.#isHasty || world.faults.isOver || world.random.chance(0.3)) return;
    world.faults.note('crashAtStart');
    world.after(world.random.between(1, 5000), () => life.end('soon'));
  }

  /** Whoever was the last one is not there any more. */
  #gone(life: Life): void {
    life.hasBegun = false;
    if (this.#current?.life !== life) return;
    this.#board = this.#current.engine.board;
    this.#current = undefined;
    this.#startLater();
  }

  #startLater(): void {
    const { random, faults } = this.#parts.world;
    let awayMs = random.between(100, 20_000);
    if (this.#isHasty) awayMs = random.between(100, 3000);
    else if (!faults.isOver && random.chance(0.1)) awayMs = random.between(30_000, 200_000);
    this.#parts.world.after(awayMs, () => this.#start());
  }

  #listener(life: Life): Listener {
    const { world, wake } = this.#parts;
    return {
      committed: (entries) => {
        const process = this.#current;
        if (life.isAlive && process?.life === life) this.#checks.committed(process, entries);
      },
      woken: (worker, task) => {
        life.checkFenced('wakes a worker');
        life.mayDie('crashBetweenActs');
        world.send(() => wake(worker, task));
      },
      noticed: () => {
        if (!life.isAlive) return;
        world.faults.note('crashLoop');
        // Whoever reads it looks, and goes on.
        world.after(world.random.between(2000, 60_000), () =>
          this.receive(() => {
            if (this.board.isPaused) this.record([{ kind: 'boardResumed', at: this.now() }]);
          }),
        );
      },
      faulted: (error) => {
        if (life.isAlive) this.#checkRefusal(error);
      },
      halted: (error) => {
        if (life.isAlive) this.#checkRefusal(error);
      },
      lost: () => life.end('deposed'),
    };
  }

  /** The world fails, and the engine does not. */
  #checkRefusal(error: unknown): void {
    if (error instanceof StoreError || isDeath(error) || error instanceof Violation) return;
    const what = error instanceof Error ? (error.stack ?? error.message) : String(error);
    this.#parts.world.checks.fail('fault', what);
  }
}
