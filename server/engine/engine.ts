import { assert, unreachable } from '../domain/assert.ts';
import type { RunId, TaskId } from '../domain/ids.ts';
import type { PathRules } from '../domain/overlap.ts';
import { isHeld, type TaskEvent, type TaskState } from '../domain/task.ts';
import { decide } from '../scheduler/decide.ts';
import { planRun, type Permission, type RunPlan, type Snapshot } from '../scheduler/snapshot.ts';
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
 * The loop: read a snapshot, decide, commit, act. It holds the board's lock while a run of its own
 * is unfinished, so that one process at a time decides.
 *
 * Invariant: a command starts only after its claim is committed, so a crash leaves a record of
 * every command that may have run.
 */
export class Engine {
  readonly #ports: Ports;
  readonly #rules: PathRules;
  readonly #commands = new Map<string, RunningCommand>();
  readonly #plans = new Map<RunId, RunPlan>();
  readonly #stopping = new Set<RunId>();
  /** Runs that this process was asked for; interrupted runs of others stay as they are. */
  readonly #active = new Set<RunId>();
  readonly #whenIdle: (() => void)[] = [];
  #permission: Permission;
  #lock: Disposable | undefined;
  #hasFaulted = false;
  #lastStep: Promise<void> = Promise.resolve();

  constructor(ports: Ports, options: { readonly rules: PathRules; readonly isTrusted: boolean }) {
    this.#ports = ports;
    this.#rules = options.rules;
    this.#permission = options.isTrusted ? 'granted' : 'untrusted';
  }

  /** Whether this process decides for the board now. */
  get isRunning(): boolean {
    return this.#lock !== undefined;
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
      const acquired = this.#ports.lock.acquire();
      if (acquired.kind === 'held') return;
      this.#lock = acquired.lock;
      try {
        await this.#takeBackClaims();
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
    for (const run of this.#active) this.#stopping.add(run);
    for (const command of this.#commands.values()) command.stop();
    this.#turn();
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
    const commands = [...this.#commands.values()];
    for (const command of commands) command.stop();
    await Promise.all(commands.map(({ ended }) => ended));
    await this.#inTurn(async () => {
      this.#guard(() => {
        for (const run of this.#active) this.#ports.store.interrupt(run, this.#ports.clock.now());
      });
      this.#release();
    });
  }

  async #submit(request: RunRequest): Promise<SubmitResult> {
    if (this.#permission === 'untrusted') return { kind: 'untrusted' };
    if (this.#permission === 'shutting-down' || this.#hasFaulted) return { kind: 'busy' };
    if (!this.isRunning) {
      const acquired = this.#ports.lock.acquire();
      if (acquired.kind === 'held') return acquired;
      this.#lock = acquired.lock;
    }
    try {
      if (this.#active.size === 0) await this.#takeBackClaims();
      const result = this.#activate(request);
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

  async #takeBackClaims(): Promise<void> {
    const { store, clock, listener } = this.#ports;
    const runs = store.unfinishedRuns().filter(({ manifest }) => !this.#active.has(manifest.id));
    await Promise.all(
      runs.flatMap(({ manifest, states }) =>
        [...states].map(async ([task, state]) => this.#takeBack({ run: manifest.id, task }, state)),
      ),
    );
    for (const { manifest } of runs) store.interrupt(manifest.id, clock.now());
    listener.changed();
  }

  async #takeBack({ run, task }: { run: RunId; task: TaskId }, state: TaskState): Promise<void> {
    if (!isHeld(state)) return;
    const { store, runner, clock } = this.#ports;
    const { term } = state;
    const process = state.kind === 'running' ? state.process : undefined;
    await runner.stopLeftover({ run, term, process });
    store.record(run, task, { kind: 'taskReleased', term, at: clock.now(), reason: 'lost' });
  }

  #activate(request: RunRequest): SubmitResult {
    const { store, ids, clock } = this.#ports;
    const unfinished = store.unfinishedRuns().map(({ manifest }) => manifest);
    const place = placeRequest(request, unfinished, this.#active);
    if (place.kind === 'busy') return place;
    const now = clock.now();
    if (place.kind === 'join') {
      if (!this.#active.has(place.run)) store.resume(place.run, request.policy, now);
      this.#active.add(place.run);
      return { kind: 'joined', run: place.run };
    }
    const manifest = manifestOf(request, ids.runId(now), now);
    store.submit(manifest, place.supersedes);
    this.#active.add(manifest.id);
    return { kind: 'started', run: manifest.id };
  }

  /** Snapshot, decide, commit, act, until there is nothing left to decide. */
  #turn(): void {
    const { store, clock, listener } = this.#ports;
    if (!this.isRunning || this.#hasFaulted) return;
    this.#guard(() => {
      for (;;) {
        const decisions = decide(this.snapshot());
        if (decisions.length === 0) break;
        const committed = store.commit(decisions, clock.now());
        assert(committed.length > 0, 'a turn that decides something also commits something');
        for (const decision of committed) this.#act(decision);
      }
      this.#releaseWhenIdle();
      listener.changed();
    });
  }

  /** What the next decision rests on. Runs that nobody carries on have no part in it. */
  snapshot(): Snapshot {
    const runs = this.#ports.store.unfinishedRuns().flatMap(({ manifest, states }) => {
      if (this.isRunning && !this.#active.has(manifest.id)) return [];
      const plan = this.#plans.get(manifest.id) ?? planRun(manifest);
      this.#plans.set(manifest.id, plan);
      return [{ plan, states }];
    });
    // Whether this process may start anything does not keep back what another one runs.
    const permission = this.isRunning ? this.#permission : 'granted';
    return { permission, runs, stopping: this.#stopping, rules: this.#rules };
  }

  #act(decision: CommittedDecision): void {
    switch (decision.kind) {
      case 'claim':
        this.#start(decision);
        break;
      case 'finish':
        this.#active.delete(decision.run);
        this.#stopping.delete(decision.run);
        this.#plans.delete(decision.run);
        break;
      case 'skip':
      case 'cancel':
        break;
      default:
        unreachable(decision);
    }
  }

  #start(claim: Claim): void {
    const plan = this.#plans.get(claim.run);
    const definition = plan?.tasks.get(claim.task)?.definition;
    assert(plan !== undefined && definition !== undefined, 'a claimed task is in its run');
    const { root } = plan.manifest;
    const { run, attempt, term } = claim;
    const command = this.#ports.runner.start({ root, definition, run, attempt, term });
    this.#commands.set(`${run}/${claim.task}`, command);
    if (command.process !== undefined) {
      const at = this.#ports.clock.now();
      this.#record(claim, { kind: 'taskStarted', term, at, process: command.process });
    }
    void this.#settleWhenEnded(claim, command);
  }

  async #settleWhenEnded(claim: Claim, command: RunningCommand): Promise<void> {
    const end = await command.ended;
    this.#commands.delete(`${claim.run}/${claim.task}`);
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
    if (this.#stopping.has(run)) return { kind: 'taskCancelled', at };
    return { kind: 'taskFailed', term, at, failure: end.failure };
  }

  #record({ run, task }: { run: RunId; task: TaskId }, event: TaskEvent): void {
    const { kind } = this.#ports.store.record(run, task, event);
    assert(kind === 'moved', 'the holder of the lock is the only one to move its tasks');
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
    if (this.#active.size === 0) this.#release();
  }

  #release(): void {
    this.#lock?.[Symbol.dispose]();
    this.#lock = undefined;
    this.#active.clear();
    for (const resolve of this.#whenIdle.splice(0)) resolve();
  }
}

type Claim = Extract<CommittedDecision, { kind: 'claim' }>;
