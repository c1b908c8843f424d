import { expect, test } from 'vitest';
import { type ClientCapabilities, MarkupKind } from 'vscode-languageserver';
import { agentAt } from '../../support/agent-at-board.ts';
import { EditedProject } from '../../support/editor-files.ts';
import { OpenFolder } from '../../support/open-folder.ts';

const MARKDOWN: ClientCapabilities = {
  textDocument: { hover: { contentFormat: [MarkupKind.Markdown, MarkupKind.PlainText] } },
};

async function hoverAt(
  plan: string,
  files: Readonly<Record<string, string>> = {},
): Promise<unknown> {
  return await (await OpenFolder.open({ 'interlock.yaml': plan, ...files }, MARKDOWN)).ask('hover');
}

function saying(value: RegExp, range: string): object {
  return { range, contents: { kind: 'markdown', value: expect.stringMatching(value) } };
}

test('a key says what it means and what counts without it', async () => {
  const hover = await hoverAt('tasks:\n  a:\n    prio¦rity: high\n');
  expect(hover).toEqual(
    saying(/^Which class[\s\S]*Left out: `normal`\.[\s\S]*```yaml/, '2:4-2:12'),
  );
});

test('a word says what it means', async () => {
  const hover = await hoverAt('tasks:\n  a:\n    priority: h¦igh\n');
  expect(hover).toEqual(saying(/twice as often/, '2:14-2:18'));
});

test('an id says what its task does, and what is in its way', async () => {
  const plan = 'tasks:\n  a: { run: make, after: [nobody] }\n  b: { run: x, after: [¦a] }\n';
  expect(await hoverAt(plan)).toEqual(
    saying(/^\*\*a\*\* — cannot start\n\n`make`[\s\S]*no task "nobody"/, '2:23-2:24'),
  );
});

test('what is in the way of a task is said once', async () => {
  const plan = 'tasks:\n  ¦a: { run: make, after: [nobody] }\n';
  const said = JSON.stringify(await hoverAt(plan));
  expect(said.match(/There is no task/g)).toHaveLength(1);
});

test('a script of several lines is shown as a whole', async () => {
  const plan =
    'tasks:\n  ¦a:\n    run: |\n      # first\n      if x; then\n        make\n      fi\n';
  expect(await hoverAt(plan)).toEqual(
    saying(/```sh\n# first\nif x; then\n {2}make\nfi\n```$/, '1:2-1:3'),
  );
});

test('an id says who has its task, and for how long', async () => {
  const project = new EditedProject('tasks:\n  a: { role: agent, lease: 1h, writes: [x] }\n', {});
  const kim = await project.window('kim');
  await kim.client.run(project.folder);
  await (await agentAt(project.env, project.folder, 'agent/a1')).claim('a');
  await kim.client.until(() => kim.client.states === 'a claimed');
  const textDocument = { uri: project.uri('interlock.yaml') };
  const position = { line: 1, character: 2 };
  expect(
    await kim.client.connection.sendRequest('textDocument/hover', { textDocument, position }),
  ).toMatchObject({
    contents: { value: expect.stringMatching(/^a — claimed, held by a1, [\w ]+ left/) },
  });
});

test('what a plan says is text, and never an image or a link', async () => {
  const plan =
    'tasks:\n  ¦a: { run: x, title: "![x](https://a.example)", after: ["<img src=y>"] }\n';
  const hover = await hoverAt(plan);
  expect(hover).toEqual(saying(/!\\\[x\\\]\(https:/, '1:2-1:3'));
  expect(JSON.stringify(hover)).not.toMatch(/[^\\`]<img/);
});

test('a pattern says how many files it stands for, and the first ten', async () => {
  const files = Object.fromEntries(
    Array.from({ length: 12 }, (_, number) => [`src/f${number}.ts`, '']),
  );
  const hover = await hoverAt('tasks:\n  a: { run: x, reads: [src/*¦.ts] }\n', {
    ...files,
    'src/f.css': '',
    'src/node_modules/x.ts': '',
  });
  expect(hover).toEqual(
    saying(/^Stands for 12 files now\.\n\n(- `src\/f\d+\.ts`\n){10}- 2 more$/, '1:23-1:31'),
  );
});

test('a pattern that stands for nothing says so', async () => {
  const hover = await hoverAt('tasks:\n  a: { run: x, writes: ["!s¦rc/**"] }\n');
  expect(hover).toEqual(saying(/^Takes away no files now\.$/, '1:24-1:33'));
});

test('nothing is said of a comment', async () => {
  expect(await hoverAt('tasks: # ta¦sks\n  a: { run: x }\n')).toBeNull();
});

test('a client that takes no Markdown, or would rather have none, gets text without its marks', async () => {
  const plan = 'tasks:\n  ¦a: { run: "make *_x", after: [], title: "a_b **c** - [d](e)" }\n';
  const clients = [
    {},
    { textDocument: { hover: {} } },
    { textDocument: { hover: { contentFormat: [MarkupKind.PlainText, MarkupKind.Markdown] } } },
  ];
  for (const client of clients) {
    const folder = await OpenFolder.open({ 'interlock.yaml': plan }, client);
    expect(await folder.ask('hover')).toEqual({
      range: '1:2-1:3',
      contents: { kind: 'plaintext', value: 'a\n\na_b **c** - [d](e)\n\nmake *_x' },
    });
  }
  const key = { 'interlock.yaml': 'tasks:\n  a:\n    prio¦rity: high\n' };
  expect(await (await OpenFolder.open(key)).ask('hover')).toMatchObject({
    contents: { value: expect.stringMatching(/Left out: normal\.\n\npriority: high$/) },
  });
});
