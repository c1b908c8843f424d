import { setTimeout as delay } from 'node:timers/promises';
import { unreachable } from '../domain/assert.ts';
import type { ProcessIdentity } from '../domain/task.ts';
import type {
  Attempt,
  CommandEnd,
  Launch,
  Runner,
  RunnerNews,
  Sight,
  StartResult,
} from '../engine/ports.ts';
import { KILLED } from '../runners/command-end.ts';
import { HostOverrun } from './host-shell.ts';
import type { Machine } from './machine.ts';
import { type ConnectionOptions, type HostState, MachineConnection } from './machine-connection.ts';
import { bringEnd, findAttempt } from './machine-adoption.ts';
import { isAwaited, type MachineCommand, newCommand, prepareOrder } from './machine-command.ts';
import { HOST_LOST, isRefusal, LOST } from './machine-end.ts';
import type { MachineLogs } from './machine-logs.ts';
import type { ToldEnd } from './ends-reader.ts';
import { Leavings } from './leavings.ts';
import { LookQueue } from './look-queue.ts';
import { markOf } from './machine-order.ts';
import { kill } from './machine-sight.ts';
import { readSeen, type Seen } from './seen.ts';
import { bearing, ignoreLoss } from './machine-trouble.ts';
import { giveOrder, SlotShells } from './slot-shells.ts';
import { soon } from './soon.ts';
import type { Supply } from './supply.ts';
import type { Refusal } from './task-session.ts';

export interface MachineRunnerOptions extends Omit<ConnectionOptions, 'board'> {
  readonly board: string;
  /** What the machine calls the board. */
  readonly word: string;
  readonly news: RunnerNews;
  readonly supply: Supply;
  readonly logs: MachineLogs;
  readonly onState?: (state: HostState) => void;
}

const LOOK_MS = 5;
const LOOK_AGAIN_MS = 20;
/** Of most that are short the end is told before anybody looks. */
const QUIET_MS = 20;
const GRACE_MS = 5000;
/** Whoever asks what became of commands waits so long for a machine that is not there yet. */
const PATIENCE_MS = 3000;

/**
 * Runs commands on a machine that is reached by a shell. What is to be done about a command follows
 * from how it is seen there; what a machine tells by itself, and time, only say when to look.
 */
