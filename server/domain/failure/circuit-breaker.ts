import { unreachable } from '../assert.ts';
import { instant, type Instant } from '../time.ts';

/**
 * Keeps calls away from a host or an agent that keeps failing. There is one for each.
 *
 *     closed ──5 failures in a row──▶ open ──60 s pass, a call starts──▶ half-open
 *        ▲                             ▲                                  │    │
 *        │                             └──────── 2 of 3 trials failed ────┘    │
 *        └────────────────────────────────────── 2 of 3 trials succeeded ──────┘
 *
 * A trial that has not reported when it is due has failed then, whenever somebody looks. Every
 * function below counts such trials first, so it makes no difference how often that is.
 *
 * Invariant: half-open has room for another trial or a pending one with a due time, so no call is
 * refused for ever.
 */
export type Breaker =
  /** The calls that failed since the last success, each once. */
  | { readonly kind: 'closed'; readonly failures: readonly string[] }
  | { readonly kind: 'open'; readonly until: Instant }
  | { readonly kind: 'half-open'; readonly trials: readonly Trial[] };

interface Trial {
  readonly call: string;
  readonly dueAt: Instant;
  readonly outcome: 'pending' | 'succeeded' | 'failed';
}

export const CLOSED: Breaker = { kind: 'closed', failures: [] };

const FAILURE_LIMIT = 5;
const OPEN_MS = 60_000;
const TRIAL_LIMIT = 3;
/** 67 % of the trials. */
const SUCCESSES_TO_CLOSE = 2;
const FAILURES_TO_OPEN = TRIAL_LIMIT - SUCCESSES_TO_CLOSE + 1;

type CallAnswer =
  | { readonly kind: 'allowed' }
  /** Asking earlier is no use, unless a trial reports. */
  | { readonly kind: 'refused'; readonly until: Instant };

export function mayCall(breaker: Breaker, now: Instant): CallAnswer {
  const settled = settleOverdue(breaker, now);
  switch (settled.kind) {
    case 'closed':
      return { kind: 'allowed' };
    case 'open':
      return now < settled.until ? { kind: 'refused', until: settled.until } : { kind: 'allowed' };
    case 'half-open':
      return settled.trials.length < TRIAL_LIMIT
        ? { kind: 'allowed' }
        : { kind: 'refused', until: firstDue(settled.trials) };
    default:
      return unreachable(settled);
  }
}

/** A call that `mayCall` refused is not counted. */
export function callStarted(
  breaker: Breaker,
  { call, dueAt }: { readonly call: string; readonly dueAt: Instant },
  now: Instant,
): Breaker {
  const settled = settleOverdue(breaker, now);
  const trial: Trial = { call, dueAt, outcome: 'pending' };
  switch (settled.kind) {
    case 'closed':
      return settled;
    case 'open':
      return now < settled.until ? settled : { kind: 'half-open', trials: [trial] };
    case 'half-open':
      if (settled.trials.length === TRIAL_LIMIT) return settled;
      if (settled.trials.some((other) => other.call === call)) return settled;
      return { kind: 'half-open', trials: [...settled.trials, trial] };
    default:
      return unreachable(settled);
  }
}

interface EndedCall {
  readonly call: string;
  readonly succeeded: boolean;
}

/** The first report of a trial counts; while open, and of a call that is no trial, none does. */
export function callEnded(breaker: Breaker, ended: EndedCall, now: Instant): Breaker {
  const settled = settleOverdue(breaker, now);
  switch (settled.kind) {
    case 'closed':
      return countWhileClosed(settled, ended, now);
    case 'open':
      return settled;
    case 'half-open':
      return countTrial(settled, ended, now);
    default:
      return unreachable(settled);
  }
}

/** A call that was called off says nothing, and a trial makes room for another. */
export function callDropped(breaker: Breaker, call: string, now: Instant): Breaker {
  const settled = settleOverdue(breaker, now);
  if (settled.kind !== 'half-open') return settled;
  const trials = settled.trials.filter(
    (trial) => trial.call !== call || trial.outcome !== 'pending',
  );
  return trials.length === settled.trials.length ? settled : { kind: 'half-open', trials };
}

/** Counts the pending trials that are due as failed, each at the time it was due. */
export function settleOverdue(breaker: Breaker, now: Instant): Breaker {
  if (breaker.kind !== 'half-open') return breaker;
  return breaker.trials
    .filter((trial) => trial.outcome === 'pending' && now >= trial.dueAt)
    .toSorted((a, b) => a.dueAt - b.dueAt)
    .reduce<Breaker>(
      (settled, { call, dueAt }) =>
        settled.kind === 'half-open'
          ? countTrial(settled, { call, succeeded: false }, dueAt)
          : settled,
      breaker,
    );
}

type Closed = Extract<Breaker, { kind: 'closed' }>;
type HalfOpen = Extract<Breaker, { kind: 'half-open' }>;

function countWhileClosed(breaker: Closed, { call, succeeded }: EndedCall, now: Instant): Breaker {
  if (breaker.failures.includes(call)) return breaker;
  if (succeeded) return CLOSED;
  const failures = [...breaker.failures, call];
  return failures.length < FAILURE_LIMIT ? { kind: 'closed', failures } : openFrom(now);
}

function countTrial(breaker: HalfOpen, { call, succeeded }: EndedCall, at: Instant): Breaker {
  const reported = breaker.trials.find((trial) => trial.call === call);
  if (reported?.outcome !== 'pending') return breaker;
  const outcome = succeeded ? 'succeeded' : 'failed';
  const trials = breaker.trials.map((trial): Trial =>
    trial === reported ? { ...trial, outcome } : trial,
  );
  const count = trials.filter((trial) => trial.outcome === outcome).length;
  if (succeeded && count >= SUCCESSES_TO_CLOSE) return CLOSED;
  if (!succeeded && count >= FAILURES_TO_OPEN) return openFrom(at);
  return { kind: 'half-open', trials };
}

function openFrom(at: Instant): Breaker {
  return { kind: 'open', until: instant(at + OPEN_MS) };
}

function firstDue(trials: readonly Trial[]): Instant {
  const pending = trials.filter((trial) => trial.outcome === 'pending');
  return instant(Math.min(...pending.map((trial) => trial.dueAt)));
}
