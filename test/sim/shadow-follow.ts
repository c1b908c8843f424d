import { unreachable } from '../../server/domain/assert.ts';
import type { HolderEvent, TaskEvent } from '../../server/domain/task.ts';
import { nameOf } from './physical.ts';
import { leaseOf } from './shadow-claim.ts';
import { isInVain } from './shadow-ready.ts';
import type { ShadowHolder, ShadowRun, ShadowTask } from './shadow-task.ts';
import type { Checks } from './violation.ts';
import { isCommand } from './work.ts';

interface Step {
  readonly run: ShadowRun;
  readonly task: ShadowTask;
  readonly event: TaskEvent;
  readonly checks: Checks;
  /** How far limits are stretched. */
  readonly factor: number;
  /** Though its lease is over. */
  readonly mayProlong: boolean;
  /** Whether each attempt at the place where it is done has a tree of its own. */
  readonly isApart: boolean;
}

const LOSS_LIMIT = 3;
const GRACE_MS = 5000;
/** How long the claims of an agent stay its own after its connection was closed. */
const LEFT_MS = 10_000;

/** Lets a task move as the ledger says, if it may. */
export function followTask(step: Step): void {
  const { run, task, event, checks } = step;
  const name = `${nameOf(task.work)} ${event.kind}`;
  switch (event.kind) {
    case 'taskClaimed': {
      const { term, worker, expiresAt } = event;
      task.state = 'held';
      task.attempts += 1;
      // For its next attempt another terminal is opened.
      if (task.work.asks.doer.kind === 'terminal') task.wokenAt.clear();
      task.starvation = 0;
      task.starvedAt = 0;
      const { isApart } = step;
      const begun = { startedAt: undefined, stop: undefined, ending: undefined, left: undefined };
      const seen = { isFlagged: false, undeclared: 0 };
      task.holder = { term, worker, claimedAt: event.at, expiresAt, isApart, ...begun, ...seen };
      return;
    }
    case 'taskCancelled':
      checks.holds('I6', !task.isFinal, () => `${name}: it has ended as ${task.state}`);
      end(task, 'cancelled');
      return;
    case 'taskSkipped': {
      checks.holds('I6', task.state === 'pending', () => `${name}: it is ${task.state}`);
      checks.holds('skip', isInVain(run, task), () => `${name}: nothing it needs has failed`);
      end(task, 'skipped');
      return;
    }
    case 'taskRevived': {
      checks.holds('I6', task.state === 'skipped', () => `${name}: it is ${task.state}`);
      checks.holds('skip', !isInVain(run, task), () => `${name}: what it needs has failed`);
      task.beginAnew();
      return;
    }
    case 'taskFlagged':
      checks.holds('I6', task.state === 'pending', () => `${name}: it is ${task.state}`);
      checks.holds(
        'I10-starvation',
        task.starvation >= 10,
        () => `${name}: ${task.starvation} cycles`,
      );
      task.state = 'attention';
      task.starvation = 0;
      task.starvedAt = 0;
      return;
    case 'taskRetried':
      checks.holds('I1', task.holder === undefined, () => `${name}: somebody holds it`);
      task.beginAnew();
      return;
    default:
      followHolder(step, event);
  }
}

