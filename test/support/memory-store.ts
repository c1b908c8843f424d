import { assert } from '../../server/domain/assert.ts';
import type { RunId, TaskId } from '../../server/domain/ids.ts';
import { type RunManifest, type RunOutcome, withoutDuplicates } from '../../server/domain/run.ts';
import { holderOf, NEW_TASK, type TaskState, transition } from '../../server/domain/task.ts';
import { type Instant, isOver } from '../../server/domain/time.ts';
import type { Clock } from '../../server/engine/ports.ts';
import type {
  ClaimOutcome,
  ClaimWrite,
  CommittedDecision,
  Grant,
  HolderOutcome,
  HolderWrite,
  LedgerEntry,
  RecordOutcome,
  ResolveOutcome,
  RunRecord,
  RunStatus,
  Snapshot,
  Store,
  TaskRecord,
} from '../../server/engine/store-port.ts';
import { StoreError } from '../../server/engine/store-error.ts';
import {
  boardEventOf,
  type ClaimDecision,
  type Decision,
  keyOf,
} from '../../server/scheduler/decision.ts';
import type { BoardEvent } from '../../server/scheduler/model/board-event.ts';
import type { Observation } from '../../server/scheduler/model/observed.ts';
import { revised } from '../../server/store/revision.ts';
import { observationsIn, runOf } from './memory-ledger.ts';

interface MemoryRun {
  readonly manifest: RunManifest;
  readonly states: Map<TaskId, TaskState>;
  readonly earlier: ReadonlyMap<TaskId, number>;
  readonly outcome?: RunOutcome;
  readonly finishedAt?: Instant;
  readonly isInterrupted: boolean;
}

/** What outlives whoever writes it. Two stores of one disk are two processes on one board. */
export class MemoryDisk {
  /** In the order in which they came. */
  readonly runs = new Map<RunId, MemoryRun>();
  readonly prunedRuns = new Set<RunId>();
  readonly entries: LedgerEntry[] = [];
  readonly keys = new Map<string, number>();
  readonly operations = new Map<string, { readonly grant?: Grant }>();
  base: { readonly revision: number; readonly facts: unknown } = { revision: 0, facts: undefined };
  sequence = 0;
  term = 0;
  tenure = 0;
}

const RUNS_KEPT = 200;

/** A store for tests of the engine. It passes the same contract as the one on disk. */
export class MemoryStore implements Store {
  readonly #clock: Clock;
  readonly #disk: MemoryDisk;
  /** How to take back what this transaction has done, the last thing first. */
  readonly #undo: (() => void)[] = [];
  #tenure: number | undefined;
  #depth = 0;
  #failure: { readonly error: unknown } | undefined;

  constructor(clock: Clock, disk = new MemoryDisk()) {
    this.#clock = clock;
    this.#disk = disk;
  }

