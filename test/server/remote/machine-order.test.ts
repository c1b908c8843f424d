import { expect, test } from 'vitest';
import type { Launch } from '../../../server/engine/ports.ts';
import { LocalSupply } from '../../../server/remote/local-supply.ts';
import { type MachineOrder, machineOrder } from '../../../server/remote/machine-order.ts';
import type { Refusal } from '../../../server/remote/task-session.ts';
import { definition, runId } from '../../support/runs.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

function launch(): Launch {
  return {
    place: 'local',
    root: temporaryFolder(),
    definition: definition('api'),
    run: runId(1),
    revision: 1,
    attempt: 1,
    term: 7,
  };
}

function namesIn(order: MachineOrder | Refusal): readonly string[] {
  const text = 'text' in order ? order.text : order.refusal;
  return [...text.matchAll(/INTERLOCK_\w+(?==)/g)].map(([name]) => name).toSorted();
}

const OF_EVERY_ATTEMPT = ['ATTEMPT', 'MARK', 'RUN', 'TASK', 'TERM'].map(
  (name) => `INTERLOCK_${name}`,
);

test('a command on a host, which has no way to the board, is given no proof and no board', () => {
  const order = machineOrder(launch(), { board: 'b', repo: 'r', folder: '~/r', environment: {} });
  expect(namesIn(order)).toEqual(OF_EVERY_ATTEMPT);
});

test('a command in a session of this machine is given both', async () => {
  const supply = new LocalSupply({
    board: 'b',
    repo: 'r',
    logFile: () => '/log',
    parentEnv: {},
    proofOf: ({ term }) => `proof of ${term}`,
  });
  const order = await supply.prepare(launch());
  expect(namesIn(order)).toEqual(
    [...OF_EVERY_ATTEMPT, 'INTERLOCK_BOARD', 'INTERLOCK_PROOF'].toSorted(),
  );
  expect(order).toMatchObject({ text: expect.stringContaining("INTERLOCK_PROOF='proof of 7'") });
});