function followHolder({ task, checks, factor, mayProlong }: Step, event: HolderEvent): void {
  const { holder } = task;
  const name = `${nameOf(task.work)} ${event.kind} by term ${event.term}`;
  checks.holds('I6', !task.isFinal, () => `${name}: it has ended as ${task.state}`);
  const isCurrent = holder !== undefined && holder.term === event.term;
  checks.holds('I2', isCurrent, () => `${name}: the term is ${holder?.term}`);
  if (holder === undefined) return;
  const isExpired = holder.expiresAt !== undefined && event.at >= holder.expiresAt;
  const isOfEnded = event.kind === 'taskLost' && event.cause === 'agent-ended';
  const isSweep = isOfEnded || (event.kind === 'taskLost' && event.cause === 'lease-expired');
  checks.holds('left', !isSweep || isOfEnded === (holder.left === 'ended'), () => name);
  // What the coordinator asks of a holder need not be in time.
  const isProlonged = (event.kind === 'leaseRenewed' || event.kind === 'holderLeft') && mayProlong;
  const mayBeLate = event.kind === 'stopAsked' || isSweep || isProlonged;
  checks.holds('I2', mayBeLate || !isExpired, () => `${name}: expired at ${holder.expiresAt}`);
  checks.holds('I2', !isSweep || isExpired, () => `${name}: it lives until ${holder.expiresAt}`);
  follow({ task, checks, holder, name, factor }, event);
}

interface Held {
  readonly task: ShadowTask;
  readonly checks: Checks;
  readonly holder: ShadowHolder;
  readonly name: string;
  readonly factor: number;
}

function follow(held: Held, event: HolderEvent): void {
  const { task, checks, holder, name } = held;
  switch (event.kind) {
    case 'taskStarted':
      holder.startedAt = event.at;
      return;
    case 'leaseRenewed':
      checks.holds(
        'lease',
        event.expiresAt - event.at === leaseOf(task.work, holder.worker),
        () => `${name}: ${event.expiresAt - event.at} ms`,
      );
      holder.expiresAt = event.expiresAt;
      holder.left = undefined;
      return;
    case 'holderLeft':
      checkLeft(held, event);
      holder.expiresAt = event.expiresAt;
      holder.left = event.left;
      return;
    case 'stopAsked':
      checkStop(held, event);
      holder.stop = stopAfter(holder, event);
      return;
    case 'endAnnounced':
      checks.holds('ending', isCommand(task.work.asks.doer), () => `${name}: it is no command`);
      holder.ending = event.ending;
      return;
    case 'taskProgressed':
      holder.isFlagged = false;
      return;
    case 'taskStuck':
      checkStuck(held, event.at);
      holder.isFlagged = true;
      return;
    case 'taskCompleted': {
      const said = holder.ending?.kind ?? 'completed';
      checks.holds('ending', said === 'completed', () => `${name}: it said ${said}`);
      end(task, 'completed');
      return;
    }
    case 'taskFailed':
      if (isLastRelease(held, event)) {
        task.failures += 1;
        end(task, 'failed');
        return;
      }
      task.failures += 1;
      checkSaid(held, event);
      checkFailure(held, event);
      checkBackoff(held, event, task.failures);
      comeBack(task, event.retryAt, 'failed');
      return;
    case 'taskLost':
      task.losses += 1;
      // All workers that wait are told of it again.
      task.wokenAt.clear();
      followLoss(held, event);
      return;
    case 'taskReleased':
      checkWanted(held);
      if (holder.stop?.why === 'retried') beginAgain(task);
      else {
        checkLater(held, event);
        comeBack(task, event.retryAt, 'pending');
      }
      return;
    case 'taskAsked':
      checkWanted(held);
      comeBack(task, undefined, 'attention');
      return;
    default:
      unreachable(event);
  }
}

/** A closed connection ends a lease after ten seconds, and never gives it more time than it had. */
function checkLeft(
  { task, checks, holder, name }: Held,
  { at, expiresAt, left }: Extract<HolderEvent, { kind: 'holderLeft' }>,
): void {
  const leaseMs = leaseOf(task.work, holder.worker) ?? Infinity;
  const isFirst = expiresAt === Math.min(holder.expiresAt ?? Infinity, at + LEFT_MS);
  const isAgain = holder.left === left && expiresAt === at + Math.min(leaseMs, LEFT_MS);
  checks.holds('left', isFirst || isAgain, () => `${name}: until ${expiresAt}`);
  const isAgents = holder.worker.startsWith('agent/') && holder.expiresAt !== undefined;
  checks.holds('left', isAgents, () => `${name}: ${holder.worker} is no agent with a lease`);
}

