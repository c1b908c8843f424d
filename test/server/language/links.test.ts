import { expect, test } from 'vitest';
import { linksOf } from '../../../server/language/links.ts';
import { readTree } from '../../../server/language/yaml/read-tree.ts';

/** `text → where` of all links of a task with some keys. */
function check(name: string, keys: string, expected: readonly string[]): void {
  test(name, () => {
    const text = `defaults: { cwd: web }\ntasks:\n  a:\n    ${keys}\n`;
    const links = linksOf(readTree(text)).map((link) => {
      const target = link.kind === 'url' ? link.url : link.path;
      return `${text.slice(link.start, link.end)} → ${target}`;
    });
    expect(links).toEqual(expected);
  });
}

check('addresses', `description: See https://a.b/c?d=e#f, (http://g.h).`, [
  'https://a.b/c?d=e#f → https://a.b/c?d=e#f',
  'http://g.h → http://g.h',
]);
check('addresses in a prompt', `prompt: |\n      Read <https://a.b>\n      and ftp://x`, [
  'https://a.b → https://a.b',
]);
check('paths', `reads: [a/b.ts, "c.ts", d/*, e/, '!f']`, [
  'a/b.ts → a/b.ts',
  '"c.ts" → c.ts',
  `'!f' → f`,
]);
check('words of a command', `run: node scripts/x.mjs --out=a/b ./c/d.sh`, [
  'scripts/x.mjs → web/scripts/x.mjs',
  'a/b → web/a/b',
  './c/d.sh → web/c/d.sh',
]);
check('words of a command with a folder', `cwd: ./app/\n    run: [node, scripts/x.mjs]`, [
  'scripts/x.mjs → app/scripts/x.mjs',
]);
check('words of a command at the top', `cwd: .\n    run: "node scripts/x.mjs"`, [
  'scripts/x.mjs → scripts/x.mjs',
]);
check(
  'what is no path in a command',
  `run: echo $HOME/x ~/y /abs/z ../up/x a/../b src/*.ts http://a.b/c https://x -x/y`,
  [],
);
check('other keys', `env: { A: a/b.ts }\n    needs: [a/b]`, []);
check('a path with "@" or "+" in it', `run: cp @scope/pkg/x.js lib/@a/b+c.ts`, [
  '@scope/pkg/x.js → web/@scope/pkg/x.js',
  'lib/@a/b+c.ts → web/lib/@a/b+c.ts',
]);

test('a command of 500 000 signs that a path may have is looked through once', () => {
  for (const sign of ['@', '+', 'a', '-', '/', '@/'])
    expect(linksOf(readTree(`tasks:\n  a:\n    run: x ${sign.repeat(250_000)}*\n`))).toEqual([]);
});
