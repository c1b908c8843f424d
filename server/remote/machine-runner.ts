import { setTimeout as delay } from 'node:timers/promises';
import { unreachable } from '../domain/assert.ts';
import type { RunId, TaskId } from '../domain/ids.ts';
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
import { ShellLost } from './host-shell.ts';
import type { Machine } from './machine.ts';
import { type ConnectionOptions, MachineConnection } from './machine-connection.ts';
import { LOST, readEnd, REBOOTED } from './machine-end.ts';
import { KILLED } from '../runners/command-end.ts';
import { type MachineOrder, markOf } from './machine-order.ts';
import { readSeen, type Seen } from './seen.ts';
import { startSession } from './session-start.ts';

export interface MachineRunnerOptions extends ConnectionOptions {
  readonly news: RunnerNews;
  /** What a machine is told of a task; or why it cannot be run there, as a sentence. */
  readonly orderOf: (launch: Launch) => MachineOrder | { readonly refusal: string };
  /** Where what an attempt prints is kept on this machine. */
  readonly logFile: (attempt: LoggedAttempt) => string;
  readonly logs: MachineLogs;
}

export interface LoggedAttempt {
  readonly run: RunId;
  readonly task: TaskId;
  readonly revision: number;
  readonly attempt: number;
}

/** Knows what commands have printed, and keeps it within its limits. */
export interface MachineLogs {
  /** From now on, or again after the machine was away. */
  begin(term: number, file: string, machine: Machine): Promise<void>;
  /** Resolves when all of it is here. */
  finish(term: number): Promise<void>;
  bytesOf(term: number): number | undefined;
  close(): void;
}

/** A command between its order and the moment when its end is told. */
interface Command {
  readonly term: number;
  readonly logFile: string;
  /** Absent when somebody else has ordered it. */
  readonly order?: MachineOrder;
  process?: ProcessIdentity;
  stop?: 'terminate' | 'kill';
  /** Since when its command has ended, and something else of its group has not. */
  endingAt?: number;
  /** Something is being done about it; it is looked at again after that. */
  isBusy?: boolean;
  /** Whoever ordered it knows that it has started. */
  hasTold?: boolean;
}

const LOOK_MS = 5;
const LOOK_AGAIN_MS = 20;
/** How often all of them are looked at, whatever was told. */
const ROUND_MS = 5000;
const GRACE_MS = 5000;
/** Whoever asks what became of commands waits so long for a machine that is not there yet. */
const PATIENCE_MS = 1500;

/**
 * Runs commands on a machine that is reached by a shell. What is to be done about a command follows
 * from how it is seen there; what a machine tells by itself, and time, only say when to look.
 */
export class MachineRunner implements Runner {
  readonly #options: MachineRunnerOptions;
  readonly #connection: MachineConnection;
  readonly #commands = new Map<number, Command>();
  /** Those that are looked at next. */
  readonly #due = new Set<number>();
  /** Whose end was told, and whoever keeps the ledger may not have written it yet. */
  readonly #spent = new Set<number>();
  #isLooking = false;
  #isClosed = false;
  #reached = Promise.withResolvers<void>();

