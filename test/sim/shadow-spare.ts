import { isPushed } from '../../server/domain/asks.ts';
import { nameOf } from './physical.ts';
import {
  amountsAt,
  type ClaimContext,
  isFullHere,
  limitAt,
  placeOfWorker,
} from './shadow-claim.ts';
import { precedes } from './shadow-starts.ts';
import type { ShadowFacts, ShadowTask } from './shadow-task.ts';
import type { Work } from './work.ts';

interface Use {
  readonly work: Work;
  readonly place: string;
  readonly endsAt: number;
}

/**
 * Nobody goes first who would take what a task needs that waits until others have given enough of it
 * back, and comes before it. Only where it is certain when they do.
 */
export function checkSpare(context: ClaimContext): void {
  const { facts, run, task, event, checks } = context;
  if (!isPushed(task.work.asks.doer) || facts.leftoversAt(event.at).size > 0) return;
  const uses = usesAt(facts, event.at);
  if (uses === undefined) return;
  const endsAt = event.at + (task.work.asks.expectedMs ?? 1000);
  for (const other of run.tasks.values()) {
    if (other === task || !waitsForAmounts(facts, other) || !precedes(context, other)) continue;
    if (event.at - other.readySince >= 120_000) continue;
    const startsAt = whenEnough(facts, other, uses);
    if (startsAt === undefined || startsAt <= event.at || endsAt <= startsAt) continue;
    const place = placeOfWorker(event.worker) ?? 'local';
    const then = [...uses.filter((use) => use.endsAt > startsAt), { work: task.work, place }];
    checks.holds(
      'overtaken',
      isEnough(facts, other.work, then),
      () => `${nameOf(task.work)} takes what ${other.work.task} needs at ${startsAt}`,
    );
  }
}

/** Whoever holds something, if it is known of all of them when they end. */
function usesAt(facts: ShadowFacts, now: number): Use[] | undefined {
  const uses: Use[] = [];
  for (const { work, holder } of facts.holders()) {
    if (holder === undefined || Object.keys(work.asks.resources).length === 0) continue;
    // What has been claimed in the same turn was not there when starts were kept.
    if (holder.claimedAt === now || holder.isFlagged || !isPushed(work.asks.doer)) return undefined;
    const { expectedMs } = work.asks;
    const endsAt = (holder.startedAt ?? holder.claimedAt) + (expectedMs ?? -Infinity);
    if (endsAt < now) return undefined;
    uses.push({ work, place: placeOfWorker(holder.worker) ?? 'local', endsAt });
  }
  return uses.toSorted((a, b) => a.endsAt - b.endsAt);
}

/** Nothing else can keep it from starting. */
function waitsForAmounts(facts: ShadowFacts, task: ShadowTask): boolean {
  const { work, state, isFree, isPaused, notBefore } = task;
  const { doer, hosts, needs } = work.asks;
  if (state !== 'pending' || !isFree || isPaused || notBefore > facts.lastAt) return false;
  if (isFullHere(facts, work)) return false;
  if (doer.kind !== 'runner' || hosts.length + needs.length > 0) return false;
  return work.definition.reads.length + work.definition.writes.length === 0;
}

function whenEnough(
  facts: ShadowFacts,
  { work }: ShadowTask,
  uses: readonly Use[],
): number | undefined {
  for (const [ended, { endsAt }] of uses.entries())
    if (isEnough(facts, work, uses.slice(ended + 1)))
      return isEnough(facts, work, uses) ? undefined : endsAt;
  return undefined;
}

function isEnough(
  facts: ShadowFacts,
  work: Work,
  uses: readonly Pick<Use, 'work' | 'place'>[],
): boolean {
  for (const name in work.asks.resources) {
    const what = { name, place: 'local' };
    const used = amountsAt(what, uses) + (work.asks.resources[name] ?? 0);
    if (used > limitAt(facts, work, what)) return false;
  }
  return true;
}
