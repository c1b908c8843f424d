import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../../scripts/toolchain.mjs';
import { projectFiles, readText } from './project-files.ts';

interface Link {
  readonly from: string;
  readonly target: string;
}

test('every link of a document leads to a file and a heading that exist', () => {
  const links = projectFiles('**/*.md').flatMap(relativeLinks);
  expect(links.length).toBeGreaterThan(5);
  expect(links.filter((link) => !leadsSomewhere(link))).toEqual([]);
});

test('every file that a document names is there', () => {
  const named = projectFiles('**/*.md').flatMap((from) =>
    [...readText(from).matchAll(/`((?:server|client|protocol|test|scripts)\/[\w./-]+\.\w+)`/g)].map(
      ([, file = '']) => ({ from, file }),
    ),
  );
  expect(named.length).toBeGreaterThan(20);
  const missing = named.filter(({ file }) => !existsSync(path.join(ROOT, file)));
  // The form of a name, and no file.
  expect(missing.map(({ file }) => file)).toEqual(['server/store/migrations/NNNN-name.ts']);
});

test('a link to a missing heading is found', () => {
  expect(leadsSomewhere({ from: 'docs/STYLE.md', target: 'ARCHITECTURE.md#words' })).toBe(true);
  expect(leadsSomewhere({ from: 'docs/STYLE.md', target: 'ARCHITECTURE.md#nowhere' })).toBe(false);
  expect(leadsSomewhere({ from: 'docs/STYLE.md', target: 'nowhere.md' })).toBe(false);
});

test('docs/PROTOCOL.md was read again after the last change of protocol/', () => {
  const files = projectFiles('protocol/*.ts');
  const hash = createHash('sha256').update(files.map(readText).join('')).digest('hex');
  const last = readText('docs/PROTOCOL.md').trimEnd().split('\n').at(-1);
  expect(last).toBe(`Protocol hash: ${hash}`);
});

test('docs/PROTOCOL.md names every message', () => {
  const methods = projectFiles('protocol/*.ts').flatMap((file) =>
    [...readText(file).matchAll(/^export const \w+ = '([\w/]+)';/gm)].map(([, method]) => method),
  );
  const page = readText('docs/PROTOCOL.md');
  expect(methods.length).toBeGreaterThan(0);
  expect(methods.filter((method) => !page.includes(`\`${method}\``))).toEqual([]);
});

test('every folder of the server has a paragraph and an invariant in the architecture', () => {
  const folders = new Set(projectFiles('server/*/**/*.ts').map((file) => file.split('/')[1] ?? ''));
  const sections = readText('docs/ARCHITECTURE.md').split('\n### ');
  const silent = [...folders].filter(
    (folder) =>
      !sections.some(
        (text) => text.startsWith(`server/${folder}/`) && text.includes('Invariant: '),
      ),
  );
  expect(silent).toEqual([]);
});

test('decisions are numbered without a gap', () => {
  const numbers = projectFiles('docs/decisions/*.md').map((file) =>
    Number(path.basename(file).slice(0, 4)),
  );
  expect(numbers).toEqual(numbers.map((_, index) => index + 1));
});

function relativeLinks(from: string): readonly Link[] {
  return [...withoutCode(readText(from)).matchAll(/\[[^\]]*\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => ({ from, target }))
    .filter(({ target }) => !/^[a-z]+:/.test(target));
}

function leadsSomewhere({ from, target }: Link): boolean {
  const [file = '', anchor] = target.split('#', 2);
  const targetFile = file === '' ? from : path.posix.join(path.posix.dirname(from), file);
  if (!existsSync(path.join(ROOT, targetFile))) return false;
  return anchor === undefined || anchorsOf(readText(targetFile)).includes(anchor);
}

/** As GitHub makes them from headings. */
function anchorsOf(text: string): readonly string[] {
  return [...withoutCode(text).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

function withoutCode(text: string): string {
  return text.replaceAll(/^```[\s\S]*?^```/gm, '').replaceAll(/`[^`\n]*`/g, '');
}
