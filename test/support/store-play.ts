import * as fc from 'fast-check';
import { unreachable } from '../../server/domain/assert.ts';
import type { RunId, TaskId } from '../../server/domain/ids.ts';
import { holderOf, NEW_TASK, type TaskEvent, type TaskState } from '../../server/domain/task.ts';
import { type Instant, instant } from '../../server/domain/time.ts';
import type { Store } from '../../server/engine/store-port.ts';
import { StoreError } from '../../server/engine/store-error.ts';
import type { Decision } from '../../server/scheduler/decision.ts';
import type { BoardEvent } from '../../server/scheduler/model/board-event.ts';
import { claimOf, finishOf } from './decisions.ts';
import { definition, manifest, runId, taskId } from './runs.ts';

/** One of few runs and few tasks: most of what is asked is about the same. */
interface Which {
  readonly run: number;
  readonly task: number;
}

export type Step =
  | { readonly kind: 'tenure' | 'reopen'; readonly store: 0 | 1 }
  | { readonly kind: 'sleep'; readonly ms: number }
  | { readonly kind: 'rebase' }
  | { readonly kind: 'submit'; readonly run: number; readonly tasks: number }
  | { readonly kind: 'revise'; readonly run: number; readonly tasks: readonly number[] }
  | { readonly kind: 'decide'; readonly decisions: readonly DecisionStep[] }
  | ({ readonly kind: 'claim'; readonly operation: number; readonly leaseMs: number } & Which)
  | ({
      readonly kind: 'renew' | 'settle';
      readonly says: readonly Said[];
      readonly termsAgo: number;
      readonly operation: number | undefined;
    } & Which)
  | ({
      readonly kind: 'record';
      readonly events: readonly RecordedKind[];
      readonly operation: number | undefined;
    } & Which)
  | { readonly kind: 'together' | 'rolled-back'; readonly steps: readonly Step[] };

type DecisionStep = {
  readonly kind: (typeof DECISIONS)[number];
  /** Other than 0: it is about a try that has not come, or has gone by. */
  readonly off: number;
} & Which;

const DECISIONS = [
  'claim',
  'claim',
  'claim',
  'lease',
  'lease',
  'skip',
  'revive',
  'cancel',
  'stop',
  'flag',
  'wake',
  'finish',
] as const;
const SAID = [
  'started',
  'renewed',
  'completed',
  'failed',
  'retried',
  'released',
  'lost',
  'stuck',
] as const;
const RECORDED = ['cancel', 'retry', 'stop-run', 'interrupt', 'resume', 'pause', 'own'] as const;
type Said = (typeof SAID)[number];
type RecordedKind = (typeof RECORDED)[number];

const which = { run: fc.integer({ min: 1, max: 3 }), task: fc.integer({ min: 0, max: 2 }) };
const operation = fc.integer({ min: 0, max: 5 });
const maybeOperation = fc.option(operation, { nil: undefined });
const decisionStep = fc.record({
  kind: fc.constantFrom(...DECISIONS),
  off: fc.constantFrom(0, 0, 0, 0, 1, -1),
  ...which,
});

const rebase = fc.record({ kind: fc.constant('rebase' as const) });
const writing: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('submit' as const),
      run: which.run,
      tasks: fc.integer({ min: 1, max: 3 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('revise' as const),
      run: which.run,
      tasks: fc.uniqueArray(which.task, { maxLength: 3 }),
    }),
  },
  {
    weight: 10,
    arbitrary: fc.record({
      kind: fc.constant('decide' as const),
      decisions: fc.array(decisionStep, { minLength: 1, maxLength: 6, size: 'max' }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('claim' as const),
      operation,
      leaseMs: fc.integer({ min: 0, max: 50 }),
      ...which,
    }),
  },
  {
    weight: 10,
    arbitrary: fc.record({
      kind: fc.constantFrom('renew' as const, 'settle' as const),
      says: fc.array(fc.constantFrom(...SAID), { maxLength: 2 }),
      termsAgo: fc.constantFrom(0, 0, 0, 1),
      operation: maybeOperation,
      ...which,
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('record' as const),
      events: fc.array(fc.constantFrom(...RECORDED), { maxLength: 3 }),
      operation: maybeOperation,
      ...which,
    }),
  },
);

