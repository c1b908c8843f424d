import { isPushed } from '../../server/domain/asks.ts';
import { nameOf } from './physical.ts';
import { type ClaimContext, isFullHere, meetsPerson } from './shadow-claim.ts';
import { classOf, startsBefore } from './shadow-ready.ts';
import type { ShadowFacts, ShadowTask } from './shadow-task.ts';
import { mustNotMeet, type Work } from './work.ts';

const OVERDUE_MS = 120_000;

/**
 * Nobody goes first whose files a task needs that waits for others to end, comes before it or has
 * waited too long, and would start while it is still at work. Only where all that is certain.
 */
export function checkKeptStarts(context: ClaimContext): void {
  const { facts, run, task, event, checks } = context;
  if (facts.runs.size > 1 || task.work.asks.doer.kind !== 'runner') return;
  const endsAt = event.at + (task.work.asks.expectedMs ?? 1000);
  for (const other of run.tasks.values()) {
    if (other === task || !waitsForFiles(facts, other)) continue;
    if (!mustNotMeet(other.work, task.work) || !precedes(context, other)) continue;
    if (mayBeKeptBack(context, other)) continue;
    const startsAt = startOf(facts, other, event.at);
    checks.holds(
      'overtaken',
      startsAt === undefined || endsAt <= startsAt,
      () => `${nameOf(task.work)} delays ${other.work.task}, which could start at ${startsAt}`,
    );
  }
}

/** Whether it would meet a third task whose own start may be kept: then it cannot start either. */
function mayBeKeptBack({ run, task }: ClaimContext, other: ShadowTask): boolean {
  return [...run.tasks.values()].some((third) => {
    const { hosts, resources } = third.work.asks;
    const mayWait = hosts.length + Object.keys(resources).length > 0;
    const isOpen = third.state === 'pending' && third.isFree && !third.isPaused;
    return (
      third !== task && third !== other && isOpen && mayWait && mustNotMeet(third.work, other.work)
    );
  });
}

/** Nothing else can keep it from starting. */
function waitsForFiles(facts: ShadowFacts, task: ShadowTask): boolean {
  const { work, state, isFree, isPaused, notBefore } = task;
  const { doer, hosts, needs, resources } = work.asks;
  if (state !== 'pending' || !isFree || isPaused || notBefore > facts.lastAt) return false;
  if (isFullHere(facts, work)) return false;
  if (doer.kind !== 'runner' || hosts.length + needs.length > 0) return false;
  if (Object.keys(resources).length > 0) return false;
  for (const left of facts.leftoversInTheWay(facts.lastAt))
    if (meets(work, left.work, left.undeclared) || nameOf(left.work) === nameOf(work)) return false;
  return [...facts.owned.values()].every((owned) => !meetsPerson(work, owned));
}

export function precedes({ run, task, event }: ClaimContext, other: ShadowTask): boolean {
  if (event.at - task.readySince >= OVERDUE_MS) return false;
  if (event.at - other.readySince >= OVERDUE_MS) return true;
  return classOf(run, other) === classOf(run, task) && startsBefore(run, other, task);
}

/** When those at its files have ended; nothing where nobody is, or nobody knows. */
function startOf(facts: ShadowFacts, task: ShadowTask, now: number): number | undefined {
  const isOverdue = now - task.readySince >= OVERDUE_MS;
  let startsAt: number | undefined;
  for (const { work, holder } of facts.holders()) {
    if (holder === undefined || !meets(task.work, work, holder.undeclared)) continue;
    if (!isPushed(work.asks.doer) || holder.isFlagged) return undefined;
    const { expectedMs } = work.asks;
    const endsAt = (holder.startedAt ?? holder.claimedAt) + (expectedMs ?? 0);
    const isKnown = expectedMs !== undefined && endsAt >= now;
    if (!isKnown && (!isOverdue || now - endsAt >= 5 * OVERDUE_MS)) return undefined;
    startsAt = Math.max(startsAt ?? now, endsAt);
  }
  return startsAt;
}

function meets(work: Work, other: Work, undeclared: number): boolean {
  return mustNotMeet(work, { ...other, writes: other.writes | undeclared });
}
