import { assert } from '../domain/assert.ts';
import type { RunId, TaskId } from '../domain/ids.ts';
import type { PathRules } from '../domain/paths/overlap.ts';
import type { TaskEvent } from '../domain/task.ts';
import type { BoardModel, Permission } from '../scheduler/model/board-model.ts';
import { decide, decideTurn } from '../scheduler/decide.ts';
import { Turn } from '../scheduler/predicate/turn.ts';
import { applyCommitted, emptyBoard, withoutLease } from './live-board.ts';
import type {
  BoardLock,
  Clock,
  CommandEnd,
  CommittedDecision,
  Ids,
  Listener,
  Runner,
  RunningCommand,
  Store,
} from './ports.ts';
import { manifestOf, placeRequest, type RunRequest } from './run-request.ts';
import { takeBackClaims } from './take-back.ts';

export interface Ports {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly store: Store;
  readonly lock: BoardLock;
  readonly runner: Runner;
  readonly listener: Listener;
}

export type SubmitResult =
  | { readonly kind: 'started'; readonly run: RunId }
  | { readonly kind: 'joined'; readonly run: RunId }
  /** Other tasks of this plan, or an earlier version of them, are being run now. */
  | { readonly kind: 'busy' }
  | { readonly kind: 'held'; readonly holder: string }
  | { readonly kind: 'untrusted' };

/**
 * The loop: decide, commit, apply, act. It holds the board's lock while a run of its own is
 * unfinished, so that one process at a time decides.
 *
 * Invariant: a command starts only after its claim is committed, so a crash leaves a record of
 * every command that may have run.
 */
export class Engine {
  readonly #ports: Ports;
  readonly #rules: PathRules;
  readonly #commands = new Map<string, RunningCommand>();
  readonly #whenIdle: (() => void)[] = [];
  #permission: Permission;
  #tenure: Tenure | undefined;
  #hasFaulted = false;
  #lastStep: Promise<void> = Promise.resolve();

  constructor(ports: Ports, options: { readonly rules: PathRules; readonly isTrusted: boolean }) {
    this.#ports = ports;
    this.#rules = options.rules;
    this.#permission = options.isTrusted ? 'granted' : 'untrusted';
  }

  /** Whether this process decides for the board now. */
  get isRunning(): boolean {
    return this.#tenure !== undefined;
  }

  trust(): void {
    if (this.#permission === 'untrusted') this.#permission = 'granted';
  }

  /**
   * Takes back the claims of a process that died. Its commands are stopped first, so that no task
   * ever runs twice at once; the tasks are pending again and wait for somebody to run them.
   */
  async recover(): Promise<void> {
    await this.#inTurn(async () => {
      if (this.isRunning) return;
      const acquired = this.#acquire();
      if (acquired.kind === 'held') return;
      try {
        await takeBackClaims(this.#ports);
      } finally {
        this.#releaseWhenIdle();
      }
    });
  }

  /** Starts a run, or carries on an unfinished one of the same plan and selection. */
  async submit(request: RunRequest): Promise<SubmitResult> {
    return await this.#inTurn(async () => this.#submit(request));
  }

