import { isForPerson, isPushed } from '../../domain/asks.ts';
import { mayCall } from '../../domain/failure/circuit-breaker.ts';
import { isCooling } from '../../domain/failure/cool-down.ts';
import type { TaskId } from '../../domain/ids.ts';
import { isServed } from '../../domain/failure/load.ts';
import { PRIORITIES } from '../../domain/priority.ts';
import { laterBy } from '../../domain/time.ts';
import { reasonsOfFiles } from './hazards.ts';
import { impossibilityOf } from './impossible.ts';
import { choosePlace } from './choose-place.ts';
import type { PauseCause, Reason } from '../model/reason.ts';
import { isMet } from '../model/edge-state.ts';
import { meets } from '../model/outside.ts';
import type { Lane, RunModel, TaskEntry } from '../model/run-model.ts';
import type { OpenOffer, Turn } from './turn.ts';
import { OFFER_MS } from '../model/waiters.ts';
import { reasonsOfWorker } from './welcome.ts';
import type { Place, Worker } from '../model/workers.ts';

/** Where it may start: the place of a runner of ours, or nowhere in particular for other workers. */
export type Verdict =
  | { readonly kind: 'yes'; readonly place: Place | undefined }
  | { readonly kind: 'no'; readonly reasons: readonly [Reason, ...Reason[]] };

/** Who asks and how much of an answer is needed. */
export interface Question {
  /** The agent or person who would take it; absent is anybody who can. */
  readonly worker?: Worker;
  /** One reason is as good as all of them. */
  readonly isQuick?: boolean;
  /** As if there were no load: it is asked to find out what is left to serve. */
  readonly isUnloaded?: boolean;
  /** As if no other agent had been offered anything. */
  readonly isPastOffers?: boolean;
}

const NO_QUESTION: Question = {};

/**
 * The one predicate: may this worker start this pending task now? The scheduler, claims, wake-ups, the
 * tree and `why` all ask here, so what they say cannot differ from what happens.
 *
 * Reasons that make others pointless stand alone: nobody wants to know about the hazard of a task
 * whose dependencies are not there yet. Reasons of what a task asks for come before those of its
 * files, and are the same for all tasks that ask for the same.
 */
export function mayStart(turn: Turn, entry: TaskEntry, question: Question = NO_QUESTION): Verdict {
  const { isQuick = false, worker, isUnloaded = false, isPastOffers = false } = question;
  const starting = worker === undefined ? turn.claimedAt(entry) : undefined;
  if (starting !== undefined) return { kind: 'yes', place: starting };
  const isOfLane = isQuick && !isUnloaded && worker === undefined;
  const open = isOfLane ? turn.openingFor(entry) : undefined;
  const standing = open ? undefined : (reasonOfBoard(turn, entry.run) ?? reasonOfTask(turn, entry));
  if (standing !== undefined) return { kind: 'no', reasons: [standing] };
  const reasons: Reason[] = [];
  const place = open ? open.place : reasonsOfAsking(turn, { entry, question }, reasons);
  if (isQuick && reasons.length > 0) return verdictOf(reasons, undefined);
  if (isOfLane && !open) turn.noteOpening(entry, place);
  reasonsOfFiles(turn, { entry, worker, isQuick }, reasons);
  if (reasons.length === 0) {
    const by = turn.outranks(entry, place?.name);
    if (by !== undefined) reasons.push({ kind: 'outranked', by });
  }
  if (reasons.length === 0 && worker !== undefined && !isPastOffers)
    reasonOfOffers(turn, entry, { worker, reasons });
  return verdictOf(reasons, place);
}

/**
 * An agent does not overtake another that has waited longer and was just woken: it takes neither that
 * task nor one that would keep it from starting.
 */
