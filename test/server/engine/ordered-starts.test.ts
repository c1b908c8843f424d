import { expect, test } from 'vitest';
import {
  type EngineWorld,
  engineWorld,
  request,
  Surroundings,
} from '../../support/engine-world.ts';
import { settled } from '../../support/hand-time.ts';
import { definition } from '../../support/runs.ts';

async function farWorld(): Promise<EngineWorld> {
  const around = new Surroundings();
  around.machine.isFar = true;
  const world = await engineWorld(around);
  await world.calls.submit(request({ tasks: [definition('a')] }));
  await settled();
  return world;
}

test('what is only ordered is claimed, and runs when the order has arrived', async () => {
  const { machine, time, states } = await farWorld();
  expect(states()).toBe('a claimed');
  machine.arrive('a');
  await time.pass(20);
  expect(states()).toBe('a running');
  machine.succeed('a');
  await settled();
  expect(states()).toBe('a completed');
});

test('an order that is under way keeps its claim, however long it takes', async () => {
  const { machine, time, states } = await farWorld();
  await time.pass(10 * 60_000);
  expect(states()).toBe('a claimed');
  machine.arrive('a');
  machine.succeed('a');
  await settled();
  expect(states()).toBe('a completed');
});

test('an order that cannot be carried out is tried again where that may help, and fails where not', async () => {
  const { machine, time, states, store } = await farWorld();
  machine.turnAway('a', 'There is no tmux.');
  await settled();
  expect(states()).toBe('a pending');
  await time.pass(1000);
  expect(states()).toBe('a claimed');
  machine.mayMend = false;
  machine.turnAway('a', 'There is no such folder.');
  await settled();
  const failure = { kind: 'not-started', message: 'There is no such folder.' };
  expect(store.latestStates('/project')).toMatchObject([
    { state: { kind: 'failed', failure, tries: { attempts: 2, losses: 1 } } },
  ]);
});
