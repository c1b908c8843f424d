import { expect, test } from 'vitest';
import { instant } from '../../../server/domain/time.ts';
import type { Store } from '../../../server/engine/store-port.ts';
import { claimOf } from '../decisions.ts';
import { runId, taskId } from '../runs.ts';
import {
  a,
  b,
  type BoardOnTrial,
  claim,
  moved,
  stateOf,
  submitted,
  withRun,
  writer,
} from './board-on-trial.ts';

const at = instant(100);
const LEASED = { expiresAt: instant(500) };

/** How somebody comes to a claim of its own, and what it may say then. */
export function claimContract(begin: () => BoardOnTrial): void {
  grantContract(begin);
  staleContract(begin);
  settleContract(begin);
}

function grantContract(begin: () => BoardOnTrial): void {
  test('the same request for a task is granted once, and answered the same way for ever', () => {
    const board = begin();
    const store = withRun(board);
    const write = { operation: 'mine', decision: claimOf({ task: a }, LEASED) };
    const granted = store.claim(write);
    const grant = { run: runId(1), task: a, term: 1, leaseMs: 400 };
    expect(granted).toMatchObject({ kind: 'granted', grant });
    expect(store.claim(write)).toEqual({ kind: 'repeated', grant });
    const next = writer(board);
    expect(next.claim(write)).toEqual({ kind: 'repeated', grant });
    expect(next.resolve('mine')).toEqual({ kind: 'applied', grant });
  });

  test('a request that was refused may be granted later', () => {
    const store = withRun(begin());
    const write = { operation: 'mine', decision: claimOf({ task: a, run: runId(2) }) };
    expect(store.claim(write)).toEqual({ kind: 'refused' });
    expect(store.resolve('mine')).toEqual({ kind: 'never-applied' });
    store.record([submitted(2)]);
    expect(store.claim(write)).toMatchObject({ kind: 'granted', grant: { term: 1 } });
  });

  test('a task without a lease is held until it is released', () => {
    const board = begin();
    const store = withRun(board);
    const claimed = store.claim({ operation: 'mine', decision: claimOf({ task: a }) });
    expect(claimed).toMatchObject({ grant: { run: runId(1), task: a, term: 1 } });
    board.clock.set(1e12);
    const done = moved({ kind: 'taskCompleted', term: 1, at });
    const settled = store.settle({ run: runId(1), task: a, term: 1, events: [done] });
    expect(settled.kind).toBe('accepted');
  });

  test('a grant that is told again under another name is remembered by that name', () => {
    const board = begin();
    const store = withRun(board);
    store.claim({ operation: 'mine', decision: claimOf({ task: a }) });
    const grant = { run: runId(1), task: a, term: 1 };
    store.record([], 'again', grant);
    expect(store.resolve('again')).toEqual({ kind: 'applied', grant });
    const next = writer(board);
    const write = { operation: 'again', decision: claimOf({ task: b }) };
    expect(next.claim(write)).toEqual({ kind: 'repeated', grant });
  });

  test('an operation that was none of a claim grants nothing', () => {
    const store = withRun(begin());
    store.record([], 'mine');
    const write = { operation: 'mine', decision: claimOf({ task: a }) };
    expect(store.claim(write)).toEqual({ kind: 'refused' });
  });
}

function staleContract(begin: () => BoardOnTrial): void {
  for (const say of ['renew', 'settle'] as const) {
    test(`${say}: whoever comes with an older term is told the current one`, () => {
      const store = withRun(begin());
      const old = claim(store);
      store.settle({ ...endOf(old), events: [moved({ ...LOST, term: old })] });
      expect(store[say](endOf(old))).toEqual({ kind: 'stale', currentTerm: undefined });
      const term = claim(store, claimOf({ task: a, attempt: 2 }));
      expect(store[say](endOf(old))).toEqual({ kind: 'stale', currentTerm: term });
      expect(stateOf(store)?.kind).toBe('claimed');
    });

    test(`${say}: a lease is over at its end, by the clock of the store`, () => {
      const board = begin();
      const store = withRun(board);
      const term = claim(store, claimOf({ task: a }, LEASED));
      board.clock.set(500);
      const before = store.lastSequence();
      expect(store[say](endOf(term))).toEqual({ kind: 'stale', currentTerm: undefined });
      expect(store.lastSequence()).toBe(before);
      board.clock.set(499);
      expect(store[say](endOf(term)).kind).toBe('accepted');
    });

    test(`${say}: of a run that nobody knows, or a task, nothing is current`, () => {
      const store = withRun(begin());
      const stale = { kind: 'stale', currentTerm: undefined };
      expect(store[say]({ ...endOf(1), run: runId(9), events: [] })).toEqual(stale);
      expect(store[say]({ ...endOf(1), task: taskId('x'), events: [] })).toEqual(stale);
    });

    test(`${say}: a holder says nothing of another's claim`, () => {
      const store = withRun(begin());
      const [term, other] = [claim(store), claim(store, claimOf({ task: b }))];
      const events = [moved({ kind: 'taskCompleted', term: other, at }, b)];
      expect(() => store[say]({ ...endOf(term), events })).toThrow('own claim');
      const foreign = [moved({ kind: 'taskCompleted', term: other, at })];
      expect(() => store[say]({ ...endOf(term), events: foreign })).toThrow('own claim');
      expect(stateOf(store, b)?.kind).toBe('claimed');
    });
  }
}

function settleContract(begin: () => BoardOnTrial): void {
  test('an end that comes twice counts once', () => {
    const store = withRun(begin());
    const term = claim(store);
    const write = { ...endOf(term), operation: 'end' };
    expect(store.settle(write)).toMatchObject({ kind: 'accepted', entries: [{ sequence: 3 }] });
    expect(store.settle(write)).toEqual({ kind: 'repeated' });
    expect(store.resolve('end')).toEqual({ kind: 'applied' });
    expect(store.settle({ ...write, operation: 'other' }).kind).toBe('stale');
    expect(store.resolve('other')).toEqual({ kind: 'never-applied' });
  });

  test('what follows for others is written with it', () => {
    const store = withRun(begin());
    const term = claim(store);
    const limited = { kind: 'agentLimited', at, agent: 'coder' } as const;
    const events = [moved({ kind: 'taskReleased', term, at, reason: 'released' }), limited];
    const outcome = store.settle({ ...endOf(term), events });
    expect(outcome).toMatchObject({ kind: 'accepted', entries: [{}, { event: limited }] });
  });

  test('when one event of a holder does not fit, none of them is written', () => {
    const store = withRun(begin());
    const term = claim(store);
    const twice = [...endOf(term).events, ...endOf(term).events];
    expect(store.settle({ ...endOf(term), events: twice }).kind).toBe('stale');
    expect(stateOf(store)?.kind).toBe('claimed');
    expect(store.settle(endOf(term)).kind).toBe('accepted');
    expect(store.snapshot().entries.map(({ sequence }) => sequence)).toEqual([1, 2, 3]);
  });
}

/** What the holder of a term says at the end of its task. */
function endOf(term: number): Parameters<Store['settle']>[0] {
  const events = [moved({ kind: 'taskCompleted', term, at })];
  return { run: runId(1), task: a, term, events };
}

const LOST = { kind: 'taskLost', at, cause: 'lease-expired', retryAt: at } as const;
