import { unreachable } from '../../domain/assert.ts';
import { displayLine } from '../../domain/display-text.ts';
import type { WorkerId } from '../../domain/ids.ts';
import type { LoadMode } from '../../domain/failure/load.ts';
import type { AttentionCause } from '../../domain/task.ts';
import type { Impossibility, PauseCause, Reason } from '../model/reason.ts';
import {
  isRunner,
  isSameWorker,
  LOCAL,
  personName,
  placeOf,
  terminalOf,
} from '../model/workers.ts';

type ReasonOf<Kind extends Reason['kind']> = Extract<Reason, { kind: Kind }>;

/** One clause for each reason, fit for a row of the tree: `waits for schema`. */
export function explain(reason: Reason): string {
  return explainTo(undefined, reason);
}

/** The same for a person, who is called "you". */
export function explainTo(reader: WorkerId | undefined, reason: Reason): string {
  switch (reason.kind) {
    case 'untrusted':
      return 'waits until this folder is trusted';
    case 'paused':
      return reason.because === 'drained'
        ? `waits: ${workerName(reason.worker)} is drained, and is given nothing new`
        : explainPause(reason.because);
    case 'attention':
      return `needs you: ${explainAttention(reason.why)}`;
    case 'unsatisfiable':
      return `can never start: ${explainImpossible(reason)}`;
    case 'dependencies':
      return explainWaiting(reason);
    case 'backoff':
      return `waits before attempt ${reason.tries + 1}`;
    case 'parallel':
      return reason.host === undefined
        ? `waits for a free place (${reason.limit} run at once)`
        : `waits for a free place on ${reason.host} (${reason.limit} run there at once)`;
    case 'capability':
      return explainCapability(reason);
    case 'host':
      return reason.because === 'unreachable'
        ? `waits for ${reason.host}, which cannot be reached`
        : `waits for ${reason.host}, where too much has failed`;
    case 'cooldown':
      return reason.because === 'rate-limit'
        ? `waits for ${reason.agent}, which has reached its rate limit`
        : `waits for ${reason.agent}, which has failed too often`;
    case 'hazard':
      return explainHazard(reason, reader);
    case 'resources': {
      const { name, asked, used, limit, holders, lostAt } = reason;
      const lost = lostAt.map((place) => `a lost attempt${place === LOCAL ? '' : ` on ${place}`}`);
      const who = listOf([...holders, ...lost]);
      const by = who === '' ? '' : `, used by ${who}`;
      const [needed, taken, all] = [asked, used, limit].map((each) => amountText(name, each));
      return `waits for ${name}: it needs ${needed}, and ${taken} of ${all} are taken${by}`;
    }
    case 'outranked':
      return explainOutranked(reason.by);
    default:
      return unreachable(reason);
  }
}

function explainWaiting({ waitsFor, interrupted = [] }: ReasonOf<'dependencies'>): string {
  const alone = interrupted.length === 0 ? '' : ` (interrupted: ${listOf(interrupted)})`;
  return `waits for ${listOf(waitsFor)}${alone}`;
}