/** What a person wanted of it happens, though nobody saw it end. */
function followLoss(held: Held, event: Extract<HolderEvent, { kind: 'taskLost' }>): void {
  const { task, checks, holder, name } = held;
  if (holder.stop?.why === 'cancelled') {
    end(task, 'cancelled');
    return;
  }
  if (holder.stop?.why === 'retried') {
    beginAgain(task);
    return;
  }
  const isRight =
    event.retryAt === undefined ? task.losses >= LOSS_LIMIT : task.losses < LOSS_LIMIT;
  checks.holds('I10', isRight, () => `${name}: lost ${task.losses} times`);
  checkBackoff(held, event, task.losses);
  comeBack(task, event.retryAt, 'attention');
}

function checkFailure(
  { task, checks, holder, name }: Held,
  event: Extract<HolderEvent, { kind: 'taskFailed' }>,
): void {
  const { attempts, on } = task.work.asks.retry;
  const { failure } = event;
  const isCertain = failure.kind === 'not-started';
  const isMeant = on.length === 0 || (failure.kind === 'exit' && on.includes(failure.code));
  const isWorthIt = isMeant && !isCertain;
  const mayRetry = task.failures < attempts && isWorthIt;
  checks.holds(
    'I10',
    mayRetry === (event.retryAt !== undefined),
    () => `${name}: ${task.failures} of ${attempts}`,
  );
  const why = holder.stop?.why;
  const isOurs = why === undefined || why === 'timeout';
  checks.holds('stop', isOurs, () => `${name}: it was asked to end, ${why}`);
  const isSaid = why !== 'timeout' || failure.kind === 'timeout';
  checks.holds('stop', isSaid, () => `${name}: nobody says that it took too long`);
}

const LATER = { most: 10, firstMs: 1000, maxMs: 60_000 };

/** It asked to be tried again later so often that it has failed. */
function isLastRelease(
  { task, holder, checks, name }: Held,
  { failure, retryAt }: Extract<HolderEvent, { kind: 'taskFailed' }>,
): boolean {
  if (holder.ending?.kind !== 'released' || holder.stop !== undefined) return false;
  const isLast = task.releases === LATER.most - 1 && retryAt === undefined;
  const isSo = isLast && failure.kind === 'exit' && failure.code === 75;
  checks.holds('ending', isSo, () => `${name}: it asked ${task.releases} times to be tried again`);
  return true;
}

/** What it said that it failed with is what it failed with. */
function checkSaid(
  { holder: { ending, stop }, checks, name }: Held,
  { failure }: Extract<HolderEvent, { kind: 'taskFailed' }>,
): void {
  if (ending?.kind !== 'failed' || stop !== undefined) return;
  const isSaid = JSON.stringify(failure) === JSON.stringify(ending.failure);
  checks.holds('ending', isSaid, () => `${name}: it said otherwise`);
}

/** Whoever asked to be tried again later is, after a while that grows, and not for ever. */
function checkLater(
  { task, holder, checks, name }: Held,
  { at, reason, retryAt }: Extract<HolderEvent, { kind: 'taskReleased' }>,
): void {
  const isAsked = holder.ending?.kind === 'released' && reason === 'released';
  const isSo = isAsked === (retryAt !== undefined);
  checks.holds('ending', isSo, () => `${name}: again at ${retryAt}, said ${holder.ending?.kind}`);
  if (retryAt === undefined) return;
  const planned = Math.min(LATER.firstMs * 2 ** task.releases, LATER.maxMs);
  task.releases += 1;
  checks.holds('ending', task.releases < LATER.most, () => `${name}: ${task.releases} times`);
  const isRight = Math.abs(retryAt - at - planned) <= planned / 5 + 1;
  checks.holds('backoff', isRight, () => `${name}: ${retryAt - at} ms, not ${planned}`);
}

