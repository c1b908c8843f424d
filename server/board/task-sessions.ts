import type { TaskId } from '../domain/ids.ts';
import type { OpenBoard } from './ports.ts';
import type { Machines } from './session-ports.ts';
import { findKeptSession, findSessionOfClaim, type SessionSearch } from './sessions-seen.ts';

type FoundSession =
  | { readonly kind: 'found'; readonly place: string; readonly name: string }
  /** The message is a sentence for the user. */
  | { readonly kind: 'refused'; readonly message: string };

/** Where a task runs that somebody looks at, or has run where that was kept. */
export async function findTaskSession(
  { open, machines, root }: { open: OpenBoard; machines: Machines; root: string },
  { plan, id }: { readonly plan: string; readonly id: TaskId },
): Promise<FoundSession> {
  const runs = [...open.keeper.board.runs.values()].filter(
    ({ manifest }) => manifest.root === root && manifest.plan === plan,
  );
  for (const run of runs.toReversed()) {
    const state = run.find(id)?.state;
    if (state?.kind !== 'claimed' && state?.kind !== 'running') continue;
    const claim = { ...state, run: run.manifest.id };
    const none = `"${id}" does not run in a session: its log shows what it prints.`;
    return firstOf(await findSessionOfClaim(machines, claim), none);
  }
  const newest = open.store
    .latestStates(root)
    .find(({ task, plan: its }) => task === id && its === plan);
  const none = `"${id}" is not running, and no session of it was kept: its log shows what it has printed.`;
  if (newest === undefined) return { kind: 'refused', message: `"${id}" has not run yet.` };
  return firstOf(await findKeptSession(machines, newest), none);
}

/** It may be there after all, on a machine that does not answer. */
function firstOf({ found, seen }: SessionSearch, none: string): FoundSession {
  const [first] = found;
  if (first !== undefined) return { kind: 'found', ...first };
  const unseen = seen.find((machine) => machine.kind === 'unreachable');
  return { kind: 'refused', message: unseen?.message ?? none };
}
