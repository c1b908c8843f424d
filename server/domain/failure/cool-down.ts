import { type Instant, laterBy } from '../time.ts';

/**
 * An agent that reports a rate limit is given no work for a while. Its task has not failed: it is
 * given back.
 */
export interface CoolDown {
  readonly until: Instant;
  /** How many cool-downs followed each other closely, this one included. */
  readonly strikes: number;
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;

const FIRST_WAIT_MS = MINUTE;
const LONGEST_WAIT_MS = 15 * MINUTE;
/** What an agent asks for is believed up to here. */
const LONGEST_ASKED_MS = 24 * 60 * MINUTE;
/** An agent that went without a limit for this long starts over. */
const FORGOTTEN_AFTER_MS = 10 * MINUTE;

interface RateLimit {
  /** What the agent was told to wait, where it was told. */
  readonly retryAfterMs?: number | undefined;
}

/**
 * The cool-down after a report. Calls that were under way when the limit was reached report it too,
 * so a report while the agent cools is no further strike, and never ends the wait earlier.
 */
export function afterRateLimit(
  previous: CoolDown | undefined,
  { retryAfterMs }: RateLimit,
  now: Instant,
): CoolDown {
  const strikes = strikesAt(previous, now);
  const until = coolDownUntil({ strikes, retryAfterMs }, now);
  return {
    until: previous !== undefined && previous.until > until ? previous.until : until,
    strikes,
  };
}

function strikesAt(previous: CoolDown | undefined, now: Instant): number {
  if (previous === undefined || now - previous.until >= FORGOTTEN_AFTER_MS) return 1;
  return isCooling(previous, now) ? previous.strikes : previous.strikes + 1;
}

/** What the agent was told, a second at least, or else 60 s that double with each strike up to 15 min. */
export function coolDownUntil(
  { strikes, retryAfterMs }: RateLimit & { readonly strikes: number },
  now: Instant,
): Instant {
  const ownMs = Math.min(FIRST_WAIT_MS * 2 ** (strikes - 1), LONGEST_WAIT_MS);
  if (retryAfterMs === undefined || Number.isNaN(retryAfterMs)) return laterBy(now, ownMs);
  return laterBy(now, Math.min(Math.max(SECOND, retryAfterMs), LONGEST_ASKED_MS));
}

export function isCooling(coolDown: CoolDown | undefined, now: Instant): boolean {
  return coolDown !== undefined && now < coolDown.until;
}
