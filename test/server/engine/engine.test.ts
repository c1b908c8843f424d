import { expect, test } from 'vitest';
import { StoreError } from '../../../server/engine/store-error.ts';
import type { Store } from '../../../server/engine/store-port.ts';
import {
  afterCrash,
  type EngineWorld,
  engineWorld,
  request,
  Surroundings,
  termOf,
} from '../../support/engine-world.ts';
import { settled } from '../../support/hand-time.ts';
import { methodsOf } from '../../support/store-methods.ts';
import { workerId } from '../../support/snapshots.ts';
import { definition, taskId } from '../../support/runs.ts';

const CHAIN = [definition('a'), definition('b', { dependsOn: [taskId('a')] })];
const ALONE = [definition('a')];

async function running(tasks = CHAIN): Promise<EngineWorld> {
  const world = await engineWorld();
  await world.calls.submit(request({ tasks }));
  return world;
}

test('a task starts when what it depends on has completed', async () => {
  const { machine, states } = await running();
  expect(machine.log).toEqual(['start a']);
  machine.succeed('a');
  await settled();
  expect(machine.log).toEqual(['start a', 'start b']);
  machine.succeed('b');
  await settled();
  expect(states()).toBe('a completed, b completed');
});

test('what depends on a failed task is skipped, and the rest runs', async () => {
  const { machine, states } = await running([...CHAIN, definition('c')]);
  machine.fail('a', 3);
  machine.succeed('c');
  await settled();
  expect(states()).toBe('a failed, b skipped, c completed');
  expect(machine.log).toEqual(['start a', 'start c']);
});

test('the command is told its task, run, revision, attempt and term', async () => {
  const { machine, engine } = await running();
  const [run] = engine.board.runs.keys();
  const launch = { root: '/project', place: 'local', run, revision: 1, attempt: 1, term: 1 };
  expect(machine.launchOf('a')).toMatchObject(launch);
});

test('a command starts only after its claim is on the disk', async () => {
  const around = new Surroundings();
  const seen: unknown[] = [];
  const world = await engineWorld(around, {
    wrap: (store) => ({
      ...methodsOf(store),
      together: (write) => {
        const result = store.together(write);
        seen.push([...around.machine.log]);
        return result;
      },
    }),
  });
  await world.calls.submit(request({ tasks: ALONE }));
  expect(seen.at(-1)).toEqual([]);
  expect(around.machine.log).toEqual(['start a']);
});

test('the start is written down soon, with whatever is written next', async () => {
  const { time, states, machine, told } = await running(ALONE);
  expect(states()).toBe('a claimed');
  await time.pass(20);
  expect(states()).toBe('a running');
  machine.succeed('a');
  await settled();
  expect(states()).toBe('a completed');
  expect(told.map(({ sequence }) => sequence)).toEqual(told.map((_, index) => index + 1));
});

test('a task that cannot be started now is tried again, and then it wants somebody', async () => {
  const world = await engineWorld();
  world.machine.broken.set('a', 'There are too many processes.');
  await world.calls.submit(request({ tasks: ALONE }));
  await world.time.pass(60_000);
  expect(world.states()).toBe('a attention');
});

test('a task that can never be started fails at once, and what needs it is skipped', async () => {
  const world = await engineWorld();
  world.machine.broken.set('a', 'There is no such program.');
  world.machine.mayMend = false;
  await world.calls.submit(request({ tasks: CHAIN }));
  await settled();
  expect(world.states()).toMatch(/^a failed, b skipped/);
  expect(
    world.told.flatMap(({ event }) => (event.kind === 'runFinished' ? event.outcome : [])),
  ).toEqual(['failed']);
});

test('nothing runs in a folder that is not trusted, until it is', async () => {
  const { calls, engine, machine } = await engineWorld(undefined, { permission: 'untrusted' });
  expect(await calls.submit(request())).toEqual({ kind: 'untrusted' });
  await engine.permit('granted');
  expect(await calls.submit(request())).toMatchObject({ kind: 'started' });
  expect(machine.log).toEqual(['start a', 'start b']);
});

test('asking again for what is running joins it, asking for something else has to wait', async () => {
  const { calls, machine } = await engineWorld();
  const first = request({ tasks: CHAIN });
  expect(await calls.submit(first)).toEqual({ kind: 'started', run: first.id });
  expect(await calls.submit(first)).toEqual({ kind: 'started', run: first.id });
  expect(await calls.submit(request({ tasks: CHAIN }))).toEqual({ kind: 'joined', run: first.id });
  const part = request({ tasks: ALONE, selection: [taskId('a')] });
  expect(await calls.submit(part)).toEqual({ kind: 'joined', run: first.id });
  expect(await calls.submit(request())).toEqual({ kind: 'busy' });
  expect(await calls.submit(request({ isNew: true }))).toEqual({ kind: 'busy' });
  const other = request({ plan: 'other.interlock.yaml' });
  expect(await calls.submit(other)).toMatchObject({ kind: 'started' });
  expect(machine.log).toEqual(['start a', 'start a', 'start b']);
});

