import type { WorkerId } from '../../domain/ids.ts';
import { unreachable } from '../../domain/assert.ts';
import { formatDuration, type Instant } from '../../domain/time.ts';
import { explainTo, listOf, workerName } from './explain.ts';
import { mayStart, type Question } from './may-start.ts';
import type { Impossibility, PauseCause, Reason } from '../model/reason.ts';
import type { TaskEntry } from '../model/run-model.ts';
import type { Turn } from './turn.ts';
import { isSameWorker, LOCAL, placeOf } from '../model/workers.ts';

/** One answer to "why is this not running?". */
export interface Blocker {
  readonly reason: Reason;
  /** What it is, and what clears it: two sentences without their ends. */
  readonly what: string;
  readonly remedy: string;
  /** When it clears by itself at the latest, where that is known. */
  readonly until: Instant | undefined;
  /** What it is, what clears it and, where that is known, when. */
  readonly sentence: string;
}

/** One blocker for each reason of the one predicate; none when the task may start, or has. */
export function why(
  turn: Turn,
  entry: TaskEntry,
  question?: Question & { readonly reader?: WorkerId },
): readonly Blocker[] {
  const { kind } = entry.state;
  if (kind !== 'pending' && kind !== 'attention') return [];
  const verdict = mayStart(turn, entry, question);
  if (verdict.kind === 'yes') return [];
  return verdict.reasons.map((reason) => blockerOf(reason, turn.now, question?.reader));
}

/** For a person who reads it, and is called "you". */
export function readBy(reader: WorkerId | undefined): { readonly reader?: WorkerId } {
  return reader === undefined ? {} : { reader };
}

function blockerOf(reason: Reason, now: Instant, reader: WorkerId | undefined): Blocker {
  const clause = explainTo(reader, reason);
  const what = `${clause.charAt(0).toUpperCase()}${clause.slice(1)}`;
  const [remedy, until] = [remedyOf(reason, reader), clearsAt(reason)];
  const inverted = 'isInverted' in reason && reason.isInverted ? INVERTED : '';
  const sentence = `${what}. ${remedy}${endText(until, now)}.${inverted}`;
  return { reason, what, remedy, until, sentence };
}

/** One clause for each reason, with the time at which it clears by itself. */
export function timedText(reasons: readonly Reason[], now: Instant, reader?: WorkerId): string {
  return reasons
    .map((reason) => explainTo(reader, reason) + endText(clearsAt(reason), now))
    .join('; ');
}

function endText(at: Instant | undefined, now: Instant): string {
  return at === undefined || at <= now ? '' : `, in ${formatDuration(at - now)} at the latest`;
}

const INVERTED = ' Whoever holds it is of a lower priority.';

/** When it clears by itself at the latest. */
export function clearsAt(reason: Reason): Instant | undefined {
  switch (reason.kind) {
    case 'backoff':
    case 'cooldown':
      return reason.until;
    case 'host':
      return reason.until;
    case 'hazard':
      // What is not saved is kept for as long as it takes.
      return reason.owner.kind === 'person' && reason.owner.isUnsaved && !reason.owner.isSaved
        ? undefined
        : reason.until;
    case 'outranked':
      if (reason.by.kind === 'waiter') return reason.by.until;
      return reason.by.kind === 'task' ? reason.by.startsAt : undefined;
    default:
      return undefined;
  }
}

/** The rest of a sentence that begins with what was found. */
function remedyOf(reason: Reason, reader: WorkerId | undefined): string {
  switch (reason.kind) {
    case 'untrusted':
      return 'Trust the folder to let its tasks run';
    case 'paused':
      return reason.because === 'drained'
        ? `Undrain ${workerName(reason.worker)} to go on`
        : remedyOfPause(reason.because);
    case 'attention':
      return reason.why === 'asked'
        ? 'Answer it or retry it'
        : 'Retry it to begin anew, or cancel it';
    case 'unsatisfiable':
      return remedyOfImpossible(reason);
    case 'dependencies':
      return remedyOfWaiting(reason);
    case 'backoff':
      return 'It is tried again by itself; retry it to try at once';
    case 'parallel':
      return reason.host === undefined
        ? 'It starts when one of the running tasks ends, or raise the limit'
        : 'It starts when one of the tasks there ends, or give that host more slots';
    case 'capability':
      return reason.because === 'window'
        ? 'It goes on when the folder is open in VS Code; "interlock terminal" takes it in any other terminal'
        : 'A worker that fits clears this';
    case 'host':
      return reason.because === 'unreachable'
        ? `It goes on when ${reason.host} can be reached again`
        : `${reason.host} is tried again by itself`;
    case 'cooldown':
      return `${reason.agent} is used again by itself`;
    case 'hazard':
      return remedyOfHazard(reason, reader);
    case 'resources':
      return remedyOfScarcity(reason);
    case 'outranked':
      return remedyOfRank(reason.by);
    default:
      return unreachable(reason);
  }
}