  constructor(options: MachineRunnerOptions) {
    this.#options = options;
    this.#connection = new MachineConnection(options, {
      onReached: (machine) => this.#onReached(machine),
      onLost: () => void (this.#reached = Promise.withResolvers()),
      onEnd: (term) => this.#look(term),
      onGivenUp: () => this.#giveUp(),
    });
    this.#connection.begin();
    void this.#rounds();
  }

  start(launch: Launch): StartResult {
    const { term, run, revision, attempt } = launch;
    const order = this.#options.orderOf(launch);
    if ('refusal' in order) return { kind: 'not-started', message: order.refusal, mayPass: false };
    if (this.#commands.has(term))
      return { kind: 'not-started', message: `Term ${term} was started before.`, mayPass: true };
    const logFile = this.#options.logFile({ run, task: launch.definition.id, revision, attempt });
    const command: Command = { term, logFile, order };
    this.#commands.set(term, command);
    this.#do(command, async (machine) => this.#order(command, order, machine));
    return { kind: 'ordered' };
  }

  async adopt(attempts: readonly Attempt[]): Promise<ReadonlyMap<number, Sight>> {
    const sights = new Map<number, Sight>();
    const machine = await this.#soon();
    if (machine === undefined) return sights;
    await Promise.all(
      attempts.map(async (attempt) => {
        const sight = await this.#adoptOne(attempt, machine).catch(ignoreLoss);
        if (sight !== undefined) sights.set(attempt.term, sight);
      }),
    );
    return sights;
  }

  signal(term: number, signal: 'terminate' | 'kill'): void {
    const command = this.#commands.get(term);
    if (command === undefined || command.stop === 'kill') return;
    command.stop = signal;
    this.#look(term);
    this.#do(command, async (machine) => this.#stop(command, signal, machine));
  }

  async sweep({ term }: Attempt): Promise<boolean> {
    const machine = await this.#soon();
    if (machine === undefined) return false;
    this.#commands.delete(term);
    const { shell } = machine;
    await shell.ask('il_fence', term);
    await shell.ask('il_signal', 'KILL', term);
    const { status } = await shell.ask('il_sweep', this.#markOf(term));
    const seen = await this.#see(term, machine);
    const isGone = status === 0 && seen !== undefined && !ALIVE.has(seen.kind);
    if (isGone) this.#spent.add(term);
    return isGone;
  }

  outputBytes(term: number): number | undefined {
    return this.#commands.has(term) ? (this.#options.logs.bytesOf(term) ?? 0) : undefined;
  }

  dropOutput(): void {
    // What commands have printed was taken over, and lies where all logs are.
  }

  settled(): void {
    const terms = [...this.#spent];
    if (terms.length === 0) return;
    this.#spent.clear();
    void this.#connection.machine?.shell.ask('il_forget', ...terms).catch(ignoreLoss);
  }

  close(): void {
    this.#isClosed = true;
    this.#commands.clear();
    this.#options.logs.close();
    this.#connection.close();
  }

  #onReached(machine: Machine): void {
    this.#reached.resolve();
    for (const { term, logFile } of this.#commands.values()) {
      void this.#options.logs.begin(term, logFile, machine).catch(ignoreLoss);
      this.#look(term);
    }
  }

  /** Nobody knows what they do, and nobody waits for it any more: others do their tasks. */
  #giveUp(): void {
    for (const command of [...this.#commands.values()]) this.#tell(command, REBOOTED);
  }

  /** The machine, where it is there or comes soon. */
  async #soon(): Promise<Machine | undefined> {
    await Promise.race([this.#reached.promise, delay(PATIENCE_MS, undefined, { ref: false })]);
    return this.#connection.machine;
  }

  /** One thing after the other is done about a command; where the machine goes, what is seen then counts. */
  #do(command: Command, act: (machine: Machine) => Promise<void>): void {
    const machine = this.#connection.machine;
    if (machine === undefined || command.isBusy === true) return;
    command.isBusy = true;
    void act(machine)
      .catch(ignoreLoss)
      .then(() => {
        command.isBusy = false;
        if (this.#commands.get(command.term) === command) this.#look(command.term);
      });
  }

  #look(term: number): void {
    this.#due.add(term);
    if (this.#isLooking) return;
    this.#isLooking = true;
    void this.#lookAround();
  }

  async #lookAround(): Promise<void> {
    while (this.#due.size > 0 && !this.#isClosed) {
      const machine = this.#connection.machine;
      if (machine === undefined) break;
      const terms = [...this.#due].filter(
        (term) => this.#commands.has(term) && this.#commands.get(term)?.isBusy !== true,
      );
      this.#due.clear();
      if (terms.length === 0) break;
      await this.#lookAt(terms, machine).catch(ignoreLoss);
    }
    this.#isLooking = false;
  }

  async #lookAt(terms: readonly number[], machine: Machine): Promise<void> {
    const { lines } = await machine.shell.ask('il_see_each', ...terms);
    for (const line of lines) {
      const [term, seen] = readSeen(line, machine.facts.boot) ?? [];
      const command = term === undefined ? undefined : this.#commands.get(term);
      if (command !== undefined && command.isBusy !== true && seen !== undefined)
        this.#saw(command, seen);
    }
  }

  #saw(command: Command, seen: Seen): void {
    const { term, order, stop } = command;
    switch (seen.kind) {
      case 'unknown':
      case 'ordered':
        if (stop !== undefined || order === undefined)
          this.#do(command, async ({ shell }) => void (await shell.ask('il_fence', term)));
        else this.#do(command, async (machine) => this.#order(command, order, machine));
        return;
      case 'fenced':
        this.#refuse(command, 'It was stopped before it began.', true);
        return;
      case 'running':
        this.#hasStarted(command, seen.process);
        if (stop !== undefined)
          this.#do(command, async (machine) => this.#stop(command, stop, machine));
        return;
      case 'ending':
        this.#end(command, seen.process);
        return;
      case 'ended':
        this.#do(command, async () => this.#finish(command, seen));
        return;
      case 'headless':
        this.#do(command, async ({ shell }) => void (await shell.ask('il_signal', 'KILL', term)));
        return;
      case 'gone':
        this.#tell(command, stop === 'kill' ? KILLED : LOST);
        return;
      case 'rebooted':
        this.#tell(command, REBOOTED);
        return;
      default:
        unreachable(seen);
    }
  }

  async #order(command: Command, order: MachineOrder, machine: Machine): Promise<void> {
    const { term, logFile } = command;
    const { status } = await machine.shell.ask('il_order', term, order.text, order.logFile ?? '');
    // Of one that is there already this may be the second try to start it.
    if (status !== 0 && status !== 3) {
      this.#refuse(command, 'Its folder could not be made there: is the disk full?', true);
      return;
    }
    await this.#options.logs.begin(term, logFile, machine);
    const { control, shell } = machine;
    if (control === undefined) await shell.ask('il_alone', term);
    else {
      const started = await startSession(control, { ...order.session, term });
      if (started.kind === 'refused') {
        await shell.ask('il_fence', term);
        this.#refuse(command, started.why, false);
        return;
      }
    }
    await delay(LOOK_MS);
  }

  async #finish(
    command: Command,
    { result, process }: Extract<Seen, { kind: 'ended' }>,
  ): Promise<void> {
    await this.#options.logs.finish(command.term);
    const end = readEnd(result, command.order);
    const isRefused = end.kind === 'failed' && end.failure.kind === 'not-started';
    if (isRefused && command.hasTold !== true) {
      this.#refuse(command, end.failure.message, false);
      return;
    }
    this.#hasStarted(command, process);
    this.#tell(command, end);
  }

  /** What has not begun never does. */
  async #stop(command: Command, signal: 'terminate' | 'kill', { shell }: Machine): Promise<void> {
    const { status } = await shell.ask(
      'il_signal',
      signal === 'kill' ? 'KILL' : 'TERM',
      command.term,
    );
    if (status === 3) await shell.ask('il_fence', command.term);
    await delay(LOOK_AGAIN_MS);
  }

  /** What it has left behind in its group was asked to end, and is made to. */
  #end(command: Command, process: ProcessIdentity): void {
    this.#hasStarted(command, process);
    command.endingAt ??= performance.now();
    const isLate = performance.now() - command.endingAt > GRACE_MS;
    this.#do(command, async ({ shell }) => {
      if (isLate) await shell.ask('il_signal', 'KILL', command.term);
      await delay(isLate ? LOOK_AGAIN_MS : LOOK_MS);
    });
  }

  #hasStarted(command: Command, process: ProcessIdentity): void {
    command.process = process;
    if (command.hasTold === true || command.order === undefined) return;
    command.hasTold = true;
    this.#options.news.started(command.term, { kind: 'started', process });
  }

  #refuse(command: Command, message: string, mayPass: boolean): void {
    const { term, stop, hasTold } = command;
    if (stop !== undefined || hasTold === true || command.order === undefined) {
      this.#tell(command, KILLED);
      return;
    }
    this.#forget(command);
    this.#options.news.started(term, { kind: 'not-started', message, mayPass });
  }

  #tell(command: Command, end: CommandEnd): void {
    if (this.#commands.get(command.term) !== command) return;
    this.#forget(command);
    this.#options.news.ended(command.term, end);
  }

  #forget({ term }: Command): void {
    this.#commands.delete(term);
    this.#spent.add(term);
  }

  async #adoptOne(
    { term, run, task, tries }: Attempt,
    machine: Machine,
  ): Promise<Sight | undefined> {
    const own = this.#commands.get(term);
    if (own?.process !== undefined) return { kind: 'running', process: own.process };
    if (own !== undefined) return undefined;
    let seen = await this.#see(term, machine);
    if (seen?.kind === 'unknown' || seen?.kind === 'ordered') {
      await machine.shell.ask('il_fence', term);
      seen = await this.#see(term, machine);
    }
    if (seen?.kind === 'headless') {
      await machine.shell.ask('il_signal', 'KILL', term);
      await delay(LOOK_AGAIN_MS);
      seen = await this.#see(term, machine);
    }
    switch (seen?.kind) {
      case 'fenced':
        return { kind: 'never-started' };
      case 'gone':
        return { kind: 'gone', cause: 'killed' };
      case 'rebooted':
        return { kind: 'gone', cause: 'host-lost' };
      case 'ended':
        if (tries !== undefined) {
          const logFile = this.#options.logFile({ run, task, ...tries });
          await this.#options.logs.begin(term, logFile, machine);
          await this.#options.logs.finish(term);
        }
        this.#spent.add(term);
        return { kind: 'ended', end: readEnd(seen.result, undefined) };
      case 'running':
      case 'ending':
        if (tries === undefined) return undefined;
        const logFile = this.#options.logFile({ run, task, ...tries });
        this.#commands.set(term, { term, logFile, process: seen.process });
        await this.#options.logs.begin(term, logFile, machine);
        this.#look(term);
        return { kind: 'running', process: seen.process };
      case undefined:
      case 'unknown':
      case 'ordered':
      case 'headless':
        return undefined;
      default:
        return unreachable(seen);
    }
  }

  async #see(term: number, { shell, facts }: Machine): Promise<Seen | undefined> {
    const { lines } = await shell.ask('il_see', term);
    return lines.map((line) => readSeen(line, facts.boot)?.[1]).find((seen) => seen !== undefined);
  }

  async #rounds(): Promise<void> {
    while (!this.#isClosed) {
      await delay(ROUND_MS, undefined, { ref: false });
      for (const term of this.#commands.keys()) this.#look(term);
    }
  }

  #markOf(term: number): string {
    return markOf(this.#options.board, term);
  }
}

const ALIVE: ReadonlySet<Seen['kind']> = new Set(['running', 'ending', 'headless']);

/** What is seen when the machine is there again says what has become of it. */
function ignoreLoss(error: unknown): undefined {
  if (!(error instanceof ShellLost)) throw error;
}
