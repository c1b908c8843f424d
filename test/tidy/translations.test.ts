import * as l10n from '@vscode/l10n';
import { expect, onTestFinished, test } from 'vitest';
import { resumedText } from '../../client/server-survival-model.ts';
import { projectFiles, readText } from './project-files.ts';

type Texts = Readonly<Record<string, string>>;

function read(file: string): Texts {
  const texts: Texts = JSON.parse(readText(file));
  return texts;
}

/** What is filled in, and where a link leads: a translation has the same. */
function partsOf(text: string): readonly string[] {
  return (text.match(/\{\d+\}|\]\([^)]*\)|\$\([\w~-]+\)|`[^`]*`/g) ?? []).toSorted();
}

const TRANSLATIONS = [
  ...projectFiles('package.nls.*.json').map((file) => ({ file, of: 'package.nls.json' })),
  ...projectFiles('l10n/bundle.l10n.*.json').map((file) => ({ file, of: 'l10n/bundle.l10n.json' })),
].filter(({ file, of }) => file !== of);

test('there is a translation', () => {
  expect(TRANSLATIONS.map(({ file }) => file)).toEqual([
    'package.nls.de.json',
    'l10n/bundle.l10n.de.json',
  ]);
});

for (const { file, of } of TRANSLATIONS) {
  test(`${file} has every text of ${of}, and no other`, () => {
    const [ours, theirs] = [read(of), read(file)];
    const missing = Object.keys(ours).filter((key) => theirs[key] === undefined);
    const tooMany = Object.keys(theirs).filter((key) => ours[key] === undefined);
    expect({ missing, tooMany }).toEqual({ missing: [], tooMany: [] });
  });

  test(`${file} fills in the same and leads to the same as ${of}`, () => {
    const [ours, theirs] = [read(of), read(file)];
    const others = Object.entries(theirs).filter(
      ([key, text]) => partsOf(text).join(' ') !== partsOf(ours[key] ?? '').join(' '),
    );
    expect(others.map(([key]) => key)).toEqual([]);
  });
}

test('a translated text is what people read', () => {
  const contents = readText('l10n/bundle.l10n.de.json');
  onTestFinished(() => l10n.config({ contents: {} }));
  l10n.config({ contents });
  expect(resumedText({ runningCount: 2, finishedCount: 0, lostCount: 0 })).toBe(
    'Mit 2 laufenden Aufgaben wieder verbunden, 0 verloren',
  );
});

test('a slip in a translation is found', () => {
  expect(partsOf('{0} of {1} [x](command:a)')).toEqual(['](command:a)', '{0}', '{1}']);
  expect(partsOf('$(sync~spin) `a`')).toEqual(['$(sync~spin)', '`a`']);
});
