import { isPushed } from '../../server/domain/asks.ts';
import type { TaskEvent } from '../../server/domain/task.ts';
import { nameOf, type Physical } from './physical.ts';
import { isServed, modeOf } from './shadow-load.ts';
import { waitingFor } from './shadow-ready.ts';
import type { ShadowFacts, ShadowOwned, ShadowRun, ShadowTask } from './shadow-task.ts';
import type { Checks } from './violation.ts';
import { isFor, mustNotMeet, type Work } from './work.ts';

type Claimed = Extract<TaskEvent, { kind: 'taskClaimed' }>;

export interface ClaimContext {
  readonly facts: ShadowFacts;
  readonly run: ShadowRun;
  readonly task: ShadowTask;
  readonly event: Claimed;
  readonly checks: Checks;
  readonly physical: Physical;
}

const RUNNER = 'runner/';
const LEASE_OF_AGENT_MS = 300_000;

export function placeOfWorker(worker: string): string | undefined {
  return worker.startsWith(RUNNER) ? worker.slice(RUNNER.length) : undefined;
}

/** How many runners of ours are at work there; what is left of lost ones takes no place. */
export function countAt(facts: ShadowFacts, place: string): number {
  return facts.holders().filter(({ holder }) => placeOfWorker(holder?.worker ?? '') === place)
    .length;
}

/** Whether its run lets no more be done on this machine. */
export function isFullHere(facts: ShadowFacts, { manifest, asks: { doer } }: Work): boolean {
  return isPushed(doer) && countAt(facts, 'local') >= manifest.policy.parallel;
}

/** Everything that must be so when somebody is given a task. */
export function checkClaim(context: ClaimContext): void {
  const { facts, run, task, event, checks } = context;
  const name = `${nameOf(task.work)} by ${event.worker}`;
  checks.holds('I1', task.state === 'pending', () => `${name}: it is ${task.state}`);
  checks.holds('I3', event.term > facts.lastTerm, () => `${name}: ${event.term} is no new term`);
  checks.holds('I22', facts.isPermitted, () => `${name}: nothing may start`);
  const isHeldBack = facts.isBoardPaused || task.isPaused || run.isInterrupted || run.isStopping;
  checks.holds('paused', !isHeldBack, () => `${name}: it is paused or its run ends`);
  const isDrained = facts.drained.has(event.worker);
  checks.holds('drained', !isDrained, () => `${name}: it is drained`);
  const isEnding = run.manifest.policy.failFast && run.hasFailure;
  checks.holds('fail-fast', !isEnding, () => `${name}: its run ends at the first failure`);
  checks.holds(
    'backoff',
    event.at >= task.notBefore,
    () => `${name}: not before ${task.notBefore}`,
  );
  const leaseMs = leaseOf(task.work, event.worker);
  const lease = event.expiresAt === undefined ? undefined : event.expiresAt - event.at;
  checks.holds('lease', lease === leaseMs, () => `${name}: ${lease} ms, not ${leaseMs}`);
  checkOrder(context, name);
  checkDoer(context, name);
  checkFiles(context, name);
  checkAmounts(context, name);
  checkLoad(context, name);
}

/** What anybody may do has a lease where an agent does it: people are given none. */
export function leaseOf({ asks }: Work, worker: string): number | undefined {
  const isAgents = asks.doer.kind === 'anyone' && worker.startsWith('agent/');
  return asks.leaseMs ?? (isAgents ? LEASE_OF_AGENT_MS : undefined);
}

function checkOrder({ run, task, checks }: ClaimContext, name: string): void {
  const { dependsOn, after } = task.work.definition;
  for (const id of dependsOn) {
    const standing = run.standing(id);
    checks.holds('I5', standing === 'completed', () => `${name}: ${id} is ${standing}`);
  }
  for (const id of after) {
    const isOver = run.standing(id) !== 'open';
    checks.holds('I5', isOver, () => `${name}: ${id} goes on`);
  }
}

function checkDoer({ facts, task, event, checks }: ClaimContext, name: string): void {
  const { doer, hosts, needs } = task.work.asks;
  const place = placeOfWorker(event.worker);
  checks.holds(
    'doer',
    isPushed(doer) === (place !== undefined),
    () => `${name}: it is for ${doer.kind}`,
  );
  if (place === undefined) {
    const isTerminal = event.worker.startsWith('terminal/');
    const isRole = isTerminal === (doer.kind === 'terminal');
    checks.holds('doer', isRole, () => `${name}: it is for ${doer.kind}`);
    const worker = facts.sessions.get(event.worker);
    const isFit = worker === undefined || isFor(task.work, worker);
    checks.holds('doer', isFit, () => `${name}: it is not for this worker`);
    return;
  }
  const where = facts.places.get(place);
  const isAllowed = hosts.length === 0 ? place === 'local' : hosts.includes(place);
  checks.holds('place', isAllowed && where?.isReachable === true, () => `${name}: not this place`);
  const agent = doer.kind === 'started-agent' ? facts.agents.get(doer.agent) : undefined;
  const has = new Set([...(where?.capabilities ?? []), ...(agent?.capabilities ?? [])]);
  checks.holds(
    'place',
    needs.every((need) => has.has(need)),
    () => `${name}: ${needs.join()} is missing`,
  );
  if (doer.kind !== 'started-agent') return;
  checks.holds('doer', agent !== undefined, () => `${name}: there is no ${doer.agent}`);
  const coolUntil = facts.coolDowns.get(doer.agent)?.until ?? 0;
  checks.holds('cool-down', event.at >= coolUntil, () => `${name}: cools until ${coolUntil}`);
}

