import { expect, test } from 'vitest';
import type { RunRequest } from '../../../server/engine/run-request.ts';
import type { Store } from '../../../server/engine/ports.ts';
import { engineWorld, HandRunner, SharedLock } from '../../support/engine-world.ts';
import { MemoryStore } from '../../support/memory-store.ts';
import { definition, runId, taskId } from '../../support/runs.ts';

const CHAIN = [definition('a'), definition('b', { dependsOn: [taskId('a')] })];
const PAIR = [definition('a'), definition('b')];

function request(fields: Partial<RunRequest> = {}): RunRequest {
  const tasks = fields.tasks ?? CHAIN;
  return {
    root: '/project',
    plan: 'interlock.yaml',
    planHash: JSON.stringify(tasks),
    selection: [],
    requestedBy: 'test',
    policy: { parallel: 10, failFast: false },
    tasks,
    isNew: false,
    ...fields,
  };
}

test('a task starts when what it depends on has completed', async () => {
  const { engine, runner, states } = engineWorld();
  await engine.submit(request());
  expect(runner.log).toEqual(['start a']);
  await runner.succeed('a');
  expect(runner.log).toEqual(['start a', 'start b']);
  await runner.succeed('b');
  expect(states()).toBe('a completed, b completed');
});

test('what depends on a failed task is skipped, and the rest runs', async () => {
  const tasks = [...CHAIN, definition('c')];
  const { engine, runner, states } = engineWorld();
  await engine.submit(request({ tasks }));
  await runner.fail('a', 3);
  await runner.succeed('c');
  expect(states()).toBe('a failed, b skipped, c completed');
  expect(runner.log).toEqual(['start a', 'start c']);
});

test('a command starts only after its claim is in the store', async () => {
  const store = new MemoryStore();
  const runner = new HandRunner();
  const seen: unknown[] = [];
  const start = runner.start.bind(runner);
  runner.start = (launch) => {
    seen.push(store.unfinishedRuns()[0]?.states.get(launch.definition.id));
    return start(launch);
  };
  await engineWorld({ store, runner }).engine.submit(request());
  expect(seen).toMatchObject([{ kind: 'claimed', term: 1 }]);
});

test('the command is told its task, run, attempt and term', async () => {
  const { engine, runner } = engineWorld();
  await engine.submit(request());
  expect(runner.launchOf('a')).toMatchObject({
    root: '/project',
    run: runId(1),
    attempt: 1,
    term: 1,
  });
});

test('the lock is held while tasks run, and free afterwards', async () => {
  const { engine, runner, lock } = engineWorld();
  await engine.submit(request({ tasks: [definition('a')] }));
  expect(lock.holder).toBe('an engine');
  await runner.succeed('a');
  expect(lock.holder).toBeUndefined();
});

test('nothing runs while another process decides, and its name is said', async () => {
  const { engine, runner, lock } = engineWorld();
  lock.holder = 'somebody';
  expect(await engine.submit(request())).toEqual({ kind: 'held', holder: 'somebody' });
  expect(runner.log).toEqual([]);
});

test('nothing runs in a folder that is not trusted, until it is', async () => {
  const { engine, runner } = engineWorld({ isTrusted: false });
  expect(await engine.submit(request())).toEqual({ kind: 'untrusted' });
  engine.trust();
  expect(await engine.submit(request())).toMatchObject({ kind: 'started' });
  expect(runner.log).toEqual(['start a']);
});

test('asking again for what is running joins it, asking for something else has to wait', async () => {
  const { engine, runner } = engineWorld();
  await engine.submit(request());
  expect(await engine.submit(request())).toEqual({ kind: 'joined', run: runId(1) });
  const part = request({ tasks: [definition('a')], selection: [taskId('a')] });
  expect(await engine.submit(part)).toEqual({ kind: 'joined', run: runId(1) });
  expect(await engine.submit(request({ tasks: PAIR }))).toEqual({ kind: 'busy' });
  expect(await engine.submit(request({ isNew: true }))).toEqual({ kind: 'busy' });
  expect(await engine.submit(request({ plan: 'other.interlock.yaml' }))).toMatchObject({
    kind: 'started',
  });
  expect(runner.log).toEqual(['start a', 'start a']);
});

test('a run is idle when nothing is left to run', async () => {
  const { engine, runner } = engineWorld();
  await engine.idle();
  await engine.submit(request({ tasks: [definition('a')] }));
  let isIdle = false;
  const waiting = engine.idle().then(() => {
    isIdle = true;
    return isIdle;
  });
  expect(isIdle).toBe(false);
  await runner.succeed('a');
  expect(await waiting).toBe(true);
});

test('stopping cancels what waits at once, and what runs when it has ended', async () => {
  const { engine, runner, states, lock } = engineWorld();
  await engine.submit(request());
  engine.stop();
  expect(states()).toBe('a running, b cancelled');
  expect(runner.log).toEqual(['start a', 'stop a']);
  await runner.fail('a');
  expect(states()).toBe('a cancelled, b cancelled');
  expect(lock.holder).toBeUndefined();
});

test('a result that came before the stop is kept', async () => {
  const { engine, runner, states } = engineWorld();
  await engine.submit(request());
  engine.stop();
  await runner.succeed('a');
  expect(states()).toBe('a completed, b cancelled');
});

test('after a stop the plan can be run again', async () => {
  const { engine, runner, states } = engineWorld();
  await engine.submit(request({ tasks: [definition('a')] }));
  engine.stop();
  await runner.fail('a');
  await engine.submit(request({ tasks: [definition('a')] }));
  await runner.succeed('a');
  expect(states()).toBe('a completed');
});

