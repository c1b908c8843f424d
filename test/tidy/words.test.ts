import { expect, test } from 'vitest';
import { allTextFiles, findLines, readText } from './project-files.ts';

test('the glossary is a table with every word once', () => {
  const [, section = ''] = readText('docs/ARCHITECTURE.md').split('\n## Words\n');
  const named = [...section.matchAll(/^\| ([a-z /]+) \| /gm)].flatMap(([, row = '']) =>
    row.split(' / '),
  );
  const words = named.filter((word) => word !== 'word');
  expect(words).toEqual(expect.arrayContaining(['plan', 'task', 'run', 'claim', 'term', 'board']));
  expect(new Set(words).size).toBe(words.length);
});

test('what is left to do carries a link to its issue', () => {
  const comments = findLines(allTextFiles(), /(?:\/\/|^\s*\*|^\s*#|<!--).*\bTODO\b(?!`)/);
  expect(comments.filter((line) => !line.includes('https://'))).toEqual([]);
});

test('no file names a folder of the machine it was written on', () => {
  const files = allTextFiles().filter((file) => !file.endsWith('package-lock.json'));
  const places = findLines(files, /(?<![\w/.-])\/(?:root|work|home\/[\w-]+|Users\/[\w-]+)\//);
  expect(places).toEqual([]);
});

test('no file names the host of a package registry', () => {
  const files = allTextFiles().filter((file) => !file.endsWith('package-lock.json'));
  const hosts = findLines(
    files,
    /\bregistry\.[a-z\d-]+\.[a-z]{2,}\b|\bnpm\.pkg\.|^\s*registry\s*=/,
  );
  expect(hosts).toEqual([]);
});
