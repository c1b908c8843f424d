import { type Instant, isOver } from '../../domain/time.ts';
import { intentOf } from '../model/owner-table.ts';
import type { Collision, Owner } from '../model/ownership.ts';
import type { Reason } from '../model/reason.ts';
import type { TaskEntry } from '../model/run-model.ts';
import type { Turn } from './turn.ts';
import type { Worker } from '../model/workers.ts';

/** Live work that touches the same files and must end first, an earlier attempt of its own included. */
export function reasonsOfFiles(
  turn: Turn,
  question: {
    readonly entry: TaskEntry;
    readonly worker: Worker | undefined;
    readonly isQuick: boolean;
  },
  reasons: Reason[],
): void {
  const { entry, worker, isQuick } = question;
  const { leftover } = entry;
  if (leftover !== undefined) {
    const owner = leftover;
    reasons.push(reasonOf(turn, entry, { owner, kind: 'write-write', rule: 'wait' }));
    if (isQuick) return;
  }
  if (!entry.touchesFiles) return;
  if (isQuick && worker === undefined) {
    const reason = anyReason(turn, entry);
    if (reason !== undefined) reasons.push(reason);
    return;
  }
  const before = reasons.length;
  for (const collision of turn.collisions(entry, worker?.id))
    if (collision.owner !== leftover && (collision.rule === 'wait' || collision.rule === 'ask'))
      reasons.push(reasonOf(turn, entry, collision));
  if (reasons.length === before) reasonOfMemory(entry, { worker, now: turn.now }, reasons);
}

/**
 * Where it was too expensive to tell, it depends on who else is there whether somebody is in the way.
 * Who was taken to be so is for as long as it lives, whoever asks.
 */
function reasonOfMemory(
  { blockedBy }: TaskEntry,
  { worker, now }: { readonly worker: Worker | undefined; readonly now: Instant },
  reasons: Reason[],
): void {
  if (blockedBy === undefined || !isStillThere(blockedBy.owner, now)) return;
  const { who, worker: owner } = blockedBy.owner;
  if (who.kind !== 'person' || owner !== worker?.id) reasons.push(blockedBy.reason);
}

/** The first that is found; on the board it is remembered for as long as its owner lives. */
function anyReason(turn: Turn, entry: TaskEntry): Reason | undefined {
  const { blockedBy } = entry;
  if (blockedBy !== undefined && isStillThere(blockedBy.owner, turn.now)) return blockedBy.reason;
  entry.blockedBy = undefined;
  const intent = intentOf(entry);
  const collision = turn.board.owners.map.anyBlocking(intent, turn.now, turn.steps);
  if (collision === undefined) {
    const ofTurn = turn.anyBlocking(intent);
    return ofTurn && reasonOf(turn, entry, ofTurn);
  }
  const reason = reasonOf(turn, entry, collision);
  entry.blockedBy = { owner: collision.owner, reason };
  entry.forgetPaths();
  return reason;
}

function isStillThere({ isLive, until }: Owner, now: Instant): boolean {
  return isLive && !isOver(until, now);
}

function reasonOf({ board }: Turn, entry: TaskEntry, collision: Collision): Reason {
  const { owner, kind, rule, example } = collision;
  const { who, worker, until } = owner;
  const holder = who.kind === 'task' ? board.find(who.run, who.task) : undefined;
  return {
    kind: 'hazard',
    owner: who,
    worker,
    overlap: kind,
    rule,
    ...(example !== undefined && { example }),
    ...(until !== undefined && { until }),
    isInverted: holder !== undefined && holder.rank > entry.rank,
  };
}
