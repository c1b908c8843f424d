import type { RunId, TaskId } from '../domain/ids.ts';
import type { RunOutcome } from '../domain/run.ts';
import type { RunRequest } from '../engine/run-request.ts';
import type { TaskRecord } from '../engine/ports.ts';
import { StoreError } from '../engine/store-error.ts';
import type { PlanTask } from '../plans/plan.ts';
import { type LoadedPlan, PlanSet } from './plan-set.ts';
import type { BoardWorld, OpenBoard } from './ports.ts';
import {
  type ChosenPart,
  chooseTasks,
  refusalOf,
  type Refusal,
  refuse,
  type RunOptions,
  type RunResult,
} from './run-choice.ts';
import { statusOf, type TaskStatus } from './task-status.ts';

/** Whoever shows a board: an editor window or a command. */
export interface BoardListener {
  /** Tasks or their states may have changed. */
  changed(): void;
  /** Something the user must know; the sentence is complete. */
  failed(message: string): void;
}

export interface FinishedRun {
  readonly run: RunId;
  readonly outcome: RunOutcome;
}

export interface BoardTask {
  readonly plan: LoadedPlan;
  readonly task: PlanTask;
  readonly status: TaskStatus;
  /** Absent when the task has never been part of a run. */
  readonly record: TaskRecord | undefined;
}

const LEDGER_PAGE = 1000;
const LIFE_CHECK_MS = 2000;

/**
 * One workspace folder: its plans, and the engine and store of its repository. Plans are read and
 * checked even where the store cannot be opened; only running needs it.
 */
export class Board {
  readonly root: string;
  readonly plans: PlanSet;
  readonly #world: BoardWorld;
  readonly #listener: BoardListener;
  #isTrusted: boolean;
  #isClosed = false;
  #opened: { readonly open: OpenBoard; readonly watching: Disposable } | undefined;
  #storeProblem: string | undefined;
  #watch: Disposable | undefined;

  constructor(
    root: string,
    world: BoardWorld,
    options: { readonly isTrusted: boolean; readonly listener: BoardListener },
  ) {
    this.root = root;
    this.#world = world;
    this.#isTrusted = options.isTrusted;
    this.#listener = options.listener;
    this.plans = new PlanSet(root, world.files, world.rules);
  }

  /** Why nothing can run here, when the store could not be opened. */
  get storeProblem(): string | undefined {
    return this.#storeProblem;
  }

