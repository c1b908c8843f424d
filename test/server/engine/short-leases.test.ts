import { expect, test } from 'vitest';
import { instant } from '../../../server/domain/time.ts';
import type { HolderReply } from '../../../server/engine/board-calls.ts';
import { type EngineWorld, engineWorld, request } from '../../support/engine-world.ts';
import { settled } from '../../support/hand-time.ts';
import { definition } from '../../support/runs.ts';
import { workerId } from '../../support/snapshots.ts';

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

/** An agent has a task for so long, and its process ends or goes on as the test says. */
async function held(
  leaseMs: number,
): Promise<EngineWorld & { readonly renew: () => Promise<HolderReply> }> {
  const world = await engineWorld();
  const doer = { kind: 'agent' } as const;
  await world.calls.submit(request({ tasks: [definition('a', { asks: { doer, leaseMs } })] }));
  const id = workerId('agent/ann');
  const worker = { id, kind: 'agent', capabilities: [], isIdle: true, since: instant(0) } as const;
  const claimed = await world.calls.claim({ worker, operation: 'claim' });
  if (claimed.kind !== 'granted') throw new Error(claimed.kind);
  const { run, task, term } = claimed.grant;
  const by = { kind: 'worker', worker: id } as const;
  const renewal = { run, task, term, by, says: { kind: 'renew' } } as const;
  const renew = async (): Promise<HolderReply> => await world.calls.say(renewal, 'renewal');
  return { ...world, renew };
}

for (const leaseMs of [1000, 2000, 10_000, 14_000])
  for (const leftMs of [leaseMs - 20, leaseMs / 2, 320])
    test(`an agent keeps a lease of ${leaseMs} ms whose last ${leftMs} ms this process was stopped`, async () => {
      const { time, states, renew } = await held(leaseMs);
      await time.pass(leaseMs - leftMs);
      time.sleep(leftMs + 10);
      await time.pass(10);
      expect(states()).toBe('a claimed');
      expect(await renew()).toEqual({ kind: 'accepted', remainingMs: leaseMs });
      await time.pass(leaseMs - 1);
      expect(states()).toBe('a running');
    });

test('a renewal that has waited for a process that was stopped counts', async () => {
  const { time, renew } = await held(5000);
  await time.pass(2000);
  time.sleep(6000);
  expect(await renew()).toMatchObject({ kind: 'accepted' });
});

test('a lease is given once more and no longer, and of a process that goes on it ends on time', async () => {
  const { time, states } = await held(5000);
  await time.pass(2000);
  time.sleep(6000);
  await time.pass(4999);
  expect(states()).toBe('a claimed');
  await time.pass(1);
  expect(states()).toBe('a pending');
});

test('a lease that nobody renews ends on time where this process is not stopped', async () => {
  const { time, states } = await held(5000);
  await time.pass(4999);
  expect(states()).toBe('a claimed');
  await time.pass(1);
  expect(states()).toBe('a pending');
});

test('a short stop before the end of a lease gives nothing to whoever has it', async () => {
  const { time, states } = await held(10_000);
  await time.pass(2000);
  time.sleep(5000);
  await time.pass(2999);
  expect(states()).toBe('a claimed');
  await time.pass(1);
  expect(states()).toBe('a pending');
});

test('where this process is held up again and again, a lease that nobody renews ends too', async () => {
  const { time, states } = await held(5000);
  time.sleep(6000);
  await time.pass(1);
  expect(states()).toBe('a claimed');
  time.sleep(6000);
  await time.pass(1);
  expect(states()).toBe('a pending');
});

test('and one that is renewed in between does not', async () => {
  const { time, states, renew } = await held(5000);
  for (let round = 0; round < 5; round += 1) {
    time.sleep(6000);
    await time.pass(1);
    expect(await renew()).toMatchObject({ kind: 'accepted' });
    await time.pass(10);
  }
  expect(states()).toBe('a running');
});
