import type { WorkerId } from '../../domain/ids.ts';
import type { Departure, HolderState, TaskEvent } from '../../domain/task.ts';
import { type Instant, instant, isOver, laterBy } from '../../domain/time.ts';
import type { BoardEvent } from '../model/board-event.ts';
import type { BoardModel } from '../model/board-model.ts';
import { isOfHook } from './hook.ts';

/** The connection over which an agent's server renewed its claims was closed. */
export interface AgentEnd {
  /** The claims that it renewed. */
  readonly terms: readonly number[];
  readonly left: Departure;
  /** It was found out after the connection was closed: it is said of claims that nobody renewed since. */
  readonly isLater?: true;
}

/** An agent that connects again under its name within this time keeps what it had. */
export const GRACE_MS = 10_000;

/**
 * A worker leaves the board. If the connection of its agent was closed, its claims and the files that its
 * hook took end after a grace, instead of with their leases: nothing renews them any more.
 */
export function answerLeave(
  board: BoardModel,
  { worker, agent }: { readonly worker: WorkerId; readonly agent: AgentEnd | undefined },
  now: Instant,
): readonly BoardEvent[] {
  const at = board.timeAt(now);
  const events: BoardEvent[] = [];
  const isLater = agent?.isLater === true;
  if (!isLater && board.workers.sessions.has(worker))
    events.push({ kind: 'workerLeft', at, worker });
  if (agent === undefined) return events;
  const terms = new Set(agent.terms);
  for (const { entry, holder } of board.claims.pulled) {
    if (holder.worker !== worker || !terms.has(holder.term)) continue;
    if (isLater && holder.left !== 'unknown') continue;
    const event = leftBy(holder, { at, left: agent.left });
    const which = { run: entry.run.manifest.id, task: entry.id };
    if (event !== undefined) events.push({ kind: 'taskMoved', ...which, event });
  }
  if (isLater) return events;
  const until = laterBy(at, GRACE_MS);
  for (const [id, owner] of board.owners.people) {
    if (owner.worker !== worker || !isOfHook(id) || isOver(owner.until, until)) continue;
    const { tree, patterns } = owner;
    const taken = { id, worker, tree, ...patterns, isUnsaved: false, until };
    events.push({ kind: 'pathsOwned', at, ...taken });
  }
  return events;
}

/** Undefined if the claim ends by itself before, or never. */
function leftBy(
  { term, expiresAt }: HolderState,
  { at, left }: { readonly at: Instant; readonly left: Departure },
): TaskEvent | undefined {
  if (expiresAt === undefined || isOver(expiresAt, at)) return undefined;
  const graceEnd = laterBy(at, GRACE_MS);
  return { kind: 'holderLeft', term, at, expiresAt: earlier(expiresAt, graceEnd), left };
}

/**
 * The claim goes on for as long as it was last given, because its holder could not renew it in time. After
 * a closed connection that is the grace.
 */
export function prolonged(
  { term, leaseMs, left }: HolderState,
  at: Instant,
): Extract<TaskEvent, { kind: 'leaseRenewed' | 'holderLeft' }> | undefined {
  if (leaseMs === undefined) return undefined;
  if (left === undefined)
    return { kind: 'leaseRenewed', term, at, expiresAt: laterBy(at, leaseMs) };
  const expiresAt = laterBy(at, Math.min(leaseMs, GRACE_MS));
  return { kind: 'holderLeft', term, at, expiresAt, left };
}

function earlier(a: Instant, b: Instant): Instant {
  return instant(Math.min(a, b));
}
