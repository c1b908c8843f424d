import { expect, test } from 'vitest';
import { engineWorld, request } from '../../support/engine-world.ts';
import { settled } from '../../support/hand-time.ts';
import { definition } from '../../support/runs.ts';

const SHORT = [definition('a', { asks: { leaseMs: 1000 } })];

test('a command that runs for longer than its lease keeps its task', async () => {
  const world = await engineWorld();
  await world.calls.submit(request({ tasks: SHORT }));
  await world.time.pass(4000);
  expect(world.machine.log).toEqual(['start a']);
  expect(world.states()).toBe('a running');
});

test('the end of a command counts though its lease ended while this process was stopped', async () => {
  const world = await engineWorld();
  await world.calls.submit(request({ tasks: SHORT }));
  await world.time.pass(20);
  world.time.sleep(3000);
  world.machine.succeed('a');
  await settled();
  expect(world.states()).toBe('a completed');
});

test('an end is not lost where a lease ends in the middle of a turn', async () => {
  const world = await engineWorld();
  const tasks = [...SHORT, definition('b', { command: undefined })];
  const asked = request({ tasks });
  await world.calls.submit(asked);
  await world.time.pass(20);
  const slow = world.engine.ask(() => {
    world.time.sleep(3000);
    world.engine.writer.record([{ kind: 'boardPaused', at: world.time.now() }]);
  });
  world.machine.succeed('a');
  await slow;
  await settled();
  expect(world.states()).toContain('a completed');
});
