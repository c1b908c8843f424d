import { expect, test } from 'vitest';
import { type CompletionItem, MarkupKind } from 'vscode-languageserver';
import { OpenFolder } from '../../support/open-folder.ts';

const SNIPPETS = { textDocument: { completion: { completionItem: { snippetSupport: true } } } };

const isItem = (item: unknown): item is CompletionItem =>
  typeof item === 'object' && item !== null && 'label' in item;

function itemsOf(answer: unknown): readonly CompletionItem[] {
  return Array.isArray(answer) ? answer.filter(isItem) : [];
}

test('a client with snippets gets them, another gets plain text', async () => {
  const files = { 'interlock.yaml': 'tasks:\n  a:\n    wr¦\n' };
  for (const [client, newText, insertTextFormat] of [
    [SNIPPETS, 'writes: [$0]', 2],
    [{}, 'writes: []', 1],
  ] as const) {
    const folder = await OpenFolder.open(files, client);
    const found = itemsOf(await folder.ask('completion')).find(({ label }) => label === 'writes');
    expect(found).toMatchObject({ insertTextFormat, textEdit: { newText, range: '2:4-2:6' } });
  }
});

test('what is said of a key is Markdown for those who take it, and text for others', async () => {
  const files = { 'interlock.yaml': 'tasks:\n  a:\n    ret¦\n' };
  const documentationFormat = [MarkupKind.Markdown];
  const reading = { textDocument: { completion: { completionItem: { documentationFormat } } } };
  for (const [client, kind, value] of [
    [reading, 'markdown', /```yaml/],
    [{}, 'plaintext', /^[^`]*$/],
  ] as const) {
    const folder = await OpenFolder.open(files, client);
    const found = itemsOf(await folder.ask('completion')).find(({ label }) => label === 'retry');
    expect(found).toMatchObject({ documentation: { kind, value: expect.stringMatching(value) } });
  }
});

test('the first id of a list is asked for again while it is typed, until it is complete', async () => {
  const answers = ['', 'bu', 'build'].map(async (typed) => {
    const plan = `tasks:\n  build: { run: x }\n  test:\n    run: x\n    depends_on: ${typed}¦\n`;
    const answer = await (await OpenFolder.open({ 'interlock.yaml': plan })).ask('completion');
    return answer;
  });
  expect(await Promise.all(answers)).toMatchObject(
    ['[build]', '[build]', 'build'].map((newText) => ({
      isIncomplete: true,
      items: [{ label: 'build', textEdit: { newText } }],
    })),
  );
});

test('what others have written, and what git ignores, is left out until it is named', async () => {
  const files = {
    '.gitignore': 'dist/\n*.log\n',
    '.git/HEAD': 'ref: refs/heads/main\n',
    '.git/refs/heads/.keep': '',
    '.git/objects/.keep': '',
    'dist/out.js': '',
    'node_modules/x/index.js': '',
    'npm.log': '',
    'src/one.ts': '',
  };
  const offered = async (path: string, key: string): Promise<readonly string[]> => {
    const plan = `tasks:\n  a: { run: x, ${key}: [${path}¦] }\n`;
    const folder = await OpenFolder.open({ ...files, 'interlock.yaml': plan });
    return itemsOf(await folder.ask('completion')).map(({ label }) => label);
  };
  const ours = ['src/', 'src/**', '.gitignore', 'interlock.yaml'];
  expect(await offered('', 'writes')).toEqual(ours);
  expect(await offered('dist/', 'writes')).toEqual(['dist/out.js']);
  expect(await offered('node_modules/', 'reads')).toEqual(['node_modules/x/', 'node_modules/x/**']);
  const made = ['dist/', 'dist/**', 'src/', 'src/**', '.gitignore', 'interlock.yaml', 'npm.log'];
  expect(await offered('', 'artifacts')).toEqual(made);
});

test('what lies in the folder and in other plans is offered', async () => {
  const files = {
    'interlock.yaml': 'tasks:\n  a: { run: x, reads: [src/¦], after: [] }\n',
    'src/one.ts': '',
    'web/interlock.yaml': 'tasks: { build: { run: x } }\n',
  };
  const paths = await (await OpenFolder.open(files)).ask('completion');
  expect(itemsOf(paths).map(({ label }) => label)).toEqual(['src/one.ts']);
  const plan = 'tasks:\n  a: { run: x, after: [¦] }\n';
  const ids = await (await OpenFolder.open({ ...files, 'interlock.yaml': plan })).ask('completion');
  expect(itemsOf(ids).map(({ label }) => label)).toEqual(['web/build']);
});

test('what a task is about is shown for all that are offered, where the client can do that', async () => {
  const files = {
    'interlock.yaml': 'tasks:\n  a: { run: x, after: [¦] }\n  b: { run: x, title: Build it }\n',
  };
  const completionItem = { labelDetailsSupport: true };
  for (const [client, expected] of [
    [{ textDocument: { completion: { completionItem } } }, 'labelDetails'],
    [{}, 'detail'],
  ] as const) {
    const [item] = itemsOf(await (await OpenFolder.open(files, client)).ask('completion'));
    const detail = expected === 'detail' ? 'Build it' : { description: 'Build it' };
    expect(item).toMatchObject({ label: 'b', [expected]: detail });
  }
});
