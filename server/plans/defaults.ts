import type { Pair } from 'yaml';
import { type Doer, isForPerson, type TaskAsks } from '../domain/asks.ts';
import { NO_RETRY } from '../domain/failure/retry.ts';
import type { Amount } from './limits.ts';
import type { Mention, TextRange } from './plan.ts';
import { said } from './said.ts';
import { pairsIn, readKey } from './read-value.ts';
import { DEFAULTS, isSharedKey, type SharedKey } from './schema/shared.ts';
import { readSharedKey, refuseFarTerminal, type SharedFields } from './shared-keys.ts';
import { endOf, type ProblemList, rangeOf } from './yaml-document.ts';

export interface Defaults {
  readonly fields: SharedFields;
  /** Each key that is written, with its value. */
  readonly ranges: ReadonlyMap<SharedKey, TextRange>;
}

export const NO_DEFAULTS: Defaults = { fields: {}, ranges: new Map() };

/** What a task says by the shared keys, and which of them it says, right or wrong. */
interface Own {
  readonly fields: SharedFields;
  readonly sharedKeys: readonly SharedKey[];
  readonly doer: Doer | undefined;
}

interface Merged {
  readonly fields: SharedFields;
  /** Which of the defaults it takes. */
  readonly taken: readonly SharedKey[];
}

/** Of these a task takes what it does not say itself, name by name. */
const MERGED_BY_NAME: ReadonlySet<SharedKey> = new Set<SharedKey>(['env', 'resources', 'retry']);
/** Nobody has to hurry because runners do. */
const NOT_FOR_PEOPLE: ReadonlySet<SharedKey> = new Set<SharedKey>(['lease', 'stuck_after']);

export function readDefaults(pair: Pair, problems: ProblemList): Defaults {
  const fields: SharedFields = {};
  const ranges = new Map<SharedKey, TextRange>();
  for (const item of pairsIn(pair, DEFAULTS, problems)) {
    const key = readKey(item, { schema: DEFAULTS, of: '"defaults"' }, problems)?.key ?? '';
    if (!isSharedKey(key)) continue;
    readSharedKey(key, { pair: item, fields }, problems);
    ranges.set(key, { start: rangeOf(item.key).start, end: endOf(item.value) });
  }
  refuseFarTerminal(fields, problems);
  return { fields, ranges };
}

/** What a task says, and below it what the plan says of all. */
export function withDefaults({ fields: own, sharedKeys, doer }: Own, defaults: Defaults): Merged {
  if (defaults.ranges.size === 0) return { fields: own, taken: [] };
  const { fields: below } = defaults;
  const isTaken = (key: SharedKey): boolean => {
    if (doer !== undefined && isForPerson(doer) && NOT_FOR_PEOPLE.has(key)) return false;
    // A terminal is on this machine: of the two what a task says itself counts.
    if (key === 'on' && own.in === 'terminal') return false;
    if (key === 'in' && below.in === 'terminal' && own.hosts?.some(isFar) === true) return false;
    return !sharedKeys.includes(key) || MERGED_BY_NAME.has(key);
  };
  const fields: SharedFields = {
    cwd: own.cwd ?? below.cwd,
    env: below.env && { ...below.env, ...own.env },
    priority: own.priority ?? below.priority,
    resources: mergedAmounts(own.resources, below.resources),
    needs: own.needs ?? below.needs,
    retry: below.retry && { ...below.retry, ...own.retry },
    timeout: own.timeout ?? below.timeout,
    stuckAfterMs: own.stuckAfterMs ?? (isTaken('stuck_after') ? below.stuckAfterMs : undefined),
    leaseMs: own.leaseMs ?? (isTaken('lease') ? below.leaseMs : undefined),
    in: own.in ?? (isTaken('in') ? below.in : undefined),
    hosts: own.hosts ?? (isTaken('on') ? below.hosts : undefined),
  };
  return {
    fields: { ...own, ...said(fields) },
    taken: [...defaults.ranges.keys()].filter(isTaken),
  };
}

/** What a task asks of the scheduler; what nobody says is left out. */
export function asksOf(fields: SharedFields, written: Doer | undefined): Partial<TaskAsks> {
  const { priority, needs, timeout, stuckAfterMs, leaseMs } = fields;
  const retry = fields.retry && { ...NO_RETRY, ...fields.retry };
  const resources = fields.resources && amountsOf(fields.resources);
  const isCommand = written === undefined || written.kind === 'runner';
  const doer: Doer | undefined =
    isCommand && fields.in === 'terminal' ? { kind: 'terminal' } : written;
  const hosts = fields.hosts?.some(isFar) ? fields.hosts.map(({ text }) => text) : undefined;
  const isInSession = isCommand && fields.in === 'tmux' ? true : undefined;
  return said({
    priority,
    doer,
    hosts,
    needs,
    resources,
    retry,
    timeout,
    leaseMs,
    stuckAfterMs,
    isInSession,
  });
}

/** Whether it is another machine than this one, which needs no name. */
function isFar({ text }: Mention): boolean {
  return text !== 'local';
}

/** What could not be read is left out. */
export function amountsOf(amounts: Iterable<Amount>): Readonly<Record<string, number>> {
  const known = [...amounts].flatMap(({ name, amount }) =>
    amount === undefined ? [] : [[name, amount] as const],
  );
  return Object.fromEntries(known);
}

function mergedAmounts(
  own: readonly Amount[] | undefined,
  below: readonly Amount[] | undefined,
): readonly Amount[] | undefined {
  if (own === undefined || below === undefined) return own ?? below;
  const names = new Set(own.map(({ name }) => name));
  return [...below.filter(({ name }) => !names.has(name)), ...own];
}
