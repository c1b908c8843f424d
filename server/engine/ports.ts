import type { RunId, TaskId, WorkerId } from '../domain/ids.ts';
import type { Failure, LossCause, ProcessIdentity, TaskDefinition } from '../domain/task.ts';
import type { Instant } from '../domain/time.ts';
import type { Place } from '../scheduler/model/workers.ts';
import type { StoreError } from './store-error.ts';
import type { LedgerEntry } from './store-port.ts';

/**
 * Every effect the engine can have on the world, and every fact it can learn, is on this page, in
 * `store-port.ts` and in `tree-watch.ts`.
 */

/** Never goes back, counts the time in which the machine slept, and does not follow the wall clock. */
export interface Clock {
  now(): Instant;
  /** Until it is let go it reads the same: what is written together happened at one time. */
  hold(): Disposable;
}

/** Wakes the engine. Whatever is waited for may be disposed of before it comes. */
export interface Alarm {
  after(delayMs: number, callback: () => void): Disposable;
  /** When whatever has arrived by now has been taken in. */
  soon(callback: () => void): void;
}

export interface Ids {
  runId(now: Instant): RunId;
  /** Names one request for ever, so that asking again changes nothing. */
  operation(): string;
}

/** The right to decide for a board. The operating system takes it from a process that dies. */
export interface BoardLock {
  acquire(): LockResult;
  /** What a holder shows of itself. */
  look(): LockSight;
  /**
   * Takes the board from a holder that shows no sign of life, which keeps its lock: from then on another
   * lock counts. `held`: somebody else was quicker, or the holder is alive after all.
   */
  takeOver(silent: LockSight): LockResult;
}

export interface HeldLock extends Disposable {
  /** Shows that the holder is alive. `false`: the board was taken from it, and it must not act any more. */
  beat(): boolean;
}

/** Two sights of one holder differ if it has beaten in between. */
export interface LockSight {
  /** Grows with each takeover. */
  readonly generation: number;
  readonly beats: number;
}

export type LockResult =
  | { readonly kind: 'acquired'; readonly lock: HeldLock }
  | { readonly kind: 'held'; readonly holder: string };

/**
 * Runs commands. A command outlives the process that started it: whoever comes next finds it by its
 * term, alive or ended.
 */
export interface Runner {
  /** Starts a command. Of one term, it starts once and never again, whoever orders it. */
  start(launch: Launch): StartResult;
  /**
   * Finds what became of attempts that somebody before this process has started, or meant to. Of those
   * that still run, the end is told like that of any other.
   */
  adopt(attempts: readonly Attempt[]): Promise<ReadonlyMap<number, Sight>>;
  /**
   * The hosts where something may start or is at work, by the names that plans use: the runner connects
   * to these and to no others. Told when a tenure begins, before anything else, and when they change.
   * It then says, at once, of every host of the user's settings what is known of it.
   */
  wanted?(places: readonly string[]): void;
  /** Signals the whole process group of a running command. */
  signal(term: number, signal: 'terminate' | 'kill'): void;
  /** Kills whatever is alive of an attempt and keeps it from ever starting; `false`: not certain. */
  sweep(attempt: Attempt): Promise<boolean>;
  /** Grows with whatever the command prints; nothing when it does not run. */
  outputBytes(term: number): number | undefined;
  /** Nobody will read any more what commands of these runs have printed. */
  dropOutput(runs: readonly RunId[]): void;
  /** All ends that were told until now are in the ledger. Whoever comes next finds the others. */
  settled(): void;
  /** Lets go of the commands, which go on. */
  close(): void;
}

/** Which attempt is meant. */
export interface AttemptTerm {
  readonly run: RunId;
  readonly task: TaskId;
  readonly term: number;
}

/**
 * What a command is given in its environment, and nobody else: by this it shows that it is the command
 * of an attempt, whose run, task and term are no secret.
 *
 * Invariant: a proof is in no log, no ledger, no answer, and in no arguments of a program.
 */
export interface AttemptProofs {
  of(attempt: AttemptTerm): string;
  isOf(attempt: AttemptTerm, proof: string): boolean;
}

/** A command that has the terminal of this process. */
export interface AttachedCommand {
  /** When it has ended, and whatever was left of it where it was asked to. */
  readonly ended: Promise<CommandEnd>;
  signal(signal: 'terminate' | 'kill'): void;
}

/** What a runner tells by itself. */
export interface RunnerNews {
  /** What became of a start that was only ordered; before any end of it. */
  started(term: number, result: StartAnswer): void;
  /** Told once for each command that started, when nothing of its process group is left. */
  ended(term: number, end: CommandEnd): void;
  /**
   * Its machine was not heard of for so long that nobody waits for it any more. Nothing more is told of
   * it, unless somebody finds it again by `adopt` before another has its task.
   */
  outOfSight(term: number): void;
  /** A host is among those of the user's settings. Told as often as anything may have changed. */
  placeSeen(place: SeenPlace): void;
  /** It is not among them any more. */
  placeGone(name: string): void;
}

export type SeenPlace = Omit<Place, 'breaker' | 'runner'>;

export interface Attempt {
  /** Where it was started. */
  readonly place: string;
  readonly run: RunId;
  readonly task: TaskId;
  readonly term: number;
  /** Absent when nobody got to write it down. */
  readonly process: ProcessIdentity | undefined;
  /** How it was started; absent of one that is only to be swept. */
  readonly launch?: Launch;
}

export interface Launch {
  /** Where it is to start: this machine, or a host. */
  readonly place: string;
  readonly root: string;
  readonly definition: TaskDefinition;
  readonly run: RunId;
  readonly revision: number;
  readonly attempt: number;
  readonly term: number;
}

export type StartResult =
  | StartAnswer
  /** What becomes of it is told later: the order has a way to go. */
  | { readonly kind: 'ordered' };

export type StartAnswer =
  | { readonly kind: 'started'; readonly process: ProcessIdentity }
  /** The message is a sentence for the user. What is in the way may pass, or trying again is in vain. */
  | { readonly kind: 'not-started'; readonly message: string; readonly mayPass: boolean };

export type Sight =
  | { readonly kind: 'running'; readonly process: ProcessIdentity }
  | { readonly kind: 'ended'; readonly end: CommandEnd }
  /** And it never will. */
  | { readonly kind: 'never-started' }
  /** Nothing of it is alive, and nobody knows how it ended. */
  | { readonly kind: 'gone'; readonly cause: LossCause };

export type CommandEnd =
  | { readonly kind: 'succeeded' }
  | { readonly kind: 'failed'; readonly failure: Failure }
  /** Nobody knows how it ended. */
  | { readonly kind: 'lost'; readonly cause: LossCause };

/** Whoever shows the board. Told after the store has it, never before. */
export interface Listener {
  committed(entries: readonly LedgerEntry[]): void;
  /** A worker that waits is told of a task that it could take. */
  woken(worker: WorkerId, task: { readonly run: RunId; readonly task: TaskId }): void;
  /** Something the user should know. */
  noticed(sentence: string): void;
  /** The store or the program failed; what can go on does. */
  faulted(error: unknown): void;
  /** The board is another's, or its file is not there any more: the engine has ended, and wrote nothing. */
  lost(error: StoreError): void;
  /** A mistake of ours in deciding: this process starts and ends nothing more. Told once. */
  halted(error: unknown): void;
}
