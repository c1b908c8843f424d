import { expect, test } from 'vitest';
import { didYouMean } from '../../../server/plans/closest.ts';

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