function reasonOfOffers(
  turn: Turn,
  entry: TaskEntry,
  { worker, reasons }: { readonly worker: Worker; readonly reasons: Reason[] },
): void {
  if (worker.kind !== 'agent' || isOffered(turn, entry, worker)) return;
  let ahead = turn.offersAhead.get(worker.id);
  if (ahead === undefined) {
    const offers = openOffers(turn).filter((offer) => isAhead(turn, offer, worker));
    const taken = turn.copy();
    for (const offer of offers) taken.promise(offer.entry, offer.worker);
    ahead = { offers, taken };
    turn.offersAhead.set(worker.id, ahead);
  }
  const { offers, taken } = ahead;
  const [first] = offers;
  if (first === undefined) return;
  const itself = offers.find((offer) => offer.entry === entry);
  const question = { worker, isQuick: true, isPastOffers: true };
  const offer = itself ?? (mayStart(taken, entry, question).kind === 'no' ? first : undefined);
  if (offer === undefined) return;
  const { worker: other, until } = offer;
  const by = { kind: 'waiter', worker: other, task: offer.entry.id, until } as const;
  reasons.push({ kind: 'outranked', by });
}

function isOffered({ board, now }: Turn, { run, id }: TaskEntry, worker: Worker): boolean {
  const own = board.waiters.openOffer(worker.id, now);
  return own?.task === id && own.run === run.manifest.id;
}

/** Those that the agents could still take up; of several for one task, the first. */
export function openOffers(turn: Turn): readonly OpenOffer[] {
  const { board, now } = turn;
  const seen = new Set<TaskEntry>();
  return board.waiters.openOffers(now).flatMap(([worker, { run, task, at }]) => {
    const entry = board.find(run, task);
    const session = board.workers.sessions.get(worker);
    if (entry?.state.kind !== 'pending' || session === undefined || seen.has(entry)) return [];
    const question = { worker: session, isQuick: true, isPastOffers: true };
    if (mayStart(turn, entry, question).kind === 'no') return [];
    seen.add(entry);
    return [{ entry, worker, until: laterBy(at, OFFER_MS) }];
  });
}

function isAhead({ board, now }: Turn, offer: OpenOffer, worker: Worker): boolean {
  return offer.worker !== worker.id && board.waiters.isBefore(offer.worker, worker.id, now);
}

/** What has nothing to do with its files; the same for all ready tasks that ask for the same. */
function reasonsOfAsking(
  turn: Turn,
  { entry, question }: { readonly entry: TaskEntry; readonly question: Question },
  reasons: Reason[],
): Place | undefined {
  const { isQuick = false, worker, isUnloaded = false } = question;
  if (!isUnloaded && entry.rank > lowestServedRank(turn))
    reasons.push({ kind: 'outranked', by: { kind: 'load', mode: turn.mode } });
  reasonsOfTime(turn, entry, reasons);
  if (isQuick && reasons.length > 0) return undefined;
  const isForUs = isPushed(entry.asks.doer) && worker === undefined;
  return isForUs
    ? choosePlace(turn, { entry, isQuick }, reasons)
    : reasonsOfWorker(turn, { entry, worker, isQuick }, reasons);
}

function verdictOf([first, ...others]: readonly Reason[], place: Place | undefined): Verdict {
  if (first === undefined) return { kind: 'yes', place };
  return { kind: 'no', reasons: [first, ...others] };
}

/**
 * The lowest class that is served under this load. No load stops everything: while no runner, agent or
 * person holds a task, one task of the highest class that has any to start is served all the same.
 */
function lowestServedRank(turn: Turn): number {
  const lowest = PRIORITIES.findLastIndex((priority) => isServed(turn.mode, priority));
  if (lowest === PRIORITIES.length - 1 || turn.isAnyHeld) return lowest;
  turn.lowestServedRank ??= servedInstead(turn, lowest);
  return turn.lowestServedRank;
}

