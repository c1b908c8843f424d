import { chmodSync, chownSync, existsSync, mkdirSync, statSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { compiledFolder } from '../../../server/system/keep-compiled.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const OTHER_USER = 4711;
const isPosix = process.platform !== 'win32';

test('compiled code is kept in a folder for this user only, and nowhere without a state directory', () => {
  const home = temporaryFolder();
  const folder = compiledFolder(home);
  expect(folder).toBe(path.join(home, 'compiled'));
  const mode = statSync(path.join(home, 'compiled')).mode & 0o777;
  expect(isPosix ? mode : 0o700).toBe(0o700);
  expect(compiledFolder(path.join(home, 'none'))).toBeUndefined();
  expect(existsSync(path.join(home, 'none'))).toBe(false);
});

test.runIf(isPosix)('compiled code is not read where others can write', () => {
  for (const open of ['', 'compiled']) {
    const home = temporaryFolder();
    mkdirSync(path.join(home, 'compiled'));
    chmodSync(path.join(home, open), 0o777);
    expect(compiledFolder(home)).toBeUndefined();
  }
});

test.runIf(isPosix)('compiled code is not read through a link', () => {
  const home = temporaryFolder();
  symlinkSync(temporaryFolder(), path.join(home, 'compiled'));
  expect(compiledFolder(home)).toBeUndefined();
});

test.runIf(process.getuid?.() === 0)(
  'compiled code is not read from a folder of another user',
  () => {
    for (const theirs of ['', 'compiled']) {
      const home = temporaryFolder();
      mkdirSync(path.join(home, 'compiled'));
      chownSync(path.join(home, theirs), OTHER_USER, OTHER_USER);
      expect(compiledFolder(home)).toBeUndefined();
    }
  },
);
