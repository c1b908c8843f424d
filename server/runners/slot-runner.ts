import { appendFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { RunId } from '../domain/ids.ts';
import type { Attempt, CommandEnd, Launch, Runner, Sight, StartResult } from '../engine/ports.ts';
import { findAttempt, type Found, sweepAttempt } from './adoption.ts';
import { AdoptedCommands } from './adopted-commands.ts';
import { explainStart } from './command-end.ts';
import { dropOutput } from './drop-output.ts';
import { baseEnvironment } from './environment.ts';
import { folderSentence, MadeFolders, resolveFolder } from './folder.ts';
import type { TermRecord } from './journal-text.ts';
import { Journals, JournalsGone, readRecord } from './journals.ts';
import { orderFor } from './order.ts';
import { OutputWatch } from './output-watch.ts';
import { ProcessTable } from './process-identity.ts';
import type { RunnerOptions } from './runner-options.ts';
import { endOf, type RunningCommand } from './running-command.ts';
import { signalGroup } from './signals.ts';
import { SlotPool } from './slot-pool.ts';
import { awaitGroupEnd, killGroup } from './stop.ts';
import { Sweeper } from './sweeper.ts';
import { codeOf } from './system-error.ts';

/** How long to wait for the process of a command to be there, so that a request to end reaches it. */
const BEGINNING_ROUNDS = 1000;
const LOOK_AGAIN_MS = 5;

/**
 * Runs commands on this machine in slots. Where the output goes, that a command began and how it
 * ended is in files that the slot writes, so whoever comes after this process finds them.
 */
export class SlotRunner implements Runner {
  readonly #options: RunnerOptions;
  readonly #base: Readonly<Record<string, string>>;
  readonly #journals: Journals;
  readonly #processes = new ProcessTable();
  readonly #sweeper = new Sweeper();
  readonly #folders = new MadeFolders();
  readonly #output = new OutputWatch();
  readonly #running = new Map<number, RunningCommand>();
  readonly #slots: SlotPool;
  readonly #adopted: AdoptedCommands;
  /** Nobody may start these any more. */
  readonly #swept = new Set<number>();
  /** Journals of slots that are dead. */
  readonly #spent = new Set<string>();
  /** An end was told that may not be in the ledger. */
  #hasUnsettled = false;
  #hasAdopted = false;
  #isReleased = false;

  constructor(options: RunnerOptions) {
    this.#options = options;
    this.#base = baseEnvironment(options.parentEnv);
    this.#journals = new Journals(options.commandsFolder);
    this.#slots = new SlotPool({
      env: this.#base,
      processes: this.#processes,
      journals: this.#journals,
      onNotice: (term, word) => this.#settle(term, word),
      onDeath: (term) => this.#settle(term, undefined),
      onGone: (journal) => void this.#spent.add(journal),
    });
    this.#adopted = new AdoptedCommands({
      journals: this.#journals,
      processes: this.#processes,
      onEnd: (term, word) => this.#settle(term, word),
    });
  }

  start(launch: Launch): StartResult {
    const { term } = launch;
    if (this.#running.has(term) || this.#swept.has(term) || this.#journals.has(term))
      return {
        kind: 'not-started',
        message: `Term ${term} was started before.`,
        mayPass: true,
      };
    try {
      const cwd = resolveFolder(launch);
      return cwd === undefined
        ? this.#refuse(launch, folderSentence(launch))
        : this.#order(launch, cwd);
    } catch (error) {
      // No more processes or open files, a full disk: said in the log.
      this.#slots.giveBack(term);
      const message =
        error instanceof JournalsGone
          ? error.message
          : explainStart(launch.definition.id, codeOf(error));
      return { ...this.#refuse(launch, message), mayPass: true };
    }
  }

  async adopt(attempts: readonly Attempt[]): Promise<ReadonlyMap<number, Sight>> {
    const sights = new Map<number, Sight>();
    await Promise.all(
      attempts.map(async (attempt) => {
        try {
          sights.set(attempt.term, await this.#adoptOne(attempt));
        } catch {
          // Nobody can look now. Of what nothing is said somebody asks again.
        }
      }),
    );
    const known = new Set(attempts.map(({ term }) => term));
    if (!this.#hasAdopted) this.#tidy(known);
    this.#hasAdopted = true;
    return sights;
  }

  /** What somebody asks about stays, and what goes on. */
  #tidy(known: ReadonlySet<number>): void {
    try {
      this.#journals.tidy(({ term, process, result }) => {
        const isGoing = result === undefined && this.#processes.isAlive(process);
        return isGoing || known.has(term) || this.#running.has(term);
      });
    } catch {
      // Whoever comes next does it.
    }
  }

  signal(term: number, signal: 'terminate' | 'kill'): void {
    const command = this.#running.get(term);
    if (command === undefined || command.stop === 'kill') return;
    command.stop = signal;
    void (signal === 'kill' ? this.#send(command, 'SIGKILL') : this.#terminate(command));
  }

  async sweep(attempt: Attempt): Promise<boolean> {
    const command = this.#running.get(attempt.term);
    if (command !== undefined) {
      this.signal(attempt.term, 'kill');
      command.told ??= Promise.withResolvers();
      await command.told.promise;
    }
    this.#swept.add(attempt.term);
    return await sweepAttempt(attempt, this.#machine);
  }

  dropOutput(runs: readonly RunId[]): void {
    dropOutput(runs, this.#options.logFolder);
  }

  outputBytes(term: number): number | undefined {
    return this.#output.bytesOf(term);
  }

  settled(): void {
    this.#hasUnsettled = false;
    if (this.#spent.size === 0) return;
    const inUse = new Set([...this.#running.values()].map(({ journal }) => journal));
    for (const journal of this.#spent)
      if (!inUse.has(journal)) {
        this.#spent.delete(journal);
        this.#journals.drop(journal);
      }
  }

  close(): void {
    this.#isReleased = true;
    const isIdle = this.#running.size === 0 && !this.#hasUnsettled;
    for (const { told } of this.#running.values()) told?.resolve();
    this.#running.clear();
    this.#slots.close();
    this.#adopted.close();
    this.#output.close();
    if (isIdle) this.#journals.discard();
  }

  get #machine() {
    return { journals: this.#journals, processes: this.#processes, sweeper: this.#sweeper };
  }

  #order(launch: Launch, cwd: string): StartResult {
    const { term, run, definition } = launch;
    const { command, id, env } = definition;
    if (command === undefined) return this.#refuse(launch, `"${id}" has no command.`);
    const logFile = this.#options.logFile(launch);
    this.#folders.make(path.dirname(logFile));
    const proof = this.#options.proofOf?.(launch);
    const slot = this.#slots.take(term);
    const { process, mark, journal } = slot;
    const order = orderFor(launch, command, { journal, cwd, logFile, proof });
    if (order.kind === 'refused') {
      this.#slots.giveBack(term);
      return this.#refuse(launch, explainStart(id, order.code));
    }
    slot.order(order);
    const searchPath = env['PATH'] ?? this.#base['PATH'];
    const source = { command, cwd, searchPath };
    this.#running.set(term, { run, term, process, slot: mark, journal, logFile, source });
    this.#output.add(term, logFile);
    return { kind: 'started', process };
  }

  /** Trying again would not help. */
  #refuse(launch: Launch, message: string): Extract<StartResult, { kind: 'not-started' }> {
    const logFile = this.#options.logFile(launch);
    try {
      this.#folders.make(path.dirname(logFile));
    } catch {
      // As below.
    }
    note(logFile, message);
    return { kind: 'not-started', message, mayPass: false };
  }

  async #adoptOne(attempt: Attempt): Promise<Sight> {
    const own = this.#running.get(attempt.term);
    if (own !== undefined) return { kind: 'running', process: own.process };
    const found = await findAttempt(attempt, this.#machine);
    if (found.kind === 'never-started') this.#swept.add(attempt.term);
    if (found.kind === 'never-started' || found.kind === 'gone') return found;
    return await this.#take(attempt, found);
  }

  async #take(
    { run, term }: Attempt,
    found: Extract<Found, { kind: 'running' | 'ended' }>,
  ): Promise<Sight> {
    const { process, slot, logFile } = found.record;
    const command: RunningCommand = { run, term, process, slot, logFile };
    await this.#output.addStarted(term, logFile);
    if (found.kind === 'running') {
      this.#running.set(term, command);
      this.#adopted.add(term, process);
      return { kind: 'running', process };
    }
    const end = endOf(command, found.result);
    if (end.kind === 'failed' && end.failure.kind === 'signal')
      await this.#sweeper.sweep({ run, term });
    await this.#output.finish(term);
    return { kind: 'ended', end };
  }

  /** What comes before a slot has made the process of the command would end nobody. */
  async #terminate(command: RunningCommand): Promise<void> {
    for (let round = 0; round < BEGINNING_ROUNDS; round += 1) {
      if (this.#hasBegun(command)) break;
      await delay(LOOK_AGAIN_MS);
      if (this.#running.get(command.term) !== command) return;
    }
    // What a command has left behind was asked to end with it.
    if (command.hasEnded !== true) await this.#send(command, 'SIGTERM');
  }

  async #send(command: RunningCommand, signal: NodeJS.Signals): Promise<void> {
    const { term, process } = command;
    while (this.#running.get(term) === command)
      try {
        if (!this.#processes.isReused(process)) signalGroup(process.pid, signal);
        this.#adopted.expect(term);
        return;
      } catch {
        // The system does not let us look whose number it is.
        await delay(LOOK_AGAIN_MS);
      }
  }

  /** What a slot says of the end of a command; nothing when it died. */
  #settle(term: number, word: string | undefined): void {
    const command = this.#running.get(term);
    if (command === undefined || command.hasEnded === true) return;
    command.hasEnded = true;
    const status = Number(word);
    if (word === undefined || status > 128 || command.stop !== undefined) {
      void this.#clear(command, word)
        .catch(() => word)
        .then((last) => this.#tell(command, last));
      return;
    }
    this.#slots.giveBack(term);
    const finishing = this.#output.finish(term);
    if (finishing === undefined) this.#tell(command, word);
    else void finishing.then(() => this.#tell(command, word));
  }

  /** Of a command that was signalled nothing stays, in its group or out of it. */
  async #clear(command: RunningCommand, word: string | undefined): Promise<string | undefined> {
    const { run, term, process, slot } = command;
    this.#slots.retire(term);
    if (word === undefined) await killGroup(process, this.#processes);
    else await awaitGroupEnd(process, this.#processes);
    await this.#sweeper.sweep({ run, term, slot });
    await this.#output.finish(term);
    return word ?? this.#lastWord(command);
  }

  /** What there is on record of a command whose slot died before it told us. */
  #lastWord(command: RunningCommand): string | undefined {
    const record = this.#recordOf(command);
    if (record !== undefined) return record.result;
    // A slot that was dead already when it was given the order has not begun it, and nobody will.
    return command.stop === 'kill' ? undefined : 'fenced';
  }

  #hasBegun(command: RunningCommand): boolean {
    try {
      return this.#recordOf(command)?.hasBegun === true;
    } catch {
      // The next look may be better.
      return false;
    }
  }

  #recordOf({ term, journal }: RunningCommand): TermRecord | undefined {
    return journal === undefined ? this.#journals.look(term) : readRecord(journal, term);
  }

  #tell(command: RunningCommand, word: string | undefined): void {
    if (this.#isReleased) return;
    this.#running.delete(command.term);
    const end: CommandEnd = endOf(command, word);
    // Its folder may be gone.
    if (word === 'log') this.#folders.forget(path.dirname(command.logFile));
    if (end.kind === 'failed' && end.failure.kind === 'not-started')
      note(command.logFile, end.failure.message);
    command.told?.resolve();
    this.#hasUnsettled = true;
    this.#options.news.ended(command.term, end);
  }
}

/** Whoever opens the log of a task that never ran finds out why. */
function note(logFile: string, message: string): void {
  try {
    appendFileSync(logFile, `${message}\n`, { mode: 0o600 });
  } catch {
    // Where no log can be written the state of the task says it all the same.
  }
}
