import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { closest, didYouMean } from '../../../server/plans/closest.ts';

function check(name: string, [word, words]: readonly [string, string], expected: string): void {
  test(name, () => {
    expect(didYouMean(word, words.split(' '))).toBe(expected && ` Did you mean "${expected}"?`);
  });
}

check('a missing letter is a slip', ['buid', 'build test'], 'build');
check('a letter too many is a slip', ['buiild', 'build test'], 'build');
check('another letter is a slip', ['boild', 'build test'], 'build');
check('two swapped letters are one slip', ['rnu', 'run'], 'run');
check('case is no slip', ['BUILD', 'build'], 'build');
check('a short word has one slip', ['rxx', 'run'], '');
check('another letter is nothing like it', ['e', 'a b'], '');
check('a long word may have several', ['dependson', 'depends_on'], 'depends_on');
check('the closest word wins', ['tesd', 'text test'], 'test');
check('of equals the first wins', ['a1', 'a2 a3'], 'a2');
check('a different word is no slip', ['banana', 'build test'], '');
check('nothing is close to nothing', ['', 'in on'], '');

test('whoever is found is as close as anybody', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 1, maxLength: 9 });
  fc.assert(
    fc.property(word, fc.array(word, { maxLength: 6 }), (wanted, words) => {
      const limit = Math.min(Math.max(1, Math.floor(wanted.length / 3)) + 1, wanted.length);
      const near = words
        .map((each) => ({ each, distance: distanceOf(wanted, each) }))
        .filter(({ distance }) => distance < limit)
        .toSorted((a, b) => a.distance - b.distance);
      expect(closest(wanted, words)).toBe(near[0]?.each);
    }),
    { numRuns: 2000 },
  );
});

/** By the definition: what is left when the first letters are the same, or one thing is done to them. */
function distanceOf(a: string, b: string): number {
  if (a === '' || b === '') return a.length + b.length;
  const [restOfA, restOfB] = [a.slice(1), b.slice(1)];
  const one = distanceOf(restOfA, restOfB) + (a[0] === b[0] ? 0 : 1);
  if (a[0] === b[0]) return one;
  const least = Math.min(one, distanceOf(restOfA, b) + 1, distanceOf(a, restOfB) + 1);
  const isSwap = a.length > 1 && b.length > 1 && a[0] === b[1] && a[1] === b[0];
  return isSwap ? Math.min(least, distanceOf(a.slice(2), b.slice(2)) + 1) : least;
}

test('words of 200 000 letters are not compared letter by letter', () => {
  expect(didYouMean('a'.repeat(200_000), ['b'.repeat(200_000)])).toBe('');
});
