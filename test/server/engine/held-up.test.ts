import { expect, test } from 'vitest';
import { parseWorkerId } from '../../../server/domain/ids.ts';
import { instant } from '../../../server/domain/time.ts';
import type { Worker } from '../../../server/scheduler/model/workers.ts';
import { type EngineWorld, engineWorld, request, termOf } from '../../support/engine-world.ts';
import { settled } from '../../support/hand-time.ts';
import { definition, taskId } from '../../support/runs.ts';

const LEASE_MS = 2000;
const OWN = definition('own', { asks: { leaseMs: LEASE_MS } });
const AGENTS = definition('theirs', { asks: { doer: { kind: 'agent' } } });

const AGENT: Worker = {
  id: parseWorkerId('agent/1')!,
  kind: 'agent',
  capabilities: [],
  isIdle: false,
  since: instant(1),
};

/** A command of ours runs, and an agent has a task; both leases are short. */
async function atWork(): Promise<EngineWorld> {
  const world = await engineWorld();
  await world.calls.submit(request({ tasks: [OWN, AGENTS] }));
  const call = { worker: AGENT, leaseMs: LEASE_MS, operation: 'claim' };
  expect(await world.calls.claim(call)).toMatchObject({ kind: 'granted' });
  await world.time.pass(1000);
  return world;
}

async function renewed(world: EngineWorld): Promise<unknown> {
  const [run] = world.engine.board.runs.keys();
  const term = termOf(world, 'theirs');
  if (run === undefined || term === undefined) return undefined;
  const by = { kind: 'worker', worker: AGENT.id } as const;
  const which = { run, task: taskId('theirs'), term, by };
  return await world.calls.say({ ...which, says: { kind: 'renew' } }, `renew ${term}`);
}

for (const heldUpMs of [3000, 8000, 20_000, 600_000]) {
  test(`nobody loses a task because this process was held up for ${heldUpMs} ms`, async () => {
    const world = await atWork();
    world.time.sleep(heldUpMs);
    // Timers come first, then what has arrived meanwhile.
    await world.time.pass(1);
    expect(world.states()).toBe('own running, theirs claimed');
    expect(await renewed(world)).toMatchObject({ kind: 'accepted' });
    world.machine.succeed('own');
    await settled();
    expect(world.states()).toBe('own completed, theirs running');
    expect(world.machine.log).toEqual(['start own']);
  });

  test(`who arrives first after ${heldUpMs} ms in which this process was held up is not told it lost its task`, async () => {
    const world = await atWork();
    world.time.sleep(heldUpMs);
    expect(await renewed(world)).toMatchObject({ kind: 'accepted' });
  });
}

test('an agent that says nothing after this process was held up loses its task then', async () => {
  const world = await atWork();
  world.time.sleep(20_000);
  await world.time.pass(LEASE_MS + 1);
  expect(world.states()).toBe('own running, theirs pending');
});
