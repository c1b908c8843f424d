import { expect, test } from 'vitest';
import { textHash } from '../../../server/domain/text-hash.ts';
import type { SayCall } from '../../../server/engine/board-calls.ts';
import type { HookReply } from '../../../server/scheduler/requests/hook.ts';
import { engineWorld, type EngineWorld, request, termOf } from '../../support/engine-world.ts';
import { HAND_PROOFS } from '../../support/hand-proofs.ts';
import { settled } from '../../support/hand-time.ts';
import { definition } from '../../support/runs.ts';
import { taskId, workerId } from '../../support/snapshots.ts';

interface Running {
  readonly world: EngineWorld;
  readonly attempt: Pick<SayCall, 'run' | 'task' | 'term'>;
}

/** A runner runs the command of "a", which writes src/a.ts. */
async function running(): Promise<Running> {
  const world = await engineWorld();
  const asked = request({ tasks: [definition('a', { writes: ['src/**'] }), definition('b')] });
  await world.calls.submit(asked);
  await settled();
  const term = termOf(world, 'a') ?? 0;
  return { world, attempt: { run: asked.id, task: taskId('a'), term } };
}

const SAYINGS: readonly SayCall['says'][] = [
  { kind: 'completed' },
  { kind: 'failed', failure: { kind: 'exit', code: 3 } },
  { kind: 'released', reason: 'released' },
  { kind: 'renew' },
  { kind: 'rate-limited' },
  { kind: 'asked' },
];

for (const says of SAYINGS)
  test(`who only knows run, task and term cannot say ${says.kind} as its command`, async () => {
    const { world, attempt } = await running();
    const notThese = [
      undefined,
      '',
      'x',
      HAND_PROOFS.of({ ...attempt, term: attempt.term + 1 }),
      HAND_PROOFS.of({ ...attempt, task: taskId('b') }),
    ];
    for (const proof of notThese) {
      const by = { kind: 'command', ...(proof !== undefined && { proof }) } as const;
      const reply = await world.calls.say({ ...attempt, by, says }, 'op');
      expect(reply).toEqual({ kind: 'not-holder', holder: 'runner/local' });
    }
    expect(JSON.stringify(world.told)).not.toMatch(/endAnnounced|agentLimited/);
    const by = { kind: 'command', proof: HAND_PROOFS.of(attempt) } as const;
    expect(await world.calls.say({ ...attempt, by, says }, 'op')).toMatchObject({
      kind: 'accepted',
    });
    // Whoever sends the same operation again has to prove it as well.
    const again = await world.calls.say({ ...attempt, by: { kind: 'command' }, says }, 'op');
    expect(again.kind).toBe('not-holder');
  });

test('an unproven word about a claim that is over is stale', async () => {
  const { world, attempt } = await running();
  const by = { kind: 'command' } as const;
  const says = { kind: 'completed' } as const;
  const reply = await world.calls.say({ ...attempt, term: attempt.term + 9, by, says }, 'op');
  expect(reply).toEqual({ kind: 'stale', currentTerm: attempt.term });
});

test('a proof is in nothing that is written or told', async () => {
  const { world, attempt } = await running();
  const proof = HAND_PROOFS.of(attempt);
  const says = { kind: 'completed' } as const;
  await world.calls.say({ ...attempt, by: { kind: 'command', proof }, says }, 'op');
  const written = JSON.stringify([world.told, [...world.disk.operations]]);
  expect(written).toContain('endAnnounced');
  expect(written).not.toContain(proof);
});

test('an agent that only says that a task started it may not write what that task writes', async () => {
  const { world, attempt } = await running();
  const { run, task } = attempt;
  const hook = async (inside: object): Promise<HookReply> =>
    await world.calls.hook({
      what: 'writes',
      caller: { name: workerId('agent/one'), marks: [], session: textHash('s') },
      tree: '/project',
      paths: ['src/a.ts'],
      forMs: 1000,
      inside: { run, task, ...inside },
    });
  for (const inside of [{}, { term: attempt.term }, { term: attempt.term, proof: 'x' }])
    expect((await hook(inside)).refused).toHaveLength(1);
  const proof = HAND_PROOFS.of(attempt);
  expect((await hook({ term: attempt.term, proof })).refused).toEqual([]);
});
