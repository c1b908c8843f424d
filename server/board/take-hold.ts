import type { WorkerId } from '../domain/ids.ts';
import { isRunner, withoutWindow } from '../scheduler/model/workers.ts';
import { heldThings, isOfEditor } from './held-things.ts';
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
  if (isOfEditor(held.what))
    return 'A file that is open in an editor is never taken: ask its person to let go of it.';
  if (held.claim === undefined) {
    await calls.free(key.slice('paths '.length));
    return undefined;
  }
  const { run, task, term } = held.claim;
  // What one has oneself is released, and nothing is lost.
  if (withoutWindow(held.worker) === person) {
    const by = { kind: 'worker', worker: held.worker } as const;
    const says = { kind: 'released', reason: 'released' } as const;
    const reply = await calls.say({ run, task, term, by, says }, operation);
    return reply.kind === 'accepted' ? undefined : GONE;
  }
  const isOurs = isRunner(held.worker);
  const request = isOurs
    ? ({ kind: 'cancel-task', run, task } as const)
    : ({ kind: 'take-task', run, task, term } as const);
  const reply = await calls.control(request, operation);
  return reply.kind === 'accepted' ? undefined : GONE;
}

const GONE = 'It has been released or has ended already.';
