import { expect, test } from 'vitest';
import { engineWorld, request } from '../../support/engine-world.ts';
import { definition, taskId } from '../../support/runs.ts';

test('a command whose task somebody cancels is asked to end at once, and only once', async () => {
  const world = await engineWorld();
  const asked = request({ tasks: [definition('a')] });
  await world.calls.submit(asked);
  const cancel = { kind: 'cancel-task', run: asked.id, task: taskId('a') } as const;
  expect(await world.calls.control(cancel, 'one')).toEqual({ kind: 'accepted' });
  await world.calls.control(cancel, 'two');
  expect(world.machine.log).toEqual(['start a', 'terminate a']);
});

test('a command of a run that is stopped is asked to end once', async () => {
  const world = await engineWorld();
  const asked = request({ tasks: [definition('a')] });
  await world.calls.submit(asked);
  await world.calls.control({ kind: 'stop-run', run: asked.id }, 'one');
  expect(world.machine.log).toEqual(['start a', 'terminate a']);
});
