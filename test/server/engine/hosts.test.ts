import { expect, test } from 'vitest';
import {
  type EngineWorld,
  engineWorld,
  request,
  Surroundings,
  termOf,
} from '../../support/engine-world.ts';
import { settled } from '../../support/hand-time.ts';
import { definition } from '../../support/runs.ts';
import { taskId } from '../../support/snapshots.ts';

/** Its task runs on the first of its hosts. */
async function hostWorld(...others: readonly string[]): Promise<EngineWorld> {
  const around = new Surroundings();
  const hosts = ['build-1', ...others];
  for (const host of hosts) around.machine.see(host);
  const world = await engineWorld(around);
  await world.calls.submit(
    request({ tasks: [definition('a', { asks: { hosts, leaseMs: 30_000 } })] }),
  );
  await settled();
  return world;
}

/** The link goes, and a minute later nobody waits for it any more. */
async function outOfSight(world: EngineWorld): Promise<void> {
  world.machine.see('build-1', { isReachable: false });
  await world.time.pass(60_000);
  world.machine.giveUp('a');
  await settled();
}

test('a host that nobody can reach for a moment has its task still', async () => {
  const { machine, states, time } = await hostWorld();
  machine.see('build-1', { isReachable: false });
  await time.pass(59_000);
  expect(states()).toBe('a running');
  machine.see('build-1', { isReachable: true });
  machine.succeed('a');
  await settled();
  expect(states()).toBe('a completed');
});

test('a host that is back before the lease is over has its task again', async () => {
  const world = await hostWorld();
  const { machine, states, time } = world;
  const term = termOf(world, 'a');
  await outOfSight(world);
  await time.pass(15_000);
  machine.see('build-1', { isReachable: true });
  await time.pass(60_000);
  expect([states(), termOf(world, 'a')]).toEqual(['a running', term]);
  machine.succeed('a');
  await settled();
  expect(states()).toBe('a completed');
  expect(machine.log).toEqual(['start a']);
});

test('nothing is forgotten of ends that are being found out: whoever comes next finds them', async () => {
  const world = await hostWorld();
  const { machine, time, calls, states } = world;
  await outOfSight(world);
  machine.see('build-1', { isReachable: true });
  machine.succeed('a');
  const found = Promise.withResolvers<void>();
  machine.looksUntil = found.promise;
  await time.pass(10_000);
  const before = machine.settlements;
  await calls.submit(request({ plan: 'other.interlock.yaml', tasks: [definition('b')] }));
  await settled();
  expect([machine.settlements, states()]).toEqual([before, 'a running, b claimed']);
  found.resolve();
  await settled();
  await time.pass(1000);
  expect(machine.settlements).toBeGreaterThan(before);
  expect(states()).toBe('a completed, b running');
});

test('a host that is away for longer keeps the task that nobody else could take', async () => {
  const world = await hostWorld();
  const { machine, states, time } = world;
  const term = termOf(world, 'a');
  await outOfSight(world);
  await time.pass(3_600_000);
  expect(states()).toBe('a running');
  machine.see('build-1', { isReachable: true });
  await settled();
  machine.succeed('a');
  await settled();
  expect([states(), machine.log]).toEqual(['a completed', ['start a']]);
  expect(term).toBe(1);
});

test('and loses it as soon as somebody else could', async () => {
  const world = await hostWorld('build-2');
  const { machine, states, time } = world;
  machine.see('build-2', { isReachable: false });
  await outOfSight(world);
  await time.pass(600_000);
  expect(states()).toBe('a running');
  machine.see('build-2', { isReachable: true });
  await time.pass(35_000);
  expect(states()).toBe('a pending');
});

test('one that is to stop is not waited for', async () => {
  const world = await hostWorld();
  const { calls, engine, states, time } = world;
  await outOfSight(world);
  const [run] = engine.board.runs.keys();
  await calls.control({ kind: 'cancel-task', run: run!, task: taskId('a') }, 'one');
  await time.pass(120_000);
  expect(states()).toBe('a cancelled');
});

test('a host that is away for longer has lost its task to others, and what it still does is ended first', async () => {
  const world = await hostWorld('build-2');
  const { machine, states, time } = world;
  await outOfSight(world);
  await time.pass(35_000);
  expect(states()).toBe('a pending');
  machine.see('build-1', { isReachable: true });
  await time.pass(1000);
  await time.pass(20);
  expect(states()).toBe('a running');
  expect(machine.log).toEqual(['start a', 'sweep a', 'start a']);
});

