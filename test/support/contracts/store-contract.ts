import { expect, test } from 'vitest';
import type { TaskEvent } from '../../../server/domain/task.ts';
import { NEW_TASK, type TaskState, transition } from '../../../server/domain/task.ts';
import { instant } from '../../../server/domain/time.ts';
import type { Store } from '../../../server/engine/ports.ts';
import { aboutTry, claimOf, finishOf } from '../decisions.ts';
import { manifest, runId, taskId } from '../runs.ts';
import { stateContract } from './state-contract.ts';

const [a, b] = [taskId('a'), taskId('b')];
const process = { bootId: 'boot', pid: 42, startTime: '7' };
const at = instant(100);
const POLICY = { parallel: 3, failFast: true };

const NEVER_TRIED = { revision: 1, attempts: 0, failures: 0, losses: 0 };
const TRIED = { ...NEVER_TRIED, attempts: 1 };

function claim(store: Store, task = a, attempt = 1): number {
  const [claimed] = store.commit([claimOf({ task, attempt })], at);
  expect(claimed).toMatchObject({ kind: 'claim', task });
  return claimed?.kind === 'claim' ? claimed.term : 0;
}

function stateOf(store: Store, task = a): TaskState | undefined {
  return store.latestStates('/project').find((record) => record.task === task)?.state;
}

/** What the engine relies on, whatever keeps the state. */
export function storeContract(open: () => Store): void {
  submitContract(open);
  claimContract(open);
  settleContract(open);
  stateContract(open);
  runContract(open);
  ledgerContract(open);
}

function submitContract(open: () => Store): void {
  test('a submitted run is unfinished and all its tasks are pending', () => {
    const store = open();
    store.submit(manifest(1), []);
    const [run] = store.unfinishedRuns();
    expect(run?.manifest).toEqual(manifest(1));
    expect([...(run?.states ?? [])]).toEqual([
      [a, NEW_TASK],
      [b, NEW_TASK],
    ]);
  });

  test('a run that takes the place of another ends it, its open tasks cancelled', () => {
    const store = open();
    store.submit(manifest(1), []);
    store.submit(manifest(2, { tasks: [manifest(2).tasks[0]!] }), [runId(1)]);
    expect(store.unfinishedRuns().map((run) => run.manifest.id)).toEqual([runId(2)]);
    expect(stateOf(store, a)).toEqual(NEW_TASK);
    expect(stateOf(store, b)).toEqual({ kind: 'cancelled', tries: NEVER_TRIED, finishedAt: 2 });
  });
}

function claimContract(open: () => Store): void {
  test('each claim gets a higher term than every claim before it', () => {
    const store = open();
    store.submit(manifest(1), []);
    const first = claim(store, a);
    const second = claim(store, b);
    store.record(runId(1), a, { kind: 'taskReleased', term: first, at, reason: 'lost' });
    expect([first, second, claim(store, a, 2)]).toEqual([1, 2, 3]);
  });

  test('a task that is claimed is not claimed again, and no term is spent on trying', () => {
    const store = open();
    store.submit(manifest(1), []);
    claim(store, a);
    expect(store.commit([claimOf({ task: a })], at)).toEqual([]);
    expect(store.commit([claimOf({ task: a, attempt: 2 })], at)).toEqual([]);
    expect(claim(store, b)).toBe(2);
  });

  test('a decision that no longer fits is refused, the others of the turn stand', () => {
    const store = open();
    store.submit(manifest(1), []);
    claim(store, a);
    const cancel = { ...aboutTry({ task: b }), kind: 'cancel', why: 'failure' } as const;
    const committed = store.commit(
      [
        { ...aboutTry({ task: a }), kind: 'skip', because: b },
        cancel,
        claimOf({ task: a, run: runId(9) }),
      ],
      at,
    );
    expect(committed).toEqual([cancel]);
  });

  test('every attempt is counted', () => {
    const store = open();
    store.submit(manifest(1), []);
    const term = claim(store);
    store.record(runId(1), a, { kind: 'taskReleased', term, at, reason: 'shutdown' });
    expect(stateOf(store)).toEqual({ kind: 'pending', tries: TRIED, releasedFor: 'shutdown' });
    expect(store.commit([claimOf({ task: a, attempt: 2 })], at)).toMatchObject([
      { attempt: 2, term: 2 },
    ]);
  });
}