export class MachineRunner implements Runner {
  readonly #options: MachineRunnerOptions;
  readonly #connection: MachineConnection;
  readonly #commands = new Map<number, MachineCommand>();
  readonly #leavings: Leavings;
  #reached = Promise.withResolvers<void>();
  readonly #looks: LookQueue;
  readonly #slots = new SlotShells();
  readonly #bear: (error: unknown) => Promise<void>;
  /** One shell of a machine that sends too much is the end of the others as well. */
  readonly #ignoreLoss = (error: unknown): undefined => {
    ignoreLoss(error);
    if (error instanceof HostOverrun) this.#connection.shun(error);
  };

  constructor(options: MachineRunnerOptions) {
    this.#options = options;
    this.#bear = bearing(options.faulted);
    this.#looks = new LookQueue({
      lookAt: async (terms) => await this.#lookAt(terms).catch(this.#ignoreLoss).catch(this.#bear),
      all: () => this.#commands.keys(),
    });
    this.#leavings = new Leavings({
      ...options,
      machine: () => this.#connection.machine,
      bear: this.#bear,
      ignoreLoss: this.#ignoreLoss,
      isAtWork: (term) => this.#commands.has(term),
    });
    this.#connection = new MachineConnection(
      { ...options, board: options.word },
      {
        onReached: (machine) => this.#onReached(machine),
        onLost: () => void (this.#reached = Promise.withResolvers()),
        onEnd: (term, end) => this.#heard(term, end),
        onStirred: () => this.#looks.stir(),
        onGivenUp: () => this.#giveUp(),
        ...(options.onState && { onState: options.onState }),
      },
    );
    this.#connection.begin();
  }

  /** How the way to the machine is. */
  get connection(): Pick<MachineConnection, 'hurry' | 'machine' | 'state'> {
    return this.#connection;
  }

  /** Whether anything there is not let go of yet. */
  get isBusy(): boolean {
    return this.#commands.size > 0 || !this.#leavings.isEmpty;
  }

  start(launch: Launch): StartResult {
    const { term } = launch;
    if (this.#commands.has(term))
      return { kind: 'not-started', message: `Term ${term} was started before.`, mayPass: true };
    this.#leavings.begin([]);
    const command = newCommand(launch, false);
    this.#commands.set(term, command);
    this.#do(command, async (machine) => this.#order(command, machine), QUIET_MS);
    return { kind: 'ordered' };
  }

  async adopt(attempts: readonly Attempt[]): Promise<ReadonlyMap<number, Sight>> {
    const sights = new Map<number, Sight>();
    const terms = attempts.map(({ term }) => term);
    this.#leavings.begin(terms);
    this.#leavings.keep(terms);
    if (attempts.length === 0) return sights;
    const machine = await this.#soon();
    if (machine === undefined) return sights;
    await Promise.all(
      attempts.map(async (attempt) => {
        const sight = await this.#adoptOne(attempt, machine)
          .catch(this.#ignoreLoss)
          .catch(this.#bear);
        if (sight !== undefined) sights.set(attempt.term, sight);
      }),
    );
    return sights;
  }

  signal(term: number, signal: 'terminate' | 'kill'): void {
    const command = this.#commands.get(term);
    if (command === undefined || command.stop === 'kill') return;
    command.stop = signal;
    command.stopping.abort();
    this.#do(command, async (machine) => this.#stop(command, signal, machine));
  }

  async sweep({ term }: Attempt): Promise<boolean> {
    this.#leavings.keep([term]);
    const machine = await this.#soon();
    if (machine === undefined) return false;
    this.#commands.delete(term);
    const mark = markOf(this.#options.board, term);
    const isGone = (await kill(term, mark, machine).catch(this.#ignoreLoss)) === true;
    if (isGone) this.#leavings.spend(term);
    return isGone;
  }

  outputBytes(term: number): number | undefined {
    return this.#commands.has(term) ? (this.#options.logs.bytesOf(term) ?? 0) : undefined;
  }

  dropOutput(): void {
    // What commands have printed was taken over, and lies where all logs are.
  }

  settled(): void {
    this.#leavings.settle();
  }

  close(): void {
    this.#looks.close();
    this.#commands.clear();
    const { logs, supply } = this.#options;
    for (const each of [logs, supply, this.#connection]) each.close();
  }

  #onReached(machine: Machine): void {
    this.#reached.resolve();
    for (const { launch } of this.#commands.values())
      void this.#beginLog(launch, machine).catch(this.#ignoreLoss).catch(this.#bear);
    this.#looks.lookAtAll();
    this.#leavings.reached();
  }

  async #beginLog(launch: Launch, machine: Machine): Promise<void> {
    await this.#options.logs.begin(launch.term, this.#options.supply.logFile(launch), machine);
  }

  /** Nobody waits any more for what they do; when the machine is there again it is looked for. */
  #giveUp(): void {
    const terms = [...this.#commands.keys()];
    this.#commands.clear();
    this.#leavings.keep(terms);
    for (const term of terms) this.#options.news.outOfSight(term);
  }

  async #soon(): Promise<Machine | undefined> {
    await soon(this.#reached.promise, PATIENCE_MS);
    return this.#connection.machine;
  }

  /** One thing after the other is done about a command; where the machine goes, what is seen then counts. */
  #do(command: MachineCommand, act: (machine: Machine) => Promise<void>, pauseMs = 0): void {
    const machine = this.#connection.machine;
    if (machine === undefined || command.isBusy === true) return;
    command.isBusy = true;
    const done = async (): Promise<void> => {
      await act(machine).catch(this.#ignoreLoss).catch(this.#bear);
      command.isBusy = false;
      // It may end meanwhile, and say so.
      if (pauseMs > 0 && this.#isOurs(command)) await delay(pauseMs);
      if (this.#isOurs(command)) this.#looks.look(command.launch.term);
    };
    void done();
  }

  #heard(term: number, end: ToldEnd | undefined): void {
    const command = this.#commands.get(term);
    // A host may name any number of terms; only ours are kept in mind.
    if (command === undefined) return;
    // What led the group of one in a terminal is still there.
    const isAll = end !== undefined && command.slot !== undefined;
    if (isAll && this.#isFree(command)) {
      command.isSilent = end.isSilent;
      this.#saw(command, end.seen);
    } else this.#looks.look(term);
  }

  #isOurs(command: MachineCommand): boolean {
    return this.#commands.get(command.launch.term) === command;
  }

  async #lookAt(terms: readonly number[]): Promise<void> {
    const machine = this.#connection.machine;
    const free = terms.filter((term) => this.#isFree(this.#commands.get(term)));
    if (machine === undefined || free.length === 0) return;
    const { lines } = await machine.shell.ask('il_see_each', ...free);
    for (const line of lines) {
      const [term, seen] = readSeen(line, machine.facts.boot) ?? [];
      const command = term === undefined ? undefined : this.#commands.get(term);
      if (this.#isFree(command) && seen !== undefined) this.#saw(command, seen);
    }
  }

  #isFree(command: MachineCommand | undefined): command is MachineCommand {
    return command !== undefined && command.isBusy !== true;
  }

  #saw(command: MachineCommand, seen: Seen): void {
    const { launch, isAdopted, stop } = command;
    const { term } = launch;
    switch (seen.kind) {
      case 'unknown':
      case 'ordered':
        // What it had of it is gone; nobody knows what became of it, and it may be at work.
        if (command.hasTold === true) this.#do(command, async (m) => this.#lose(command, m));
        else if (stop !== undefined || isAdopted)
          this.#do(command, async ({ shell }) => void (await shell.ask('il_fence', term)));
        else if (isAwaited(command)) this.#do(command, async () => await delay(LOOK_AGAIN_MS));
        else this.#do(command, async (machine) => this.#order(command, machine), QUIET_MS);
        return;
      case 'fenced':
        this.#refuse(command, { refusal: 'It was stopped before it began.', mayPass: true });
        return;
      case 'running':
        this.#hasStarted(command, seen.process);
        if (stop === 'kill' || (stop !== undefined && command.hasHeard !== true))
          this.#do(command, async (machine) => this.#stop(command, stop, machine));
        return;
      case 'ending':
        this.#hasStarted(command, seen.process);
        this.#end(command);
        return;
      case 'ended':
        this.#do(command, async (machine) => this.#finish(command, seen, machine));
        return;
      case 'headless':
        this.#do(command, async (machine) => this.#stop(command, 'kill', machine));
        return;
      case 'gone':
        this.#do(command, async () => this.#closeLog(command, stop === 'kill' ? KILLED : LOST));
        return;
      case 'rebooted':
        this.#do(command, async () => this.#closeLog(command, HOST_LOST));
        return;
      default:
        unreachable(seen);
    }
  }

  async #order(command: MachineCommand, machine: Machine): Promise<void> {
    const { launch } = command;
    const order = await prepareOrder(command, machine, this.#options.supply);
    if ('refusal' in order) {
      await machine.shell.ask('il_fence', launch.term);
      this.#refuse(command, order);
      return;
    }
    if (command.stop !== undefined) return;
    command.orders = (command.orders ?? 0) + 1;
    await this.#beginLog(launch, machine);
    const given = await giveOrder(launch.term, order, { machine, slots: this.#slots });
    if ('refusal' in given) {
      await machine.shell.ask('il_fence', launch.term);
      this.#refuse(command, given);
      return;
    }
    command.givenAt = performance.now();
    if (given.slot !== undefined) command.slot = given.slot;
  }

  async #finish(
    command: MachineCommand,
    { result, process }: Extract<Seen, { kind: 'ended' }>,
    machine: Machine,
  ): Promise<void> {
    const { launch, slot, stop } = command;
    if (!isRefusal(result)) this.#hasStarted(command, process);
    // Of what was asked to end nothing stays, and its slot goes with it.
    if (slot !== undefined && stop !== undefined) await this.#stop(command, 'kill', machine);
    if (command.isSilent === true) this.#options.logs.drop(launch.term);
    const end = await bringEnd(result, { launch, machine }, this.#options);
    const isRefused = end.kind === 'failed' && end.failure.kind === 'not-started';
    if (isRefused && command.hasTold !== true) {
      this.#refuse(command, { refusal: end.failure.message, mayPass: false });
      return;
    }
    this.#hasStarted(command, process);
    if (slot !== undefined && stop === undefined && command.stop === undefined)
      this.#slots.free(slot);
    this.#tell(command, end);
  }

  /** What has not begun never does. */
  async #stop(
    command: MachineCommand,
    signal: 'terminate' | 'kill',
    { shell }: Machine,
  ): Promise<void> {
    const { term } = command.launch;
    const { status } = await shell.ask('il_signal', signal === 'kill' ? 'KILL' : 'TERM', term);
    if (status === 3) await shell.ask('il_fence', term);
    else command.hasHeard = true;
    await delay(LOOK_AGAIN_MS);
  }

  /** What it has left behind in its group was asked to end, and is made to. */
  #end(command: MachineCommand): void {
    command.endingAt ??= performance.now();
    const isLate = performance.now() - command.endingAt > GRACE_MS;
    this.#do(command, async (machine) => {
      if (isLate) await this.#stop(command, 'kill', machine);
      else await delay(LOOK_MS);
    });
  }

  /** Nobody knows how it has ended; what it printed until then is all that says so. */
  async #closeLog(command: MachineCommand, end: CommandEnd): Promise<void> {
    const { supply, logs } = this.#options;
    await logs.finish(command.launch.term, supply.logFile(command.launch));
    this.#tell(command, end);
  }

  async #lose(command: MachineCommand, machine: Machine): Promise<void> {
    const { term } = command.launch;
    if (await kill(term, markOf(this.#options.board, term), machine))
      await this.#closeLog(command, HOST_LOST);
  }

  #hasStarted(command: MachineCommand, process: ProcessIdentity): void {
    command.process = process;
    if (command.hasTold === true || command.isAdopted || !this.#isOurs(command)) return;
    command.hasTold = true;
    this.#options.news.started(command.launch.term, { kind: 'started', process });
  }

  #refuse(command: MachineCommand, { refusal: message, mayPass }: Refusal): void {
    const { launch, stop, hasTold, isAdopted } = command;
    if (stop !== undefined || hasTold === true || isAdopted) {
      this.#tell(command, stop === undefined ? LOST : KILLED);
      return;
    }
    if (!this.#isOurs(command)) return;
    this.#forget(command);
    this.#options.news.started(launch.term, { kind: 'not-started', message, mayPass });
  }

  #tell(command: MachineCommand, end: CommandEnd): void {
    if (!this.#isOurs(command)) return;
    this.#forget(command);
    this.#options.news.ended(command.launch.term, end);
  }

  #forget({ launch: { term } }: MachineCommand): void {
    this.#commands.delete(term);
    this.#leavings.spend(term);
  }

  async #adoptOne(attempt: Attempt, machine: Machine): Promise<Sight | undefined> {
    const { term, launch } = attempt;
    const own = this.#commands.get(term);
    if (own?.process !== undefined) return { kind: 'running', process: own.process };
    if (own !== undefined) return undefined;
    const sight = await findAttempt(attempt, machine, this.#options);
    if (sight === undefined || launch === undefined) return sight;
    if (sight.kind === 'running') {
      this.#commands.set(term, { ...newCommand(launch, true), process: sight.process });
      this.#looks.look(term);
    } else this.#leavings.spend(term);
    return sight;
  }
}