/** The highest class of which something could start; all of them where nothing could. */
function servedInstead(turn: Turn, lowest: number): number {
  const { pushLanes, pullLanes } = turn.board.ready;
  for (let rank = 0; rank < PRIORITIES.length; rank += 1)
    for (const lane of [...pushLanes[rank]!, ...pullLanes])
      if (lane.rank === rank && !isForPerson(lane.asks.doer) && couldStart(turn, lane))
        return Math.max(rank, lowest);
  return PRIORITIES.length - 1;
}

/** Of a class with something to start, it is one of the first nearly always. */
const FIRST_ONES = 100;

function couldStart(turn: Turn, { ready }: Lane): boolean {
  const cursor = ready.cursor();
  for (let count = 0; count < FIRST_ONES; count += 1) {
    const entry = cursor.next();
    if (entry === undefined) return false;
    if (mayStart(turn, entry, { isQuick: true, isUnloaded: true }).kind === 'yes') return true;
  }
  return false;
}

/** Whether anything may start at all is asked first, and only here. */
function reasonOfBoard({ board }: Turn, run: RunModel): Reason | undefined {
  if (board.permission === 'untrusted') return { kind: 'untrusted' };
  if (board.permission === 'shutting-down') return paused('shutting-down');
  if (board.isPaused) return paused('board');
  if (run.isInterrupted) return paused('interrupted');
  if (run.isStopping) return paused('stop-requested');
  return run.hasEndedEarly ? paused('failure') : undefined;
}

function reasonOfTask({ board }: Turn, entry: TaskEntry): Reason | undefined {
  const { state } = entry;
  if (state.kind === 'attention') {
    const { why, since } = state;
    return { kind: 'attention', why, since };
  }
  if (entry.isPaused) return paused('task');
  const never = impossibilityOf(board, entry);
  if (never !== undefined) return { kind: 'unsatisfiable', ...never };
  if (entry.unmet === 0) return undefined;
  const waitsFor: TaskId[] = [];
  entry.run.forEachPredecessor(entry, (predecessor, mustComplete) => {
    if (!isMet(predecessor.state, mustComplete)) waitsFor.push(predecessor.id);
  });
  const interrupted: TaskId[] = [];
  for (const { outside, mustComplete } of entry.run.outsideOf(entry)) {
    if (meets(outside.standing, mustComplete)) continue;
    const { reference, run } = outside.task;
    waitsFor.push(reference);
    if (board.runs.get(run)?.isInterrupted === true) interrupted.push(reference);
  }
  if (interrupted.length === 0) return { kind: 'dependencies', waitsFor };
  return { kind: 'dependencies', waitsFor, interrupted };
}

/** Whether the predicate would answer `parallel` for whatever runners of ours could do. */
export function hasNoPlace({ board, mostParallel, countHere }: Turn): boolean {
  return countHere >= mostParallel && !board.ready.isAnyForHosts;
}

/** What passes by itself, and what the whole board has too little of. */
function reasonsOfTime(turn: Turn, entry: TaskEntry, reasons: Reason[]): void {
  const { now } = turn;
  const { state, asks } = entry;
  if (state.kind === 'pending' && state.notBefore !== undefined && now < state.notBefore) {
    const { failures, losses, releases = 0 } = state.tries;
    const tries = failures + losses + releases;
    reasons.push({ kind: 'backoff', until: state.notBefore, tries });
  }
  if (asks.doer.kind === 'started-agent') reasonsOfAgent(turn, asks.doer.agent, reasons);
}

function reasonsOfAgent(turn: Turn, name: string, reasons: Reason[]): void {
  const { board, now } = turn;
  const agent = board.workers.agents.get(name);
  if (agent === undefined) return;
  const { coolDown } = agent;
  if (coolDown !== undefined && isCooling(coolDown, now))
    reasons.push({ kind: 'cooldown', agent: name, because: 'rate-limit', until: coolDown.until });
  const call = mayCall(turn.breakerOf(agent), now);
  if (call.kind === 'refused')
    reasons.push({ kind: 'cooldown', agent: name, because: 'failing', until: call.until });
}

function paused(because: PauseCause): Reason {
  return { kind: 'paused', because };
}
