import { expect, test } from 'vitest';
import { parseWorkerId } from '../../../server/domain/ids.ts';
import { instant } from '../../../server/domain/time.ts';
import type { Runner } from '../../../server/engine/ports.ts';
import { StoreError } from '../../../server/engine/store-error.ts';
import type { Store } from '../../../server/engine/store-port.ts';
import type { Worker } from '../../../server/scheduler/model/workers.ts';
import {
  afterCrash,
  type EngineWorld,
  engineWorld,
  request,
  Surroundings,
} from '../../support/engine-world.ts';
import { settled } from '../../support/hand-time.ts';
import { methodsOf } from '../../support/store-methods.ts';
import type { HandMachine } from '../../support/hand-machine.ts';
import { definition } from '../../support/runs.ts';

const ALONE = [definition('a')];

test('the end of a command counts that ends while others are still looked for', async () => {
  const before = await running();
  change(before.machine, (runner) => ({
    ...runner,
    adopt: async (attempts) => {
      const sights = await runner.adopt(attempts);
      before.machine.succeed('a');
      return sights;
    },
  }));
  const after = await afterCrash(before, { carriesOn: 'all' });
  await settled();
  expect(after.states()).toBe('a completed');
});

test('a command that nobody could look at is looked for again', async () => {
  const before = await running();
  let isOutOfSight = true;
  change(before.machine, (runner) => ({
    ...runner,
    adopt: async (attempts) => (isOutOfSight ? new Map() : await runner.adopt(attempts)),
  }));
  const after = await afterCrash(before, { carriesOn: 'all' });
  await after.time.pass(6000);
  isOutOfSight = false;
  await after.time.pass(6000);
  after.machine.succeed('a');
  await settled();
  expect(after.states()).toBe('a completed');
  expect(after.machine.log).toEqual(['start a']);
});

test('a disk that can neither be written nor read leaves nothing behind that is not on it', async () => {
  let isBroken = false;
  const fail = (): never => {
    isBroken = false;
    throw new StoreError('world', 'The disk cannot be read.');
  };
  const wrap = (store: Store): Store => ({
    ...methodsOf(store),
    snapshot: () => (isBroken ? fail() : store.snapshot()),
    together: (write) =>
      store.together(() => {
        const result = write();
        if (isBroken) throw new StoreError('world', 'The disk is full.');
        return result;
      }),
  });
  const world = await engineWorld(new Surroundings(), { wrap });
  isBroken = true;
  await expect(world.calls.submit(request({ tasks: ALONE }))).rejects.toThrow('full');
  await world.calls.submit(request({ tasks: ALONE }));
  expect(world.machine.log).toEqual(['start a']);
  expect(world.faults.filter((error) => !(error instanceof StoreError))).toEqual([]);
});

test('after a mistake in deciding nothing starts, what ends is kept, and it is told once', async () => {
  let isWrong = false;
  const wrap = (store: Store): Store => ({
    ...methodsOf(store),
    commit: (turn, decisions) => {
      if (isWrong) throw new Error('One is not two.');
      return store.commit(turn, decisions);
    },
  });
  const world = await engineWorld(new Surroundings(), { wrap });
  await world.calls.submit(request({ tasks: ALONE }));
  isWrong = true;
  const other = request({ plan: 'other.interlock.yaml', tasks: [definition('b')] });
  expect(await world.calls.submit(other)).toEqual({ kind: 'started', run: other.id });
  world.machine.succeed('a');
  await world.time.pass(60_000);
  expect(world.machine.log).toEqual(['start a']);
  expect(world.states()).toBe('a completed, b pending');
  expect([world.halts.map(String), world.faults]).toEqual([['Error: One is not two.'], []]);
});

test('an agent keeps what it has though this process slept while the disk wrote', async () => {
  const around = new Surroundings();
  let isSlow = false;
  const wrap = (store: Store): Store => ({
    ...methodsOf(store),
    together: (write) => {
      const result = store.together(write);
      if (isSlow) around.time.sleep(3_600_000);
      isSlow = false;
      return result;
    },
  });
  const world = await engineWorld(around, { wrap });
  const tasks = [definition('a', { asks: { doer: { kind: 'agent' } } })];
  await world.calls.submit(request({ tasks }));
  const call = { worker: AGENT, leaseMs: 30_000, operation: 'claim' };
  expect(await world.calls.claim(call)).toMatchObject({ kind: 'granted' });
  isSlow = true;
  await world.calls.greet({ ...AGENT, isIdle: false });
  await world.time.pass(10_000);
  expect(world.states()).toBe('a claimed');
});

test('a run that has come to its end is the same run for whoever asks for it again', async () => {
  const world = await engineWorld();
  const asked = request({ tasks: ALONE });
  await world.calls.submit(asked);
  world.machine.succeed('a');
  await settled();
  const next = request({ tasks: [...ALONE, definition('b')] });
  expect(await world.calls.submit(next)).toEqual({ kind: 'started', run: next.id });
  expect(await world.calls.submit(asked)).toEqual({ kind: 'started', run: asked.id });
  expect(world.machine.log).toEqual(['start a', 'start a', 'start b']);
});

async function running(): Promise<EngineWorld> {
  const world = await engineWorld();
  await world.calls.submit(request({ tasks: ALONE }));
  await world.time.pass(20);
  return world;
}

const AGENT: Worker = {
  id: parseWorkerId('agent/1')!,
  kind: 'agent',
  capabilities: [],
  isIdle: true,
  since: instant(1),
};

/** Whoever comes next runs its commands in another way. */
function change(machine: HandMachine, how: (runner: Runner) => Runner): void {
  const runner = machine.runner.bind(machine);
  machine.runner = (news) => how(runner(news));
}