test('a run that is stopped asks what runs to end, and starts nothing more', async () => {
  const { calls, engine, machine, time, states } = await running();
  const [run] = engine.board.runs.keys();
  await calls.control({ kind: 'stop-run', run: run! }, 'stop');
  expect(machine.log).toEqual(['start a', 'terminate a']);
  await time.pass(5000);
  expect(machine.log.at(-1)).toBe('kill a');
  machine.fail('a', 143);
  await settled();
  expect(states()).toBe('a cancelled, b cancelled');
  expect(engine.board.runs.size).toBe(0);
});

test('a lease is renewed for as long as its command runs', async () => {
  const { time, states, engine } = await running(ALONE);
  const [run] = engine.board.runs.values();
  const expiry = (): number => run?.find(taskId('a'))?.claim?.holder.expiresAt ?? 0;
  const before = expiry();
  await time.pass(120_000);
  expect(states()).toBe('a running');
  expect(expiry()).toBeGreaterThan(before + 60_000);
});

test('a command that says nothing for too long wants somebody, until it says something', async () => {
  const asks = { stuckAfterMs: 60_000 };
  const { time, machine, states } = await running([definition('a', { asks }), definition('b')]);
  await time.pass(50_000);
  machine.print('a');
  await time.pass(50_000);
  expect(states()).toBe('a running, b running');
  await time.pass(600_000);
  expect(states()).toBe('a attention, b running');
  machine.print('a');
  await time.pass(10_000);
  expect(states()).toBe('a running, b running');
});

test('a command whose end nobody saw is tried again', async () => {
  const { time, machine } = await running(ALONE);
  machine.vanish('a');
  await settled();
  await time.pass(10_000);
  expect(machine.log).toEqual(['start a', 'start a']);
});

test('the lease that ended while the machine slept is confirmed before anything else', async () => {
  const { time, machine, states } = await running(ALONE);
  await time.pass(5000);
  time.sleep(3_600_000);
  await time.pass(60_000);
  expect(states()).toBe('a running');
  expect(machine.log).toEqual(['start a']);
});

test('requests that come together are written together', async () => {
  const around = new Surroundings();
  let commits = 0;
  const wrap = (store: Store): Store => ({
    ...methodsOf(store),
    together: (write) => {
      commits += 1;
      return store.together(write);
    },
  });
  const { calls } = await engineWorld(around, { wrap });
  const before = commits;
  const plans = ['one.interlock.yaml', 'two.interlock.yaml', 'three.interlock.yaml'];
  await Promise.all(plans.map(async (plan) => calls.submit(request({ plan }))));
  expect(commits - before).toBe(1);
});

test('a full disk refuses what is asked and forgets nothing that has happened', async () => {
  const around = new Surroundings();
  let isFull = false;
  const wrap = (store: Store): Store => ({
    ...methodsOf(store),
    together: (write) =>
      store.together(() => {
        const result = write();
        if (isFull) throw new StoreError('world', 'The disk is full.');
        return result;
      }),
  });
  const { calls, machine, states, time, faults } = await engineWorld(around, { wrap });
  await calls.submit(request({ tasks: CHAIN }));
  isFull = true;
  const refused = calls.submit(request({ plan: 'other.interlock.yaml' }));
  await expect(refused).rejects.toThrow('The disk is full.');
  machine.succeed('a');
  await settled();
  await time.pass(60_000);
  expect(states()).toBe('a claimed, b pending');
  expect(machine.log).toEqual(['start a']);
  isFull = false;
  await time.pass(10_000);
  expect(states()).toBe('a completed, b running');
  expect(machine.log).toEqual(['start a', 'start b']);
  // One for the time in which nothing could be written, however often it was tried.
  expect(faults).toHaveLength(1);
});

test('a mistake in one request fails that request, and nothing else', async () => {
  const { engine, calls, machine } = await engineWorld();
  const broken = engine.ask(() => {
    throw new TypeError('a bug');
  });
  const fine = calls.submit(request({ tasks: ALONE }));
  await expect(broken).rejects.toThrow('a bug');
  expect(await fine).toMatchObject({ kind: 'started' });
  expect(machine.log).toEqual(['start a']);
});

