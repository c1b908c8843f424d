import { expect, test } from 'vitest';
import { instant } from '../../../server/domain/time.ts';
import type { ClaimReply } from '../../../server/engine/board-calls.ts';
import type { Grant } from '../../../server/engine/store-port.ts';
import type { Worker } from '../../../server/scheduler/model/workers.ts';
import { afterCrash, type EngineWorld, engineWorld, request } from '../../support/engine-world.ts';
import { definition, taskId } from '../../support/runs.ts';
import { workerId } from '../../support/snapshots.ts';

const ANN = agent('ann');
const BOB = agent('bob');

function agent(name: string): Worker {
  const id = workerId(`agent/${name}`);
  return { id, kind: 'agent', capabilities: [], isIdle: true, since: instant(0) };
}

interface Claims extends EngineWorld {
  readonly claim: (worker: Worker, operation: string) => Promise<ClaimReply>;
  readonly release: (grant: Grant) => Promise<void>;
  /** What was given to Ann, who then asked for the same under the name "again". */
  readonly grant: Grant;
}

async function claimedTwice(): Promise<Claims> {
  const world = await engineWorld();
  const asked = request({ tasks: [definition('a', { asks: { doer: { kind: 'agent' } } })] });
  await world.calls.submit(asked);
  const task = { run: asked.id, task: taskId('a') };
  const claim = async (worker: Worker, operation: string): Promise<ClaimReply> =>
    await world.calls.claim({ worker, task, operation });
  const release = async ({ term }: Grant): Promise<void> => {
    const says = { kind: 'released', reason: 'released' } as const;
    const by = { kind: 'worker', worker: ANN.id } as const;
    await world.calls.say({ ...task, term, by, says }, `release ${term}`);
  };
  const first = await claim(ANN, 'first');
  if (first.kind !== 'granted') throw new Error(first.kind);
  expect(await claim(ANN, 'again')).toEqual(first);
  return { ...world, claim, release, grant: first.grant };
}

test('whoever was told of its own claim is told the same when somebody else has the task', async () => {
  const { claim, release, grant, states } = await claimedTwice();
  await release(grant);
  expect(await claim(BOB, 'of bob')).toMatchObject({ kind: 'granted', grant: { term: 2 } });
  expect(await claim(ANN, 'again')).toEqual({ kind: 'granted', grant });
  expect(await claim(ANN, 'another')).toMatchObject({ kind: 'held', holder: BOB.id });
  expect(states()).toBe('a claimed');
});

test('whoever was told of its own claim is granted nothing new when the task is free', async () => {
  const { claim, release, grant, states } = await claimedTwice();
  await release(grant);
  expect(await claim(ANN, 'again')).toEqual({ kind: 'granted', grant });
  expect(states()).toBe('a pending');
});

test('whoever decides next answers the same', async () => {
  const world = await claimedTwice();
  await world.release(world.grant);
  const next = await afterCrash(world);
  const { run, task } = world.grant;
  const call = { worker: ANN, task: { run, task }, operation: 'again' };
  expect(await next.calls.claim(call)).toEqual({ kind: 'granted', grant: world.grant });
  expect(next.states()).toBe('a pending');
});

test('an operation that is used again for something else is another one', async () => {
  const { claim, release, grant, calls, states } = await claimedTwice();
  await release(grant);
  // Under the names that Ann has used: for a claim of somebody else, and for other requests.
  const reply = await claim(BOB, 'first');
  expect(reply).toMatchObject({ kind: 'granted', grant: { term: 2 } });
  const { run, task } = grant;
  const says = { kind: 'completed' } as const;
  const by = { kind: 'worker', worker: BOB.id } as const;
  const say = async (term: number): Promise<unknown> =>
    await calls.say({ run, task, term, by, says }, 'release 1');
  expect(await say(1)).toEqual({ kind: 'stale', currentTerm: 2 });
  expect(await calls.control({ kind: 'cancel-task', run, task }, 'first')).toMatchObject({
    kind: 'accepted',
  });
  expect(states()).not.toBe('a claimed');
});
