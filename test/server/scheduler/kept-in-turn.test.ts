import { expect, test } from 'vitest';
import { tell } from '../../support/board-script.ts';

/** What is decided once everything has waited too long. */
function check(name: string, text: string, expected: string): void {
  test(name, () => {
    expect(tell(text, '+130s; decide')).toBe(expected);
  });
}

check(
  'whoever waits for what is claimed in the same turn is not overtaken in it',
  'run only-run: limits db:9\nfirst: priority high, takes db:1, writes x\nsecond: writes x y\nthird: writes y',
  'claim first',
);
check(
  'nor by what is of another class',
  'run only-run: limits db:9\nfirst: priority high, takes db:1, writes x\nsecond: writes x y\nthird: priority low, writes y',
  'claim first',
);
check(
  'what does not touch its files goes on',
  'run only-run: limits db:9\nfirst: priority high, takes db:1, writes x\nsecond: writes x y\nthird: writes z',
  'claim first, claim third',
);
check(
  'whoever stood back for another starts in the same turn where both can',
  'run only-run: limits db:3\nfirst: priority high, takes db:2\nsecond: takes db:1\nthird: takes db:1',
  'claim first, claim second',
);

test('what is held back by a claim of this turn is not pushed aside by a higher class', () => {
  const text = [
    'before: running, writes z',
    'first: needs before, priority critical, expects 1s, writes x v',
    'second: writes x y z',
    'third: needs before, priority high, expects 15s, writes y w',
  ];
  const script = 'work 130s; before completes; decide';
  expect(tell(text.join('\n'), script)).toBe('claim first');
});

test('what comes after a skipped task does not start while that is to wait again', () => {
  const text = 'a: failed\nb: needs a, skipped\nc: after b, cancelled\nx: person';
  expect(tell(text, 'retry c; retry a; rest')).toBe('revive b, claim a');
});

test('however many demands cannot be met, the others start in their order', () => {
  const demands = Array.from({ length: 100 }, (_, n) => `b${n}: takes db:${n + 1}`);
  const text = [
    'run only-run: limits db:100',
    'all: takes db:100, running',
    'z1: takes cpu:1',
    ...demands,
    'z2: takes cpu:2, expects 1m',
    'a: takes cpu:3',
  ];
  expect(tell(text.join('\n'), 'decide')).toBe('claim z2, claim a, claim z1');
});
