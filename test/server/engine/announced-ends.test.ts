import { expect, test } from 'vitest';
import type { Saying } from '../../../server/scheduler/requests/settle.ts';
import {
  afterCrash,
  type EngineWorld,
  engineWorld,
  request,
  termOf,
} from '../../support/engine-world.ts';
import { HAND_PROOFS } from '../../support/hand-proofs.ts';
import { settled } from '../../support/hand-time.ts';
import { definition } from '../../support/runs.ts';
import { taskId } from '../../support/snapshots.ts';

/** A runner runs "a", whose command says something of itself. */
async function saying(says: Saying): Promise<EngineWorld> {
  const world = await engineWorld();
  const asked = request({ tasks: [definition('a')] });
  await world.calls.submit(asked);
  await settled();
  const attempt = { run: asked.id, task: taskId('a'), term: termOf(world, 'a') ?? 0 };
  const by = { kind: 'command', proof: HAND_PROOFS.of(attempt) } as const;
  const which = { ...attempt, by };
  const reply = await world.calls.say({ ...which, says }, 'inside');
  expect(reply).toMatchObject({ kind: 'accepted', isAnnounced: true });
  // Said again, it is the same.
  expect(await world.calls.say({ ...which, says }, 'inside')).toMatchObject({ isAnnounced: true });
  return world;
}

const FAILURE = { kind: 'exit', code: 7 } as const;
const SAID: readonly (readonly [string, Saying])[] = [
  ['a completed', { kind: 'completed' }],
  ['a failed', { kind: 'failed', failure: FAILURE }],
  ['a pending', { kind: 'released', reason: 'released' }],
];

for (const [states, says] of SAID) {
  test(`a command that said ${says.kind} is at work until its process has ended`, async () => {
    const world = await saying(says);
    expect(world.states()).toBe('a running');
    world.machine.succeed('a');
    await settled();
    expect(world.states()).toBe(states);
    expect(world.faults).toEqual([]);
  });

  test(`what a command said (${says.kind}) outlives the process that decides`, async () => {
    const before = await saying(says);
    before.machine.succeed('a');
    const after = await afterCrash(before, { carriesOn: 'all' });
    expect(after.states()).toBe(states);
  });
}