const process = fc.record({
  kind: fc.constantFrom('tenure' as const, 'reopen' as const),
  store: fc.constantFrom(0 as const, 1 as const),
});
const sleep = fc.record({
  kind: fc.constant('sleep' as const),
  ms: fc.integer({ min: 0, max: 40 }),
});
const together = fc.record({
  kind: fc.constant('together' as const),
  steps: fc.array(writing, { maxLength: 5 }),
});
const rolledBack = fc.record({
  kind: fc.constant('rolled-back' as const),
  steps: fc.array(fc.oneof({ weight: 6, arbitrary: writing }, rebase), { maxLength: 5 }),
});

/** What people, workers and the scheduler may do to a board, and what may happen to the machine. */
export const steps = fc.array(
  fc.oneof(
    { weight: 20, arbitrary: writing },
    { weight: 2, arbitrary: rebase },
    { weight: 2, arbitrary: together },
    { weight: 2, arbitrary: rolledBack },
    { weight: 2, arbitrary: sleep },
    { weight: 2, arbitrary: process },
  ),
  { minLength: 10, maxLength: 40, size: 'max' },
);

/** What came of a write, an error included. */
export function outcomeOf(store: Store, step: Step, now: Instant): unknown {
  try {
    return written(store, step, now);
  } catch (error) {
    if (error instanceof StoreError) return { error: error.reason };
    if (error instanceof Undone) return { undone: error.outcomes };
    throw error;
  }
}

class Undone extends Error {
  readonly outcomes: readonly unknown[];

  constructor(outcomes: readonly unknown[]) {
    super('undone');
    this.outcomes = outcomes;
  }
}

function written(store: Store, step: Step, now: Instant): unknown {
  switch (step.kind) {
    case 'tenure':
      store.beginTenure();
      return undefined;
    case 'rebase':
      return store.rebase({ facts: store.lastSequence() });
    case 'submit': {
      const tasks = Array.from({ length: step.tasks }, (_, task) => definition(nameOf(task)));
      return store.record([
        { kind: 'runSubmitted', at: now, manifest: manifest(step.run, { tasks }) },
      ]);
    }
    case 'revise': {
      const tasks = step.tasks.map((task) => definition(nameOf(task), { title: `${now}` }));
      return store.record([{ kind: 'runRevised', at: now, run: runId(step.run), tasks }]);
    }
    case 'decide':
      return store.commit(
        1,
        step.decisions.map((decision) => decisionOf(store, decision, now)),
      );
    case 'claim': {
      const expiresAt = instant(now + step.leaseMs);
      const decision = claimOf(tryOf(store, step, 1), { expiresAt });
      return store.claim({ operation: `operation ${step.operation}`, decision });
    }
    case 'renew':
    case 'settle':
      return said(store, step, now);
    case 'record': {
      const events = step.events.map((kind) => recordedEvent(kind, step, now));
      return store.record(events, operationOf(step));
    }
    case 'together':
      return store.together(() => step.steps.map((inner) => written(store, inner, now)));
    case 'rolled-back':
      return store.together(() => {
        throw new Undone(step.steps.map((inner) => written(store, inner, now)));
      });
    case 'reopen':
    case 'sleep':
      return undefined;
    default:
      return unreachable(step);
  }
}

type HolderStep = Extract<Step, { kind: 'renew' | 'settle' }>;

function said(store: Store, step: HolderStep, now: Instant): unknown {
  const { run, task } = heldBy(store, step);
  const state = store.statesOf(run).get(task) ?? NEW_TASK;
  const term = (holderOf(state)?.term ?? 0) - step.termsAgo;
  const events = step.says.map((kind): BoardEvent => {
    return { kind: 'taskMoved', run, task, event: saidEvent(kind, term, now) };
  });
  const write = { run, task, term, events };
  if (step.kind === 'renew') return store.renew(write);
  const id = operationOf(step);
  return store.settle(id === undefined ? write : { ...write, operation: id });
}

