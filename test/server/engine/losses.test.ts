import { expect, test } from 'vitest';
import { StoreError } from '../../../server/engine/store-error.ts';
import {
  type EngineWorld,
  engineWorld,
  request,
  Surroundings,
} from '../../support/engine-world.ts';
import { settled } from '../../support/hand-time.ts';
import { methodsOf } from '../../support/store-methods.ts';
import { definition } from '../../support/runs.ts';

const ALONE = [definition('a')];

test('an engine that another one has followed ends without a word, and says so once', async () => {
  const before = await running();
  const after = await engineWorld(before, { carriesOn: 'all' });
  const entries = before.disk.entries.length;
  const asked = before.calls.submit(request({ plan: 'other.interlock.yaml' }));
  await expect(asked).rejects.toMatchObject({ reason: 'deposed' });
  before.engine.end();
  expect(before.disk.entries.length).toBe(entries);
  await before.time.pass(60_000);
  await expect(before.calls.submit(request())).rejects.toMatchObject({ reason: 'deposed' });
  expect([before.faults, before.losses.map(String)]).toEqual([
    [],
    ['StoreError: Another one writes.'],
  ]);
  after.machine.succeed('a');
  await settled();
  expect(after.states()).toBe('a completed');
});

test('one that ends before it has noticed that says nothing', async () => {
  const before = await running();
  await engineWorld(before, { carriesOn: 'all' });
  before.engine.end();
  expect([before.faults, before.losses]).toEqual([[], []]);
});

test('an engine whose file is gone ends, and whoever asked may ask the next', async () => {
  let isGone = false;
  const world = await engineWorld(new Surroundings(), {
    wrap: (store) => ({
      ...methodsOf(store),
      together: (write) => {
        if (isGone) throw new StoreError('gone', 'The file was deleted.');
        return store.together(write);
      },
    }),
  });
  await world.calls.submit(request({ tasks: ALONE }));
  isGone = true;
  world.machine.succeed('a');
  const asked = world.calls.submit(request());
  await expect(asked).rejects.toMatchObject({ reason: 'deposed' });
  await world.time.pass(60_000);
  expect([world.faults, world.losses.map(String)]).toEqual([
    [],
    ['StoreError: The file was deleted.'],
  ]);
});

async function running(): Promise<EngineWorld> {
  const world = await engineWorld();
  await world.calls.submit(request({ tasks: ALONE }));
  await world.time.pass(20);
  return world;
}
