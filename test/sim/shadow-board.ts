import { isPushed } from '../../server/domain/asks.ts';
import { unreachable } from '../../server/domain/assert.ts';
import type { BoardEvent } from '../../server/scheduler/model/board-event.ts';
import type { ShadowFacts, ShadowTask } from './shadow-task.ts';
import { filesOf, isFor } from './work.ts';

type Of<Kind extends BoardEvent['kind']> = Extract<BoardEvent, { kind: Kind }>;

/** What happens to the board as a whole, and to who works there. */
export function keepFact(
  facts: ShadowFacts,
  event:
    | Of<'tenureBegan' | 'permissionChanged'>
    | Of<'boardPaused' | 'boardResumed' | 'loadMeasured' | 'wakesForgotten'>
    | Of<'pathsOwned' | 'pathsFreed' | 'workerSeen' | 'workerLeft'>
    | Of<'workerDrained' | 'workerUndrained'>
    | Of<'placeSeen' | 'placeGone' | 'agentConfigured' | 'agentGone' | 'agentLimited'>,
): void {
  switch (event.kind) {
    case 'tenureBegan':
    case 'permissionChanged':
      facts.isPermitted = event.permission === 'granted';
      return;
    case 'boardPaused':
    case 'boardResumed':
      facts.isBoardPaused = event.kind === 'boardPaused';
      return;
    case 'loadMeasured':
      facts.load = event.load;
      facts.measuredAt = event.at;
      return;
    case 'wakesForgotten':
      return forgetWakes(facts);
    case 'pathsOwned': {
      const { worker, tree, until } = event;
      const [reads, writes] = [filesOf(event.reads), filesOf(event.writes)];
      facts.owned.set(event.id, { worker, tree, reads, writes, until });
      break;
    }
    case 'pathsFreed':
      facts.owned.delete(event.id);
      break;
    case 'workerSeen':
    case 'workerLeft':
    case 'workerDrained':
    case 'workerUndrained':
      return keepWorker(facts, event);
    case 'placeSeen':
      facts.places.set(event.place.name, event.place);
      break;
    case 'placeGone':
      facts.places.delete(event.place);
      break;
    case 'agentGone':
      facts.agents.delete(event.agent);
      facts.coolDowns.delete(event.agent);
      break;
    case 'agentConfigured':
      facts.agents.set(event.agent.name, event.agent);
      break;
    case 'agentLimited':
      limitAgent(facts, event);
      break;
    default:
      unreachable(event);
  }
}

/** Paths that somebody at work writes are given to nobody who merely asks for them. */
export function mayOwn(facts: ShadowFacts, event: Of<'pathsOwned'>): boolean {
  if (event.isUnsaved) return true;
  const writes = filesOf(event.writes);
  const isWritten = facts.holders().some(({ work, holder }) => {
    if (holder?.worker === event.worker || work.tree !== event.tree) return false;
    return ((work.writes | (holder?.undeclared ?? 0)) & writes) !== 0;
  });
  if (isWritten) return false;
  for (const { worker, work } of facts.untold.values())
    if (worker === event.worker && work.tree === event.tree && (work.writes & writes) !== 0)
      return false;
  return [...facts.owned.values()].every(({ worker, tree, until, ...other }) => {
    if (worker === event.worker || tree !== event.tree) return true;
    if (until !== undefined && until <= event.at) return true;
    return ((other.writes | other.reads) & writes) === 0;
  });
}

/** An agent that was told of it has nothing to do, or nobody who is here could do it. */
export function isIgnored(facts: ShadowFacts, { work, wokenAt }: ShadowTask): boolean {
  const sessions = [...facts.sessions.values()].filter((worker) => isFor(work, worker));
  if (sessions.length === 0) return work.asks.doer.kind === 'agent';
  const busy = new Set(
    facts
      .holders()
      .filter(({ work: other }) => !isPushed(other.asks.doer))
      .map(({ holder }) => holder?.worker),
  );
  return sessions.some(
    ({ id, kind, isIdle }) =>
      kind === 'agent' && isIdle && wokenAt.has(id) && !busy.has(id) && !facts.drained.has(id),
  );
}

function forgetWakes({ runs }: ShadowFacts): void {
  for (const { tasks } of runs.values()) for (const { wokenAt } of tasks.values()) wokenAt.clear();
}

function keepWorker(
  { sessions, drained }: ShadowFacts,
  event: Of<'workerSeen' | 'workerLeft' | 'workerDrained' | 'workerUndrained'>,
): void {
  if (event.kind === 'workerSeen') sessions.set(event.worker.id, event.worker);
  else if (event.kind === 'workerLeft') sessions.delete(event.worker);
  else if (event.kind === 'workerDrained') drained.add(event.worker);
  else drained.delete(event.worker);
}

function limitAgent(facts: ShadowFacts, event: Of<'agentLimited'>): void {
  if (!facts.agents.has(event.agent)) return;
  const before = facts.coolDowns.get(event.agent) ?? { until: 0, strikes: 0 };
  const isCooling = event.at < before.until;
  const isForgotten = before.strikes === 0 || event.at >= before.until + 600_000;
  const strikes = isForgotten ? 1 : before.strikes + (isCooling ? 0 : 1);
  const waitMs = event.retryAfterMs ?? Math.min(60_000 * 2 ** (strikes - 1), 900_000);
  const until = Math.max(event.at + waitMs, before.until);
  facts.coolDowns.set(event.agent, { until, strikes });
}
