import { firstLimitMs, type Timeout } from '../../domain/asks.ts';
import type { HolderState, StopRequest } from '../../domain/task.ts';
import { type Instant, laterBy } from '../../domain/time.ts';

/** Between SIGTERM and SIGKILL. */
const STOP_GRACE_MS = 5000;

/**
 * The next signal for a holder that takes too long, or that was asked to end and has not. `factor`
 * stretches the limits under load.
 */
export function nextSignal(
  holder: HolderState,
  timeout: Timeout,
  factor: number,
): { readonly signal: StopRequest['signal']; readonly at: Instant } | undefined {
  const { stop } = holder;
  if (stop?.signal === 'kill') return undefined;
  const startedAt = holder.kind === 'running' ? holder.startedAt : undefined;
  if (stop === undefined) {
    const limitMs = firstLimitMs(timeout);
    if (limitMs === undefined || startedAt === undefined) return undefined;
    return { signal: 'terminate', at: laterBy(startedAt, limitMs * factor) };
  }
  const { softMs, hardMs } = timeout;
  const graceAt = laterBy(stop.at, STOP_GRACE_MS);
  if (hardMs === undefined || startedAt === undefined) return { signal: 'kill', at: graceAt };
  const hardAt = later(laterBy(startedAt, hardMs * factor), stop.at);
  if (stop.why === 'timeout') {
    if (softMs === undefined || softMs >= hardMs) return { signal: 'kill', at: graceAt };
    // Between both limits it may end by itself, even where the second came near while nobody looked.
    const leastAt = laterBy(stop.at, Math.min(hardMs - softMs, STOP_GRACE_MS));
    return { signal: 'kill', at: later(hardAt, leastAt) };
  }
  // Load or not: who was past the limit when it was asked to end has its grace.
  const isBeforeItsEnd = startedAt + hardMs > stop.at;
  return { signal: 'kill', at: isBeforeItsEnd ? earlier(graceAt, hardAt) : graceAt };
}

function later(a: Instant, b: Instant): Instant {
  return a > b ? a : b;
}

function earlier(a: Instant, b: Instant): Instant {
  return a < b ? a : b;
}
