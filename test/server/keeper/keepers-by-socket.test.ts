import { expect, test } from 'vitest';
import type { RemoteControlRequest } from '../../../server/keeper/request-shapes.ts';
import { LOCAL, runnerAt } from '../../../server/scheduler/model/workers.ts';
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
    { run, task, term, by: { kind: 'worker', worker: ANN.id }, says: { kind: 'completed' } },
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

test('each kind of control request works from a process that does not decide', async () => {
  const directory = temporaryFolder();
  const machine = new HandMachine();
  const [first, second] = ['first', 'second'].map(
    (name) => new Process(directory, { name, machine }),
  );
  if (first === undefined || second === undefined) throw new Error('there are two');
  await first.keeper.takePart();
  const person = { doer: { kind: 'person' } } as const;
  const started = await second.keeper.calls.submit(
    request({ tasks: ['a', 'b'].map((id) => definition(id, { asks: person })) }),
  );
  if (started.kind !== 'started') throw new Error(started.kind);
  const { run } = started;
  expect(second.keeper.isDeciding).toBe(false);
  const [a, b] = ['a', 'b'].map(taskId);
  const [worker, task] = [runnerAt(LOCAL), a!];
  // The type asks for one of each kind.
  const requests: {
    readonly [Kind in RemoteControlRequest['kind']]: RemoteControlRequest;
  } = {
    'drain-worker': { kind: 'drain-worker', worker },
    'undrain-worker': { kind: 'undrain-worker', worker },
    'pause-board': { kind: 'pause-board' },
    'resume-board': { kind: 'resume-board' },
    rebuild: { kind: 'rebuild' },
    'dismiss-writes': {
      kind: 'dismiss-writes',
      tree: '/project',
      paths: ['README.md'],
      of: { run, task },
      isForAll: true,
    },
    'pause-task': { kind: 'pause-task', run, task },
    'resume-task': { kind: 'resume-task', run, task },
    'cancel-task': { kind: 'cancel-task', run, task },
    'retry-task': { kind: 'retry-task', run, task },
    'answer-task': { kind: 'answer-task', run, task: b! },
    'take-task': { kind: 'take-task', run, task, term: 1 },
    'stop-run': { kind: 'stop-run', run },
  };
  for (const [operation, control] of Object.entries(requests)) {
    // Nothing was asked that could be answered, and nobody has it under that term.
    const isRefused = operation === 'answer-task' || operation === 'take-task';
    const kind = isRefused ? 'refused' : 'accepted';
    expect(await second.keeper.calls.control(control, operation)).toMatchObject({ kind });
  }
  const kinds = first.told.map(({ event }) => event.kind);
  expect(kinds).toContain('workerDrained');
  expect(kinds).toContain('workerUndrained');
  expect([...first.faults, ...second.faults]).toStrictEqual([]);
});
