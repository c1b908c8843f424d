import { backoffMs, LOSS_LIMIT } from '../../domain/failure/retry.ts';
import { type Instant, laterBy } from '../../domain/time.ts';
import type { TaskEntry } from './run-model.ts';

/** When a lost attempt is made good, or nothing where it was lost too often. */
export function retryAfterLoss(
  { run, id, asks, state }: TaskEntry,
  now: Instant,
): { readonly retryAt?: Instant } {
  const losses = state.tries.losses + 1;
  if (losses >= LOSS_LIMIT) return {};
  const key = `${run.manifest.id}/${id}:${state.tries.revision}:lost`;
  return { retryAt: laterBy(now, backoffMs(asks.retry, losses, key)) };
}
