import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  NO_CREDITS,
  parsePriority,
  PRIORITIES,
  priorityIndex,
  takeTurn,
  type Credits,
  type Priority,
} from '../../../server/domain/priority.ts';

test.for([
  ['critical', 'critical'],
  ['urgent', 'critical'],
  ['high', 'high'],
  ['normal', 'normal'],
  ['medium', 'normal'],
  ['low', 'low'],
  ['', undefined],
  ['High', undefined],
  [' high', undefined],
  ['0', undefined],
  ['constructor', undefined],
] as const)('%j is read as %s', ([text, expected]) => {
  expect(parsePriority(text)).toBe(expected);
});

test('priorities are listed from the highest to the lowest', () => {
  expect(PRIORITIES.map(priorityIndex)).toStrictEqual([0, 1, 2, 3]);
});

const ALL = 0b1111;

function maskOf(contending: readonly Priority[]): number {
  return contending.reduce((mask, priority) => mask | (1 << priorityIndex(priority)), 0);
}

/** Who is served, turn by turn, when the same classes contend every time. */
function serve(turns: number, contending: readonly Priority[] = PRIORITIES): readonly Priority[] {
  let credits = NO_CREDITS;
  return Array.from({ length: turns }, () => {
    const turn = takeTurn(credits, maskOf(contending));
    ({ credits } = turn);
    return PRIORITIES[turn.index];
  });
}

function checkShares(name: string, contending: readonly Priority[], shares: string): void {
  test(name, () => {
    const served = serve(100, contending);
    const counts = PRIORITIES.map((priority) => served.filter((one) => one === priority).length);
    expect(counts.join(' ')).toBe(shares);
  });
}

checkShares('four classes share 100 turns by their weights', PRIORITIES, '50 30 15 5');
checkShares('one class alone has every turn', ['low'], '0 0 0 100');
checkShares('two classes share by their weights alone', ['normal', 'low'], '0 0 75 25');
checkShares(
  'the shares of absent classes go to all others',
  ['high', 'normal', 'low'],
  '0 60 30 10',
);

test('turns are dealt smoothly, the higher class first', () => {
  const initials = serve(20).map((priority) => priority[0]);
  expect(initials.join('')).toBe('chcnchchcnlchcchnchc');
});

test.for([
  ['critical', 3],
  ['high', 5],
  ['normal', 8],
  ['low', 20],
] as const)('a %s task has its turn after at most %i', ([priority, most]) => {
  const turns = [-1, ...serve(1000).flatMap((one, turn) => (one === priority ? [turn] : []))];
  const gaps = turns.slice(1).map((turn, index) => turn - (turns[index] ?? turn));
  expect(Math.max(...gaps)).toBeLessThanOrEqual(most);
});

test('a class that does not contend keeps its credit', () => {
  const credits: Credits = [-40, 10, 35, -5];
  expect(takeTurn(credits, maskOf(['critical', 'low']))).toStrictEqual({
    index: 0,
    credits: [-45, 10, 35, 0],
  });
  expect(credits).toStrictEqual([-40, 10, 35, -5]);
});

test('the higher class wins a tie', () => {
  expect(takeTurn([0, 0, 20, 30], maskOf(['normal', 'low'])).index).toBe(2);
});

test('credits stay within bounds and sum to nothing, whoever contends when', () => {
  const seen = new Set([NO_CREDITS.join()]);
  const waiting = [NO_CREDITS];
  let farthest = 0;
  for (let credits = waiting.pop(); credits !== undefined; credits = waiting.pop()) {
    for (let mask = 1; mask <= ALL; mask++) {
      const next = takeTurn(credits, mask).credits;
      if (seen.has(next.join())) continue;
      seen.add(next.join());
      waiting.push(next);
      farthest = Math.max(farthest, ...next.map(Math.abs));
      if (next.reduce((sum, credit) => sum + credit) !== 0) throw new Error(`${next.join()} leaks`);
    }
  }
  expect(farthest).toBe(100);
});

test('a low task that keeps contending is served, whoever else comes and goes', () => {
  const others = fc.array(fc.integer({ min: 0, max: 0b111 }), { minLength: 200, maxLength: 400 });
  fc.assert(
    fc.property(others, (masks) => {
      let credits = NO_CREDITS;
      let waited = 0;
      for (const mask of masks) {
        const turn = takeTurn(credits, mask | maskOf(['low']));
        ({ credits } = turn);
        waited = PRIORITIES[turn.index] === 'low' ? 0 : waited + 1;
        expect(waited).toBeLessThanOrEqual(36);
      }
    }),
  );
});

test('equal credits give equal turns, and only a contending class is served', () => {
  const credit = fc.integer({ min: -100, max: 100 });
  const credits = fc.tuple(credit, credit, credit, credit);
  fc.assert(
    fc.property(credits, fc.integer({ min: 1, max: ALL }), (held, mask) => {
      const turn = takeTurn(held, mask);
      expect(mask & (1 << turn.index)).not.toBe(0);
      expect(takeTurn([...held], mask)).toStrictEqual(turn);
    }),
  );
});

test.for([0, 16, 17, -1, 0.5, Number.NaN])('%d is no mask of contending classes', (mask) => {
  expect(() => takeTurn(NO_CREDITS, mask)).toThrow('Broken rule');
});
