import path from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';
import { expect, test } from 'vitest';
import { allTextFiles, findLines, projectFiles, readText } from './project-files.ts';

/** Names that say nothing: whatever is in such a file belongs to something with a name. */
const EMPTY_WORDS = /^(utils?|helpers?|managers?|common|misc|services?|impl)$/;
/** Second words for a task, a claim, a hazard, a term, a runner, a plan. */
const SECOND_WORDS =
  /^(jobs?|mutex|semaphores?|conflicts?|epochs?|executors?|workflows?|pipelines?)$/;

test('no file or folder has a name that says nothing', () => {
  const files = allTextFiles().filter((file) =>
    /^(client|server|protocol|picture|scripts|test)\//.test(file),
  );
  const empty = files.filter((file) =>
    file.split('/').some((part) =>
      path
        .parse(part)
        .name.split(/[-.]/)
        .some((word) => EMPTY_WORDS.test(word)),
    ),
  );
  expect(empty).toEqual([]);
});

test('the product has one word for each thing of the glossary', () => {
  const second = projectFiles('{client,server,protocol,picture}/**/*.ts').flatMap((file) =>
    identifiersOf(file)
      .filter((name) => wordsOf(name).some((word) => SECOND_WORDS.test(word)))
      .map((name) => `${file}: ${name}`),
  );
  expect([...new Set(second)]).toEqual([]);
});

test('a word inside a longer name is found', () => {
  expect(wordsOf('nextJobs_of')).toEqual(['next', 'jobs', 'of']);
  expect(wordsOf('objective')).toEqual(['objective']);
});

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

function identifiersOf(file: string): readonly string[] {
  const names: string[] = [];
  const { program } = parseSync(file, readText(file));
  const add = ({ name }: { readonly name: string }): void => {
    names.push(name);
  };
  new Visitor({ Identifier: add, PrivateIdentifier: add }).visit(program);
  return names;
}

function wordsOf(name: string): readonly string[] {
  return name
    .split(/(?<=[a-z\d])(?=[A-Z])|_/)
    .filter((word) => word !== '')
    .map((word) => word.toLowerCase());
}