  /** Whether this process runs tasks of the board now. */
  get isRunning(): boolean {
    return this.#opened?.open.engine.isRunning ?? false;
  }
  /** Reads the plans again; where there are any, opens the store to see what became of their tasks. */
  load(): void {
    this.plans.reload();
    if (this.plans.all.length > 0 && this.#storeProblem === undefined) this.#open();
    this.#changed();
  }

  /** Gives back what a process that died has left behind, and stops what is left of its commands. */
  async recover(): Promise<void> {
    if (this.#isTrusted) await this.#opened?.open.engine.recover();
  }

  /** Answers whether the file is one of the board's plans. */
  setBuffer(plan: string, text: string | undefined): boolean {
    this.plans.setBuffer(plan, text);
    this.#listener.changed();
    return this.plans.get(plan) !== undefined;
  }

  async trust(): Promise<void> {
    this.#isTrusted = true;
    this.#opened?.open.engine.trust();
    await this.recover();
    this.#listener.changed();
  }

  /** Runs that ended after a ledger entry, with the number of the last entry looked at. */
  finishedRunsAfter(sequence: number): { finished: readonly FinishedRun[]; sequence: number } {
    const entries = this.#opened?.open.store.eventsAfter(sequence, LEDGER_PAGE) ?? [];
    const finished = entries.flatMap(({ run, what }) =>
      what.kind === 'runFinished' ? [{ run, outcome: what.outcome }] : [],
    );
    return { finished, sequence: entries.at(-1)?.sequence ?? sequence };
  }

  /** Of the ledger; nothing until the store is open. */
  get lastSequence(): number | undefined {
    return this.#opened?.open.store.lastSequence();
  }

  /** Every task of every plan, in the order of the files. */
  tasks(): readonly BoardTask[] {
    const open = this.#opened?.open;
    const records = new Map(
      open?.store
        .latestStates(this.root)
        .map((record) => [keyOf(record.plan, record.task), record]),
    );
    const outlook = open?.engine.outlook();
    return this.plans.all.flatMap((plan) =>
      plan.plan.tasks.map((task) => {
        const record = records.get(keyOf(plan.path, task.id));
        const obstacle = plan.plan.obstacles.get(task.id);
        return { plan, task, record, status: statusOf(record, obstacle, outlook) };
      }),
    );
  }

  /** Runs tasks and what they need. What cannot start is left out and named; the rest runs. */
  async run(options: RunOptions): Promise<RunResult> {
    if (!this.#isTrusted) return refuse('untrusted', 'Trust this folder to run its tasks.');
    const chosen = chooseTasks(this.plans.all, options);
    if (chosen.kind === 'refused') return chosen;
    const open = this.#open();
    if (open === undefined)
      return refuse('store', this.#storeProblem ?? 'Interlock is shutting down.');
    const accepted: string[] = [];
    let refusal: Refusal | undefined;
    for (const { plan, tasks, selection } of chosen.parts) {
      const result = await open.engine.submit(this.#request({ plan, tasks, selection }, options));
      if (result.kind === 'started' || result.kind === 'joined') accepted.push(result.run);
      else refusal ??= refusalOf(result, plan.path);
    }
    if (accepted.length === 0 && refusal !== undefined) return refusal;
    return { kind: 'accepted', runs: accepted, leftOut: chosen.leftOut };
  }

  /** Stops what this process runs; refused when another process runs it. */
  stop(): Refusal | undefined {
    const engine = this.#opened?.open.engine;
    if (engine?.isRunning === false && this.#isRunByOthers())
      return refuse('held', 'Another Interlock process runs these tasks. Stop them there.');
    engine?.stop();
    return undefined;
  }

  /** Resolves when this process runs nothing any more. */
  async idle(): Promise<void> {
    await this.#opened?.open.engine.idle();
  }

  /** Where the output of the newest attempt at a task is, if there has been one. */
  logFile(plan: string, task: string): string | undefined {
    const open = this.#opened?.open;
    const record = open?.store
      .latestStates(this.root)
      .find((candidate) => candidate.plan === plan && candidate.task === task);
    if (open === undefined || record === undefined) return undefined;
    const attempt = record.state.tries.attempts;
    return attempt === 0 ? undefined : open.logFile({ run: record.run, task, attempt });
  }

  /** Stops what runs and lets go of the store. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const opened = this.#opened;
    this.#opened = undefined;
    if (opened === undefined) return;
    await opened.open.engine.shutDown();
    this.#watch?.[Symbol.dispose]();
    opened.watching[Symbol.dispose]();
    opened.open.store.close();
  }

  #changed(): void {
    this.#watchOver();
    this.#listener.changed();
  }

  /** While another process runs tasks, looks whether it still lives: nothing tells when it dies. */
  #watchOver(): void {
    const open = this.#opened?.open;
    if (open === undefined || !this.#isTrusted || !this.#isRunByOthers()) {
      this.#watch?.[Symbol.dispose]();
      this.#watch = undefined;
      return;
    }
    this.#watch ??= this.#world.every(LIFE_CHECK_MS, () => {
      open.engine.recover().catch((error: unknown) => this.#listener.failed(sentenceOf(error)));
    });
  }

  #isRunByOthers(): boolean {
    const open = this.#opened?.open;
    if (open === undefined || open.engine.isRunning) return false;
    return open.store.latestStates(this.root).some(({ runStatus }) => runStatus === 'active');
  }

  /** Tried again whenever somebody wants to run something; the same problem is said once. */
  #open(): OpenBoard | undefined {
    if (this.#opened !== undefined || this.#isClosed) return this.#opened?.open;
    const listener = {
      changed: () => this.#changed(),
      faulted: (error: unknown) => this.#listener.failed(sentenceOf(error)),
    };
    try {
      const open = this.#world.open(this.root, { isTrusted: this.#isTrusted, listener });
      this.#storeProblem = undefined;
      this.#opened = { open, watching: open.store.watch(() => this.#changed()) };
      if (open.notice !== undefined) this.#listener.failed(open.notice);
      return open;
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      if (this.#storeProblem !== error.message) this.#listener.failed(error.message);
      this.#storeProblem = error.message;
      return undefined;
    }
  }

  #request({ plan, tasks, selection }: ChosenPart, options: RunOptions): RunRequest {
    return {
      root: this.root,
      plan: plan.path,
      planHash: this.#world.hash(JSON.stringify(tasks)),
      selection,
      requestedBy: options.requestedBy,
      policy: {
        parallel: options.parallel ?? plan.plan.parallel ?? this.#world.defaultParallel,
        failFast: options.isFailFast ?? false,
      },
      tasks,
      isNew: options.isNew ?? false,
    };
  }
}

function keyOf(plan: string, task: TaskId): string {
  return `${plan}\n${task}`;
}

/** For the user: what failed and what to do about it. */
export function sentenceOf(error: unknown): string {
  if (error instanceof StoreError) return error.message;
  return `Interlock found a mistake of its own and starts nothing more: ${String(error)}. Please report it.`;
}
