import { isMap, type Pair } from 'yaml';
import type { Timeout } from '../domain/asks.ts';
import type { RetryPolicy } from '../domain/failure/retry.ts';
import { readValue } from './read-value.ts';
import { said } from './said.ts';
import { RETRY, TIMEOUT } from './schema/failure.ts';
import { keyText, type ProblemList, rangeOf } from './yaml-document.ts';

/** Only what the plan says. */
export function readRetry(pair: Pair, problems: ProblemList): Partial<RetryPolicy> {
  const { attempts, backoff, factor, max, on } = readValue(pair, RETRY, problems) ?? {};
  return said({ attempts, backoffMs: backoff, factor, maxMs: max, on });
}

/** One limit is the hard one. */
export function readTimeout(pair: Pair, problems: ProblemList): Timeout {
  const written = readValue(pair, TIMEOUT, problems);
  if (typeof written !== 'object') return said({ hardMs: written });
  const { soft: softMs, hard: hardMs } = written;
  if (softMs !== undefined && hardMs !== undefined && softMs > hardMs)
    problems.add({
      code: 'contradiction',
      severity: 'error',
      message: 'The soft limit comes before the hard one.',
      range: rangeOf(valueAt(pair, 'soft')),
      related: [{ range: rangeOf(valueAt(pair, 'hard')), message: 'This is the hard limit.' }],
    });
  return said({ softMs, hardMs });
}

function valueAt({ value }: Pair, key: string): unknown {
  return isMap(value) ? value.items.findLast((item) => keyText(item) === key)?.value : undefined;
}
