import { expect, test } from 'vitest';
import { engineWorld, request, Surroundings } from '../../support/engine-world.ts';
import { settled } from '../../support/hand-time.ts';
import { definition } from '../../support/runs.ts';

test('an effect that throws is told, and all others of its turn happen', async () => {
  const around = new Surroundings();
  const runner = around.machine.runner.bind(around.machine);
  around.machine.runner = (news) => {
    const inner = runner(news);
    return {
      ...inner,
      start: (launch) => {
        if (launch.definition.id === 'a') throw new Error('It does not start.');
        return inner.start(launch);
      },
    };
  };
  const { calls, machine, faults, time } = await engineWorld(around);
  await calls.submit(request({ tasks: ['a', 'b', 'c'].map((id) => definition(id)) }));
  await settled();
  expect(machine.log).toEqual(['start b', 'start c']);
  expect(faults.map(String)).toEqual(['Error: It does not start.']);
  machine.succeed('b');
  await time.pass(20);
  expect(machine.running).toEqual(['c']);
});