test('shutting down gives running tasks back, and the next process carries the run on', async () => {
  const { engine, runner, store, lock } = engineWorld();
  await engine.submit(request());
  await runner.succeed('a');
  const down = engine.shutDown();
  expect(runner.log).toEqual(['start a', 'start b', 'stop b']);
  await runner.fail('b');
  await down;
  expect(store.latestStates('/project')).toMatchObject([
    { task: 'a', state: { kind: 'completed' }, runStatus: 'interrupted' },
    { task: 'b', state: { kind: 'pending', releasedFor: 'shutdown' }, runStatus: 'interrupted' },
  ]);
  const next = engineWorld({ store, lock });
  expect(await next.engine.submit(request())).toEqual({ kind: 'joined', run: runId(1) });
  expect(next.runner.log).toEqual(['start b']);
  expect(next.runner.launchOf('b')).toMatchObject({ attempt: 2, term: 3 });
});

test('a run that is carried on follows the policy that was asked for last', async () => {
  const { engine, runner, store, lock } = engineWorld();
  await engine.submit(request({ tasks: PAIR }));
  const down = engine.shutDown();
  await runner.fail('a');
  await runner.fail('b');
  await down;
  const next = engineWorld({ store, lock });
  await next.engine.submit(request({ tasks: PAIR, policy: { parallel: 1, failFast: false } }));
  expect(next.runner.log).toEqual(['start a']);
});

test('after a crash the claims are taken back, what is left of their commands is stopped first', async () => {
  const store = new MemoryStore();
  const lock = new SharedLock();
  await engineWorld({ store, lock }).engine.submit(request({ tasks: PAIR }));
  lock.holder = undefined;
  const next = engineWorld({ store, lock });
  await next.engine.recover();
  expect(next.runner.leftovers).toMatchObject([
    { run: runId(1), term: 1, process: { pid: 1 } },
    { run: runId(1), term: 2, process: { pid: 2 } },
  ]);
  expect(next.states()).toBe('a pending, b pending');
  expect(next.runner.log).toEqual([]);
  expect(lock.holder).toBeUndefined();
});

test('a request that comes while claims are taken back is run when that is done', async () => {
  const store = new MemoryStore();
  const lock = new SharedLock();
  await engineWorld({ store, lock }).engine.submit(request());
  lock.holder = undefined;
  const next = engineWorld({ store, lock });
  const stopped = Promise.withResolvers<void>();
  next.runner.stopLeftover = async () => stopped.promise;
  const recovered = next.engine.recover();
  const submitted = next.engine.submit(request());
  const again = next.engine.submit(request());
  stopped.resolve();
  await recovered;
  expect(await submitted).toMatchObject({ kind: 'joined' });
  expect(await again).toMatchObject({ kind: 'joined' });
  expect(next.runner.log).toEqual(['start a']);
  expect(lock.holder).toBe('an engine');
});

test('nothing is started any more once the engine shuts down', async () => {
  const { engine, runner, lock } = engineWorld();
  await engine.shutDown();
  expect(await engine.submit(request())).toEqual({ kind: 'busy' });
  expect(runner.log).toEqual([]);
  expect(lock.holder).toBeUndefined();
});

test('recovery leaves the tasks of a living process alone', async () => {
  const store = new MemoryStore();
  const lock = new SharedLock();
  await engineWorld({ store, lock }).engine.submit(request());
  const other = engineWorld({ store, lock });
  await other.engine.recover();
  expect(other.runner.leftovers).toEqual([]);
  expect(other.states()).toBe('a running, b pending');
});

test('an interrupted run of other tasks ends when a new run takes its place', async () => {
  const { engine, runner, store, lock } = engineWorld();
  await engine.submit(request());
  const down = engine.shutDown();
  await runner.fail('a');
  await down;
  const next = engineWorld({ store, lock });
  expect(await next.engine.submit(request({ tasks: PAIR }))).toMatchObject({ kind: 'started' });
  expect(store.unfinishedRuns()).toHaveLength(1);
  const outcomes = store
    .eventsAfter(0, 100)
    .flatMap(({ what }) => (what.kind === 'runFinished' ? [what.outcome] : []));
  expect(outcomes).toEqual(['superseded']);
});

test('an interrupted run of another plan is not carried on unasked', async () => {
  const { engine, runner, store, lock } = engineWorld();
  await engine.submit(request());
  const down = engine.shutDown();
  await runner.fail('a');
  await down;
  const next = engineWorld({ store, lock });
  await next.engine.submit(request({ plan: 'other.interlock.yaml', tasks: [definition('c')] }));
  expect(next.runner.log).toEqual(['start c']);
});

test('a store that fails is said once, and nothing more starts', async () => {
  const store: Store = new MemoryStore();
  const { engine, runner, faults } = engineWorld({ store });
  await engine.submit(request());
  store.record = () => {
    throw new Error('disk full');
  };
  await runner.succeed('a');
  expect(faults).toMatchObject([{ message: 'disk full' }]);
  expect(runner.log).toEqual(['start a']);
  await engine.idle();
});

test('when the store works again, the next request runs what was lost once more', async () => {
  const store = new MemoryStore();
  const record = store.record.bind(store);
  const { engine, runner, states } = engineWorld({ store });
  await engine.submit(request());
  store.record = () => {
    throw new Error('disk full');
  };
  await runner.succeed('a');
  store.record = record;
  expect(await engine.submit(request())).toMatchObject({ kind: 'joined' });
  expect(runner.launchOf('a')).toMatchObject({ attempt: 2 });
  await runner.succeed('a');
  await runner.succeed('b');
  expect(states()).toBe('a completed, b completed');
});
