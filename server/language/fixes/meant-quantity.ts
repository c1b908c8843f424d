import type { KeyFacts } from '../../plans/schema/describe.ts';

const NUMBER_AND_WORD = /^([1-9]\d{0,8}) *([a-z]*)$/i;
const UNITS_OF_TIME = [
  ['ms', /^(?:ms|msecs?|millis|milliseconds?)$/i],
  ['s', /^(?:s|secs?|seconds?|)$/i],
  ['m', /^(?:m|mins?|minutes?)$/i],
  ['h', /^(?:h|hrs?|hours?)$/i],
  ['d', /^(?:d|days?)$/i],
] as const;
const UNIT_OF_SIZE = /^([kmg])(?:i?b)?$/i;

/** `10 minutes` is `10m`, and `2GB` is `2GiB`: what was meant by a quantity in words of others. */
export function meantQuantity(text: string, kind: KeyFacts['kind']): string | undefined {
  const [, amount, word = ''] = NUMBER_AND_WORD.exec(text) ?? [];
  if (amount === undefined) return undefined;
  if (kind === 'duration' || kind === 'time-limits') {
    const [unit] = UNITS_OF_TIME.find(([, words]) => words.test(word)) ?? [];
    return unit && `${amount}${unit}`;
  }
  const [, letter] = UNIT_OF_SIZE.exec(word) ?? [];
  return kind === 'size' && letter !== undefined ? `${amount}${letter.toUpperCase()}iB` : undefined;
}
