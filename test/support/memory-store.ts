import type { RunId, TaskId } from '../../server/domain/ids.ts';
import type { Run, RunManifest, RunOutcome, RunPolicy } from '../../server/domain/run.ts';
import {
  NEW_TASK,
  type TaskEvent,
  type TaskState,
  transition,
  type Transition,
} from '../../server/domain/task.ts';
import type { Instant } from '../../server/domain/time.ts';
import type {
  CommittedDecision,
  LedgerEntry,
  LedgerEvent,
  Store,
  TaskRecord,
} from '../../server/engine/ports.ts';
import { type Decision, eventOf, type TaskDecision } from '../../server/scheduler/decision.ts';

interface MemoryRun {
  manifest: RunManifest;
  readonly states: Map<TaskId, TaskState>;
  outcome: RunOutcome | undefined;
  isInterrupted: boolean;
}

/** A store for tests of the engine. It passes the same contract as the one on disk. */
export class MemoryStore implements Store {
  readonly #runs: MemoryRun[] = [];
  readonly #ledger: LedgerEntry[] = [];
  #term = 0;

  unfinishedRuns(): readonly Run[] {
    return this.#runs
      .filter(({ outcome }) => outcome === undefined)
      .map(({ manifest, states }) => ({ manifest, states: new Map(states) }));
  }

  submit(manifest: RunManifest, supersedes: readonly RunId[]): void {
    for (const run of supersedes) this.#supersede(run, manifest.requestedAt);
    const states = new Map<TaskId, TaskState>(manifest.tasks.map(({ id }) => [id, NEW_TASK]));
    this.#runs.push({ manifest, states, outcome: undefined, isInterrupted: false });
    this.#append(manifest.id, manifest.requestedAt, { kind: 'runSubmitted' });
  }

  commit(decisions: readonly Decision[], now: Instant): readonly CommittedDecision[] {
    return decisions.flatMap((decision) => this.#commitOne(decision, now) ?? []);
  }

  record(run: RunId, task: TaskId, event: TaskEvent): Transition {
    const found = this.#find(run);
    const state = found?.states.get(task);
    if (found === undefined || state === undefined) return { kind: 'refused', why: 'out-of-order' };
    const result = transition(state, event);
    if (result.kind === 'refused') return result;
    found.states.set(task, result.state);
    this.#append(run, event.at, { kind: 'taskMoved', task, event });
    return result;
  }

  interrupt(run: RunId, now: Instant): void {
    const found = this.#find(run);
    if (found === undefined || found.outcome !== undefined || found.isInterrupted) return;
    found.isInterrupted = true;
    this.#append(run, now, { kind: 'runInterrupted' });
  }

  resume(run: RunId, policy: RunPolicy, now: Instant): void {
    const found = this.#find(run);
    if (found === undefined || !found.isInterrupted) return;
    found.isInterrupted = false;
    found.manifest = { ...found.manifest, policy };
    this.#append(run, now, { kind: 'runResumed' });
  }

  latestStates(root: string): readonly TaskRecord[] {
    const latest = new Map<string, TaskRecord>();
    for (const { manifest, states, outcome, isInterrupted } of this.#runs)
      if (manifest.root === root)
        for (const [task, state] of states)
          latest.set(`${manifest.plan}\n${task}`, {
            run: manifest.id,
            plan: manifest.plan,
            task,
            state,
            runStatus: runStatus(outcome, isInterrupted),
          });
    return [...latest.values()];
  }

  eventsAfter(sequence: number, limit: number): readonly LedgerEntry[] {
    return this.#ledger.filter((entry) => entry.sequence > sequence).slice(0, limit);
  }

  lastSequence(): number {
    return this.#ledger.length;
  }

  /** There is no other process. */
  watch(): Disposable {
    return { [Symbol.dispose]: () => {} };
  }

  close(): void {}

  #commitOne(decision: Decision, now: Instant): CommittedDecision | undefined {
    switch (decision.kind) {
      case 'finish':
        return this.#finish(decision.run, decision.outcome, now) ? decision : undefined;
      case 'change-load':
      case 'cycle':
        return undefined;
      default:
        return this.#commitOfTask(decision, now);
    }
  }

  #finish(run: RunId, outcome: RunOutcome, now: Instant): boolean {
    const found = this.#find(run);
    if (found === undefined || found.outcome !== undefined) return false;
    found.outcome = outcome;
    this.#append(run, now, { kind: 'runFinished', outcome });
    return true;
  }

  #commitOfTask(decision: TaskDecision, now: Instant): CommittedDecision | undefined {
    const { run, task } = decision;
    const state = this.#find(run)?.states.get(task);
    if (state === undefined) return undefined;
    const mintTerm = (): number => (this.#term += 1);
    const event = eventOf(decision, state, { now, mintTerm });
    if (event === undefined || this.record(run, task, event).kind === 'refused') return undefined;
    return decision.kind === 'claim' ? { ...decision, term: this.#term } : decision;
  }

  #supersede(run: RunId, now: Instant): void {
    for (const task of this.#find(run)?.states.keys() ?? [])
      this.record(run, task, { kind: 'taskCancelled', at: now });
    this.#finish(run, 'superseded', now);
  }

  #append(run: RunId, at: Instant, what: LedgerEvent): void {
    this.#ledger.push({ sequence: this.#ledger.length + 1, at, run, what });
  }

  #find(run: RunId): MemoryRun | undefined {
    return this.#runs.find(({ manifest }) => manifest.id === run);
  }
}

function runStatus(
  outcome: RunOutcome | undefined,
  isInterrupted: boolean,
): TaskRecord['runStatus'] {
  if (outcome !== undefined) return 'finished';
  return isInterrupted ? 'interrupted' : 'active';
}
