import { Board } from '../board/board.ts';
import type { BoardWorld, OpenBoard } from '../board/ports.ts';
import type { Refusal, RunOptions, RunResult } from '../board/run-choice.ts';
import type { LedgerEntry } from '../engine/store-port.ts';
import { dryRun } from './dry-run.ts';
import { EXIT, type ExitCode } from './exit-code.ts';
import { noPlan } from './no-plan.ts';
import { type BoardUse, sayUnavailable } from './open-board.ts';
import { HostNotice } from './host-notice.ts';
import { endOfRuns } from './run-end.ts';
import { OptionReader } from './options.ts';
import { Patience } from './patience.ts';
import { warningLines } from './plan-warnings.ts';
import { readRunOptions } from './run-options.ts';
import { RunProgress } from './run-progress.ts';
import { Standstill } from './standstill.ts';
import { sayRunRefused } from './run-refused.ts';
import { errLine, type Refused, sayJson, sayRefused } from './say.ts';
import { sayHostProblems } from './say-host-problems.ts';
import type { Arguments, Interrupt, Terminal } from './terminal.ts';

export async function run(args: Arguments, terminal: Terminal): Promise<ExitCode> {
  const world = terminal.world('run');
  const options = readRunOptions(args, world.hosts);
  sayHostProblems(terminal, world.hosts);
  if ('kind' in options) return sayRefused(args, terminal, options);
  if (args.options['dry-run'] === true) return dryRun({ args, terminal, world }, options);
  const reader = new OptionReader(args.options);
  const silenceMs = reader.durationMs('connect-timeout');
  if (reader.refusal !== undefined) return sayRefused(args, terminal, reader.refusal);
  return await new RunCommand({ args, terminal, world }, silenceMs).perform(options);
}

/** Somebody who wants it to end does not wait for whoever decides any longer. */
const GRACE_MS = 500;
const NOT_ACCEPTED =
  'Nobody has accepted the run yet, and it is not waited for. Should it begin all the same, "interlock cancel --all" stops it.';

type Accepted = Extract<RunResult, { kind: 'accepted' }>;

/** One `interlock run`: shows each task as it starts and ends, then what became of all. */
class RunCommand {
  readonly #args: Arguments;
  readonly #terminal: Terminal;
  readonly #world: BoardWorld;
  readonly #board: Board;
  /** What happened while it was not known yet which runs are meant. */
  #early: LedgerEntry[] = [];
  #progress: RunProgress | undefined;
  #standstill: Standstill | undefined;
  readonly #patience: Patience;
  #interrupts = 0;
  #isAlone = false;
  #isFound = false;
  readonly #givenUp = Promise.withResolvers<{ readonly kind: 'given-up' }>();
  #grace: Disposable | undefined;
  readonly #over = Promise.withResolvers<'ended' | 'still' | 'left' | 'unavailable' | 'halted'>();
  /** What was said last. */
  #failure = '';
  /** Why it does not come to its end. */
  #halt = '';

  constructor(
    { args, terminal, world }: Pick<BoardUse, 'args' | 'terminal' | 'world'>,
    silenceMs: number | undefined,
  ) {
    this.#patience = new Patience(silenceMs);
    this.#args = args;
    this.#terminal = terminal;
    const listener = {
      changed: (entries: readonly LedgerEntry[]) => this.#changed(entries),
      failed: (message: string) => this.#failed(message),
      waiting: (message: string) => this.#waits(message),
      halted: (message: string) => this.#halted(message),
    };
    this.#world = world;
    const options = { isTrusted: true, carriesOn: 'none', rank: 'first', listener } as const;
    this.#board = new Board(args.folder, this.#world, options);
  }

