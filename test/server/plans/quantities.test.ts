import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseDuration, parseSize } from '../../../server/plans/quantities.ts';

type Read = (text: string) => number | undefined;

function checkEach(read: Read, expected: Readonly<Record<string, number>>): void {
  for (const [text, amount] of Object.entries(expected))
    test(`"${text}" is ${amount}`, () => {
      expect(read(text)).toBe(amount);
    });
}

function refuseEach(read: Read, texts: readonly string[]): void {
  test.for(texts)(`"%s" is none for ${read.name}`, (text) => {
    expect(read(text)).toBeUndefined();
  });
}

checkEach(parseDuration, {
  '250ms': 250,
  '30s': 30_000,
  '5m': 300_000,
  '2h': 7_200_000,
  '1d': 86_400_000,
  '1h30m': 5_400_000,
  '1m500ms': 60_500,
  '1d2h3m4s5ms': 93_784_005,
  '90m': 5_400_000,
  '0s': 0,
  '007s': 7000,
});
refuseEach(parseDuration, [
  '',
  '30',
  's',
  '1.5h',
  '-1s',
  '+1s',
  '1e3s',
  '30 s',
  ' 30s',
  '30s\n',
  '30S',
  '30sec',
  '30m1h',
  '1h1h',
  '1h30',
  '٣s',
  '1w',
]);

checkEach(parseSize, {
  '512KiB': 524_288,
  '2MiB': 2_097_152,
  '16GiB': 17_179_869_184,
  '0KiB': 0,
});
refuseEach(parseSize, [
  '',
  '16',
  'GiB',
  '1.5GiB',
  '-1GiB',
  '2GB',
  '2G',
  '2gib',
  '2 GiB',
  '2GiB ',
  '2GiB\n',
  '1GiB512MiB',
  '2B',
]);

const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1000],
  ['ms', 1],
] as const;

/** As a person would join it: the longest units first, and none that is zero. */
function written(durationMs: number): string {
  let left = durationMs;
  const parts = UNITS.map(([unit, lengthMs]) => {
    const count = Math.floor(left / lengthMs);
    left -= count * lengthMs;
    return count === 0 ? '' : `${count}${unit}`;
  });
  return parts.join('') || '0s';
}

test('a duration that is written is read as it was', () => {
  fc.assert(
    fc.property(fc.nat(400 * 86_400_000), (durationMs) => {
      expect(parseDuration(written(durationMs))).toBe(durationMs);
    }),
  );
});

test('a duration is the sum of its parts, in this order only', () => {
  const part = fc.tuple(fc.constantFrom(0, 1, 2, 3, 4), fc.nat(5000));
  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: 5 }), (parts) => {
      const text = parts.map(([index, count]) => `${count}${UNITS[index]?.[0]}`).join('');
      const isInOrder = parts.every(([index], at) => at === 0 || index > (parts[at - 1]?.[0] ?? 0));
      const sum = parts.reduce((ms, [index, count]) => ms + count * (UNITS[index]?.[1] ?? 0), 0);
      expect(parseDuration(text)).toBe(isInOrder ? sum : undefined);
    }),
  );
});

test('a size that is written is read as it was', () => {
  const unit = fc.constantFrom(
    ['KiB', 1024] as const,
    ['MiB', 1024 ** 2] as const,
    ['GiB', 1024 ** 3] as const,
  );
  fc.assert(
    fc.property(fc.nat(2 ** 20), unit, (count, [name, bytes]) => {
      expect(parseSize(`${count}${name}`)).toBe(count * bytes);
    }),
  );
});

test('no text makes a reader fail, or be anything but an amount', () => {
  const text = fc.oneof(fc.string(), fc.stringMatching(/^[\ddhmsKMGiB.-]{0,12}$/));
  fc.assert(
    fc.property(text, (any) => {
      for (const amount of [parseDuration(any), parseSize(any)])
        expect(amount === undefined || (Number.isFinite(amount) && amount >= 0)).toBe(true);
    }),
  );
});
