import { expect, test } from 'vitest';
import { instant } from '../../../server/domain/time.ts';
import { claimOf, finishOf } from '../decisions.ts';
import { definition, runId, taskId } from '../runs.ts';
import {
  a,
  b,
  type BoardOnTrial,
  claim,
  folded,
  kept,
  moved,
  PAUSED,
  stateOf,
  stood,
  submitted,
  withRun,
  writer,
} from './board-on-trial.ts';

const at = instant(100);

/** What is written down without anybody's claim, and what is written together. */
export function recordContract(begin: () => BoardOnTrial): void {
  eventContract(begin);
  revisionContract(begin);
  togetherContract(begin);
}

function eventContract(begin: () => BoardOnTrial): void {
  test('a run is submitted once, even when it has ended', () => {
    const store = withRun(begin());
    expect(store.record([submitted()])).toEqual({ kind: 'refused' });
    stood(store, finishOf('completed'));
    expect(store.record([submitted()])).toEqual({ kind: 'refused' });
  });

  test('all of the events are written or none', () => {
    const store = writer(begin());
    const unknown = moved({ kind: 'taskCancelled', at }, taskId('x'));
    expect(store.record([submitted(), PAUSED, unknown])).toEqual({ kind: 'refused' });
    expect([store.lastSequence(), store.runs(9)]).toEqual([0, []]);
    const cancelled = moved({ kind: 'taskCancelled', at });
    expect(store.record([submitted(), PAUSED, cancelled])).toMatchObject({
      kind: 'recorded',
      entries: [{ sequence: 1 }, { sequence: 2 }, { sequence: 3 }],
    });
    expect(stateOf(store)?.kind).toBe('cancelled');
  });

  test('the same operation is recorded once', () => {
    const store = writer(begin());
    expect(store.record([PAUSED], 'pause').kind).toBe('recorded');
    expect(store.record([PAUSED], 'pause')).toEqual({ kind: 'repeated' });
    expect(store.resolve('pause')).toEqual({ kind: 'applied' });
    expect(store.lastSequence()).toBe(1);
  });

  test('nothing more happens to a run that has ended', () => {
    const store = withRun(begin());
    const term = claim(store, claimOf({ task: b }));
    store.record([moved({ kind: 'taskReleased', term, at, reason: 'released' }, b)]);
    stood(store, finishOf('failed'));
    const before = store.lastSequence();
    const run = runId(1);
    for (const task of [a, b])
      expect(store.record([moved({ kind: 'taskCancelled', at }, task)]).kind).toBe('refused');
    for (const kind of ['runStopAsked', 'runInterrupted', 'runResumed'] as const)
      expect(store.record([{ kind, at, run }]).kind).toBe('refused');
    expect(store.record([{ kind: 'runRevised', at, run, tasks: [] }]).kind).toBe('refused');
    expect(stood(store, claimOf({ task: a }))).toEqual([]);
    expect(store.lastSequence()).toBe(before);
  });
}

function revisionContract(begin: () => BoardOnTrial): void {
  test('a revised run has the tasks of its new plan, and whoever is held stays', () => {
    const store = withRun(begin());
    claim(store);
    const tasks = [definition('c'), definition('b', { title: 'new' })];
    const revision = { kind: 'runRevised', at, run: runId(1), tasks } as const;
    expect(store.record([revision]).kind).toBe('recorded');
    expect([...store.statesOf(runId(1)).keys()]).toEqual(['c', 'b', 'a']);
    expect(stateOf(store, b)?.tries.revision).toBe(2);
    expect(stateOf(store)?.kind).toBe('claimed');
    expect(store.runs(1)[0]?.manifest.tasks.map(({ id }) => id)).toEqual(['c', 'b', 'a']);
    expect(folded(store.snapshot().entries)).toEqual(kept(store));
  });

  test('a task that comes back into its plan is not taken for the one that has left', () => {
    const store = withRun(begin());
    const revise = (...ids: readonly string[]): void => {
      const tasks = ids.map((id) => definition(id));
      store.record([{ kind: 'runRevised', at, run: runId(1), tasks }]);
    };
    for (const ids of [['a'], ['a', 'b'], ['a'], ['a', 'b']]) revise(...ids);
    expect(stateOf(store, b)?.tries.revision).toBe(3);
    expect(folded(store.snapshot().entries)).toEqual(kept(store));
  });
}

function togetherContract(begin: () => BoardOnTrial): void {
  test('what is written together stands together', () => {
    const store = withRun(begin());
    const states = store.together(() => {
      const term = claim(store);
      store.together(() => store.renew({ run: runId(1), task: a, term, events: [] }));
      return store.statesOf(runId(1)).get(a)?.kind;
    });
    expect([states, store.lastSequence()]).toEqual(['claimed', 2]);
  });

  test('when something throws nothing of it is left, and terms are not given out again', () => {
    const store = withRun(begin());
    const fail = (): void => {
      store.record([PAUSED], 'pause');
      claim(store);
      store.rebase({});
      throw new Error('no more');
    };
    expect(() => store.together(fail)).toThrow('no more');
    expect([store.lastSequence(), stateOf(store)?.kind]).toEqual([1, 'pending']);
    expect(store.resolve('pause')).toEqual({ kind: 'never-applied' });
    expect(store.snapshot()).toMatchObject({ base: undefined, entries: [{ sequence: 1 }] });
    expect(claim(store)).toBe(2);
  });

  test('whoever catches what was thrown inside saves nothing', () => {
    const store = withRun(begin());
    const swallow = (): void => {
      claim(store);
      try {
        store.together(() => {
          throw new Error('inside');
        });
      } catch {
        store.record([PAUSED]);
      }
    };
    expect(() => store.together(swallow)).toThrow('inside');
    expect(store.lastSequence()).toBe(1);
    expect(store.record([PAUSED]).kind).toBe('recorded');
  });
}
