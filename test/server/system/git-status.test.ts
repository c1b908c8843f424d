import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { pathsInStatus } from '../../../server/system/git-status.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const CHANGED = '1 .M N... 100644 100644 100644 aaaa bbbb ';
const UNMERGED = 'u UU N... 100644 100644 100644 100644 aaaa bbbb cccc ';
const RENAMED = '2 R. N... 100644 100644 100644 aaaa bbbb R100 ';

for (const [title, text, expected] of [
  ['nothing', '', []],
  ['a changed file', `${CHANGED}src/a b\0`, ['src/a b']],
  ['a file that git does not know', '? new file\0', ['new file']],
  ['an ignored one is left out', '! out\0? x\0', ['x']],
  ['headers are left out', '# branch.oid aaaa\0? x\0', ['x']],
  ['a conflict', `${UNMERGED}both\0`, ['both']],
  ['a rename has both names', `${RENAMED}to\0from\0? x\0`, ['to', 'from', 'x']],
  ['a renamed file that was named like a record', `${RENAMED}to\0? from\0`, ['to', '? from']],
  ['an answer that was cut off', '1 .M', ['1 .M']],
] as const)
  test(`of what git says of a tree the paths are read: ${title}`, () => {
    expect(pathsInStatus(text)).toEqual(expected);
  });

/** No name has a slash or a NUL in it, and none is `.`, `..` or `.git`. */
const NAME = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 12 })
  .map((name) => name.replaceAll(/[/\0]/gu, '_').normalize('NFC'))
  .filter((name) => !/^\.+$|^\.git$/iu.test(name) && Buffer.from(name).toString() === name);

test('whatever names files have, git and we mean the same', () => {
  const tree = temporaryFolder();
  const git = (...args: readonly string[]): string =>
    execFileSync('git', args, { cwd: tree, encoding: 'utf8' });
  git('init', '-q');
  fc.assert(
    fc.property(fc.uniqueArray(NAME, { minLength: 1, maxLength: 5 }), (names) => {
      const folder = path.join(tree, 'files');
      mkdirSync(folder);
      for (const name of names) writeFileSync(path.join(folder, name), 'x');
      const said = git('status', '--porcelain=v2', '-z', '--untracked-files=all');
      rmSync(folder, { recursive: true });
      expect([...pathsInStatus(said)].toSorted()).toEqual(
        names.map((name) => `files/${name}`).toSorted(),
      );
    }),
    { numRuns: 100 },
  );
});
