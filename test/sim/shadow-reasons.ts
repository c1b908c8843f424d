import type { TaskId } from '../../server/domain/ids.ts';
import { isPushed } from '../../server/domain/asks.ts';
import type { Reason } from '../../server/scheduler/model/reason.ts';
import type { ShadowBreakers } from './shadow-breakers.ts';
import { amountsAt, countAt, limitAt, meetsPerson, placeOfWorker } from './shadow-claim.ts';
import { classOf } from './shadow-ready.ts';
import { isImpossible, isOnCycle } from './shadow-run.ts';
import type { ShadowFacts, ShadowRun, ShadowTask } from './shadow-task.ts';
import { isFor, mustNotMeet } from './work.ts';

/** A task that waits, and when somebody asks why. */
export interface Waiting {
  readonly facts: ShadowFacts;
  readonly breakers: ShadowBreakers;
  readonly run: ShadowRun;
  readonly task: ShadowTask;
  readonly now: number;
}

/** Each that is named is waited for, and it is said whose run nobody carries on. */
function isWaiting(
  { waitsFor, interrupted = [] }: Extract<Reason, { kind: 'dependencies' }>,
  { run, task }: Waiting,
): boolean {
  const { dependsOn } = task.work.definition;
  const isAwaited = (id: TaskId): boolean =>
    dependsOn.includes(id) ? run.standing(id) !== 'completed' : run.standing(id) === 'open';
  const isLeft = (id: TaskId): boolean => {
    const other = run.find(id)?.run;
    return other !== run && other?.isInterrupted === true && !other.isOver;
  };
  return (
    waitsFor.length > 0 &&
    !task.isFree &&
    waitsFor.every((id) => isAwaited(id) && isLeft(id) === interrupted.includes(id))
  );
}

/** Whether what is said to keep a task from starting is so. */
export function isTrue(reason: Reason, waiting: Waiting): boolean {
  const { facts, breakers, run, task, now } = waiting;
  const { definition, asks } = task.work;
  switch (reason.kind) {
    case 'untrusted':
      return !facts.isPermitted;
    case 'paused':
      return reason.because === 'drained'
        ? facts.drained.has(reason.worker)
        : isHeldBack(reason.because, waiting);
    case 'attention':
      return task.state === 'attention';
    case 'unsatisfiable':
      return (
        isImpossible(facts, task) ||
        isOnCycle(run, task) ||
        definition.dependsOn.some((id) => run.standing(id) === 'missing')
      );
    case 'dependencies':
      return isWaiting(reason, waiting);
    case 'backoff':
      return task.notBefore > now;
    case 'parallel':
      return reason.limit <= countAt(facts, reason.host ?? 'local');
    case 'capability':
      return isMissing(reason, waiting);
    case 'host':
      if (reason.because === 'failing')
        return breakers.hasOpened(`host ${reason.host}`) && (reason.until ?? now) > now;
      return facts.places.get(reason.host)?.isReachable !== true;
    case 'cooldown':
      if (reason.because === 'failing')
        return breakers.hasOpened(`agent ${reason.agent}`) && reason.until > now;
      return (facts.coolDowns.get(reason.agent)?.until ?? 0) > now;
    case 'resources': {
      const isHere = asks.hosts.length === 0 || !isPushed(asks.doer);
      const places = isHere ? ['local'] : asks.hosts;
      return places.some((place) => isShort({ name: reason.name, place }, waiting));
    }
    case 'hazard':
      return isInTheWay(reason.owner, waiting);
    case 'outranked':
      return reason.by.kind === 'task'
        ? run.tasks.get(reason.by.task)?.state === 'pending' || facts.runs.size > 1
        : (facts.mode === 'high' || facts.mode === 'critical') && isSomethingServed(waiting);
    default:
      return reason satisfies never;
  }
}

function isHeldBack(
  because: Exclude<Extract<Reason, { kind: 'paused' }>['because'], 'drained'>,
  { facts, run, task }: Waiting,
): boolean {
  switch (because) {
    case 'shutting-down':
      return !facts.isPermitted;
    case 'board':
      return facts.isBoardPaused;
    case 'interrupted':
      return run.isInterrupted;
    case 'stop-requested':
      return run.isStopping;
    case 'failure':
      return run.manifest.policy.failFast && run.hasFailure;
    case 'task':
      return task.isPaused;
    default:
      return because satisfies never;
  }
}

/** What opens terminals is a window, whoever else is here. */
function isMissing(
  { because }: Extract<Reason, { kind: 'capability' }>,
  waiting: Waiting,
): boolean {
  if (because !== 'nobody' && because !== 'window') return true;
  const isForWindow = waiting.task.work.asks.doer.kind === 'terminal';
  return (because === 'window') === isForWindow && !isAnybodyFit(waiting);
}

export function isAnybodyFit({ facts, task }: Waiting): boolean {
  return [...facts.sessions.values()].some((worker) => isFor(task.work, worker));
}

function isShort(what: { name: string; place: string }, { facts, task, now }: Waiting): boolean {
  const asked = task.work.asks.resources[what.name] ?? 0;
  const uses = facts
    .holders()
    .map(({ work, holder }) => ({ work, place: placeOfWorker(holder?.worker ?? '') ?? 'local' }));
  for (const { work, place = 'local' } of facts.leftoversAt(now).values())
    uses.push({ work, place });
  return amountsAt(what, uses) + asked > limitAt(facts, task.work, what);
}

function isInTheWay(
  owner: Extract<Reason, { kind: 'hazard' }>['owner'],
  { facts, task, now }: Waiting,
): boolean {
  const { work } = task;
  if (owner.kind === 'person') {
    const owned = facts.owned.get(owner.id);
    return owned !== undefined && meetsPerson(work, owned);
  }
  if (owner.kind === 'leftover') {
    const left = facts.leftoversAt(now).get(owner.term);
    if (left === undefined || left.isApart) return false;
    const isOwn = left.work.run === work.run && left.work.task === work.task;
    const writes = left.work.writes | left.undeclared;
    return isOwn || mustNotMeet(work, { ...left.work, writes });
  }
  const other = facts.find(owner.run, owner.task);
  if (other?.holder === undefined) return false;
  const writes = other.work.writes | other.holder.undeclared;
  return mustNotMeet(work, { ...other.work, writes });
}

/**
 * No load stops everything: somebody is at work, or comes for it, or one of a higher class would start
 * if its start were not kept for another one.
 */
function isSomethingServed({ facts, run: ofRun, task }: Waiting): boolean {
  if (facts.holders().length > 0) return true;
  const own = classOf(ofRun, task);
  for (const run of facts.runs.values())
    for (const other of run.tasks.values()) {
      if (other.state !== 'pending' || !other.isFree) continue;
      const { doer } = other.work.asks;
      if (
        doer.kind === 'agent' ||
        doer.kind === 'terminal' ||
        (isPushed(doer) && classOf(run, other) < own)
      )
        return true;
    }
  return false;
}