/** `this machine`, `build-1`, `claude-1`: as a person would call it. */
export function workerName(worker: WorkerId): string {
  const person = terminalOf(worker);
  if (person !== undefined) return `a terminal of ${person}`;
  if (!isRunner(worker)) return personName(worker).replace(/^agent\//, '');
  const place = placeOf(worker);
  return place === LOCAL ? 'this machine' : place;
}

function explainPause(because: PauseCause): string {
  switch (because) {
    case 'shutting-down':
      return 'waits: Interlock is shutting down';
    case 'board':
      return 'waits: everything is paused';
    case 'task':
      return 'waits: it is paused';
    case 'interrupted':
      return 'waits: the run was interrupted';
    case 'stop-requested':
      return 'waits: the run is being stopped';
    case 'failure':
      return 'waits: the run ends at its first failure';
    default:
      return unreachable(because);
  }
}

/** What a person is needed for. */
export function explainAttention(why: AttentionCause): string {
  switch (why) {
    case 'stuck':
      return 'nothing has moved for a while';
    case 'poisoned':
      return 'it was lost three times';
    case 'starved':
      return 'nobody has taken it';
    case 'asked':
      return 'it has a question';
    default:
      return unreachable(why);
  }
}

const MIB = 1024 ** 2;
const GIB = 1024 ** 3;

/** Memory is counted in bytes; people read it as plans say it. */
function amountText(name: string, amount: number): string {
  if (name !== 'memory' || amount < MIB) return String(amount);
  const [unit, word] = amount < GIB ? [MIB, 'MiB'] : [GIB, 'GiB'];
  return `${Number((amount / unit).toFixed(1))}${word}`;
}

function explainImpossible(reason: Impossibility): string {
  switch (reason.because) {
    case 'missing':
      return `it depends on ${reason.task}, which does not exist`;
    case 'cycle':
      return `it is in a dependency cycle (${listOf([...reason.tasks, ...reason.tasks.slice(0, 1)], ' → ')})`;
    case 'too-much':
      return `it needs ${amountText(reason.name, reason.asked)} of ${reason.name}, and there are ${amountText(reason.name, reason.limit)}`;
    case 'no-such-limit':
      return `it needs ${reason.name}, and no limit has that name`;
    case 'no-such-host':
      return `${listOf(reason.hosts)} ${reason.hosts.length === 1 ? 'is' : 'are'} not among your hosts`;
    case 'no-such-agent':
      return `there is no agent ${reason.agent}`;
    case 'no-place':
      return reason.needs.length === 0
        ? 'no place takes tasks'
        : `it needs ${listOf(reason.needs)}, which no place has`;
    default:
      return unreachable(reason);
  }
}

function explainCapability({ because, missing, who }: ReasonOf<'capability'>): string {
  switch (because) {
    case 'needs':
      return `needs ${listOf(missing)}, which ${who ?? 'the worker'} does not have`;
    case 'role':
      return `is for ${roleText(missing)}, not for ${who ?? 'you'}`;
    case 'folder':
      return `is in ${listOf(missing)}, and ${who ?? 'the worker'} works elsewhere`;
    case 'nobody':
      return missing.length === 0
        ? 'waits for an agent; none is connected now'
        : `waits for an agent with ${listOf(missing)}; none is connected now`;
    case 'window':
      return missing.length === 0
        ? 'waits for a terminal, and no editor window is here to open one'
        : `waits for a terminal with ${listOf(missing)}, and no editor window has that`;
    default:
      return unreachable(because);
  }
}

function roleText([role = 'worker']: readonly string[]): string {
  if (role === 'anyone') return 'an agent or a person';
  return role === 'agent' ? 'an agent' : `a ${role}`;
}

function explainHazard(
  { owner, worker, overlap, example }: ReasonOf<'hazard'>,
  reader: WorkerId | undefined,
): string {
  const what = example === undefined ? 'files that may be the same' : displayLine(example);
  switch (owner.kind) {
    case 'task':
      return overlap === 'write-write'
        ? `waits for ${owner.task}, which writes ${what} too`
        : `waits for ${owner.task}; one of them writes ${what} and the other reads it`;
    case 'leftover':
      return `waits until nothing is left of a lost attempt at ${owner.task}${atHost(worker)}`;
    case 'person':
      return isSameWorker(reader, worker)
        ? `waits for you: you ${doingOf(owner, ['are', 'have'])} ${what}`
        : `waits for ${personName(worker)}, who ${doingOf(owner, ['is', 'has'])} ${what}`;
    default:
      return unreachable(owner);
  }
}

function doingOf(
  { isUnsaved, isSaved }: Extract<ReasonOf<'hazard'>['owner'], { kind: 'person' }>,
  [is, has]: readonly [string, string],
): string {
  if (!isUnsaved) return `${has} taken`;
  return isSaved === true ? `${has} just edited` : `${is} editing`;
}

/** Where a runner of ours is, if it is not here. */
function atHost(worker: WorkerId): string {
  const place = placeOf(worker);
  return place === LOCAL ? '' : ` on ${place}`;
}

function explainOutranked(by: ReasonOf<'outranked'>['by']): string {
  switch (by.kind) {
    case 'task':
      return `waits for ${by.task}, whose start it would delay`;
    case 'load':
      return `waits while ${explainLoad(by.mode)}`;
    case 'waiter':
      return `waits: ${workerName(by.worker)} has waited longer and was just woken for ${by.task}`;
    default:
      return unreachable(by);
  }
}

function explainLoad(mode: LoadMode): string {
  return `the load is ${mode}`;
}

/** Long lists are cut: nobody reads them. */
const NAMES_LIMIT = 10;

export function listOf(names: readonly string[], separator = ', '): string {
  const shown = names.slice(0, NAMES_LIMIT).join(separator);
  const left = names.length - NAMES_LIMIT;
  return left > 0 ? `${shown} and ${left} more` : shown;
}
