import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { type FileNames, rulesOfFolder } from '../../../server/system/file-names.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

type Fold = (name: string) => string;

const lower: Fold = (name) => name.toLowerCase();
const compose: Fold = (name) => name.normalize('NFC');
const exact: Fold = (name) => name;

/** A file system that takes names for one when they fold to one, with these files in it. */
function namesOf(files: readonly string[], fold: Fold, platform: NodeJS.Platform): FileNames {
  const folders = files.flatMap((file) => {
    const parts = file.split('/');
    return parts.map((_, at) => parts.slice(0, at + 1).join('/'));
  });
  const known = new Set(folders.map(fold));
  return {
    platform,
    entries: (folder) =>
      files
        .filter((file) => file.startsWith(`${folder}/`))
        .map((file) => file.slice(folder.length + 1).split('/')[0]!),
    identity: (file) => (known.has(fold(file)) ? fold(file) : 'none'),
  };
}

function check(
  name: string,
  { files, fold, platform = 'linux' }: { files: string; fold: Fold; platform?: NodeJS.Platform },
  expected: string,
): void {
  test(name, () => {
    const rules = rulesOfFolder('/w', namesOf(files.split(' '), fold, platform));
    const folds = [rules.foldCase && 'case', rules.foldUnicode === true && 'accents'];
    expect(folds.filter(Boolean).join(' ')).toBe(expected);
  });
}

check(
  'a file that is not there in capitals shows that case counts',
  { files: '/w/a', fold: exact },
  '',
);
check(
  'a file that is found in capitals shows that it does not',
  { files: '/w/a', fold: lower },
  'case accents',
);
check('two files that differ in case are two', { files: '/w/1 /w/ab /w/AB', fold: exact }, '');
check('an empty folder tells by its own name', { files: '/w', fold: lower }, 'case accents');
check('names without letters tell nothing', { files: '/w/1', fold: exact }, '');
check(
  'a name with an accent tells whether it is one with its parts',
  { files: '/w/é', fold: compose },
  'accents',
);
check(
  'accents may count where case does not',
  { files: '/w/é /w/a', fold: lower, platform: 'win32' },
  'case',
);
check(
  'on macOS accents fold, unless a name shows otherwise',
  { files: '/w/a', fold: exact, platform: 'darwin' },
  'accents',
);

test('where nothing can be learned, names are folded', () => {
  const blind: FileNames = { platform: 'linux', entries: () => [], identity: () => undefined };
  expect(rulesOfFolder('/w', blind)).toStrictEqual({ foldCase: true, foldUnicode: true });
});

test('looking leaves nothing behind, and answers what the disk does', () => {
  const folder = temporaryFolder();
  mkdirSync(path.join(folder, 'inner'));
  writeFileSync(path.join(folder, 'inner', 'readme'), '');
  writeFileSync(path.join(folder, 'inner', 'caf\u00e9'), '');
  const rules = rulesOfFolder(path.join(folder, 'inner'));
  expect(readdirSync(path.join(folder, 'inner')).length).toBe(2);
  writeFileSync(path.join(folder, 'inner', 'README'), '');
  writeFileSync(path.join(folder, 'inner', 'cafe\u0301'), '');
  const count = readdirSync(path.join(folder, 'inner')).length;
  const expected = 2 + (rules.foldCase ? 0 : 1) + (rules.foldUnicode === true ? 0 : 1);
  expect(count).toBe(expected);
});
