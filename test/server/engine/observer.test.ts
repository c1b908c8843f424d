import { expect, test } from 'vitest';
import { assert } from '../../../server/domain/assert.ts';
import type { TaskDefinition } from '../../../server/domain/task.ts';
import { isObservation } from '../../../server/scheduler/model/observed.ts';
import { afterCrash, type EngineWorld, engineWorld, request } from '../../support/engine-world.ts';
import { settled } from '../../support/hand-time.ts';
import { definition } from '../../support/runs.ts';
import { workerId } from '../../support/snapshots.ts';

const A = definition('a', { writes: ['src/a/**'] });
const B = definition('b', { writes: ['src/b/**'] });
const READER = definition('r', { reads: ['src/a/**'] });

test('what a task writes without having said so is recorded, and owned from then on', async () => {
  const world = await running([A]);
  world.trees.write('lib/x', '1');
  await seen(world);
  expect(observed(world)).toEqual(['undeclared a: lib/x']);
  await submit(world, [definition('other', { writes: ['lib/**'] })], 'other.interlock.yaml');
  expect(world.machine.running).toEqual(['a']);
  world.machine.succeed('a');
  await settled();
  expect(world.machine.running).toEqual(['other']);
});

test.each([
  ['it was mine', false],
  ['ignore this path', true],
])('a path of which a person says "%s" is not recorded again', async (_, isForAll) => {
  const world = await running([A]);
  world.trees.write('lib/x', '1');
  await seen(world);
  const { board } = world.engine;
  const [run] = board.runs.keys();
  assert(run !== undefined, 'a run is there');
  const of = { run, task: A.id };
  const dismissed = {
    kind: 'dismiss-writes',
    tree: '/project',
    paths: ['lib/x'],
    of,
    isForAll,
  } as const;
  await world.calls.control(dismissed, 'dismiss');
  world.trees.write('lib/x', '2');
  await seen(world);
  expect(observed(world)).toEqual(['undeclared a: lib/x']);
  world.machine.succeed('a');
  await settled();
  await world.time.pass(20_000);
  await submit(world, [A]);
  await world.time.pass(100);
  world.trees.write('lib/x', '3');
  await seen(world);
  expect(observed(world)).toHaveLength(isForAll ? 1 : 2);
});

test('what it says it writes is not', async () => {
  const world = await running([A]);
  world.trees.write('src/a/x', '1');
  await seen(world);
  expect(observed(world)).toEqual([]);
});

test('what a shell command may have written of others is told at its end, and recorded', async () => {
  const world = await running([A]);
  await shell(world, 'begun');
  await world.time.pass(10);
  world.trees.write('src/a/x', '1');
  world.trees.write('lib/y', '1');
  await world.time.pass(10);
  const { touched } = await shell(world, 'over');
  expect(touched).toEqual([{ paths: ['src/a/x'], holder: 'runner/local', task: 'a' }]);
  expect(observed(world)).toContain('shell of agent/ann in a: src/a/x');
  await world.time.pass(10);
  world.trees.write('src/a/z', '1');
  await world.time.pass(11_000);
  await seen(world);
  expect((await shell(world, 'over')).touched).toEqual([]);
});

test('also where no task is at work and a person has the files, for as long as it runs', async () => {
  const world = await engineWorld();
  await shell(world, 'begun');
  expect(world.trees.watched).toBe(0);
  const own = { id: 'k', worker: workerId('kim'), tree: '/project', reads: [] };
  await world.calls.own({ ...own, writes: ['docs/**'], isUnsaved: false }, 'op');
  await shell(world, 'begun');
  await world.time.pass(25_000);
  world.trees.write('docs/x', '1');
  await world.time.pass(10);
  const { touched } = await shell(world, 'over');
  expect(touched).toEqual([{ paths: ['docs/x'], holder: 'kim' }]);
  expect(world.disk.entries.map(({ event }) => event.kind)).toContain('takenFilesChanged');
  await world.time.pass(25_000);
  expect(world.trees.watched).toBe(0);
});