  async perform(options: RunOptions): Promise<ExitCode> {
    try {
      this.#board.load();
      if (this.#board.plans.all.length === 0)
        return sayRefused(this.#args, this.#terminal, noPlan(this.#args.folder));
      this.#terminal.onInterrupt((kind) => this.#interrupted(kind));
      const result = await Promise.race([this.#submit(options), this.#givenUp.promise]);
      if (result.kind === 'given-up') return this.#notAccepted();
      if (result.kind === 'refused') return this.#refused(result, options);
      const { opened: open } = this.#board;
      if (open === undefined) return sayUnavailable(this.#args, this.#terminal, this.#board);
      return await this.#carryOn(result, open);
    } finally {
      this.#grace?.[Symbol.dispose]();
      this.#standstill?.[Symbol.dispose]();
      this.#progress?.[Symbol.dispose]();
      await this.#board.close();
    }
  }

  /** Only where there is a board can anybody be waited for. */
  async #submit(options: RunOptions): Promise<RunResult> {
    const alarm = this.#board.plans.all.length === 0 ? undefined : this.#board.opened?.alarm;
    const asked = this.#board.run(options);
    return alarm === undefined ? await asked : await this.#patience.for(asked, alarm);
  }

  async #carryOn(result: Accepted, open: OpenBoard): Promise<ExitCode> {
    const progress = new RunProgress(open, this.#terminal, this.#args.isJson);
    this.#progress = progress;
    const { isJson } = this.#args;
    const isAttended = this.#terminal.isAttended && !isJson;
    const onStill = (): void => this.#over.resolve('still');
    const standstill = new Standstill({ open, progress, isAttended, isJson, onStill });
    this.#standstill = standstill;
    this.#isFound = true;
    progress.begin(result.runs, this.#early);
    this.#early = [];
    this.#sayWarnings(progress);
    for (const { plan, message } of result.refusedPlans)
      progress.say(`${plan}: not run. ${message}`);
    const machines = this.#world.machines(this.#args.folder);
    using _ = new HostNotice(machines, (sentence) => progress.say(sentence));
    // Ctrl-C may have come before there was anything to stop.
    if (this.#isAlone) this.#leave(AFTER_CLOSE);
    else if (this.#interrupts > 0) this.#stop(progress);
    this.#endIfOver();
    const how = await this.#over.promise;
    standstill[Symbol.dispose]();
    progress[Symbol.dispose]();
    if (how === 'unavailable') return sayUnavailable(this.#args, this.#terminal, this.#board);
    if (how === 'halted') return sayRefused(this.#args, this.#terminal, haltRefusal(this.#halt));
    if (how === 'left') return this.#hasLeft(result);
    const end = endOfRuns(
      { args: this.#args, terminal: this.#terminal, open },
      progress.watch,
      result,
    );
    if (how === 'ended') this.#sayRest(progress, open);
    if (how === 'still') {
      for (const line of standstill.lines) errLine(this.#terminal, line);
      return EXIT.deadlocked;
    }
    return this.#interrupts > 0 ? EXIT.interrupted : end;
  }

  #changed(entries: readonly LedgerEntry[]): void {
    if (this.#progress === undefined) {
      if (!this.#isFound) this.#early.push(...entries);
      return;
    }
    this.#progress.take(entries);
    this.#endIfOver();
  }

  #endIfOver(): void {
    if (this.#progress?.watch.isOver === true) this.#over.resolve('ended');
    else this.#standstill?.look();
  }

  /** Whoever closes a terminal has not said that anything is to stop. */
  #interrupted(kind: Interrupt): void {
    if (kind === 'alone') this.#isAlone = true;
    else this.#interrupts += 1;
    const progress = this.#progress;
    if (progress === undefined) this.#giveUp();
    else if (this.#isAlone) this.#leave(AFTER_CLOSE);
    else if (this.#interrupts > 1) this.#leave(this.#textOfStop());
    else this.#stop(progress);
  }

  /** Mostly it is accepted in this moment, and then there is something to stop. */
  #giveUp(): void {
    const givenUp = (): void => this.#givenUp.resolve({ kind: 'given-up' });
    const { opened: open } = this.#board;
    if (this.#interrupts > 1 || open === undefined) givenUp();
    else this.#grace = open.alarm.after(GRACE_MS, givenUp);
  }

  #notAccepted(): ExitCode {
    const refused = { kind: 'refused', why: 'interrupted', message: NOT_ACCEPTED } as const;
    return sayRefused(this.#args, this.#terminal, { ...refused, code: EXIT.interrupted });
  }

  /** Nothing stops by itself: somebody has to decide. */
  #textOfStop(): string {
    return this.#board.opened?.keeper.isDeciding === true
      ? 'The run is being stopped, and what runs goes on until then: whoever decides next ("interlock run", a window) finishes that.'
      : 'The run is being stopped by whoever decides for it.';
  }

  /** Where it was only joined, whoever asked for it first still wants it. */
  #stop(progress: RunProgress): void {
    if (progress.ownRuns.length === 0) {
      this.#leave(`The run goes on: it was started elsewhere. ${JOIN_OR_STOP}`);
      return;
    }
    progress.say('Stopping. What runs gets 5 s to end.');
    this.#board.stop(progress.ownRuns).catch((error: unknown) => this.#lost(error));
  }

  #sayWarnings(progress: RunProgress): void {
    const plans = new Set(progress.watch.runs.map(({ manifest }) => manifest.plan));
    const meant = this.#board.plans.all.filter(({ path }) => plans.has(path));
    progress.say(...warningLines(meant, this.#world.hosts));
  }

  /** Of a run of which only a part was asked for. */
  #sayRest({ watch }: RunProgress, { keeper }: OpenBoard): void {
    for (const { id, outcome } of watch.runs)
      if (outcome === undefined)
        this.#terminal.err(
          keeper.isDeciding
            ? `The rest of run ${id} waits until another process decides: "interlock run", a window.\n`
            : `The rest of run ${id} goes on.\n`,
        );
  }

  /** What becomes of it nobody knows yet. */
  #hasLeft({ runs, leftOut, refusedPlans }: Accepted): ExitCode {
    const left = runs.map(({ id }) => ({ id, outcome: null }));
    if (this.#args.isJson)
      sayJson(this.#terminal, { runs: left, tasks: [], leftOut, refusedPlans });
    return EXIT.interrupted;
  }

  #leave(why: string): void {
    this.#progress?.say(why);
    this.#over.resolve('left');
  }

  /**
   * Something went wrong that the user must know of. Whoever decides tries again by itself; whoever
   * does not has to find out who does.
   */
  #failed(message: string): void {
    if (this.#progress === undefined) {
      errLine(this.#terminal, message);
      this.#patience.tax(message);
      return;
    }
    this.#failure = message;
    this.#progress.say(message);
    this.#board.takePart().catch((error: unknown) => this.#lost(error));
  }

  /** The coordinator does not answer; after some seconds another process takes its place. */
  #waits(message: string): void {
    if (this.#progress !== undefined) this.#progress.say(message);
    else {
      errLine(this.#terminal, message);
      this.#patience.wait(message);
    }
  }

  /** What is asked for waits for decisions that nobody takes. */
  #halted(message: string): void {
    this.#halt = message;
    this.#over.resolve('halted');
  }

  #lost(error: unknown): void {
    this.#over.resolve('unavailable');
    if (!(error instanceof Error) || error.message === this.#failure) return;
    errLine(this.#terminal, error.message);
  }

  #refused(refusal: Refusal, options: RunOptions): ExitCode {
    if (refusal.why === 'store') return sayUnavailable(this.#args, this.#terminal, this.#board);
    const { plans } = this.#board;
    const refused = { refusal, plans: plans.all, options };
    return sayRunRefused(this.#args, this.#terminal, refused);
  }
}

const JOIN_OR_STOP = '"interlock run" joins it again, "interlock cancel --all" stops it.';
const AFTER_CLOSE = `What runs goes on. ${JOIN_OR_STOP}`;

function haltRefusal(message: string): Refused {
  return { kind: 'refused', why: 'mistake', message, code: EXIT.unavailable };
}