  /** Nothing more of the board starts; what runs is asked to stop, then made to. */
  stop(): void {
    const board = this.#tenure?.board;
    if (board === undefined || board.runs.size === 0) return;
    const at = this.#ports.clock.now();
    for (const run of board.runs.keys()) board.apply({ kind: 'runStopAsked', at, run });
    this.#turn();
    // What can no longer be written down is stopped all the same.
    if (this.#hasFaulted) for (const command of this.#commands.values()) command.stop();
  }

  /** Resolves when this process has nothing left to run. */
  async idle(): Promise<void> {
    if (!this.isRunning || this.#hasFaulted) return;
    await new Promise<void>((resolve) => {
      this.#whenIdle.push(resolve);
    });
  }

  /** What runs is stopped and goes back to pending; its run can be carried on later. */
  async shutDown(): Promise<void> {
    this.#permission = 'shutting-down';
    if (this.#tenure !== undefined) this.#tenure.board.permission = this.#permission;
    const commands = [...this.#commands.values()];
    for (const command of commands) command.stop();
    await Promise.all(commands.map(({ ended }) => ended));
    await this.#inTurn(async () => {
      this.#guard(() => {
        const { store, clock } = this.#ports;
        for (const run of this.#tenure?.board.runs.keys() ?? []) store.interrupt(run, clock.now());
      });
      this.#release();
    });
  }

  /** What a view says of tasks that wait: of this process's own runs, or of all unfinished ones. */
  outlook(): Turn {
    const { store, clock } = this.#ports;
    if (this.#tenure !== undefined && !this.#hasFaulted)
      return decideTurn(this.#tenure.board, clock.now());
    // Whether this process may start anything does not keep back what another one runs. It does not
    // decide for that one either: it does not know which of the runs it carries on.
    const board = emptyBoard(this.#rules);
    for (const run of store.unfinishedRuns()) board.addRun(run, clock.now());
    board.advanceTo(clock.now());
    return new Turn(board, board.now);
  }

  async #submit(request: RunRequest): Promise<SubmitResult> {
    if (this.#permission === 'untrusted') return { kind: 'untrusted' };
    if (this.#permission === 'shutting-down' || this.#hasFaulted) return { kind: 'busy' };
    const acquired = this.#acquire();
    if (acquired.kind === 'held') return acquired;
    const { board } = acquired.tenure;
    try {
      if (board.runs.size === 0) await takeBackClaims(this.#ports);
      const result = this.#activate(request, board);
      this.#turn();
      return result;
    } finally {
      this.#releaseWhenIdle();
    }
  }

  /** Whoever takes the lock and waits in between must not meet another that lets it go. */
  async #inTurn<T>(step: () => Promise<T>): Promise<T> {
    const before = this.#lastStep;
    const own = Promise.withResolvers<void>();
    this.#lastStep = own.promise;
    await before;
    try {
      return await step();
    } finally {
      own.resolve();
    }
  }

  #acquire(): Acquired {
    if (this.#tenure === undefined) {
      const result = this.#ports.lock.acquire();
      if (result.kind === 'held') return result;
      const board = emptyBoard(this.#rules);
      board.permission = this.#permission;
      this.#tenure = { lock: result.lock, board };
    }
    return { kind: 'acquired', tenure: this.#tenure };
  }

  #activate(request: RunRequest, board: BoardModel): SubmitResult {
    const { store, ids, clock } = this.#ports;
    const unfinished = store.unfinishedRuns().map(({ manifest }) => manifest);
    const place = placeRequest(request, unfinished, new Set(board.runs.keys()));
    if (place.kind === 'busy') return place;
    if (place.kind === 'join') {
      if (!board.runs.has(place.run)) this.#resume(place.run, request, board);
      return { kind: 'joined', run: place.run };
    }
    const now = clock.now();
    const manifest = manifestOf(request, ids.runId(now), now);
    store.submit(manifest, place.supersedes);
    board.apply({ kind: 'runSubmitted', at: now, manifest });
    return { kind: 'started', run: manifest.id };
  }

  #resume(run: RunId, { policy }: RunRequest, board: BoardModel): void {
    const { store, clock } = this.#ports;
    store.resume(run, policy, clock.now());
    const resumed = store.unfinishedRuns().find(({ manifest }) => manifest.id === run);
    if (resumed !== undefined) board.addRun(resumed, clock.now());
  }

  /** Decide, commit, apply, act, until there is nothing left to decide. */
  #turn(): void {
    const { store, clock, listener } = this.#ports;
    const board = this.#tenure?.board;
    if (board === undefined || this.#hasFaulted) return;
    this.#guard(() => {
      for (;;) {
        const now = clock.now();
        const decisions = decide(board, now);
        if (decisions.length === 0) break;
        const committed = store.commit(decisions.map(withoutLease), now);
        // What a store does not keep is never decided here: no worker comes, no load is measured.
        assert(committed.length > 0, 'a turn that decides something also commits something');
        for (const decision of committed) applyCommitted(board, decision, now);
        for (const decision of committed) this.#act(decision, board);
      }
      this.#releaseWhenIdle();
      listener.changed();
    });
  }

  /** What is not about a command is done with when it is committed. */
  #act(decision: CommittedDecision, board: BoardModel): void {
    if (decision.kind === 'claim') this.#start(decision, board);
    // The command sees to its own end: it is killed when it takes too long.
    if (decision.kind === 'stop' && decision.signal === 'terminate')
      this.#commands.get(keyOf(decision))?.stop();
  }

  #start(claim: Claim, board: BoardModel): void {
    const entry = board.find(claim.run, claim.task);
    assert(entry !== undefined, 'a claimed task is in its run');
    const { definition } = entry;
    const { root } = entry.run.manifest;
    const { run, attempt, term } = claim;
    const command = this.#ports.runner.start({ root, definition, run, attempt, term });
    this.#commands.set(keyOf(claim), command);
    if (command.process !== undefined) {
      const at = this.#ports.clock.now();
      this.#record(claim, { kind: 'taskStarted', term, at, process: command.process });
    }
    void this.#settleWhenEnded(claim, command);
  }

