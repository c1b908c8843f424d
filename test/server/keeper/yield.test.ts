import { expect, test } from 'vitest';
import { connectBoard } from '../../../server/coordinator/board-connection.ts';
import type { PeerRole } from '../../../server/coordinator/hello.ts';
import { dumpOf } from '../../support/board-dump.ts';
import { request } from '../../support/engine-world.ts';
import { HandMachine } from '../../support/hand-machine.ts';
import { definition, taskId } from '../../support/runs.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { Place, workerNamed } from './links-on-trial.ts';
import { Process } from './process-on-trial.ts';

const ANN = { ...workerNamed('ann'), capabilities: ['x'] };
const TASKS = [
  definition('a'),
  definition('b', { dependsOn: [taskId('a')] }),
  definition('c', { asks: { needs: ['x'], doer: { kind: 'agent' } } }),
];

test('an older build that decides hands over to a newer one, and nothing is lost or started twice', async () => {
  const directory = temporaryFolder();
  const machine = new HandMachine();
  const old = new Process(directory, { name: 'old', machine });
  await old.keeper.takePart();
  await old.keeper.calls.submit(request({ tasks: TASKS }));
  const claimed = await old.keeper.calls.claim({ worker: ANN, operation: 'claim-1' });
  if (claimed.kind !== 'granted') throw new Error(claimed.kind);
  const { run, task, term } = claimed.grant;

  const updated = new Process(directory, { name: 'updated', machine, build: '1.0.1' });
  await updated.keeper.takePart();
  await updated.notes.until(() => updated.keeper.isDeciding);
  const says = { kind: 'completed' } as const;
  const by = { kind: 'worker', worker: ANN.id } as const;
  const said = old.keeper.calls.say({ run, task, term, by, says }, 'say-1');
  expect(await said).toMatchObject({ kind: 'accepted' });
  machine.succeed('a');
  await old.notes.until(() => statesIn(old) === 'a completed, b running, c completed');
  expect([old, updated].map(({ keeper }) => keeper.isDeciding)).toEqual([false, true]);
  expect(machine.log).toEqual(['start a', 'start b']);
  expect(old.told.map(({ sequence }) => sequence)).toEqual(old.told.map((_, index) => index + 1));
  expect(old.told.slice(-updated.told.length)).toStrictEqual(updated.told);
  expect(dumpOf(old.keeper.board)).toStrictEqual(dumpOf(updated.keeper.board));
  expect([...old.faults, ...updated.faults]).toEqual([]);
});

test('an agent server that decides hands over to a window, and to no short command', async () => {
  const directory = temporaryFolder();
  const machine = new HandMachine();
  const agent = new Process(directory, { name: 'mcp', machine, rank: 'last' });
  await agent.keeper.takePart();
  await agent.keeper.calls.submit(request({ tasks: TASKS }));
  const command = new Process(directory, { name: 'claim', machine });
  await command.keeper.takePart();
  const other = new Process(directory, { name: 'another mcp', machine, rank: 'last' });
  await other.keeper.takePart();
  await other.keeper.calls.submit(request({ tasks: TASKS }));
  expect(agent.keeper.isDeciding).toBe(true);
  const window = new Process(directory, { name: 'window', machine, rank: 'first' });
  await window.keeper.takePart();
  await window.notes.until(() => window.keeper.isDeciding);
  machine.succeed('a');
  await agent.notes.until(() => statesIn(agent) === 'a completed, b running, c pending');
  expect(machine.log).toEqual(['start a', 'start b']);
  expect([agent, command, other].map(({ keeper }) => keeper.isDeciding)).not.toContain(true);
  await window.keeper.close();
  await agent.keeper.calls.submit(request({ tasks: TASKS }));
});

test('an older build, or the same one, asks whoever decides and lets it be', async () => {
  const directory = temporaryFolder();
  const machine = new HandMachine();
  const first = new Process(directory, { name: 'first', machine, build: '1.0.1' });
  await first.keeper.takePart();
  for (const build of ['1.0.0', '1.0.1-beta', '1.0.1']) {
    const other = new Process(directory, { name: build, machine, build });
    await other.keeper.takePart();
    expect(await other.keeper.calls.submit(request({ plan: build }))).toMatchObject({
      kind: 'started',
    });
    expect([first, other].map(({ keeper }) => keeper.isDeciding)).toEqual([true, false]);
  }
});

test('a newer build that goes before it decides leaves the board to the older one', async () => {
  const directory = temporaryFolder();
  const machine = new HandMachine();
  const old = new Process(directory, { name: 'old', machine });
  await old.keeper.takePart();
  await old.keeper.calls.submit(request({ tasks: TASKS }));
  expect(await ask(directory, { role: 'window', build: '2.0.0' })).toEqual({ yields: true });
  await old.notes.until(
    () => old.told.filter(({ event }) => event.kind === 'tenureBegan').length > 1,
  );
  machine.succeed('a');
  await old.notes.until(() => statesIn(old) === 'a completed, b running, c pending');
  expect(machine.log).toEqual(['start a', 'start b']);
});

for (const [role, build, answer] of [
  ['window', '1.0.0', '{"yields":false}'],
  ['worker', '2.0.0', 'A peer that is a worker may not ask "board/yield".'],
  ['observer', '2.0.0', 'A peer that is a observer may not ask "board/yield".'],
] as const)
  test(`nobody yields to a ${role} of build ${build}`, async () => {
    const place = new Place();
    await place.serve();
    const answered = await ask(place.directory, { role, build }).then(JSON.stringify, messageOf);
    expect(answered).toBe(answer);
    expect(place.notes.lines).toEqual([]);
  });

async function ask(
  directory: string,
  { role, build }: { readonly role: PeerRole; readonly build: string },
): Promise<unknown> {
  const options = { directory, role, name: 'a test', build };
  const result = await connectBoard({ ...options, onNotification: nothing, onClosed: nothing });
  if (result.kind !== 'connected') throw new Error(result.kind);
  using connection = result.connection;
  return await connection.request('board/yield', {});
}

function nothing(): void {}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function statesIn({ keeper }: Process): string {
  const entries = [...keeper.board.runs.values()].flatMap((run) => run.entries);
  return entries.map(({ id, state }) => `${id} ${state.kind}`).join(', ');
}
