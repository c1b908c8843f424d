import { expect, test } from 'vitest';
import { refusePath } from '../../../../server/domain/paths/relative-path.ts';

function check(text: string, expected: string | undefined): void {
  const name = expected === undefined ? `${JSON.stringify(text)} stays in the folder` : '';
  test(name || `${JSON.stringify(text)} is refused: ${expected}`, () => {
    expect(refusePath(text)).toBe(expected);
  });
}

const NOT_RELATIVE =
  'Paths are relative to the workspace folder: no leading "/", "~" or drive letter.';
const LEAVES = 'A path cannot leave the workspace folder with "..".';

check('src', undefined);
check('./src/', undefined);
check('a/..b/c..', undefined);
check('a~/b', undefined);
check('', 'A path is empty.');
check('a\0b', 'A path cannot contain a NUL character.');
check('a\\b', 'Write "/" between folders, on every system.');
check('/etc', NOT_RELATIVE);
check('~', NOT_RELATIVE);
check('~root/x', NOT_RELATIVE);
check('C:x', NOT_RELATIVE);
check('..', LEAVES);
check('a/../b', LEAVES);
check('a/..', LEAVES);
check('a//b', 'A path has two slashes in a row.');
