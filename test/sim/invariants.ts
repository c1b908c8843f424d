import type { BoardModel } from '../../server/scheduler/model/board-model.ts';
import type { Claim } from '../../server/scheduler/model/run-model.ts';
import { decideTurn } from '../../server/scheduler/decide.ts';
import { checkFollowed, checkWaits } from './check-quiet.ts';
import type { Coordinator } from './coordinator.ts';
import { sanityCheck } from './sanity-check.ts';
import type { Shadow } from './shadow.ts';
import type { ShadowFacts, ShadowLeftover, ShadowTask } from './shadow-task.ts';
import type { Checks } from './violation.ts';
import { isCommand } from './work.ts';

const GRACE_MS = 5000;

/** What must be so whenever the coordinator has nothing left to do. */
export function checkBoard(
  coordinator: Coordinator,
  { shadow, checks }: { shadow: Shadow; checks: Checks },
): void {
  sanityCheck(coordinator.board, checks);
  checkAgainstLedger(coordinator, shadow, checks);
  if (checkDecisions(coordinator, { shadow, checks }) === 'quiet')
    checkOverdue(coordinator, shadow, checks);
}

/** The board says of each task what the ledger says. */
function checkAgainstLedger({ board }: Coordinator, { facts }: Shadow, checks: Checks): void {
  checks.holds('I7', board.runs.size === facts.runs.size, () => 'a run is lost');
  checkLeftovers(board.owners.leftovers, facts.leftoversAt(board.now), checks);
  checkCoolDowns(board, facts, checks);
  for (const run of board.runs.values())
    for (const { state, definition, isPaused, readySince, starvation } of run.entries) {
      const task = facts.find(run.manifest.id, definition.id);
      const { kind } = state;
      const isHeld =
        kind === 'claimed' ||
        kind === 'running' ||
        (kind === 'attention' && state.holder !== undefined);
      const isSame =
        task !== undefined &&
        task.state === (isHeld ? 'held' : kind) &&
        task.isPaused === isPaused &&
        task.starvation === (starvation?.cycles ?? 0) &&
        task.attempts === state.tries.attempts &&
        task.failures === state.tries.failures &&
        task.losses === state.tries.losses &&
        task.releases === (state.tries.releases ?? 0) &&
        task.revision === state.tries.revision;
      checks.holds(
        'I10',
        isSame,
        () => `${definition.id} is ${JSON.stringify(state)}, and not ${task?.state}`,
      );
      const isReady = task?.state === 'pending' && task.isFree;
      const isSince = !isReady || readySince === task.readySince;
      checks.holds(
        'ready-since',
        isSince,
        () => `${definition.id}: ${readySince}, not ${task?.readySince}`,
      );
      checkHolder(run.find(definition.id)?.claim, task, checks);
      const wrote = (run.find(definition.id)?.claim?.undeclared?.size ?? 0) > 0;
      const isKept = wrote === ((task?.holder?.undeclared ?? 0) !== 0);
      checks.holds('undeclared', isKept, () => `${definition.id} wrote, and nobody knows`);
    }
}

function checkLeftovers(
  kept: BoardModel['owners']['leftovers'],
  left: ReadonlyMap<number, ShadowLeftover>,
  checks: Checks,
): void {
  for (const [term, { undeclared }] of left) {
    const isKept = (undeclared !== 0) === (kept.get(term)?.undeclared.size ?? 0) > 0;
    checks.holds('undeclared', isKept, () => `term ${term} wrote, and nobody knows`);
  }
  const isSame = kept.size === left.size && [...left.keys()].every((term) => kept.has(term));
  const why = (): string =>
    `${[...kept.keys()].join()} are kept, and not ${[...left.keys()].join()}`;
  checks.holds('leftovers', isSame, why);
}

function checkCoolDowns({ workers }: BoardModel, { coolDowns }: ShadowFacts, checks: Checks): void {
  for (const { name, coolDown } of workers.agents.values()) {
    const until = coolDowns.get(name)?.until;
    const why = (): string => `${name} cools until ${coolDown?.until}, not ${until}`;
    checks.holds('cool-down', coolDown?.until === until, why);
  }
}

/** What was asked of a holder, since when, and whether somebody is to look at it. */
function checkHolder(claim: Claim | undefined, task: ShadowTask | undefined, checks: Checks): void {
  if (claim === undefined || task?.holder === undefined) return;
  const { stop, isFlagged, expiresAt } = task.holder;
  const { holder, entry } = claim;
  const isAsked = holder.stop?.signal === stop?.signal && holder.stop?.why === stop?.why;
  const isSince = holder.stop?.at === stop?.at;
  checks.holds('stop', isAsked && isSince, () => `${entry.id}: ${JSON.stringify([holder, stop])}`);
  const isSeen = (entry.state.kind === 'attention') === isFlagged;
  checks.holds('flag', isSeen, () => `${entry.id} is ${entry.state.kind}`);
  checks.holds('lease', holder.expiresAt === expiresAt, () => `${entry.id} until ${expiresAt}`);
}

/** Whoever does not start can say why. */
function checkDecisions(
  { board }: Coordinator,
  { shadow, checks }: { shadow: Shadow; checks: Checks },
): 'quiet' | 'busy' {
  const turn = decideTurn(board, board.now);
  // What is due now is decided in the next turn.
  if (turn.decisions.length > 0) return 'busy';
  checkWaits({ board, shadow, checks }, turn);
  checkFollowed({ board, shadow, checks });
  return 'quiet';
}

/** When there is nothing to decide, nobody has had more time than they may have. */
function checkOverdue({ board }: Coordinator, { facts }: Shadow, checks: Checks): void {
  const { now } = board;
  const factor = { normal: 1, moderate: 1.5, high: 2.5, critical: 5 }[facts.mode];
  for (const { holder, work } of facts.holders()) {
    if (holder === undefined) continue;
    const name = `term ${holder.term}`;
    const isLate = holder.expiresAt !== undefined && now >= holder.expiresAt;
    checks.holds('overdue', !isLate, () => `${name} has expired, and still holds its task`);
    if (!isCommand(work.asks.doer)) continue;
    const limit = Math.min(
      work.asks.timeout.softMs ?? Infinity,
      work.asks.timeout.hardMs ?? Infinity,
    );
    const ran = holder.startedAt === undefined ? 0 : now - holder.startedAt;
    const isAsked = holder.stop !== undefined || ran < limit * factor;
    checks.holds('overdue', isAsked, () => `${name} runs for ${ran} ms, and nobody stops it`);
    if (holder.stop === undefined || holder.stop.signal === 'kill') continue;
    const { softMs, hardMs } = work.asks.timeout;
    const hasBoth = holder.stop.why === 'timeout' && softMs !== undefined && hardMs !== undefined;
    const waited = now - holder.stop.at;
    const isPatient = hasBoth
      ? ran < hardMs * factor || waited < Math.min(GRACE_MS, hardMs - softMs)
      : waited < GRACE_MS;
    checks.holds('overdue', isPatient, () => `${name} was asked to stop, and is not made to`);
  }
}
