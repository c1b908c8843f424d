import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { realInTree } from '../../../server/system/real-in-tree.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** A tree with links, written as `name -> target`; everything else is a folder. */
function treeOf(...lines: readonly string[]): string {
  const root = path.join(temporaryFolder(), 'tree');
  mkdirSync(root);
  for (const line of lines) {
    const [name = '', target] = line.split(' -> ');
    if (target === undefined) mkdirSync(path.join(root, name), { recursive: true });
    else symlinkSync(target.replace('ROOT', root), path.join(root, name));
  }
  return root;
}

function check(
  name: string,
  { tree, paths }: { tree: readonly string[]; paths: Readonly<Record<string, string>> },
): void {
  test(name, () => {
    const root = treeOf(...tree);
    for (const [asked, expected] of Object.entries(paths)) {
      const found = realInTree(root, asked);
      const answer = found.kind === 'inside' ? found.path : 'refused';
      expect(`${asked}: ${answer}`).toBe(`${asked}: ${expected}`);
    }
  });
}

check('without links a path is itself, whether it is there or not', {
  tree: ['src'],
  paths: {
    src: 'src',
    'src/new/file.ts': 'src/new/file.ts',
    './src/': 'src',
    '..data/x': '..data/x',
  },
});
check('links are followed, inside of the path and at its end', {
  tree: ['src/api', 'short -> src/api', 'src/up -> ..', 'whole -> ROOT/src'],
  paths: {
    'short/users.ts': 'src/api/users.ts',
    short: 'src/api',
    'src/up/short/x': 'src/api/x',
    'whole/api': 'src/api',
    'src/up': '',
  },
});
check('a link to a link is followed to its end', {
  tree: ['a', 'b -> a', 'c -> b', 'd -> c/inner'],
  paths: { 'c/x': 'a/x', d: 'a/inner' },
});
check('a link to what is not there leads to what would be made', {
  tree: ['new -> src/later', 'out -> ../later'],
  paths: { 'new/x': 'src/later/x', out: 'refused' },
});
check('what leads out is refused', {
  tree: ['a', 'etc -> /etc', 'up -> ..', 'a/out -> ../../other', 'beside -> ../tree-2'],
  paths: {
    'etc/passwd': 'refused',
    'up/x': 'refused',
    'a/out': 'refused',
    beside: 'refused',
    '../x': 'refused',
  },
});
check('what leads out and back in is inside', {
  tree: ['src', 'round -> ../tree/src'],
  paths: { 'round/x': 'src/x' },
});
check('links that lead to each other are refused', {
  tree: ['a -> b', 'b -> a', 'c -> c'],
  paths: { a: 'refused', 'b/x': 'refused', c: 'refused' },
});

test('a refusal says where it leads and what to do', () => {
  const root = treeOf('etc -> /etc');
  const found = realInTree(root, 'etc/hosts');
  expect(found).toStrictEqual({
    kind: 'refused',
    message: '"etc/hosts" leads out of the folder, to /etc/hosts. Name a path inside of it.',
  });
});

test('the root may be reached by a link itself', () => {
  const root = treeOf('src');
  const link = `${root}-link`;
  symlinkSync(root, link);
  writeFileSync(path.join(root, 'src', 'x'), '');
  symlinkSync(path.join(link, 'src'), path.join(root, 'by-link'));
  expect(realInTree(link, 'by-link/x')).toStrictEqual({ kind: 'inside', path: 'src/x' });
});

test('nothing is in a folder that was removed', () => {
  const root = treeOf('src');
  rmSync(root, { recursive: true });
  expect(realInTree(root, 'src/x')).toStrictEqual({
    kind: 'refused',
    message: `The folder ${root} is not there any more.`,
  });
});