test('what was claimed and never started is claimed anew by whoever comes next', async () => {
  const around = new Surroundings();
  const before = await engineWorld(around, { wrap: stopsBefore('a') });
  await before.calls.submit(request({ tasks: ALONE })).catch(() => {});
  expect(before.states()).toBe('a claimed');
  const after = await afterCrash(around);
  expect(around.machine.log).toEqual(['start a']);
  expect(termOf(after, 'a')).toBe(2);
});

test('a command that still runs is found again, and its end counts', async () => {
  const before = await running();
  await before.time.pass(20);
  const after = await afterCrash(before);
  expect(after.states()).toBe('a running, b pending');
  after.machine.succeed('a');
  await settled();
  expect(after.machine.log).toEqual(['start a', 'start b']);
  expect(after.states()).toContain('a completed');
});

test('the end of a command that came while nobody was there counts, however late', async () => {
  const before = await running();
  before.engine.end();
  before.machine.succeed('a');
  before.time.sleep(50_000);
  const after = await afterCrash(before, { carriesOn: 'all' });
  expect(after.states()).toBe('a completed, b claimed');
});

test('after a long time alone nothing starts by itself, and the run can be carried on', async () => {
  const tasks = CHAIN;
  const before = await running(tasks);
  before.engine.end();
  before.machine.succeed('a');
  before.time.sleep(3_600_000);
  const after = await afterCrash(before);
  expect(after.states()).toBe('a completed, b pending');
  expect(after.store.runs(1)[0]?.status).toBe('interrupted');
  expect(await after.calls.submit(request({ tasks }))).toMatchObject({ kind: 'joined' });
  expect(after.machine.running).toEqual(['b']);
});

test('an edited plan takes the place of an interrupted run, whose commands are ended', async () => {
  const before = await running(ALONE);
  before.time.sleep(3_600_000);
  const after = await afterCrash(before);
  const tasks = [definition('a', { title: 'edited' })];
  expect(await after.calls.submit(request({ tasks }))).toMatchObject({ kind: 'started' });
  expect(after.machine.log).toContain('terminate a');
});

test('three crashes in a row with nothing done pause everything, until somebody resumes', async () => {
  const around = new Surroundings();
  const first = await engineWorld(around);
  await first.calls.submit(request());
  await afterCrash(around);
  await afterCrash(around);
  const safe = await afterCrash(around);
  expect(safe.notices).toHaveLength(1);
  expect(safe.engine.board.isPaused).toBe(true);
  await safe.calls.control({ kind: 'resume-board' }, 'resume');
  expect((await afterCrash(around)).engine.board.isPaused).toBe(false);
});

test('what is not remembered any more is thrown away with its output', async () => {
  const world = await engineWorld();
  const runs = Array.from({ length: 210 }, (_, number) =>
    request({ tasks: ALONE, plan: `${number}.interlock.yaml` }),
  );
  for (const run of runs) {
    await world.calls.submit(run);
    world.machine.succeed('a');
    await settled();
  }
  const { writer } = world.engine;
  await world.engine.ask(() => {
    for (let more = writer.sinceBase; more <= 10_000; more += 1)
      writer.record([{ kind: 'wakesForgotten', at: writer.now() }]);
  });
  await world.calls.submit(request({ tasks: ALONE }));
  await world.time.pass(10_000);
  expect(world.machine.dropped.toSorted()).toEqual(runs.slice(0, 10).map(({ id }) => id));
  expect(writer.sinceBase).toBeLessThan(10);
});

test('whoever was here is gone until it greets whoever decides now', async () => {
  const around = new Surroundings();
  const before = await engineWorld(around);
  const worker = {
    kind: 'agent',
    capabilities: [],
    isIdle: true,
    since: around.time.now(),
  } as const;
  const id = workerId('agent/one');
  await before.calls.greet({ ...worker, id });
  expect([...before.engine.board.workers.sessions.keys()]).toEqual([id]);
  const after = await afterCrash(around);
  expect(after.engine.board.workers.sessions.size).toBe(0);
});

test('an orderly end leaves the commands running for whoever comes next', async () => {
  const before = await running(ALONE);
  before.engine.end();
  expect(before.machine.running).toEqual(['a']);
  const after = await afterCrash(before);
  after.machine.succeed('a');
  await settled();
  expect(after.states()).toBe('a completed');
  await expect(before.calls.submit(request())).rejects.toThrow('does not decide any more');
});

/** The process is gone before the command starts: the disk has the claim. */
function stopsBefore(task: string): (store: Store) => Store {
  return (store) => ({
    ...methodsOf(store),
    together: (write) => {
      const result = store.together(write);
      const claimed = store.latestStates('/project').find((record) => record.task === task);
      if (claimed?.state.kind === 'claimed') throw new StoreError('deposed', 'gone');
      return result;
    },
  });
}