  snapshot(): Snapshot {
    const { sequence: revision, tenure, term, base } = this.#disk;
    const entries = this.events(base.revision, Infinity);
    return { revision, nowAt: this.#clock.now(), tenure, term, base: base.facts, entries };
  }

  beginTenure(): number {
    this.#disk.tenure += 1;
    this.#tenure = this.#disk.tenure;
    return this.#tenure;
  }

  together<T>(write: () => T): T {
    if (this.#tenure !== this.#disk.tenure) throw new StoreError('deposed', 'Another one writes.');
    this.#depth += 1;
    try {
      const result = write();
      if (this.#depth === 1 && this.#failure !== undefined) throw this.#failure.error;
      return result;
    } catch (error) {
      this.#failure ??= { error };
      if (this.#depth === 1) this.#takeBack(0);
      throw error;
    } finally {
      this.#depth -= 1;
      if (this.#depth === 0) {
        this.#undo.length = 0;
        this.#failure = undefined;
      }
    }
  }

  commit(turn: number, decisions: readonly Decision[]): readonly CommittedDecision[] {
    return this.together(() =>
      decisions.flatMap((decision) => {
        const entry = this.#decide(decision, turn);
        return entry === undefined ? [] : [{ decision, entry }];
      }),
    );
  }

  claim({ operation, decision }: ClaimWrite): ClaimOutcome {
    return this.together((): ClaimOutcome => {
      const before = this.#disk.operations.get(operation);
      if (before !== undefined)
        return before.grant === undefined
          ? { kind: 'refused' }
          : { kind: 'repeated', grant: before.grant };
      const entry = this.#decide(decision);
      if (entry === undefined) return { kind: 'refused' };
      const grant = grantOf(entry.event);
      this.#remember(operation, { grant });
      return { kind: 'granted', grant, entry };
    });
  }

  renew(write: HolderWrite): HolderOutcome {
    return this.settle(write);
  }

  settle(write: HolderWrite & { readonly operation?: string }): HolderOutcome {
    const { run, task, term, events, operation } = write;
    return this.together((): HolderOutcome => {
      if (operation !== undefined && this.#disk.operations.has(operation))
        return { kind: 'repeated' };
      for (const event of events) {
        if (event.kind !== 'taskMoved') continue;
        const isOwn = event.run === run && event.task === task;
        const isOfTerm = !('term' in event.event) || event.event.term === term;
        assert(isOwn && isOfTerm, 'a holder speaks of its own claim');
      }
      const state = this.#openTask(run, task);
      const holder = state === undefined ? undefined : holderOf(state);
      if (holder?.term !== term) return { kind: 'stale', currentTerm: holder?.term };
      if (isOver(holder.expiresAt, this.#clock.now()))
        return { kind: 'stale', currentTerm: undefined };
      const entries = this.#appendAll(events);
      if (entries === undefined) return { kind: 'stale', currentTerm: term };
      this.#remember(operation, {});
      return { kind: 'accepted', entries };
    });
  }

  record(events: readonly BoardEvent[], operation?: string, grant?: Grant): RecordOutcome {
    return this.together((): RecordOutcome => {
      if (operation !== undefined && this.#disk.operations.has(operation))
        return { kind: 'repeated' };
      const entries = this.#appendAll(events);
      if (entries === undefined) return { kind: 'refused' };
      this.#remember(operation, grant === undefined ? {} : { grant });
      return { kind: 'recorded', entries };
    });
  }

  isLatest(): boolean {
    return this.#tenure === this.#disk.tenure;
  }

  resolve(operation: string): ResolveOutcome {
    const result = this.#disk.operations.get(operation);
    return result === undefined ? { kind: 'never-applied' } : { kind: 'applied', ...result };
  }

  rebase(facts: unknown): readonly RunId[] {
    return this.together(() => {
      const { runs, prunedRuns, entries, keys, base, sequence: revision } = this.#disk;
      const finished = [...runs].filter(([, { outcome }]) => outcome !== undefined);
      const pruned = finished.map(([id]) => id).slice(0, Math.max(0, finished.length - RUNS_KEPT));
      const [oldEntries, oldRuns, oldKeys] = [[...entries], new Map(runs), new Map(keys)];
      this.#undo.push(() => {
        this.#disk.base = base;
        entries.splice(0, entries.length, ...oldEntries);
        for (const id of pruned) prunedRuns.delete(id);
        refill(runs, oldRuns);
        refill(keys, oldKeys);
      });
      this.#disk.base = { revision, facts: JSON.parse(JSON.stringify(facts)) };
      for (const id of pruned) {
        runs.delete(id);
        prunedRuns.add(id);
      }
      const kept = entries.filter(({ event }) => this.#isWorthKeeping(event));
      entries.splice(0, entries.length, ...kept);
      const sequences = new Set(kept.map(({ sequence }) => sequence));
      for (const [key, sequence] of oldKeys) if (!sequences.has(sequence)) keys.delete(key);
      return pruned.toReversed();
    });
  }

  events(after: number, limit: number, length = Infinity): readonly LedgerEntry[] {
    const first = this.#disk.entries.findLastIndex(({ sequence }) => sequence <= after) + 1;
    const entries = this.#disk.entries.slice(first, first + limit);
    let read = 0;
    const last = entries.findIndex((entry) => (read += JSON.stringify(entry).length) > length);
    return last < 0 ? entries : entries.slice(0, last + 1);
  }

  eventsOfRun(run: RunId, after: number, limit: number): readonly LedgerEntry[] {
    return this.#disk.entries
      .filter(({ sequence, event }) => sequence > after && runOf(event) === run)
      .slice(0, limit);
  }

  observationsOf(run: RunId): readonly Observation[] {
    return observationsIn(this.#disk.entries, run);
  }

  lastSequence(): number {
    return this.#disk.sequence;
  }

  runs(limit: number): readonly RunRecord[] {
    return [...this.#disk.runs.values()]
      .toReversed()
      .slice(0, limit)
      .map((run) => {
        const { manifest, outcome, finishedAt } = run;
        return { manifest, status: statusOf(run), outcome, finishedAt };
      });
  }

  statesOf(run: RunId): ReadonlyMap<TaskId, TaskState> {
    return new Map(this.#disk.runs.get(run)?.states);
  }

  latestStates(root: string): readonly TaskRecord[] {
    const latest = new Map<string, TaskRecord>();
    for (const run of this.#disk.runs.values()) {
      const { id, plan } = run.manifest;
      if (run.manifest.root !== root) continue;
      for (const [task, state] of run.states)
        latest.set(`${plan}\n${task}`, { run: id, plan, task, state, runStatus: statusOf(run) });
    }
    return [...latest.values()];
  }

  /** There is no other process. */
  watch(): Disposable {
    return { [Symbol.dispose]: () => {} };
  }

  close(): void {}

  #decide(decision: Decision, turn?: number): LedgerEntry | undefined {
    const key = keyOf(decision);
    const now = this.#clock.now();
    if (this.#disk.keys.has(key)) return undefined;
    if (decision.kind === 'claim' && isOver(decision.expiresAt, now)) return undefined;
    const state = 'task' in decision ? this.#openTask(decision.run, decision.task) : undefined;
    // A term that was minted is used up, whatever becomes of it.
    const mintTerm = (): number => (this.#disk.term += 1);
    const event = boardEventOf(decision, state, { now, mintTerm });
    if (event === undefined) return undefined;
    return this.#append(event, { key, ...(turn !== undefined && { decided: { turn, decision } }) });
  }

  /** All of them or none. */
  #appendAll(events: readonly BoardEvent[]): readonly LedgerEntry[] | undefined {
    const before = this.#undo.length;
    const entries: LedgerEntry[] = [];
    for (const event of events) {
      const entry = this.#append(event, {});
      if (entry === undefined) {
        this.#takeBack(before);
        return undefined;
      }
      entries.push(entry);
    }
    return entries;
  }

  #append(
    event: BoardEvent,
    { key, decided }: { readonly key?: string } & Pick<LedgerEntry, 'decided'>,
  ): LedgerEntry | undefined {
    if (!this.#follow(event)) return undefined;
    const sequence = this.#disk.sequence + 1;
    const entry = { sequence, event, ...(decided !== undefined && { decided }) };
    this.#disk.sequence = sequence;
    this.#disk.entries.push(entry);
    if (key !== undefined) this.#disk.keys.set(key, sequence);
    this.#undo.push(() => {
      this.#disk.sequence -= 1;
      this.#disk.entries.pop();
      if (key !== undefined) this.#disk.keys.delete(key);
    });
    return entry;
  }

  #follow(event: BoardEvent): boolean {
    switch (event.kind) {
      case 'runSubmitted':
        return this.#submit(event.manifest);
      case 'taskMoved': {
        const state = this.#openTask(event.run, event.task);
        if (state === undefined) return false;
        const result = transition(state, event.event);
        if (result.kind === 'refused') return false;
        this.#setState(event, result.state, state);
        return true;
      }
      case 'runRevised':
        return this.#change(event.run, (run) => {
          const after = revised(run, event);
          return { ...after, states: new Map(after.states) };
        });
      case 'runStopAsked':
        return this.#change(event.run, () => ({}));
      case 'runInterrupted':
      case 'runResumed':
        return this.#change(event.run, () => ({ isInterrupted: event.kind === 'runInterrupted' }));
      case 'runFinished': {
        const states = [...this.statesOf(event.run).values()];
        if (states.some((state) => holderOf(state) !== undefined)) return false;
        const { outcome, at: finishedAt } = event;
        return this.#change(event.run, () => ({ outcome, finishedAt }));
      }
      default:
        return true;
    }
  }

  #submit(manifest: RunManifest): boolean {
    const { runs, prunedRuns } = this.#disk;
    if (runs.has(manifest.id) || prunedRuns.has(manifest.id)) return false;
    const { tasks } = withoutDuplicates(manifest);
    const states = new Map<TaskId, TaskState>(tasks.map(({ id }) => [id, NEW_TASK]));
    runs.set(manifest.id, { manifest, states, earlier: new Map(), isInterrupted: false });
    this.#undo.push(() => runs.delete(manifest.id));
    return true;
  }

  #change(id: RunId, change: (run: MemoryRun) => Partial<MemoryRun>): boolean {
    const { runs } = this.#disk;
    const run = runs.get(id);
    if (run === undefined || run.outcome !== undefined) return false;
    runs.set(id, { ...run, ...change(run) });
    this.#undo.push(() => runs.set(id, run));
    return true;
  }

  #setState(
    { run, task }: Pick<ClaimDecision, 'run' | 'task'>,
    state: TaskState,
    before: TaskState,
  ): void {
    const states = this.#disk.runs.get(run)?.states;
    states?.set(task, state);
    this.#undo.push(() => states?.set(task, before));
  }

  #openTask(run: RunId, task: TaskId): TaskState | undefined {
    const found = this.#disk.runs.get(run);
    return found?.outcome === undefined ? found?.states.get(task) : undefined;
  }

  #isWorthKeeping(event: BoardEvent): boolean {
    const run = runOf(event);
    if (run === undefined || !this.#disk.runs.has(run)) return false;
    return event.kind !== 'taskMoved' || event.event.kind !== 'leaseRenewed';
  }

  #remember(operation: string | undefined, result: { readonly grant?: Grant }): void {
    if (operation === undefined) return;
    const { operations } = this.#disk;
    operations.set(operation, result);
    this.#undo.push(() => operations.delete(operation));
  }

  #takeBack(from: number): void {
    for (const undo of this.#undo.splice(from).toReversed()) undo();
  }
}

function refill<Key, Value>(map: Map<Key, Value>, from: ReadonlyMap<Key, Value>): void {
  map.clear();
  for (const [key, value] of from) map.set(key, value);
}

function grantOf(event: BoardEvent): Grant {
  assert(event.kind === 'taskMoved' && event.event.kind === 'taskClaimed', 'a claim claims');
  const { run, task } = event;
  const { term, at, expiresAt } = event.event;
  return { run, task, term, ...(expiresAt !== undefined && { leaseMs: expiresAt - at }) };
}

function statusOf({ outcome, isInterrupted }: MemoryRun): RunStatus {
  if (outcome !== undefined) return 'finished';
  return isInterrupted ? 'interrupted' : 'active';
}
