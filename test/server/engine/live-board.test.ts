import { expect, test } from 'vitest';
import { mayStart } from '../../../server/scheduler/predicate/may-start.ts';
import { explain } from '../../../server/scheduler/predicate/explain.ts';
import type { Engine } from '../../../server/engine/engine.ts';
import type { Store } from '../../../server/engine/ports.ts';
import type { RunRequest } from '../../../server/engine/run-request.ts';
import { finishOf } from '../../support/decisions.ts';
import { engineWorld } from '../../support/engine-world.ts';
import { MemoryStore } from '../../support/memory-store.ts';
import { definition, runId, taskId } from '../../support/runs.ts';

const [a, b] = [taskId('a'), taskId('b')];
const CHAIN = [definition('a'), definition('b', { dependsOn: [a] })];
const RIVALS = [definition('a', { writes: ['x'] }), definition('b', { writes: ['x'] })];

function request(tasks: RunRequest['tasks']): RunRequest {
  return {
    root: '/project',
    plan: 'interlock.yaml',
    planHash: JSON.stringify(tasks),
    selection: [],
    requestedBy: 'test',
    policy: { parallel: 10, failFast: false },
    tasks,
    isNew: false,
  };
}

/** What a view says of `b`, the second task of the first run. */
function outlookOf(engine: Engine): string {
  const turn = engine.outlook();
  const entry = turn.board.find(runId(1), b);
  if (entry === undefined) return 'unknown';
  const verdict = mayStart(turn, entry);
  return verdict.kind === 'yes' ? 'may start' : verdict.reasons.map(explain).join('; ');
}

/** The kinds of what happened, in the order of the ledger. */
function ledgerOf(store: Store): string {
  return store
    .eventsAfter(0, 100)
    .map(({ what }) => (what.kind === 'taskMoved' ? `${what.task} ${what.event.kind}` : what.kind))
    .join(', ');
}

test('no turn reads the board again once a run has begun', async () => {
  const store = new MemoryStore();
  const { engine, runner, states } = engineWorld({ store });
  await engine.submit(request(CHAIN));
  store.unfinishedRuns = () => {
    throw new Error('The rows are read again.');
  };
  await runner.succeed('a');
  await runner.succeed('b');
  expect(states()).toBe('a completed, b completed');
});

test('a claim of this process has no deadline', async () => {
  const { engine, store } = engineWorld();
  await engine.submit(request(CHAIN));
  const state = store.unfinishedRuns()[0]?.states.get(a);
  expect(state).toMatchObject({ kind: 'running', worker: 'runner/local' });
  expect(state).not.toHaveProperty('expiresAt');
});

test('a stop is in the ledger before the command hears of it', async () => {
  const { engine, runner, store } = engineWorld();
  await engine.submit(request(CHAIN));
  engine.stop();
  engine.stop();
  expect(ledgerOf(store)).toBe(
    'runSubmitted, a taskClaimed, a taskStarted, b taskCancelled, a stopAsked',
  );
  expect(runner.log).toEqual(['start a', 'stop a']);
  expect(store.unfinishedRuns()[0]?.states.get(a)).toMatchObject({
    stop: { why: 'cancelled', signal: 'terminate' },
  });
});

test('commands are stopped even when nothing can be written down any more', async () => {
  const { engine, runner, store, faults } = engineWorld();
  await engine.submit(request(CHAIN));
  store.commit = () => {
    throw new Error('disk full');
  };
  engine.stop();
  expect(faults).toMatchObject([{ message: 'disk full' }]);
  expect(runner.log).toEqual(['start a', 'stop a']);
});

test('a stop that comes before there is anything to stop leaves the next run alone', async () => {
  const { store, lock } = engineWorld();
  await engineWorld({ store, lock }).engine.submit(request(CHAIN));
  lock.holder = undefined;
  const next = engineWorld({ store, lock });
  const stopped = Promise.withResolvers<void>();
  next.runner.stopLeftover = async () => stopped.promise;
  const submitted = next.engine.submit(request(CHAIN));
  await Promise.resolve();
  next.engine.stop();
  stopped.resolve();
  expect(await submitted).toEqual({ kind: 'joined', run: runId(1) });
  expect(next.runner.log).toEqual(['start a']);
  expect(lock.holder).toBe('an engine');
});

test('a run whose tasks can never start ends deadlocked, and the lock is free', async () => {
  const { engine, store, lock, states } = engineWorld();
  const tasks = [definition('a', { dependsOn: [taskId('nobody')] })];
  await engine.submit(request(tasks));
  expect(store.eventsAfter(1, 9)).toMatchObject([
    { what: { kind: 'runFinished', outcome: 'deadlocked' } },
  ]);
  expect(states()).toBe('a pending');
  expect(lock.holder).toBeUndefined();
});

test('a plan as long as any runs, however many tasks wait', async () => {
  const tasks = Array.from({ length: 12_000 }, (_, index) => definition(`t${index}`));
  const { engine, runner, faults } = engineWorld();
  await engine.submit(request(tasks));
  expect(runner.running).toHaveLength(10);
  await runner.succeed(runner.running[0] ?? '');
  expect(runner.running).toHaveLength(10);
  expect(faults).toEqual([]);
});

test('the outlook of a process that runs tasks is its own', async () => {
  const { engine, runner } = engineWorld();
  await engine.submit(request(RIVALS));
  expect(outlookOf(engine)).toBe('waits for a, which writes x too');
  await runner.succeed('a');
  await runner.succeed('b');
  expect(outlookOf(engine)).toBe('unknown');
});

test('the outlook of a process that only looks is of all that is unfinished', async () => {
  const first = engineWorld();
  const { store, lock } = first;
  await first.engine.submit(request(RIVALS));
  const { engine } = engineWorld({ store, lock, isTrusted: false });
  expect(outlookOf(engine)).toBe('waits for a, which writes x too');
  await first.runner.succeed('a');
  store.commit([finishOf('cancelled')], first.engine.outlook().now);
  expect(outlookOf(engine)).toBe('unknown');
});

test('who only looks does not take a task that may start for one that somebody holds', async () => {
  const store = new MemoryStore();
  const writer = engineWorld({ store });
  await writer.engine.submit(request([definition('a', { writes: ['x'] }), ...RIVALS.slice(1)]));
  const down = writer.engine.shutDown();
  await writer.runner.fail('a');
  await down;
  expect(outlookOf(engineWorld({ store }).engine)).toBe('may start');
});