test('what it wrote last is found when it has ended, and so has its run', async () => {
  const world = await running([A]);
  world.trees.write('lib/x', '1');
  await world.time.pass(10);
  world.machine.succeed('a');
  await seen(world);
  expect(observed(world)).toEqual(['undeclared a: lib/x']);
  expect(world.engine.board.runs.size).toBe(0);
});

test('a task that ends before its start is written down is at work until its end', async () => {
  const world = await running([A]);
  await world.time.pass(10);
  world.trees.write('lib/x', '1');
  await world.time.pass(5);
  expect(world.states()).toBe('a claimed');
  world.machine.succeed('a');
  await settled();
  await world.time.pass(500);
  expect(observed(world)).toEqual(['undeclared a: lib/x']);
});

test('one task at work beside another is not blamed for it', async () => {
  const world = await running([A, definition('b')]);
  world.trees.write('lib/x', '1');
  await seen(world);
  expect(observed(world)).toEqual(['one of a b: lib/x']);
});

test('one that works in a tree of its own could not have written here', async () => {
  const own = { ...definition('b', { writes: ['src/b/**'] }), asks: { isIsolated: true } };
  const world = await running([A, own]);
  world.trees.write('lib/x', '1');
  await seen(world);
  expect(observed(world)).toEqual(['undeclared a: lib/x']);
});

test('after the other has ended it is', async () => {
  const world = await running([A, B]);
  world.machine.succeed('b');
  await settled();
  await world.time.pass(10);
  world.trees.write('lib/x', '1');
  await seen(world);
  expect(observed(world)).toEqual(['undeclared a: lib/x']);
});

test('what a person has taken is theirs', async () => {
  const world = await running([A]);
  const own = { id: 'ann-1', worker: workerId('ann'), tree: '/project', reads: [] };
  await world.calls.own({ ...own, writes: ['lib/x'], isUnsaved: true }, 'op');
  world.trees.write('lib/x', '1');
  world.trees.write('lib/y', '1');
  await seen(world);
  expect(observed(world)).toEqual(['undeclared a: lib/y']);
});

const ANN = { id: 'ann-1', worker: workerId('ann'), tree: '/project', reads: [], isUnsaved: true };

test('what a person had when it was written is theirs, whoever asks later', async () => {
  const world = await running([A]);
  await world.calls.own({ ...ANN, writes: ['lib/x'] }, 'op');
  world.trees.write('lib/x', '1');
  await world.time.pass(10);
  await world.calls.free('ann-1');
  await seen(world);
  expect(observed(world)).toEqual([]);
});

test('what a person takes right after it was written is theirs, and so is it when they let go', async () => {
  const world = await running([A]);
  await world.time.pass(10);
  world.trees.write('lib/x', '1');
  await world.trees.settle();
  await world.time.pass(300);
  await world.calls.own({ ...ANN, writes: ['lib/x'] }, 'op');
  await world.calls.free('ann-1');
  await seen(world);
  expect(observed(world)).toEqual([]);
});

test('so is it where the writing itself was heard of late', async () => {
  const world = await running([A]);
  await world.time.pass(10);
  world.trees.write('lib/x', '1');
  await world.time.pass(1000);
  await world.trees.settle();
  await world.calls.own({ ...ANN, writes: ['lib/x'] }, 'op');
  await seen(world);
  expect(observed(world)).toEqual([]);
});

test('also where whoever decided has gone meanwhile', async () => {
  const before = await running([A]);
  await before.calls.own({ ...ANN, writes: ['lib/x'] }, 'op');
  await before.time.pass(50);
  before.trees.write('lib/x', '1');
  await before.time.pass(10);
  await before.calls.free('ann-1');
  const after = await afterCrash(before, { carriesOn: 'all' });
  after.trees.write('lib/y', '1');
  await seen(after);
  expect(observed(after)).toEqual(['undeclared a: lib/y']);
});

