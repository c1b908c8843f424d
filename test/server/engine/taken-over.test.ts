import { expect, test } from 'vitest';
import { StoreError } from '../../../server/engine/store-error.ts';
import type { Store } from '../../../server/engine/store-port.ts';
import {
  afterCrash,
  type EngineWorld,
  engineWorld,
  request,
  Surroundings,
} from '../../support/engine-world.ts';
import { settled } from '../../support/hand-time.ts';
import { MemoryStore } from '../../support/memory-store.ts';
import { definition } from '../../support/runs.ts';
import { methodsOf } from '../../support/store-methods.ts';

const STOPPED_MS = 4000;

/** Stops this process right after a commit, for as long as it takes another one to begin a tenure. */
class Stop {
  isNext = false;
  readonly #around: Surroundings;

  constructor(around: Surroundings) {
    this.#around = around;
  }

  wrap(store: Store): Store {
    return {
      ...methodsOf(store),
      together: (write) => {
        const result = store.together(write);
        if (this.isNext) this.#stop();
        return result;
      },
    };
  }

  #stop(): void {
    this.isNext = false;
    const { time, disk } = this.#around;
    time.sleep(STOPPED_MS);
    new MemoryStore(time, disk).beginTenure();
  }
}

async function stoppable(): Promise<{ readonly world: EngineWorld; readonly stop: Stop }> {
  const around = new Surroundings();
  const stop = new Stop(around);
  const wrap = (store: Store): Store => stop.wrap(store);
  return { world: await engineWorld(around, { wrap }), stop };
}

test('a process that was taken over after a commit starts nothing and answers nothing', async () => {
  const { world, stop } = await stoppable();
  stop.isNext = true;
  const asked = world.calls.submit(request({ tasks: [definition('a')] }));
  await expect(asked).rejects.toThrow(StoreError);
  await world.time.pass(60_000);
  expect(world.states()).toBe('a claimed');
  expect(world.machine.log).toEqual([]);
  expect(world.losses).toMatchObject([{ reason: 'deposed' }]);
});

test('a process that was taken over while it began looks for no commands', async () => {
  const { world: before } = await stoppable();
  await before.calls.submit(request({ tasks: [definition('a')] }));
  const looked = before.machine.asked.length;
  const stop = new Stop(before);
  stop.isNext = true;
  const after = await afterCrash(before, { carriesOn: 'all', wrap: (store) => stop.wrap(store) });
  await after.time.pass(60_000);
  expect(after.machine.asked.length).toBe(looked);
  expect(after.machine.log).toEqual(['start a']);
  expect(after.losses).toMatchObject([{ reason: 'deposed' }]);
});

test('a process that was taken over while it ended lets no runner forget anything', async () => {
  const { world, stop } = await stoppable();
  await world.calls.submit(request({ tasks: [definition('a')] }));
  await settled();
  const { settlements } = world.machine;
  stop.isNext = true;
  world.engine.end();
  expect(world.machine.settlements).toBe(settlements);
});

test('entries that the next process may not have found are told to nobody', async () => {
  const { world, stop } = await stoppable();
  const told = world.told.length;
  stop.isNext = true;
  const asked = world.calls.submit(request({ tasks: [definition('a')] }));
  await expect(asked).rejects.toThrow(StoreError);
  expect(world.told.length).toBe(told);
});
