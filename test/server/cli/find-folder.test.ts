import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { findFolder } from '../../../server/cli/find-folder.ts';
import { foldersUpFrom } from '../../../server/system/working-tree.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

interface Found {
  /** Paths; those that end with `/` are folders. */
  readonly there: readonly string[];
  readonly start: string;
  readonly hasPlanBelow?: boolean;
}

const check = (behaviour: string, { there, start, hasPlanBelow }: Found, expected: string): void =>
  test(behaviour, () => {
    const root = temporaryFolder();
    for (const each of there) {
      const place = path.join(root, each);
      mkdirSync(each.endsWith('/') ? place : path.dirname(place), { recursive: true });
      if (!each.endsWith('/')) writeFileSync(place, '');
    }
    const found = findFolder(
      path.join(root, start),
      foldersUpFrom(path.join(root, start)),
      () => hasPlanBelow === true,
    );
    expect(path.relative(root, found)).toBe(expected);
  });

check(
  'the folder itself comes first',
  { there: ['.git/', 'interlock.yaml', 'a/x.interlock.yml'], start: 'a' },
  'a',
);
check(
  'then what is below it',
  { there: ['.git/', 'interlock.yaml', 'a/'], start: 'a', hasPlanBelow: true },
  'a',
);
check(
  'then the nearest above it',
  { there: ['.git/', 'interlock.yaml', 'a/interlock.yaml', 'a/b/c/'], start: 'a/b/c' },
  'a',
);
check(
  'the root of the repository is the last one',
  { there: ['interlock.yaml', 'a/.git/', 'a/b/'], start: 'a/b' },
  'a/b',
);
check('that of a worktree has a file', { there: ['.git', 'interlock.yaml', 'a/'], start: 'a' }, '');
check(
  'a plan that stands outside of a repository is for its own folder',
  { there: ['interlock.yaml', 'a/'], start: 'a' },
  'a',
);
