import type { Priority } from './priority.ts';
import { NO_RETRY, type RetryPolicy } from './failure/retry.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;

/** What a task asks of the scheduler. */
export interface TaskAsks {
  readonly priority: Priority;
  readonly doer: Doer;
  /** Capabilities that whoever does it must have. */
  readonly needs: readonly string[];
  /** The hosts to choose from; empty is this machine. */
  readonly hosts: readonly string[];
  /** Amounts of the limits it takes while it is held. */
  readonly resources: Readonly<Record<string, number>>;
  readonly retry: RetryPolicy;
  readonly timeout: Timeout;
  /** How long a claim lives without being renewed; `undefined` is until released. */
  readonly leaseMs: number | undefined;
  /** No output and no file change for this long needs a person's attention. */
  readonly stuckAfterMs: number | undefined;
  /** A working tree of its own: what it writes collides with nobody until it is merged. */
  readonly isIsolated: boolean;
  /** Its command has a terminal that anybody can attach to. */
  readonly isInSession: boolean;
  /** How long earlier runs took, where there were any. */
  readonly expectedMs: number | undefined;
}

/**
 * Who does it. A runner is ours, and the scheduler claims for it; the others claim for themselves.
 */
export type Doer =
  | { readonly kind: 'runner' }
  /** A terminal that somebody sees and types into runs the command, and claims for itself. */
  | { readonly kind: 'terminal' }
  /** A runner of ours starts this agent. */
  | { readonly kind: 'started-agent'; readonly agent: string }
  | { readonly kind: 'agent' }
  | { readonly kind: 'person' }
  | { readonly kind: 'anyone' };

export interface Timeout {
  readonly softMs?: number;
  readonly hardMs?: number;
}

/** One that ends at once would be lost before its worker could say a word. */
const SHORTEST_LEASE_MS = SECOND;
/** Nobody would notice for longer that its worker is gone. */
const LONGEST_LEASE_MS = 24 * 60 * MINUTE;

/** What a worker asks for its lease. */
export function boundedLease(leaseMs: number): number {
  if (!(leaseMs >= SHORTEST_LEASE_MS)) return SHORTEST_LEASE_MS;
  return Math.min(leaseMs, LONGEST_LEASE_MS);
}

/** After how long it is first asked to end. */
export function firstLimitMs({ softMs, hardMs }: Timeout): number | undefined {
  return softMs === undefined || hardMs === undefined
    ? (softMs ?? hardMs)
    : Math.min(softMs, hardMs);
}

/** After how long it is made to. */
export function lastLimitMs({ softMs, hardMs }: Timeout): number | undefined {
  return hardMs ?? softMs;
}

/** What nothing was measured of is taken to last one second. */
export const UNMEASURED_MS = SECOND;

const PLAIN: TaskAsks = {
  priority: 'normal',
  doer: { kind: 'runner' },
  needs: [],
  hosts: [],
  resources: {},
  retry: NO_RETRY,
  timeout: {},
  leaseMs: 30 * SECOND,
  // Many a command prints nothing until it ends.
  stuckAfterMs: undefined,
  isIsolated: false,
  isInSession: false,
  expectedMs: undefined,
};

/** Nothing is expected to take longer. */
const LONGEST_MS = 365 * 24 * 60 * MINUTE;

const LEASE_OF_AGENT_MS = 5 * MINUTE;
const SILENCE_OF_AGENT_MS = 5 * MINUTE;

export function asksOf(said: Partial<TaskAsks> | undefined): TaskAsks {
  if (said === undefined) return PLAIN;
  const asks = { ...PLAIN, ...defaultsOf(said.doer ?? PLAIN.doer), ...said };
  const resources = checkedAmounts(asks.resources);
  return { ...asks, resources, expectedMs: wholeOrNone(asks.expectedMs) };
}

/** What anybody may do has the lease of whoever does it. */
export function leaseFor(
  { doer, leaseMs }: TaskAsks,
  worker: 'agent' | 'person' | 'terminal',
): number | undefined {
  return doer.kind === 'anyone' && worker === 'agent' ? (leaseMs ?? LEASE_OF_AGENT_MS) : leaseMs;
}

/** What is no amount is more than there can ever be, so that it is said at once. */
function checkedAmounts(
  amounts: Readonly<Record<string, number>>,
): Readonly<Record<string, number>> {
  const entries = Object.entries(amounts);
  if (entries.every(([, amount]) => amount >= 0)) return amounts;
  return Object.fromEntries(
    entries.map(([name, amount]) => [name, amount >= 0 ? amount : Number.POSITIVE_INFINITY]),
  );
}

/** An average is seldom whole. */
function wholeOrNone(ms: number | undefined): number | undefined {
  if (ms === undefined || !Number.isFinite(ms)) return undefined;
  return Math.min(Math.max(0, Math.round(ms)), LONGEST_MS);
}

function defaultsOf(doer: Doer): Partial<TaskAsks> {
  switch (doer.kind) {
    case 'runner':
    case 'started-agent':
    case 'terminal':
      return {};
    case 'agent':
      return { leaseMs: LEASE_OF_AGENT_MS, stuckAfterMs: SILENCE_OF_AGENT_MS };
    case 'anyone':
    case 'person':
      // Nobody may say that a person takes too long.
      return { leaseMs: undefined };
    default:
      return doer satisfies never;
  }
}

/** People come when they come; nobody has to be here for that, and nobody knows when they are done. */
export function isForPerson({ kind }: Doer): boolean {
  return kind === 'person' || kind === 'anyone';
}

/**
 * Whether whoever does it ends when it is asked to: it runs a command, and hears of it. All others are
 * only told that the task is not theirs any more.
 */
export function canBeStopped(doer: Doer): boolean {
  return isPushed(doer) || doer.kind === 'terminal';
}

/** Whether the scheduler claims for whoever does it. */
export function isPushed({ kind }: Doer): boolean {
  return kind === 'runner' || kind === 'started-agent';
}
