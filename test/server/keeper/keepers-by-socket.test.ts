import { expect, test } from 'vitest';
import { request } from '../../support/engine-world.ts';
import { HandMachine } from '../../support/hand-machine.ts';
import { dumpOf } from '../../support/board-dump.ts';
import { definition, taskId } from '../../support/runs.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { workerNamed } from './links-on-trial.ts';
import { Process } from './process-on-trial.ts';

const CHAIN = [
  definition('a', { asks: { needs: ['x'], doer: { kind: 'agent' } } }),
  definition('b', { dependsOn: [taskId('a')] }),
];

const ANN = { ...workerNamed('ann'), capabilities: ['x'] };

test('two processes share a board over its socket, and the second goes on where the first stopped', async () => {
  const directory = temporaryFolder();
  const machine = new HandMachine();
  const first = new Process(directory, { name: 'first', machine });
  const second = new Process(directory, { name: 'second', machine });
  await first.keeper.takePart();
  await second.keeper.takePart();
  expect([first, second].map(({ keeper }) => keeper.isDeciding)).toStrictEqual([true, false]);

  const started = await second.keeper.calls.submit(request({ tasks: CHAIN }));
  expect(started).toMatchObject({ kind: 'started' });
  // The same tasks asked for where they are decided are the same tasks.
  expect(await first.keeper.calls.submit(request({ tasks: CHAIN }))).toMatchObject({
    kind: 'joined',
  });
  const claimed = await second.keeper.calls.claim({ worker: ANN, operation: 'claim-1' });
  if (claimed.kind !== 'granted') throw new Error(claimed.kind);
  const { run, task, term } = claimed.grant;
  await second.notes.until(() => second.told.length === first.told.length);
  expect(second.told).toStrictEqual(first.told);
  expect(dumpOf(second.keeper.board)).toStrictEqual(dumpOf(first.keeper.board));

  const closing = first.keeper.close();
  const said = await second.keeper.calls.say(
    { run, task, term, says: { kind: 'completed' } },
    'say-1',
  );
  await closing;
  expect(said).toMatchObject({ kind: 'accepted' });
  expect(second.keeper.isDeciding).toBe(true);
  expect(second.told.map(({ sequence }) => sequence)).toStrictEqual(
    second.told.map((_, index) => index + 1),
  );
  expect([...first.faults, ...second.faults]).toStrictEqual([]);
});