test('nobody waits for what is left on a host as soon as it never comes back', async () => {
  const world = await hostWorld('build-2');
  await outOfSight(world);
  await world.time.pass(35_000);
  const { leftovers } = world.engine.board.owners;
  expect(leftovers.size).toBe(1);
  world.machine.remove('build-1', { isForEver: true });
  await settled();
  expect(leftovers.size).toBe(0);
});

test('what a host says that nobody waits for comes too late', async () => {
  const world = await hostWorld();
  await outOfSight(world);
  world.machine.succeed('a');
  await settled();
  expect(world.states()).toBe('a running');
  world.machine.see('build-1', { isReachable: true });
  await settled();
  expect(world.states()).toBe('a completed');
});

test('whoever comes next waits for the hosts of the last one, and not for ever', async () => {
  const before = await hostWorld('build-2');
  before.engine.end();
  before.machine.see('build-1', { isReachable: false });
  const { states, time } = await engineWorld(before);
  await time.pass(59_000);
  expect(states()).toBe('a running');
  await time.pass(35_000);
  expect(states()).toBe('a pending');
});

test('a runner hears which hosts are asked for, first of all and when they change', async () => {
  const { machine, calls, time } = await hostWorld();
  expect(machine.asked).toEqual(['want', 'adopt 0', 'want build-1']);
  machine.see('build-2');
  const tasks = [definition('b', { asks: { hosts: ['build-2', 'local'] } })];
  await calls.submit(request({ tasks, plan: 'other.interlock.yaml' }));
  await settled();
  expect(machine.asked.slice(3)).toEqual(['want build-1 build-2']);
  machine.succeed('a');
  await time.pass(20);
  expect(machine.asked.slice(4)).toEqual(['want build-2']);
});

test('whoever comes next asks for the hosts where something is at work before it looks there', async () => {
  const before = await hostWorld();
  before.engine.end();
  before.machine.asked.length = 0;
  await engineWorld(before);
  expect(before.machine.asked).toEqual(['want build-1', 'adopt 1']);
});

test('a folder that is not trusted reaches no host', async () => {
  const { machine, engine } = await hostWorld();
  machine.succeed('a');
  await engine.permit('untrusted');
  await settled();
  expect(machine.asked.at(-1)).toBe('want');
});

test('a host is written down when something has changed, and not with every beat', async () => {
  const { machine, told, time } = await hostWorld();
  machine.see('build-1', { load: 0.3 });
  await time.pass(1000);
  told.length = 0;
  for (const load of [0.3, 0.4, 0.1, 0.7, 0.5]) {
    machine.see('build-1', { load });
    await time.pass(5000);
  }
  const kinds = (): readonly string[] =>
    told.map(({ event: { kind } }) => kind).filter((kind) => kind === 'placeSeen');
  expect(kinds()).toEqual([]);
  machine.see('build-1', { load: 1.94 });
  await time.pass(1000);
  expect(kinds()).toEqual(['placeSeen']);
});

test('at first no host is known to be there, and those that are none of the user are gone', async () => {
  const before = await hostWorld();
  before.machine.see('build-2');
  await settled();
  before.engine.end();
  before.machine.hosts.delete('build-2');
  before.machine.see('build-1', { isReachable: false });
  const { engine } = await engineWorld(before);
  const places = [...engine.board.workers.places.values()];
  expect(places.map(({ name, isReachable }) => [name, isReachable])).toEqual([
    ['local', true],
    ['build-1', false],
  ]);
});

test('a host that is taken from the settings takes nothing more', async () => {
  const { machine, states, engine } = await hostWorld();
  machine.succeed('a');
  machine.remove('build-1');
  await settled();
  expect(engine.board.workers.places.has('build-1')).toBe(false);
  expect(states()).toBe('a completed');
});

test('a host that comes back while it is looked for is looked at again at once', async () => {
  const world = await hostWorld();
  const { machine, time, states } = world;
  await outOfSight(world);
  const found = Promise.withResolvers<void>();
  machine.looksUntil = found.promise;
  await time.pass(6000);
  machine.see('build-1', { isReachable: true });
  await settled();
  machine.looksUntil = Promise.resolve();
  found.resolve();
  await settled();
  machine.succeed('a');
  await settled();
  expect(states()).toBe('a completed');
});