function remedyOfRank(by: Extract<Reason, { kind: 'outranked' }>['by']): string {
  switch (by.kind) {
    case 'task':
      return `It goes on when ${by.task} has started`;
    case 'load':
      return 'It goes on when less is waiting, or give it a higher priority';
    case 'waiter':
      return `It can be claimed when ${workerName(by.worker)} has claimed a task or let its turn pass`;
    default:
      return unreachable(by);
  }
}

function remedyOfWaiting({
  waitsFor,
  interrupted = [],
}: Extract<Reason, { kind: 'dependencies' }>): string {
  if (interrupted.length > 0) return `Run ${listOf(interrupted)} again to carry that on`;
  return `It goes on when ${waitsFor.length === 1 ? 'that has ended' : 'all of them have ended'}`;
}

function remedyOfPause(because: PauseCause): string {
  switch (because) {
    case 'board':
    case 'task':
      return 'Resume it to go on';
    case 'interrupted':
      return 'Run it again to carry it on';
    case 'shutting-down':
      return 'It can be carried on afterwards';
    case 'stop-requested':
    case 'failure':
      return 'Run it again once the run has ended';
    default:
      return unreachable(because);
  }
}

function remedyOfImpossible(reason: Impossibility): string {
  switch (reason.because) {
    case 'missing':
      return `Add ${reason.task} to the plan, or take it out of depends_on`;
    case 'cycle':
      return `Take one of the dependencies out: ${listOf(reason.tasks)}`;
    case 'too-much':
      return `Ask for less, or raise the limit ${reason.name}`;
    case 'no-such-limit':
      return `Add ${reason.name} to the limits of the plan`;
    case 'no-such-host':
      return `Name ${reason.hosts.length === 1 ? 'it' : 'one of them'} in the setting interlock.hosts or in hosts.json, or choose another host`;
    case 'no-place':
      return 'Choose another host for it, or change what it needs';
    case 'no-such-agent':
      return `Add ${reason.agent} to the agents of the plan`;
    default:
      return unreachable(reason);
  }
}

function remedyOfHazard(
  { owner, rule, worker, until }: Extract<Reason, { kind: 'hazard' }>,
  reader: WorkerId | undefined,
): string {
  switch (owner.kind) {
    case 'task':
      return `It goes on when ${owner.task} has ended`;
    case 'leftover':
      return until === undefined
        ? remedyOfLeftover(placeOf(worker))
        : `${worker} may still be at work, and nobody can stop it: it goes on by itself`;
    case 'person':
      if (isSameWorker(reader, worker)) return remedyOfOwn(owner);
      if (owner.isSaved === true) return 'It goes on when they have stopped editing';
      return rule === 'ask'
        ? 'It goes on when they save and stop, or say so'
        : 'It goes on after that';
    default:
      return unreachable(owner);
  }
}

/** Of the person who reads it. */
function remedyOfOwn({ isUnsaved, isSaved }: PersonOwner): string {
  if (!isUnsaved) return 'Let it start, or wait until that ends';
  return isSaved === true
    ? 'It goes on two minutes after your last change, or when you let it start'
    : 'Save the file or undo your changes, or let it start beside you';
}

type PersonOwner = Extract<Extract<Reason, { kind: 'hazard' }>['owner'], { kind: 'person' }>;

/** Those that are at work give it back by themselves. */
function remedyOfScarcity({
  name,
  holders,
  lostAt,
}: Extract<Reason, { kind: 'resources' }>): string {
  const away = holders.length > 0 ? undefined : lostAt.find((place) => place !== LOCAL);
  const enough = `It starts when enough of ${name} is given back`;
  return away === undefined ? enough : `${enough}, ${mustBeReached(away)}`;
}

function remedyOfLeftover(place: string): string {
  const proved = 'It goes on when that is proved';
  return place === LOCAL ? proved : `${proved}, ${mustBeReached(place)}`;
}

/** Only where it ran can it be proved that nothing of it is left. */
function mustBeReached(place: string): string {
  return `for which ${place} must be reached; if it never comes back, set "gone" of it to true where your hosts are named`;
}
