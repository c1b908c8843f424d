import type { RunId, TaskId } from '../domain/ids.ts';
import type { TaskState } from '../domain/task.ts';
import type { OpenBoard } from './ports.ts';
import type { Machines } from './session-ports.ts';
import { findKeptSession, findSessionOfClaim, type SessionSearch } from './sessions-seen.ts';

export type FoundSession =
  | { readonly kind: 'found'; readonly place: string; readonly name: string }
  /** There is none, or somebody who may have it does not answer. The message is a sentence for the user. */
  | { readonly kind: 'none' | 'unreachable'; readonly message: string };

/** Where a task of a plan runs that somebody looks at, or has run where that was kept. */
export async function findSessionOfTask(
  { open, machines, root }: { open: OpenBoard; machines: Machines; root: string },
  { plan, id }: { readonly plan: string; readonly id: TaskId },
): Promise<FoundSession> {
  const runs = [...open.keeper.board.runs.values()].filter(
    ({ manifest }) => manifest.root === root && manifest.plan === plan,
  );
  for (const run of runs.toReversed()) {
    const state = run.find(id)?.state;
    if (state !== undefined && isAtWork(state))
      return await findLiveSession(machines, { run: run.manifest.id, task: id, state });
  }
  const newest = open.store
    .latestStates(root)
    .find(({ task, plan: its }) => task === id && its === plan);
  if (newest === undefined) return { kind: 'none', message: `"${id}" has not run yet.` };
  return await findEarlierSession(machines, newest);
}

type AtWork = Extract<TaskState, { kind: 'claimed' | 'running' }>;

export function isAtWork(state: TaskState): state is AtWork {
  return state.kind === 'claimed' || state.kind === 'running';
}

export async function findLiveSession(
  machines: Machines,
  { run, task, state }: { readonly run: RunId; readonly task: TaskId; readonly state: AtWork },
): Promise<FoundSession> {
  const none = `"${task}" does not run in a session: its log shows what it prints.`;
  return firstOf(await findSessionOfClaim(machines, { ...state, run }), none);
}

/** The session of an agent is kept when its task has ended. */
export async function findEarlierSession(
  machines: Machines,
  { run, task }: { readonly run: RunId; readonly task: TaskId },
): Promise<FoundSession> {
  const none = `"${task}" is not running, and no session of it was kept: its log shows what it has printed.`;
  return firstOf(await findKeptSession(machines, { run, task }), none);
}

/** It may be there after all, on a machine that does not answer. */
export function firstOf({ found, seen }: SessionSearch, none: string): FoundSession {
  const [first] = found;
  if (first !== undefined) return { kind: 'found', ...first };
  const unseen = seen.find((machine) => machine.kind === 'unreachable');
  return unseen === undefined
    ? { kind: 'none', message: none }
    : { kind: 'unreachable', message: unseen.message };
}
