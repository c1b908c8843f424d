import { expect, test } from 'vitest';
import { instant } from '../../../server/domain/time.ts';
import type { LedgerEntry } from '../../../server/engine/store-port.ts';
import { claimOf, finishOf } from '../decisions.ts';
import { definition, manifest, runId } from '../runs.ts';
import { workerId } from '../snapshots.ts';
import {
  a,
  b,
  type BoardOnTrial,
  claim,
  endedAt,
  folded,
  kept,
  moved,
  PROCESS,
  stood,
  submitted,
  withRun,
  writer,
} from './board-on-trial.ts';

const at = instant(100);
const RUNS_KEPT = 200;

/** What can be read of a board, and what is left of it in the end. */
export function historyContract(begin: () => BoardOnTrial): void {
  ledgerContract(begin);
  observationContract(begin);
  runContract(begin);
  rebaseContract(begin);
}

function observationContract(begin: () => BoardOnTrial): void {
  test('what was seen of the tasks of a run is read by itself', () => {
    const store = withRun(begin());
    store.record([submitted(2)]);
    const by = [{ run: runId(1), task: a, term: 1 }];
    const [holder, worker] = [workerId('ann'), workerId('bob')];
    const touched = { kind: 'heldFilesChanged', holder, worker } as const;
    const seen = [
      { kind: 'undeclaredWritten', at, run: runId(1), task: a, term: 1, path: 'b\u{1f600}' },
      { kind: 'writtenByOneOf', at, run: runId(1), by, paths: ['c'] },
      { kind: 'inputChanged', at, run: runId(1), task: b, term: 2, paths: ['c'], by },
      { ...touched, at, run: runId(1), task: a, term: 1, tree: '/project', paths: ['d'] },
    ] as const;
    store.record([...seen, { kind: 'runStopAsked', at, run: runId(1) }]);
    store.record([{ ...seen[0], run: runId(2) }]);
    expect(store.observationsOf(runId(1))).toEqual(seen);
    expect(store.observationsOf(runId(2))).toHaveLength(1);
    expect(store.observationsOf(runId(3))).toEqual([]);
  });
}

function ledgerContract(begin: () => BoardOnTrial): void {
  test('the ledger has no gaps, and its events lead to the very states that are kept', () => {
    const store = withRun(begin());
    store.record([submitted(2)]);
    const term = claim(store);
    const process = PROCESS;
    const events = [moved({ kind: 'taskStarted', term, at, process }), moved(endedAt(at, term))];
    store.settle({ run: runId(1), task: a, term, events });
    claim(store, claimOf({ task: b, run: runId(2) }));
    const { entries, revision } = store.snapshot();
    expect(entries.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5, 6]);
    expect([revision, store.lastSequence()]).toEqual([6, 6]);
    expect(folded(entries)).toEqual(kept(store));
  });

  test('the ledger is read from any place, in pages, and run by run', () => {
    const store = withRun(begin());
    store.record([submitted(2)]);
    claim(store);
    claim(store, claimOf({ task: b, run: runId(2) }));
    expect(sequences(store.events(1, 2))).toEqual([2, 3]);
    expect(sequences(store.events(4, 10))).toEqual([]);
    expect(sequences(store.eventsOfRun(runId(1), 0, 10))).toEqual([1, 3]);
    expect(sequences(store.eventsOfRun(runId(2), 2, 10))).toEqual([4]);
    expect(sequences(store.eventsOfRun(runId(2), 0, 1))).toEqual([2]);
  });

  test('nothing is read after a line that is too much, and that one is', () => {
    const store = writer(begin());
    for (const agent of ['ann', 'x'.repeat(1000), 'bob'])
      store.record([{ kind: 'agentGone', at, agent }]);
    expect(sequences(store.events(0, 9, 900))).toEqual([1, 2]);
    expect(sequences(store.events(1, 9, 0))).toEqual([2]);
    expect(sequences(store.events(0, 1, 900))).toEqual([1]);
    expect(sequences(store.events(0, 9, 5000))).toEqual([1, 2, 3]);
  });

  test('an event is read as it was written', () => {
    const store = writer(begin());
    const said = [
      submitted(1, { tasks: [definition('a', { title: 'ünï\n"quoted"\u0000' })] }),
      { kind: 'pathsOwned', at, id: 'x', worker: claimOf({ task: a }).worker, ...OWNED } as const,
      { kind: 'loadChanged', at, mode: 'critical' } as const,
    ];
    store.record(said);
    expect(store.events(0, 9).map(({ event }) => event)).toEqual(said);
  });

  test('whoever opens the board later reads the same', () => {
    const board = begin();
    const store = withRun(board);
    claim(store);
    const later = board.open();
    expect(later.snapshot()).toEqual(store.snapshot());
    expect(later.runs(9)).toEqual(store.runs(9));
    expect([...later.statesOf(runId(1))]).toEqual([...store.statesOf(runId(1))]);
  });
}

