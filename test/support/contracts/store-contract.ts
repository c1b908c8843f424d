import { expect, test } from 'vitest';
import { instant } from '../../../server/domain/time.ts';
import type { Store } from '../../../server/engine/store-port.ts';
import type { Decision } from '../../../server/scheduler/decision.ts';
import { aboutTry, claimOf, finishOf } from '../decisions.ts';
import { runId } from '../runs.ts';
import {
  a,
  b,
  type BoardOnTrial,
  claim,
  moved,
  stood,
  submitted,
  withRun,
  writer,
} from './board-on-trial.ts';
import { claimContract } from './claim-contract.ts';
import { historyContract } from './history-contract.ts';
import { recordContract } from './record-contract.ts';
import { stateContract } from './state-contract.ts';

const at = instant(100);
const LEASED = { expiresAt: instant(500) };

/** What the engine relies on, whatever keeps the board. `begin` makes a new one. */
export function storeContract(begin: () => BoardOnTrial): void {
  tenureContract(begin);
  decisionContract(begin);
  claimContract(begin);
  recordContract(begin);
  stateContract(begin);
  historyContract(begin);
}

function tenureContract(begin: () => BoardOnTrial): void {
  test('whoever has not begun a tenure writes nothing', () => {
    const store = begin().open();
    expect(() => store.record([submitted()])).toThrow(
      expect.objectContaining({ reason: 'deposed' }),
    );
    expect(store.lastSequence()).toBe(0);
  });

  test('only whoever began the latest tenure writes', () => {
    const board = begin();
    const [first, second] = [withRun(board), writer(board)];
    const writes: readonly ((store: Store) => unknown)[] = [
      (store) => store.commit(1, [claimOf({ task: a })]),
      (store) => store.claim({ operation: 'one', decision: claimOf({ task: a }) }),
      (store) => store.renew({ run: runId(1), task: a, term: 1, events: [] }),
      (store) => store.settle({ run: runId(1), task: a, term: 1, events: [] }),
      (store) => store.record([]),
      (store) => store.rebase({}),
      (store) => store.together(() => 1),
    ];
    for (const write of writes) {
      expect(() => write(first)).toThrow(expect.objectContaining({ reason: 'deposed' }));
      write(second);
    }
    expect(first.snapshot().entries).toEqual(second.snapshot().entries);
  });

  test('each tenure has a higher number, and says so', () => {
    const board = begin();
    const [first, second] = [board.open(), board.open()];
    const [one, two] = [first.beginTenure(), second.beginTenure()];
    expect(two).toBeGreaterThan(one);
    expect(first.snapshot().tenure).toBe(two);
    expect(first.beginTenure()).toBeGreaterThan(two);
  });

  test('a tenure that begins again writes on what the one between has written', () => {
    const board = begin();
    const first = withRun(board);
    const term = claim(first);
    const second = writer(board);
    second.settle({
      run: runId(1),
      task: a,
      term,
      events: [moved({ kind: 'taskReleased', term, at, reason: 'lost' })],
    });
    first.beginTenure();
    expect(claim(first, claimOf({ task: a, attempt: 2 }))).toBeGreaterThan(term);
    expect(first.lastSequence()).toBe(4);
  });
}

function decisionContract(begin: () => BoardOnTrial): void {
  test('each claim gets a higher term than every claim before it', () => {
    const store = withRun(begin());
    const first = claim(store);
    const second = claim(store, claimOf({ task: b }));
    const released = moved({ kind: 'taskReleased', term: first, at, reason: 'lost' });
    store.settle({ run: runId(1), task: a, term: first, events: [released] });
    expect([first, second, claim(store, claimOf({ task: a, attempt: 2 }))]).toEqual([1, 2, 3]);
    expect(store.snapshot().term).toBe(3);
  });

  test('a task that is claimed is not claimed again, and no term is spent on trying', () => {
    const store = withRun(begin());
    claim(store);
    expect(stood(store, claimOf({ task: a }), claimOf({ task: a, attempt: 2 }))).toEqual([]);
    expect(claim(store, claimOf({ task: b }))).toBe(2);
  });

  test('a decision that no longer fits is refused, the others of the turn stand', () => {
    const store = withRun(begin());
    claim(store);
    const cancel = { ...aboutTry({ task: b }), kind: 'cancel', why: 'failure' } as const;
    const skip = { ...aboutTry({ task: a }), kind: 'skip', because: b } as const;
    expect(stood(store, skip, cancel, claimOf({ task: a, run: runId(9) }))).toEqual([cancel]);
  });

  test('a decision stands once, whatever it is about', () => {
    const store = withRun(begin());
    const wake: Decision = { ...aboutTry({ task: a }), kind: 'wake', worker: WORKER, cycle: 1 };
    const request: Decision = { ...aboutTry({ task: a }), kind: 'request-worker', needs: [] };
    const cycle: Decision = { kind: 'cycle', number: 1, report: REPORT };
    const all = [wake, request, cycle, finishOf('completed')];
    expect(stood(store, ...all, ...all)).toEqual(all);
    expect(stood(store, ...all)).toEqual([]);
  });

  test('an entry says which decision it comes from, and in which turn it was taken', () => {
    const store = withRun(begin());
    const decision = claimOf({ task: a });
    const [committed] = store.commit(7, [decision]);
    expect(committed?.entry.decided).toEqual({ turn: 7, decision });
    expect(store.events(1, 1)).toEqual([committed?.entry]);
  });

  test('a claim whose lease is over before it is written does not stand', () => {
    const board = begin();
    const store = withRun(board);
    board.clock.set(500);
    expect(stood(store, claimOf({ task: a }, LEASED))).toEqual([]);
    expect(store.claim({ operation: 'o', decision: claimOf({ task: a }, LEASED) })).toEqual({
      kind: 'refused',
    });
  });

  test('a run that somebody is at work on does not finish', () => {
    const store = withRun(begin());
    claim(store);
    expect(stood(store, finishOf('failed'))).toEqual([]);
    expect(store.runs(1)).toMatchObject([{ status: 'active' }]);
  });
}

const WORKER = claimOf({ task: a }).worker;
const NOTHING = { count: 0, first: [] };
const REPORT = {
  waiting: NOTHING,
  idle: NOTHING,
  recovered: NOTHING,
  woken: NOTHING,
  starved: NOTHING,
  skipped: {},
};