/** Somebody who holds a task, if anybody does: the others have little to say. */
function heldBy(store: Store, step: HolderStep): { run: RunId; task: TaskId } {
  const held = store
    .runs(9)
    .filter(({ outcome }) => outcome === undefined)
    .flatMap(({ manifest: { id: run } }) =>
      [...store.statesOf(run)].flatMap(([task, state]) =>
        holderOf(state) === undefined ? [] : [{ run, task }],
      ),
    );
  const named = { run: runId(step.run), task: taskId(nameOf(step.task)) };
  return held[(step.run + step.task) % held.length] ?? named;
}

function saidEvent(kind: Said, term: number, at: Instant): TaskEvent {
  switch (kind) {
    case 'started':
      return { kind: 'taskStarted', term, at };
    case 'renewed':
      return { kind: 'leaseRenewed', term, at, expiresAt: instant(at + 20) };
    case 'completed':
      return { kind: 'taskCompleted', term, at };
    case 'failed':
      return { kind: 'taskFailed', term, at, failure: { kind: 'exit', code: 3 } };
    case 'retried':
      return { ...saidFailure(term, at), retryAt: at };
    case 'released':
      return { kind: 'taskReleased', term, at, reason: 'released' };
    case 'lost':
      return { kind: 'taskLost', term, at, cause: 'killed', retryAt: at };
    case 'stuck':
      return { kind: 'taskStuck', term, at };
    default:
      return unreachable(kind);
  }
}

function saidFailure(term: number, at: Instant): Extract<TaskEvent, { kind: 'taskFailed' }> {
  return { kind: 'taskFailed', term, at, failure: { kind: 'signal', signal: 'SIGKILL' } };
}

function recordedEvent(kind: RecordedKind, of: Which, at: Instant): BoardEvent {
  const [run, task] = [runId(of.run), taskId(nameOf(of.task))];
  switch (kind) {
    case 'cancel':
      return { kind: 'taskMoved', run, task, event: { kind: 'taskCancelled', at } };
    case 'retry':
      return { kind: 'taskMoved', run, task, event: { kind: 'taskRetried', at } };
    case 'stop-run':
      return { kind: 'runStopAsked', at, run };
    case 'interrupt':
      return { kind: 'runInterrupted', at, run };
    case 'resume':
      return { kind: 'runResumed', at, run };
    case 'pause':
      return { kind: 'taskPaused', at, run, task };
    case 'own':
      return { kind: 'pathsFreed', at, id: 'x' };
    default:
      return unreachable(kind);
  }
}

function decisionOf(store: Store, step: DecisionStep, now: Instant): Decision {
  const at = tryOf(store, step, step.off);
  const term = holderOf(stateOf(store, step))?.term ?? 0;
  switch (step.kind) {
    case 'claim':
      return claimOf(tryOf(store, step, step.off + 1));
    case 'lease': {
      const expiresAt = instant(now + 20);
      return claimOf(tryOf(store, step, step.off + 1), { expiresAt });
    }
    case 'skip':
      return { ...at, kind: 'skip', because: taskId('a') };
    case 'revive':
      return { ...at, kind: 'revive' };
    case 'cancel':
      return { ...at, kind: 'cancel', why: 'failure' };
    case 'stop':
      return { ...at, kind: 'stop', term, why: 'cancelled', signal: 'terminate', dueAt: now };
    case 'flag':
      return { ...at, kind: 'flag-starved', cycles: 1, queuedMs: 1 };
    case 'wake':
      return { ...at, kind: 'wake', worker: claimOf(at).worker, cycle: step.task };
    case 'finish':
      return finishOf('failed', runId(step.run));
    default:
      return unreachable(step.kind);
  }
}

function tryOf(
  store: Store,
  of: Which,
  off: number,
): { run: RunId; task: TaskId; revision: number; attempt: number } {
  const { revision, attempts } = stateOf(store, of).tries;
  const [run, task] = [runId(of.run), taskId(nameOf(of.task))];
  return { run, task, revision, attempt: attempts + off };
}

function stateOf(store: Store, { run, task }: Which): TaskState {
  return store.statesOf(runId(run)).get(taskId(nameOf(task))) ?? NEW_TASK;
}

function operationOf(step: { readonly operation: number | undefined }): string | undefined {
  return step.operation === undefined ? undefined : `operation ${step.operation}`;
}

function nameOf(task: number): string {
  return 'abc'.charAt(task);
}
