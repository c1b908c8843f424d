import type { WorkerId } from '../domain/ids.ts';
import { isRunner, withoutWindow } from '../scheduler/model/workers.ts';
import { type HeldThing, heldThings } from './held-things.ts';
import type { OpenBoard } from './ports.ts';
import { nowOn } from './writers-now.ts';

interface Taking {
  readonly open: OpenBoard;
  /** Who takes it. */
  readonly person: WorkerId;
  readonly operation: string;
}

/**
 * Takes from whoever has it what goes by this key: from a runner by cancelling the task, from an agent
 * or a person as if the lease had ended. Answers why not, as a sentence.
 */
export async function takeHold(key: string, taking: Taking): Promise<string | undefined> {
  const { open, person, operation } = taking;
  const { calls, board } = open.keeper;
  const held = [...heldThings(board, nowOn(open)).values()].flat().find((each) => each.key === key);
  if (held === undefined) return GONE;
  if (held.what === 'unsaved')
    return 'What somebody has not saved yet is never taken: ask them to save it.';
  if (held.claim === undefined) {
    await calls.free(key.slice('paths '.length));
    return undefined;
  }
  const { run, task, term } = held.claim;
  if (isRunner(held.worker)) {
    const reply = await calls.control({ kind: 'cancel-task', run, task }, operation);
    return reply.kind === 'accepted' ? undefined : GONE;
  }
  const reply = await calls.say({ run, task, term, says: sayingFor(held, person) }, operation);
  return reply.kind === 'accepted' ? undefined : GONE;
}

const GONE = 'It has been released or has ended already.';

type Says = Parameters<OpenBoard['keeper']['calls']['say']>[0]['says'];

/** What one has oneself is released, and nothing is lost. */
function sayingFor({ worker }: HeldThing, person: WorkerId): Says {
  return withoutWindow(worker) === person
    ? { kind: 'released', reason: 'released' }
    : { kind: 'lost', cause: 'lease-expired' };
}
