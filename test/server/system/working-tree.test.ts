import { chownSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { folderInTree, foldersUpFrom, workingTreeOf } from '../../../server/system/working-tree.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const isRoot = process.getuid?.() === 0;
const OTHER_USER = 4711;

test.runIf(isRoot)(
  'a repository above that belongs to another user is not that of a folder',
  () => {
    const top = temporaryFolder();
    const folder = path.join(top, 'shared', 'own');
    mkdirSync(path.join(top, 'shared', '.git'), { recursive: true });
    mkdirSync(folder);
    expect(folderInTree(folder)).toBe('own');
    chownSync(path.join(top, 'shared'), OTHER_USER, OTHER_USER);
    expect(workingTreeOf(folder)).toEqual({ top: folder, common: undefined });
    expect(foldersUpFrom(folder)).toEqual([folder]);
  },
);

test.runIf(isRoot)('for root, all folders of the user whose folder it is count', () => {
  const top = temporaryFolder();
  const folder = path.join(top, 'theirs', 'web');
  mkdirSync(path.join(top, 'theirs', '.git'), { recursive: true });
  mkdirSync(folder);
  for (const each of [folder, path.join(top, 'theirs')]) chownSync(each, OTHER_USER, OTHER_USER);
  expect(folderInTree(folder)).toBe('web');
});