test('what a person let go of before it was written, or takes long after it, is not', async () => {
  const world = await running([A]);
  await world.calls.own({ ...ANN, writes: ['lib/x'] }, 'op');
  await world.time.pass(10);
  await world.calls.free('ann-1');
  await world.time.pass(10);
  for (const file of ['lib/x', 'lib/y']) world.trees.write(file, '1');
  await world.trees.settle();
  await world.time.pass(405);
  await world.calls.own({ ...ANN, writes: ['lib/y'] }, 'op-2');
  await seen(world);
  expect(observed(world)).toEqual(['undeclared a: lib/x', 'undeclared a: lib/y']);
});

test('an input that a person saves is stale at once, however soon they let go of it', async () => {
  const world = await running([READER]);
  await world.time.pass(10);
  await world.calls.own({ ...ANN, writes: ['src/a/x'] }, 'op');
  world.trees.write('src/a/x', '1');
  await world.calls.free('ann-1');
  await world.trees.settle();
  await settled();
  expect(observed(world)).toEqual(['stale r: src/a/x']);
});

test('whoever stops deciding first waits for what it is not sure of', async () => {
  const world = await running([A]);
  await world.time.pass(10);
  world.trees.write('lib/x', '1');
  const last = world.engine.observed();
  await world.time.pass(500);
  await last;
  await settled();
  expect(observed(world)).toEqual(['undeclared a: lib/x']);
});

test('an input that another task writes is stale, once for each task', async () => {
  const world = await running([A, READER]);
  await world.time.pass(10);
  world.trees.write('src/a/x', '1');
  await seen(world);
  world.trees.write('src/a/x', '2');
  await seen(world);
  expect(observed(world)).toEqual(['stale r: src/a/x']);
});

test('an input that gets the same bytes again is not', async () => {
  const world = await engineWorld();
  world.trees.write('src/a/x', '1');
  await world.time.pass(10);
  await submit(world, [A, READER]);
  await world.time.pass(10);
  world.trees.write('src/a/x', '1');
  await seen(world);
  expect(observed(world)).toEqual([]);
});

test('tasks whose plan speaks of no files have nobody look', async () => {
  const world = await running([definition('a'), definition('b')]);
  expect(world.trees.log).toEqual([]);
});

test('nor does anybody look where nothing may start', async () => {
  const world = await engineWorld(undefined, { permission: 'untrusted' });
  await world.calls.submit(request({ tasks: [A] }));
  expect(world.trees.log).toEqual([]);
});

test('a tree is watched for as long as such a task is at work, and a little longer', async () => {
  const world = await running([A]);
  expect(world.trees.log).toEqual(['watch /project']);
  world.machine.succeed('a');
  await settled();
  await world.time.pass(9000);
  await submit(world, [B]);
  await world.time.pass(60_000);
  expect(world.trees.log).toEqual(['watch /project']);
  world.machine.succeed('b');
  await settled();
  await world.time.pass(60_000);
  expect(world.trees.log).toEqual(['watch /project', 'drop /project']);
});

test('whoever decides no more watches no more', async () => {
  const world = await running([A]);
  world.engine.end();
  expect(world.trees.watched).toBe(0);
});

test('what was written while nobody decided is found by whoever comes next', async () => {
  const before = await running([A]);
  await before.time.pass(50);
  before.trees.write('lib/early', '1');
  await seen(before);
  await before.time.pass(50);
  const dead = before.trees;
  dead.write('lib/late', '1');
  const after = await afterCrash(before, { carriesOn: 'all' });
  await seen(after);
  expect(observed(after)).toEqual(['undeclared a: lib/early', 'undeclared a: lib/late']);
});

