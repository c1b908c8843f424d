import { expect, test } from 'vitest';
import { type ClientCapabilities, ResourceOperationKind } from 'vscode-languageserver';
import { OpenFolder } from '../../support/open-folder.ts';

const LITERAL = {
  textDocument: {
    codeAction: { codeActionLiteralSupport: { codeActionKind: { valueSet: [] } } },
  },
};
const FILES = { 'interlock.yaml': 'tasks:\n  a: { run: x, wri¦te: [y] }\n' };
const HERE = {
  range: { start: { line: 1, character: 16 }, end: { line: 1, character: 16 } },
  context: { diagnostics: [] },
};

test('a slip is mended, by versions where the client counts them', async () => {
  const plain = await OpenFolder.open(FILES, LITERAL);
  expect(await plain.ask('codeAction', HERE)).toMatchObject([
    {
      title: 'Change to "writes"',
      kind: 'quickfix',
      isPreferred: true,
      diagnostics: [{ code: 'unknown-key', range: '1:15-1:20' }],
      edit: { changes: { 'interlock.yaml': [{ newText: 'writes', range: '1:15-1:20' }] } },
    },
  ]);
  const counting = await OpenFolder.open(FILES, {
    ...LITERAL,
    workspace: { workspaceEdit: { documentChanges: true } },
  });
  const textDocument = { uri: 'interlock.yaml', version: null };
  expect(await counting.ask('codeAction', HERE)).toMatchObject([
    { edit: { documentChanges: [{ textDocument, edits: [{ newText: 'writes' }] }] } },
  ]);
});

const CREATING: ClientCapabilities = {
  ...LITERAL,
  workspace: {
    workspaceEdit: { documentChanges: true, resourceOperations: [ResourceOperationKind.Create] },
  },
};

test('the tasks of a tasks.json are written into a plan of their own', async () => {
  const files = {
    '.vscode/tasks.json':
      '{ "version": "2.0.0", "tasks": [{ "label": "¦a", "type": "shell", "command": "x" }] }',
  };
  const context = { diagnostics: [], only: ['refactor'] };
  const asked = { range: HERE.range, context };
  const uri = 'interlock.yaml';
  expect(await (await OpenFolder.open(files, CREATING)).ask('codeAction', asked)).toMatchObject([
    {
      title: 'Write these tasks into interlock.yaml',
      kind: 'refactor.rewrite',
      edit: {
        documentChanges: [
          { kind: 'create', uri },
          { textDocument: { uri }, edits: [{ newText: expect.stringContaining('run: x') }] },
        ],
      },
    },
  ]);
  const beside = await OpenFolder.open({ ...files, 'interlock.yaml': 'tasks: {}\n' }, CREATING);
  expect(await beside.ask('codeAction', asked)).toMatchObject([
    { title: 'Write these tasks into tasks.interlock.yaml' },
  ]);
  expect(await (await OpenFolder.open(files, LITERAL)).ask('codeAction', asked)).toEqual([]);
});

test('the plan that was written from a tasks.json is shown, where the client can do that', async () => {
  const files = { '.vscode/tasks.json': '{ "version": "2.0.0", "tasks": [{ "label": "¦a" }] }' };
  const context = { diagnostics: [], only: ['refactor'] };
  const window = { showDocument: { support: true } };
  const folder = await OpenFolder.open(files, { ...CREATING, window });
  const command = { command: 'interlock.plan.show', arguments: ['interlock.yaml'] };
  expect(await folder.ask('codeAction', { range: HERE.range, context })).toMatchObject([
    { command },
  ]);
  const { client } = folder;
  const uri = folder.uri('interlock.yaml');
  await client.connection.sendRequest('workspace/executeCommand', { ...command, arguments: [uri] });
  await client.until(() => client.shown.some((shown) => shown.uri === uri));
});

test('kinds that nobody asked for are left out, and a client of old gets nothing', async () => {
  const folder = await OpenFolder.open(FILES, LITERAL);
  const context = { diagnostics: [], only: ['refactor'] };
  expect(await folder.ask('codeAction', { ...HERE, context })).toEqual([]);
  const old = await OpenFolder.open(FILES);
  expect(await old.ask('codeAction', HERE)).toEqual([]);
});

test('a request for fixes that is not one is answered with what it lacks', async () => {
  const folder = await OpenFolder.open({ 'interlock.yaml': 'tasks: {}¦' });
  const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };
  for (const context of [
    {},
    { diagnostics: 'x' },
    { diagnostics: [null] },
    { diagnostics: [], only: 'x' },
  ])
    await expect(folder.ask('codeAction', { range, context })).rejects.toThrow(
      'textDocument/codeAction: "context" has a list "diagnostics", and "only" is a list of texts.',
    );
});