function runContract(begin: () => BoardOnTrial): void {
  test('a run is active, interrupted, active again, finished', () => {
    const store = withRun(begin());
    const run = runId(1);
    const seen: unknown[] = [store.runs(1)[0]?.status];
    for (const kind of ['runInterrupted', 'runResumed', 'runStopAsked'] as const) {
      store.record([{ kind, at, run }]);
      seen.push(store.runs(1)[0]?.status, store.latestStates('/project')[0]?.runStatus);
    }
    stood(store, finishOf('failed'));
    seen.push(store.runs(1)[0], store.latestStates('/project')[0]?.runStatus);
    const ended = { manifest: manifest(1), status: 'finished', outcome: 'failed', finishedAt: at };
    const before = ['active', 'interrupted', 'interrupted', 'active', 'active', 'active', 'active'];
    expect(seen).toEqual([...before, ended, 'finished']);
  });

  for (const outcome of ['completed', 'failed', 'cancelled', 'deadlocked', 'superseded'] as const)
    test(`a run may end ${outcome}`, () => {
      const store = withRun(begin());
      stood(store, finishOf(outcome));
      expect(store.events(1, 1)).toMatchObject([{ event: { kind: 'runFinished', outcome } }]);
      expect(store.runs(1)).toMatchObject([{ outcome }]);
    });

  test('runs are read from the newest on', () => {
    const store = writer(begin());
    store.record([submitted(3), submitted(1), submitted(2)]);
    const ids = (limit: number): readonly unknown[] =>
      store.runs(limit).map(({ manifest: { id } }) => id);
    expect([ids(2), ids(9)]).toEqual([
      [runId(2), runId(1)],
      [runId(2), runId(1), runId(3)],
    ]);
  });

  test('a task stands as in its newest run, per plan and folder', () => {
    const store = withRun(begin());
    claim(store);
    store.record([
      submitted(2, { plan: 'other.interlock.yaml' }),
      submitted(3, { root: '/elsewhere' }),
      submitted(4, { tasks: [definition('b')] }),
    ]);
    const shown = store
      .latestStates('/project')
      .map(({ run, plan, task, state }) => `${run} ${plan} ${task} ${state.kind}`);
    expect(shown.toSorted((x, y) => x.localeCompare(y))).toEqual([
      'run-000001 interlock.yaml a claimed',
      'run-000002 other.interlock.yaml a pending',
      'run-000002 other.interlock.yaml b pending',
      'run-000004 interlock.yaml b pending',
    ]);
  });
}

function rebaseContract(begin: () => BoardOnTrial): void {
  test('the ledger goes on from its base', () => {
    const board = begin();
    const store = withRun(board);
    expect(store.rebase({ some: ['facts'] })).toEqual([]);
    const term = claim(store);
    const expected = { revision: 2, base: { some: ['facts'] }, entries: [{ sequence: 2 }], term };
    expect(store.snapshot()).toMatchObject(expected);
    expect(board.open().snapshot()).toEqual(store.snapshot());
    expect(store.eventsOfRun(runId(1), 0, 9)).toMatchObject([{ sequence: 1 }, { sequence: 2 }]);
  });

  test('what says nothing to people goes, and numbers are not used again', () => {
    const store = withRun(begin());
    const term = claim(store, claimOf({ task: a }, { expiresAt: instant(500) }));
    const renewed = moved({ kind: 'leaseRenewed', term, at, expiresAt: instant(600) });
    store.renew({ run: runId(1), task: a, term, events: [renewed] });
    store.record([{ kind: 'boardPaused', at }]);
    store.rebase(1);
    expect(store.events(0, 9).map(({ sequence }) => sequence)).toEqual([1, 2]);
    expect([store.lastSequence(), store.snapshot().revision]).toEqual([4, 4]);
    store.renew({ run: runId(1), task: a, term, events: [renewed] });
    expect(store.snapshot()).toMatchObject({ revision: 5, base: 1, entries: [{ sequence: 5 }] });
    expect(stood(store, claimOf({ task: a }))).toEqual([]);
  });

  test('of runs that have ended the newest are kept, and their ids are never used again', () => {
    const store = writer(begin());
    const count = RUNS_KEPT + 3;
    store.together(() => {
      for (let number = 1; number <= count; number += 1) {
        store.record([submitted(number, { tasks: [definition('a')] })]);
        if (number !== 2) stood(store, finishOf('completed', runId(number)));
      }
    });
    const before = store.lastSequence();
    expect([...store.rebase({})].toSorted()).toEqual([runId(1), runId(3)]);
    expect(store.runs(999)).toHaveLength(RUNS_KEPT + 1);
    expect(store.eventsOfRun(runId(3), 0, 9)).toEqual([]);
    expect([...store.statesOf(runId(3))]).toEqual([]);
    expect(store.eventsOfRun(runId(2), 0, 9)).toHaveLength(1);
    expect(store.record([submitted(3)])).toEqual({ kind: 'refused' });
    expect(store.lastSequence()).toBe(before);
    expect(store.rebase({})).toEqual([]);
  });
}

function sequences(entries: readonly LedgerEntry[]): readonly number[] {
  return entries.map(({ sequence }) => sequence);
}

const OWNED = { tree: '/project', reads: [], writes: ['src/**'], isUnsaved: false };
