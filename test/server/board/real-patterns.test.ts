import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { realPattern } from '../../../server/board/real-patterns.ts';
import { realInTree } from '../../../server/system/real-in-tree.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

function treeWithLinks(): string {
  const top = realpathSync(temporaryFolder());
  mkdirSync(path.join(top, 'docs', '[a]'), { recursive: true });
  mkdirSync(path.join(top, 'packages', 'app'), { recursive: true });
  writeFileSync(path.join(top, 'docs', 'x'), '');
  symlinkSync('docs', path.join(top, 'link'));
  symlinkSync('docs/x', path.join(top, 'file'));
  symlinkSync('docs/[a]', path.join(top, 'odd'));
  symlinkSync('gone', path.join(top, 'dangling'));
  symlinkSync('.', path.join(top, 'self'));
  symlinkSync('loop2', path.join(top, 'loop1'));
  symlinkSync('loop1', path.join(top, 'loop2'));
  symlinkSync('/etc', path.join(top, 'out'));
  symlinkSync('../../docs', path.join(top, 'packages', 'app', 'docs'));
  return top;
}

test.each([
  ['docs/x', '', 'docs/x'],
  ['link/x', '', 'docs/x'],
  ['link', '', 'docs'],
  ['link/**', '', 'docs/**'],
  ['link/*.md', '', 'docs/*.md'],
  ['link/', '', 'docs/'],
  ['!link/x', '', '!docs/x'],
  ['file', '', 'docs/x'],
  ['odd/y', '', 'docs/[[]a]/y'],
  ['dangling/y', '', 'gone/y'],
  ['link/new/y', '', 'docs/new/y'],
  ['self', '', '**'],
  ['self/self/link/x', '', 'docs/x'],
  ['docs/**', 'packages/app', 'docs/**'],
  ['src/**', 'packages/app', 'packages/app/src/**'],
  ['**', 'packages/app', 'packages/app/**'],
  // What only a wildcard would match is not looked for.
  ['{link,docs}/x', '', '{link,docs}/x'],
])('%s in "%s" is %s', (pattern, folder, text) => {
  const top = treeWithLinks();
  expect(realPattern(pattern, { world: { realInTree }, top, folder })).toEqual({
    kind: 'real',
    text,
  });
});

test.each(['out/passwd', 'loop1/x'])('%s is nothing of the tree', (pattern) => {
  const place = { world: { realInTree }, top: treeWithLinks(), folder: '' };
  expect(realPattern(pattern, place).kind).toBe('refused');
});