  async #settleWhenEnded(claim: Claim, command: RunningCommand): Promise<void> {
    const end = await command.ended;
    this.#commands.delete(keyOf(claim));
    this.#guard(() => this.#record(claim, this.#settlement(claim, end)));
    this.#turn();
    this.#releaseAfterFault();
  }

  /** A result that the command reached is kept, even while it was being stopped. */
  #settlement({ run, term }: { run: RunId; term: number }, end: CommandEnd): TaskEvent {
    const at = this.#ports.clock.now();
    if (end.kind === 'succeeded') return { kind: 'taskCompleted', term, at };
    if (this.#permission === 'shutting-down')
      return { kind: 'taskReleased', term, at, reason: 'shutdown' };
    if (this.#tenure?.board.runs.get(run)?.isStopping === true)
      return { kind: 'taskCancelled', at };
    return { kind: 'taskFailed', term, at, failure: end.failure };
  }

  #record({ run, task }: { run: RunId; task: TaskId }, event: TaskEvent): void {
    const { kind } = this.#ports.store.record(run, task, event);
    assert(kind === 'moved', 'the holder of the lock is the only one to move its tasks');
    this.#tenure?.board.apply({ kind: 'taskMoved', run, task, event });
  }

  /** A failing store or a bug stops the loop and is said once; commands that run are left to end. */
  #guard(step: () => void): void {
    try {
      step();
    } catch (error) {
      this.#hasFaulted = true;
      this.#ports.listener.faulted(error);
      for (const resolve of this.#whenIdle.splice(0)) resolve();
      this.#releaseAfterFault();
    }
  }

  /** Once nothing runs any more, a later request may try again; it takes the claims back first. */
  #releaseAfterFault(): void {
    if (!this.#hasFaulted || this.#commands.size > 0) return;
    this.#hasFaulted = false;
    this.#release();
  }

  #releaseWhenIdle(): void {
    if (this.#tenure?.board.runs.size === 0) this.#release();
  }

  #release(): void {
    this.#tenure?.lock[Symbol.dispose]();
    this.#tenure = undefined;
    for (const resolve of this.#whenIdle.splice(0)) resolve();
  }
}

/** The time in which this process decides: it alone may change the board, so it remembers all of it. */
interface Tenure {
  readonly lock: Disposable;
  /** The runs that this process was asked for; interrupted runs of others stay as they are. */
  readonly board: BoardModel;
}

type Acquired =
  | { readonly kind: 'acquired'; readonly tenure: Tenure }
  | { readonly kind: 'held'; readonly holder: string };

type Claim = Extract<CommittedDecision, { kind: 'claim' }>;

function keyOf({ run, task }: { readonly run: RunId; readonly task: TaskId }): string {
  return `${run}/${task}`;
}
