import { assert } from '../assert.ts';

/** How often, how soon and after which ends a command runs again. */
export interface RetryPolicy {
  /** Counts the first one. */
  readonly attempts: number;
  /** Before the first repetition; each further wait is `factor` times as long, up to `maxMs`. */
  readonly backoffMs: number;
  readonly factor: number;
  readonly maxMs: number;
  /** The exit codes worth another try. Empty: every failure. */
  readonly on: readonly number[];
}

export const NO_RETRY: RetryPolicy = {
  attempts: 1,
  backoffMs: 100,
  factor: 2,
  maxMs: 30_000,
  on: [],
};

/**
 * A lost lease, a lost host, a start that failed and a kill of our own say little about the command
 * itself. The third one needs a person's attention.
 */
export const LOSS_LIMIT = 3;

/**
 * A command that asks to be tried again later is: after 1 s, 2 s, 4 s and so on up to a minute. What
 * asks for it the tenth time has failed.
 */
export const LATER: RetryPolicy = {
  attempts: 10,
  backoffMs: 1000,
  factor: 2,
  maxMs: 60_000,
  on: [],
};

/** How often a command has failed, and how it did just now. */
interface FailedCommand {
  /** Includes this one. */
  readonly failures: number;
  /** `undefined`: ended by a signal, timed out or never started. */
  readonly exitCode: number | undefined;
}

export function mayRetry(policy: RetryPolicy, { failures, exitCode }: FailedCommand): boolean {
  if (failures >= policy.attempts) return false;
  if (policy.on.length === 0) return true;
  return exitCode !== undefined && policy.on.includes(exitCode);
}

/** Tasks that failed together do not come back together. */
const JITTER = 0.2;

/**
 * How long the `n`th wait lasts, counted from 1: min(backoff × factor^(n-1), max) ± 20 %. The jitter
 * comes last, so the longest wait is a fifth above `maxMs`. The key names whoever waits: equal keys
 * wait equally long the `n`th time.
 */
export function backoffMs(policy: RetryPolicy, n: number, key: string): number {
  assert(Number.isSafeInteger(n) && n >= 1, 'waits are counted from 1');
  // Nothing times infinity is no number.
  if (policy.backoffMs <= 0) return 0;
  const wait = Math.min(policy.backoffMs * policy.factor ** (n - 1), policy.maxMs);
  const jitter = 1 + JITTER * (2 * chanceOf(`${key} ${n}`) - 1);
  return Math.max(0, Math.round(wait * jitter));
}

const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/**
 * A number in [0, 1) that depends on the text alone: equal keys, equal chance. The finaliser of
 * MurmurHash3 spreads what FNV-1a leaves close together, such as keys that differ in the last digit.
 */
export function chanceOf(key: string): number {
  let hash = FNV_OFFSET;
  for (let index = 0; index < key.length; index++) {
    const unit = key.charCodeAt(index);
    hash = Math.imul(hash ^ (unit & 0xff), FNV_PRIME);
    hash = Math.imul(hash ^ (unit >>> 8), FNV_PRIME);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}
