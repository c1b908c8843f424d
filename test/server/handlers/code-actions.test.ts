import { expect, test } from 'vitest';
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

test('kinds that nobody asked for are left out, and a client of old gets nothing', async () => {
  const folder = await OpenFolder.open(FILES, LITERAL);
  const context = { diagnostics: [], only: ['refactor'] };
  expect(await folder.ask('codeAction', { ...HERE, context })).toEqual([]);
  const old = await OpenFolder.open(FILES);
  expect(await old.ask('codeAction', HERE)).toEqual([]);
});
