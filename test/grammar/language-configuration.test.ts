import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const ROOT = new URL('../../', import.meta.url);
interface Manifest {
  readonly contributes: {
    readonly languages: readonly { readonly id: string; readonly configuration: string }[];
    readonly grammars: readonly {
      readonly language: string;
      readonly scopeName: string;
      readonly path: string;
      readonly embeddedLanguages: Readonly<Record<string, string>>;
    }[];
  };
}

interface Configuration {
  readonly comments: object;
  readonly brackets: readonly (readonly [string, string])[];
  readonly autoClosingPairs: readonly { readonly open: string; readonly close: string }[];
  readonly surroundingPairs: readonly (readonly [string, string])[];
  readonly folding: object;
  readonly wordPattern: string;
  readonly onEnterRules: readonly {
    readonly beforeText: string;
    readonly action: { readonly indent: string };
  }[];
}

const { contributes }: Manifest = JSON.parse(textOf('package.json'));
const [language] = contributes.languages;
const [grammar] = contributes.grammars;
const configuration: Configuration = JSON.parse(textOf(language?.configuration));

function checkEnter(name: string, line: string, expected: 'indents' | 'stays'): void {
  test(name, () => {
    const rule = configuration.onEnterRules.find(({ beforeText }) =>
      new RegExp(beforeText).test(line),
    );
    expect(rule?.action.indent ?? 'none').toBe(expected === 'indents' ? 'indent' : 'none');
  });
}

function checkWords(name: string, text: string, words: readonly string[]): void {
  test(name, () =>
    expect(text.match(new RegExp(configuration.wordPattern, 'g')) ?? []).toEqual(words),
  );
}

test('the grammar is that of the language', () => {
  expect(grammar?.language).toBe(language?.id);
});

test('every grammar has the name that package.json gives it', () => {
  for (const { path, scopeName } of contributes.grammars)
    expect(JSON.parse(textOf(path))).toMatchObject({ scopeName });
});

test('every scope with a language of its own is one that the grammar gives', () => {
  const text = textOf(grammar?.path);
  const scopes = Object.keys(grammar?.embeddedLanguages ?? {});
  expect(scopes.filter((scope) => !text.includes(`"contentName": "${scope}"`))).toEqual([]);
});

test('a line is commented out with #', () => {
  expect(configuration.comments).toEqual({ lineComment: '#' });
});

test('maps and lists have brackets', () => {
  expect(configuration.brackets).toEqual([
    ['{', '}'],
    ['[', ']'],
  ]);
});

test('brackets and quotes are closed as they are opened, and put around a selection', () => {
  const pairs = ['{}', '[]', '""', "''"];
  expect(configuration.autoClosingPairs.map(({ open, close }) => open + close)).toEqual(pairs);
  expect(configuration.surroundingPairs.map(([open, close]) => open + close)).toEqual(pairs);
});

test('blocks fold by their indentation', () => {
  expect(configuration.folding).toEqual({ offSide: true });
});

checkEnter('the line after a key without a value is indented', '  api:', 'indents');
checkEnter('the line after a quoted key is indented', '  "api 2":', 'indents');
checkEnter('the line after a key of a list is indented', '  - api:', 'indents');
checkEnter('blanks after the colon make no difference', '    reads:  ', 'indents');
checkEnter('a comment after the colon makes no difference', 'tasks: # all: of them', 'indents');
checkEnter('the line after run: | is indented', '    run: |', 'indents');
checkEnter('the line after run: |- is indented', '    run: |-', 'indents');
checkEnter('the line after run: >2+ is indented', '    run: >2+', 'indents');
checkEnter('the line after a key with a value is not indented', '    run: make', 'stays');
checkEnter('the line after a value that ends with a colon is not indented', '  run: a:', 'stays');
checkEnter('the line after a value that ends with a bar is not indented', '  run: a |', 'stays');
checkEnter('the line after a comment is not indented', '  # as follows:', 'stays');
checkEnter('the line after an empty line is not indented', '', 'stays');
checkEnter('the line after a list item is not indented', '  - api', 'stays');

checkWords('an id is one word', 'schema-2.gen_x:', ['schema-2.gen_x']);
checkWords('a key is one word', '    depends_on: [a, b-c]', ['depends_on', 'a', 'b-c']);
checkWords('what takes paths away is no part of the word', '"!src"', ['src']);

function textOf(file: string | undefined): string {
  return readFileSync(new URL(file ?? 'nothing', ROOT), 'utf8');
}