function checkFiles({ facts, task, event, checks, physical }: ClaimContext, name: string): void {
  const { work } = task;
  for (const other of facts.holders()) {
    const writes = other.work.writes | (other.holder?.undeclared ?? 0);
    const isFree = other === task || !mustNotMeet(work, { ...other.work, writes });
    checks.holds(
      'I4',
      isFree,
      () => `${name}: ${filesIn(work)} and ${nameOf(other.work)} ${filesIn(other.work)}`,
    );
  }
  for (const actor of physical.actors) {
    if (!physical.mustBeLeftAlone(actor) || actor.isApart === true || isHeldBy(facts, actor))
      continue;
    const isOwn = actor.work.run === work.run && actor.work.task === work.task;
    const isFree = !isOwn && !mustNotMeet(work, actor.work);
    checks.holds('I4-leftover', isFree, () => `${name}: term ${actor.term} is still alive`);
  }
  for (const left of facts.leftoversInTheWay(event.at)) {
    const isOwn = left.work.run === work.run && left.work.task === work.task;
    const writes = left.work.writes | left.undeclared;
    const isFree = !isOwn && !mustNotMeet(work, { ...left.work, writes });
    checks.holds('I4-leftover', isFree, () => `${name}: what is left of ${nameOf(left.work)}`);
  }
  for (const owned of facts.owned.values()) {
    if (owned.worker === event.worker || (owned.until !== undefined && event.at >= owned.until))
      continue;
    const isFree = !meetsPerson(work, owned);
    checks.holds('I4-person', isFree, () => `${name}: ${owned.worker} edits there`);
  }
}

/** Whether a task must wait for what a person has. */
export function meetsPerson(work: Work, owned: ShadowOwned): boolean {
  const isInDanger = (work.writes & (owned.writes | owned.reads)) !== 0;
  const isRead = (work.reads & owned.writes) !== 0;
  const { human, readWrite, worktrees } = work.policy;
  if (owned.tree !== work.tree) return worktrees === 'wait' && (isInDanger || isRead);
  if (isInDanger && (human === 'ask' || human === 'wait')) return true;
  return isRead && readWrite === 'wait';
}

function filesIn({ definition, tree, policy }: Work): string {
  return JSON.stringify([tree, definition.reads, definition.writes, policy]);
}

function isHeldBy(
  facts: ShadowFacts,
  actor: { readonly work: Work; readonly term: number },
): boolean {
  return facts.find(actor.work.run, actor.work.task)?.holder?.term === actor.term;
}

const OF_MACHINE = new Set(['cpu', 'memory', 'parallel']);

function checkAmounts(context: ClaimContext, name: string): void {
  const { facts, task, event, checks, physical } = context;
  const place = placeOfWorker(event.worker);
  const at = place ?? 'local';
  const uses: Use[] = [{ work: task.work, place: at }];
  for (const { work, holder } of facts.holders())
    if (holder !== undefined) uses.push({ work, place: placeOfWorker(holder.worker) ?? 'local' });
  for (const actor of physical.actors)
    if (actor.place !== undefined && actor.isActing() && !isHeldBy(facts, actor))
      uses.push({ work: actor.work, place: actor.place, isHeld: false });
  for (const what in task.work.asks.resources) {
    const limit = limitAt(facts, task.work, { name: what, place: at });
    const used = amountsAt({ name: what, place: at }, uses);
    checks.holds('I15', used <= limit, () => `${name}: ${used} of ${limit} ${what}`);
  }
  if (place === undefined) return;
  const places =
    place === 'local'
      ? task.work.manifest.policy.parallel
      : facts.places.get(place)?.limits['parallel'];
  const there = uses.filter(
    (use) => use.place === place && use.isHeld !== false && isPushed(use.work.asks.doer),
  );
  checks.holds(
    'I15',
    places === undefined || there.length <= places,
    () => `${name}: ${there.length} at ${place}, not ${places}`,
  );
}

interface Use {
  readonly work: Work;
  readonly place: string;
  readonly isHeld?: boolean;
}

interface Amount {
  readonly name: string;
  readonly place: string;
}

/** How much of something is taken: of a machine's own there, of all else anywhere. */
export function amountsAt({ name, place }: Amount, uses: readonly Use[]): number {
  let used = 0;
  for (const use of uses)
    if (!OF_MACHINE.has(name) || use.place === place) used += use.work.asks.resources[name] ?? 0;
  return used;
}

export function limitAt(facts: ShadowFacts, work: Work, { name, place }: Amount): number {
  const planned = work.manifest.policy.limits?.[name];
  if (!OF_MACHINE.has(name)) return planned ?? 0;
  const own = facts.places.get(place)?.limits[name];
  return (place === 'local' ? (planned ?? own) : own) ?? Infinity;
}

/** A raised class may be served, so what counts is whether any class it could have is. */
function checkLoad({ facts, run, task, event, checks }: ClaimContext, name: string): void {
  // The turn that changes the mode claims under the old one, and a claim that comes with a new load
  // under the mode that its turn will write.
  const isChanging = event.at === facts.modeSince || event.at === facts.measuredAt;
  if (isChanging || facts.hasSkipped) return;
  // An earlier claim of the turn may have shortened the queue; the mode that follows is written at the end of the turn.
  const modes = [facts.mode, modeOf(facts, event.at)];
  const classes = [task, ...waitingFor(run, task)].map(({ work }) => work.asks.priority);
  if (modes.some((mode) => classes.some((priority) => isServed(mode, priority)))) return;
  // While nothing is at work, one that is not served starts all the same.
  const isAtWork = facts.holders().some(({ work }) => work !== task.work);
  checks.holds('I17', !isAtWork, () => `${name}: its class is not served in ${facts.mode}`);
}
