import { isScalar, type Pair } from 'yaml';
import { parseDuration } from './quantities.ts';
import { keyText, readCount } from './yaml-values.ts';
import { type ProblemList, rangeOf, scalarText } from './yaml-document.ts';

const LONGEST_DURATION_MS = 365 * 24 * 60 * 60 * 1000;

interface Bounds {
  readonly from: number;
  readonly to: number;
}

/** A whole number. */
export function readCountIn(
  pair: Pair,
  { from, to }: Bounds,
  problems: ProblemList,
): number | undefined {
  const key = keyText(pair);
  const count = readCount(pair.value, key, problems);
  if (count === undefined || (count >= from && count <= to)) return count;
  const rule = `"${key}" is a number from ${from} to ${to}.`;
  problems.error('wrong-type', rangeOf(pair.value), rule);
  return undefined;
}

/** A number, whole or not. */
export function readNumberIn(
  pair: Pair,
  { from, to }: Bounds,
  problems: ProblemList,
): number | undefined {
  const value = isScalar(pair.value) ? pair.value.value : undefined;
  if (typeof value === 'number' && value >= from && value <= to) return value;
  const rule = `"${keyText(pair)}" is a number from ${from} to ${to}.`;
  problems.error('wrong-type', rangeOf(pair.value), rule);
  return undefined;
}

/** A length of time in milliseconds; it may be none. */
export function readDuration(pair: Pair, problems: ProblemList): number | undefined {
  const text = isScalar(pair.value) ? scalarText(pair.value) : '';
  const durationMs = parseDuration(text);
  if (durationMs !== undefined && durationMs <= LONGEST_DURATION_MS) return durationMs;
  const hint = /^[1-9]\d{0,5}$/.test(text) ? ` Did you mean "${text}s"?` : '';
  const rule =
    durationMs === undefined
      ? `is a duration: 250ms, 30s, 5m, 2h, 1d, or joined like 1h30m.${hint}`
      : 'is at most 365d.';
  problems.error('wrong-type', rangeOf(pair.value), `"${keyText(pair)}" ${rule}`);
  return undefined;
}

/** A length of time that something may last. */
export function readTimeLimit(pair: Pair, problems: ProblemList): number | undefined {
  const limitMs = readDuration(pair, problems);
  if (limitMs !== 0) return limitMs;
  problems.error('wrong-type', rangeOf(pair.value), `"${keyText(pair)}" is longer than nothing.`);
  return undefined;
}
