import { expect, test } from 'vitest';
import { instant } from '../../../server/domain/time.ts';
import type { TaskAsks } from '../../../server/domain/asks.ts';
import type { Worker } from '../../../server/scheduler/model/workers.ts';
import type { Saying } from '../../../server/scheduler/requests/settle.ts';
import { type EngineWorld, engineWorld, request } from '../../support/engine-world.ts';
import { definition, taskId } from '../../support/runs.ts';
import { workerId } from '../../support/snapshots.ts';

const ANN: Worker = {
  id: workerId('agent/ann'),
  kind: 'agent',
  capabilities: [],
  isIdle: false,
  since: instant(0),
};
const MINUTE = 60_000;

interface Held extends EngineWorld {
  readonly say: (says: Saying) => Promise<void>;
  /** Time passes in which the agent's server renews, and the agent itself does nothing. */
  readonly hang: (milliseconds: number) => Promise<void>;
}

/** An agent at work on a task that may be silent for a minute, unless it says otherwise. */
async function agentAtWork(
  own: Partial<TaskAsks> = { doer: { kind: 'agent' }, stuckAfterMs: MINUTE },
): Promise<Held> {
  const world = await engineWorld();
  const { calls, time } = world;
  const asks = { leaseMs: 30_000, ...own };
  const asked = request({ tasks: [definition('a', { asks, writes: ['src/**'] })] });
  await calls.submit(asked);
  const which = { run: asked.id, task: taskId('a') };
  const reply = await calls.claim({ worker: ANN, task: which, operation: 'claim' });
  if (reply.kind !== 'granted') throw new Error(reply.kind);
  let words = 0;
  const say = async (says: Saying): Promise<void> => {
    words += 1;
    const by = { kind: 'worker', worker: ANN.id } as const;
    await calls.say({ ...which, term: reply.grant.term, by, says }, `word ${words}`);
  };
  const hang = async (milliseconds: number): Promise<void> => {
    for (let passed = 0; passed < milliseconds; passed += 5000) {
      await say({ kind: 'renew', isAutomatic: true });
      await time.pass(5000);
    }
  };
  await say({ kind: 'renew' });
  return { ...world, say, hang };
}

test('an agent that hangs while its server renews needs attention', async () => {
  const { hang, states } = await agentAtWork();
  await hang(50_000);
  expect(states()).toBe('a running');
  await hang(MINUTE);
  expect(states()).toBe('a attention');
});

test('where the plan does not say how long, an agent may be silent for five minutes', async () => {
  const { hang, say, states } = await agentAtWork({ doer: { kind: 'agent' } });
  await hang(4.5 * MINUTE);
  expect(states()).toBe('a running');
  await hang(MINUTE);
  expect(states()).toBe('a attention');
  // It keeps its task, and nobody ends it.
  await hang(60 * MINUTE);
  expect(states()).toBe('a attention');
  await say({ kind: 'progressed' });
  expect(states()).toBe('a running');
});

test('nobody says that a person, or an agent in place of one, takes too long', async () => {
  const { hang, states } = await agentAtWork({ doer: { kind: 'anyone' } });
  await hang(60 * MINUTE);
  expect(states()).toBe('a running');
});

test.each<readonly [string, (held: Held) => Promise<void>]>([
  ['a tool that it calls', async ({ say }) => await say({ kind: 'progressed' })],
  ['a renewal that it asks for', async ({ say }) => await say({ kind: 'renew' })],
  [
    'a file of its task that changes',
    async ({ trees }) => {
      trees.write('src/a.ts', 'new');
      await trees.settle();
    },
  ],
  [
    'its hook',
    async ({ calls }) => {
      const caller = { as: ANN.id, marks: [], session: '' };
      const from = { what: 'writes', tree: '/project', paths: ['b'], forMs: MINUTE } as const;
      await calls.hook({ ...from, caller });
    },
  ],
])('%s shows that it works', async (_, show) => {
  const held = await agentAtWork();
  const { hang, states } = held;
  await hang(50_000);
  await show(held);
  await hang(50_000);
  expect(states()).toBe('a running');
  await hang(2 * MINUTE);
  expect(states()).toBe('a attention');
  await show(held);
  await hang(10_000);
  expect(states()).toBe('a running');
});

test('a flagged agent can still complete its task', async () => {
  const { hang, say, states } = await agentAtWork();
  await hang(2 * MINUTE);
  expect(states()).toBe('a attention');
  await say({ kind: 'completed' });
  expect(states()).toBe('a completed');
});
