import { realpathSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { pathInTree } from '../../../server/cli/path-in-tree.ts';
import { realInTree } from '../../../server/system/real-in-tree.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

function realFolder(folder: string): string | undefined {
  try {
    return realpathSync.native(folder);
  } catch {
    return undefined;
  }
}

test('few folders are looked for on the way to a path that names thousands', () => {
  const root = realpathSync(temporaryFolder());
  let looks = 0;
  const world = {
    folderInTree: () => '',
    realFolder: (folder: string) => {
      looks += 1;
      return realFolder(folder);
    },
    realInTree,
  };
  const long = `${'a/'.repeat(1500)}x`;
  expect(pathInTree(root, world, path.join(root, long))).toBe(long);
  expect(looks).toBeLessThan(20);
});

test('a path that is too long to be opened is in no tree, and one that only names folders twice is', () => {
  const root = realpathSync(temporaryFolder());
  const world = { folderInTree: () => '', realFolder, realInTree };
  expect(pathInTree(root, world, `${'a/'.repeat(40_000)}x`)).toBeUndefined();
  expect(pathInTree(root, world, `${'a/../'.repeat(40_000)}x`)).toBe('x');
});