test('also where the task had ended by then', async () => {
  const before = await running([A]);
  before.engine.end();
  await before.time.pass(50);
  before.trees.write('lib/late', '1');
  await before.time.pass(50);
  before.machine.succeed('a');
  const after = await afterCrash(before, { carriesOn: 'all' });
  await seen(after);
  expect(observed(after)).toEqual(['undeclared a: lib/late']);
});

test('who ended before nobody decided is not taken for who came after', async () => {
  const before = await running([A, B]);
  before.trees.write('src/b/x', '1');
  await before.time.pass(50);
  before.machine.succeed('b');
  await settled();
  await before.time.pass(50);
  const after = await afterCrash(before, { carriesOn: 'all' });
  await seen(after);
  expect(observed(after)).toEqual([]);
});

test('a lost attempt may write on, and is named for it', async () => {
  const world = await engineWorld();
  const agent = { doer: { kind: 'agent' }, leaseMs: 10_000 } as const;
  const task = definition('a', { command: undefined, writes: ['src/a/**'], asks: agent });
  await submit(world, [task]);
  const worker = {
    id: workerId('bob'),
    kind: 'agent',
    capabilities: [],
    isIdle: true,
    since: world.time.now(),
  } as const;
  const reply = await world.calls.claim({ worker, operation: 'claim' });
  assert(reply.kind === 'granted', 'it is free');
  const { run, term } = reply.grant;
  const by = { kind: 'worker', worker: worker.id } as const;
  await world.calls.say({ run, task: task.id, term, by, says: { kind: 'renew' } }, 'renew');
  await world.time.pass(10_001);
  expect(world.engine.board.owners.leftovers.size).toBe(1);
  world.trees.write('lib/x', '1');
  await seen(world);
  expect(observed(world)).toEqual(['undeclared a: lib/x']);
});

test('100 000 files of one task are 1001 entries, and it owns everything then', async () => {
  const world = await running([A]);
  for (let number = 0; number < 100_000; number += 1) world.trees.write(`many/${number}`, '');
  await seen(world);
  expect(observed(world)).toHaveLength(1001);
  await submit(world, [definition('other', { writes: ['docs/x'] })], 'other.interlock.yaml');
  expect(world.machine.running).toEqual(['a']);
}, 60_000);

async function running(tasks: readonly TaskDefinition[]): Promise<EngineWorld> {
  const world = await engineWorld();
  await submit(world, tasks);
  return world;
}

async function submit(
  world: EngineWorld,
  tasks: readonly TaskDefinition[],
  plan = 'interlock.yaml',
): Promise<void> {
  await world.calls.submit(request({ tasks, plan }));
  await settled();
}

/** The hook of an agent tells that a shell command begins, or has ended. */
async function shell(
  { calls }: EngineWorld,
  is: 'begun' | 'over',
): ReturnType<EngineWorld['calls']['hook']> {
  const caller = { as: workerId('agent/ann'), marks: [], session: 's1' };
  const told = { what: 'writes', tree: '/project', paths: [], forMs: 60_000 } as const;
  const ended = calls.hook({ ...told, caller, shell: { is, call: '' } });
  await settled();
  return await ended;
}

/** Whoever watches has told all there is, and it is written. */
async function seen(world: EngineWorld): Promise<void> {
  await world.trees.settle();
  await world.time.pass(500);
}

function observed({ disk }: EngineWorld): readonly string[] {
  return disk.entries.flatMap(({ event }) => {
    if (!isObservation(event)) return [];
    if (event.kind === 'undeclaredWritten') return `undeclared ${event.task}: ${event.path}`;
    if (event.kind === 'inputChanged') return `stale ${event.task}: ${event.paths.join(' ')}`;
    if (event.kind === 'heldFilesChanged')
      return `shell of ${event.worker} in ${event.task}: ${event.paths.join(' ')}`;
    return `one of ${event.by.map(({ task }) => task).join(' ')}: ${event.paths.join(' ')}`;
  });
}
