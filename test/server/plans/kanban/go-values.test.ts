import { expect, test } from 'vitest';
import { isMap, parseDocument } from 'yaml';
import { goBoolean, goDurationMs, goInteger } from '../../../../server/plans/kanban/go-values.ts';

function valueOf(text: string): unknown {
  const { contents } = parseDocument(`x: ${text}`);
  return isMap(contents) ? contents.items[0]?.value : undefined;
}

test('numbers are what they are in Go', () => {
  const numbers = {
    7: 7,
    '-3': -3,
    '007': 7,
    '010': 8,
    '009': 9,
    '0x1F': 31,
    '0o17': 15,
    '1_000': 1000,
    '4.0': 4,
  };
  for (const [text, number] of Object.entries(numbers))
    expect(goInteger(valueOf(text))).toBe(number);
  for (const text of ['"7"', 'seven', '[7]', '', '1e99'])
    expect(goInteger(valueOf(text))).toBeUndefined();
});

test('yes and no are booleans where a boolean is wanted', () => {
  const texts = ['true', 'yes', 'on', 'Y', 'false', 'no', 'off', 'n', '"yes"', 'maybe'];
  expect(texts.map((text) => goBoolean(valueOf(text)))).toStrictEqual([
    true,
    true,
    true,
    true,
    false,
    false,
    false,
    false,
    undefined,
    undefined,
  ]);
});

test('durations are those of Go', () => {
  const texts = ['1h', '1h30m', '1.5h', '300ms', '-1m', '0', '', '1d', 'h'];
  expect(texts.map(goDurationMs)).toStrictEqual([
    3_600_000,
    5_400_000,
    5_400_000,
    300,
    -60_000,
    0,
    undefined,
    undefined,
    undefined,
  ]);
});