function settleContract(open: () => Store): void {
  const ends: readonly (readonly [string, (term: number) => TaskEvent, TaskState])[] = [
    [
      'completed',
      (term) => ({ kind: 'taskCompleted', term, at: instant(300) }),
      { kind: 'completed', tries: TRIED, startedAt: instant(200), finishedAt: instant(300) },
    ],
    [
      'failed',
      (term) => ({
        kind: 'taskFailed',
        term,
        at: instant(300),
        failure: { kind: 'exit', code: 3 },
      }),
      {
        kind: 'failed',
        tries: { ...TRIED, failures: 1 },
        startedAt: instant(200),
        finishedAt: instant(300),
        failure: { kind: 'exit', code: 3 },
      },
    ],
    [
      'cancelled',
      () => ({ kind: 'taskCancelled', at: instant(300) }),
      { kind: 'cancelled', tries: TRIED, finishedAt: instant(300) },
    ],
  ];
  for (const [name, event, state] of ends)
    test(`a running task that is ${name} is kept as it ended, and the first end wins`, () => {
      const store = open();
      store.submit(manifest(1), []);
      const term = claim(store);
      store.record(runId(1), a, { kind: 'taskStarted', term, at: instant(200), process });
      expect(stateOf(store)).toMatchObject({ kind: 'running', process, term });
      expect(store.record(runId(1), a, event(term))).toEqual({ kind: 'moved', state });
      expect(stateOf(store)).toEqual(state);
      const late: TaskEvent = { kind: 'taskCompleted', term, at: instant(400) };
      expect(store.record(runId(1), a, late)).toEqual({ kind: 'refused', why: 'final' });
      expect(stateOf(store)).toEqual(state);
    });

  test('whoever comes with an older term is refused', () => {
    const store = open();
    store.submit(manifest(1), []);
    const old = claim(store);
    store.record(runId(1), a, { kind: 'taskReleased', term: old, at, reason: 'lost' });
    claim(store, a, 2);
    const late = store.record(runId(1), a, { kind: 'taskCompleted', term: old, at });
    expect(late).toEqual({ kind: 'refused', why: 'stale' });
    expect(stateOf(store)?.kind).toBe('claimed');
  });
}

function runContract(open: () => Store): void {
  test('a finished run is not unfinished, and finishes once', () => {
    const store = open();
    store.submit(manifest(1), []);
    const finish = finishOf('completed');
    expect(store.commit([finish], at)).toEqual([finish]);
    expect(store.commit([finish], at)).toEqual([]);
    expect(store.unfinishedRuns()).toEqual([]);
  });

  for (const outcome of ['completed', 'failed', 'cancelled', 'deadlocked'] as const)
    test(`a run may end ${outcome}`, () => {
      const store = open();
      store.submit(manifest(1), []);
      store.commit([finishOf(outcome)], at);
      const what = { kind: 'runFinished', outcome };
      expect(store.eventsAfter(1, 1)).toMatchObject([{ what }]);
    });

  test('a run is active, interrupted, active again, finished', () => {
    const store = open();
    const status = (): unknown => store.latestStates('/project')[0]?.runStatus;
    store.submit(manifest(1), []);
    const seen = [status()];
    store.interrupt(runId(1), at);
    seen.push(status());
    store.resume(runId(1), POLICY, at);
    seen.push(status());
    store.commit([finishOf('failed')], at);
    store.interrupt(runId(1), at);
    seen.push(status());
    expect(seen).toEqual(['active', 'interrupted', 'active', 'finished']);
  });

  test('a run that is carried on follows what was asked for last', () => {
    const store = open();
    store.submit(manifest(1), []);
    store.interrupt(runId(1), at);
    store.resume(runId(1), POLICY, at);
    expect(store.unfinishedRuns()[0]?.manifest).toEqual({ ...manifest(1), policy: POLICY });
  });

  test('a task stands as in its newest run, per plan and folder', () => {
    const store = open();
    store.submit(manifest(1), []);
    claim(store, a);
    store.submit(manifest(2, { plan: 'other.interlock.yaml' }), []);
    store.submit(manifest(3, { root: '/elsewhere' }), []);
    const records = store.latestStates('/project');
    const shown = records.map(({ plan, task, state }) => `${plan} ${task} ${state.kind}`);
    expect(shown.toSorted((x, y) => x.localeCompare(y))).toEqual([
      'interlock.yaml a claimed',
      'interlock.yaml b pending',
      'other.interlock.yaml a pending',
      'other.interlock.yaml b pending',
    ]);
  });
}

function ledgerContract(open: () => Store): void {
  test('the ledger has no gaps, and its events lead to the very states that are kept', () => {
    const store = open();
    store.submit(manifest(1), []);
    const term = claim(store, a);
    store.record(runId(1), a, { kind: 'taskStarted', term, at, process });
    store.record(runId(1), a, { kind: 'taskCompleted', term, at });
    store.commit([{ ...aboutTry({ task: b }), kind: 'skip', because: a }], at);
    const entries = store.eventsAfter(0, 100);
    expect(entries.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5]);
    expect(store.lastSequence()).toBe(5);
    const states = new Map<string, TaskState>();
    for (const { what } of entries) {
      if (what.kind !== 'taskMoved') continue;
      const moved = transition(states.get(what.task) ?? NEW_TASK, what.event);
      if (moved.kind === 'moved') states.set(what.task, moved.state);
    }
    expect(states.get(a)).toEqual(stateOf(store, a));
    expect(states.get(b)).toEqual(stateOf(store, b));
  });

  test('the ledger is read from any place, in pages', () => {
    const store = open();
    store.submit(manifest(1), []);
    claim(store, a);
    claim(store, b);
    expect(store.eventsAfter(1, 1).map(({ sequence }) => sequence)).toEqual([2]);
    expect(store.eventsAfter(3, 10)).toEqual([]);
  });

  test('what is refused leaves no trace', () => {
    const store = open();
    store.submit(manifest(1), []);
    const before = store.lastSequence();
    store.record(runId(1), a, { kind: 'taskCompleted', term: 1, at });
    store.record(runId(9), a, { kind: 'taskCancelled', at });
    store.resume(runId(1), POLICY, at);
    expect(store.lastSequence()).toBe(before);
  });
}
