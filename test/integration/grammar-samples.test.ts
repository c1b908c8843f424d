import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { EXTENSIONS, grammarFile, PlanColours } from '../support/plan-colours.ts';

const SAMPLES = new URL('../grammar/samples/', import.meta.url);
// VS Code's own grammars lie on the disk with VS Code, which is why this is an integration test.
const plans = await PlanColours.load();
const markdown = await PlanColours.load('text.html.markdown');

for (const name of readdirSync(SAMPLES).filter((each) => !each.endsWith('.snap')))
  test(`${name} is coloured as its picture says`, async () => {
    const text = readFileSync(new URL(name, SAMPLES), 'utf8');
    const colours = name.endsWith('.md') ? markdown : plans;
    const picture = new URL(`${name}.snap`, SAMPLES).pathname;
    await expect(colours.pictureOf(text)).toMatchFileSnapshot(picture);
  });

interface Grammar {
  readonly scopeName: string;
  readonly repository: object;
}

/** What our grammars take from those of VS Code, by scope and part. */
const TAKEN = ['interlock', 'kanban-task'].flatMap((name) => {
  const file = new URL(`../../syntaxes/${name}.tmLanguage.json`, import.meta.url);
  const found = readFileSync(file, 'utf8').matchAll(/"include": "([a-z][^"#]*)(?:#([^"]*))?"/g);
  return [...found].flatMap(([, scope = '', part]) =>
    scope === 'source.interlock' ? [] : [{ scope, part }],
  );
});

test('what is taken from the grammars of VS Code is there', () => {
  expect(new Set(TAKEN.map(({ scope }) => scope))).toEqual(
    new Set(['source.shell', 'source.yaml.embedded', 'text.html.markdown']),
  );
  for (const { scope, part } of TAKEN) {
    const grammar: Grammar = JSON.parse(readFileSync(grammarFile(scope), 'utf8'));
    expect(grammar.scopeName).toBe(scope);
    expect(Object.keys(grammar.repository)).toEqual(expect.arrayContaining(part ? [part] : []));
  }
});

test('VS Code has the languages that stretches of a plan are in', () => {
  const { contributes } = manifest(new URL('../../package.json', import.meta.url));
  const languages = readdirSync(EXTENSIONS)
    .flatMap((name) => manifest(new URL(`${name}/package.json`, EXTENSIONS)))
    .flatMap((each) => each.contributes?.languages ?? [])
    .map(({ id }) => id);
  const embedded = contributes?.grammars?.flatMap((each) => Object.values(each.embeddedLanguages));
  expect(new Set(embedded)).toEqual(new Set(['shellscript', 'markdown']));
  for (const language of embedded ?? []) expect(languages).toContain(language);
});

interface Manifest {
  readonly contributes?: {
    readonly languages?: readonly { readonly id: string }[];
    readonly grammars?: readonly { readonly embeddedLanguages: Readonly<Record<string, string>> }[];
  };
}

function manifest(file: URL): Manifest {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
}