/** What is to be cancelled is not given back. */
function checkWanted({ checks, holder, name }: Held): void {
  const isWanted = holder.stop?.why !== 'cancelled';
  checks.holds('stop', isWanted, () => `${name}: it was to be cancelled`);
}

function checkBackoff(
  { task, checks, name }: Held,
  { at, retryAt }: { readonly at: number; readonly retryAt?: number },
  count: number,
): void {
  if (retryAt === undefined) return;
  const { backoffMs, factor, maxMs } = task.work.asks.retry;
  const planned = Math.min(backoffMs * factor ** (count - 1), maxMs);
  const isRight = Math.abs(retryAt - at - planned) <= planned / 5 + 1;
  checks.holds('backoff', isRight, () => `${name}: ${retryAt - at} ms, not ${planned}`);
}

/** Where the plan says how long it may be quiet, it may be. */
function checkStuck({ task, checks, holder, name }: Held, at: number): void {
  const stuckAfterMs = task.work.definition.asks?.stuckAfterMs;
  const isTime = stuckAfterMs === undefined || at - holder.claimedAt >= stuckAfterMs;
  checks.holds('stuck', isTime, () => `${name}: after ${at - holder.claimedAt} ms`);
}

function checkStop(
  { task, checks, holder, name, factor }: Held,
  event: Extract<HolderEvent, { kind: 'stopAsked' }>,
): void {
  const { softMs, hardMs } = task.work.asks.timeout;
  const limit = Math.min(softMs ?? Infinity, hardMs ?? Infinity);
  const runs = holder.startedAt === undefined ? 0 : event.at - holder.startedAt;
  const isTimeout = event.why === 'timeout' && holder.stop === undefined;
  checks.holds('timeout', !isTimeout || runs >= limit * factor, () => `${name}: after ${runs} ms`);
  const isAnswered = event.why !== 'retried' || holder.isFlagged || holder.stop !== undefined;
  checks.holds('stop', isAnswered, () => `${name}: it is at work, and is to begin anew`);
  if (event.signal !== 'kill') return;
  const waited = holder.stop === undefined ? -1 : event.at - holder.stop.at;
  const isHard = event.why === 'timeout' && softMs !== undefined && softMs < (hardMs ?? 0);
  const hasHadTime = !isHard || waited >= Math.min(GRACE_MS, (hardMs ?? 0) - (softMs ?? 0));
  const isOver = runs >= (hardMs ?? Infinity) * factor;
  const isTooLong = isOver && hasHadTime && (isHard || event.why !== 'timeout');
  const isTime = isTooLong || (!isHard && (waited >= GRACE_MS || holder.stop?.signal === 'kill'));
  checks.holds('grace', waited >= 0 && isTime, () => `${name}: kill after ${waited} ms`);
}

/** Another reason to end it does not give it its grace again. */
function stopAfter(
  { stop }: ShadowHolder,
  { why, signal, at }: Extract<HolderEvent, { kind: 'stopAsked' }>,
): ShadowHolder['stop'] {
  return { why, signal, at: stop?.signal === signal ? stop.at : at };
}

/** A person wanted that of whoever was at work. */
function beginAgain(task: ShadowTask): void {
  task.holder = undefined;
  task.beginAnew();
}

function comeBack(
  task: ShadowTask,
  retryAt: number | undefined,
  otherwise: 'pending' | 'failed' | 'attention',
): void {
  task.holder = undefined;
  if (otherwise === 'failed' && retryAt === undefined) {
    end(task, 'failed');
    return;
  }
  task.state = retryAt === undefined ? otherwise : 'pending';
  task.notBefore = retryAt ?? 0;
}

function end(task: ShadowTask, state: 'completed' | 'failed' | 'cancelled' | 'skipped'): void {
  task.state = state;
  task.holder = undefined;
  task.notBefore = 0;
  task.forget();
}
