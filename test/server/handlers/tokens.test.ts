import { expect, test } from 'vitest';
import { OpenFolder } from '../../support/open-folder.ts';

const FILES = {
  'interlock.yaml':
    '¦limits: { db: 1 }\ntasks:\n  a: { run: x, resources: { db: 1 } }\n  b: { run: x, after: [a, no, web/c] }\n',
  'web/interlock.yaml': 'tasks:\n  c: { run: x }\n',
};

test('words that mean something by what is written elsewhere', async () => {
  const folder = await OpenFolder.open(FILES);
  expect(folder.offered.semanticTokensProvider).toEqual({
    legend: {
      tokenTypes: ['function', 'namespace', 'class', 'variable'],
      tokenModifiers: ['declaration'],
    },
    full: true,
    range: true,
  });
  const last = [1, 23, 1, 0, 0, 0, 7, 3, 1, 0, 0, 4, 1, 0, 0];
  expect(await folder.ask('semanticTokens/full')).toEqual({
    data: [0, 10, 2, 3, 1, 2, 28, 2, 3, 0, ...last],
  });
  const range = { start: { line: 3, character: 0 }, end: { line: 4, character: 0 } };
  expect(await folder.ask('semanticTokens/range', { range })).toEqual({
    data: [3, ...last.slice(1)],
  });
});

test('a client is asked to ask again when a task of another plan comes or goes', async () => {
  const workspace = { semanticTokens: { refreshSupport: true } };
  const folder = await OpenFolder.open(FILES, { workspace });
  const { client } = folder;
  let askedCount = 0;
  client.connection.onRequest('workspace/semanticTokens/refresh', () => {
    askedCount += 1;
    client.heard();
  });
  const before = await folder.ask('semanticTokens/full');
  const uri = folder.uri('web/interlock.yaml');
  const change = async (text: string): Promise<void> =>
    await client.connection.sendNotification('textDocument/didChange', {
      textDocument: { uri, version: 2 },
      contentChanges: [{ text }],
    });
  await client.open(uri, 'tasks:\n  d: { run: x }\n');
  await client.until(() => askedCount === 1);
  expect(await folder.ask('semanticTokens/full')).not.toEqual(before);
  // Nothing that is named anywhere has changed.
  await change('tasks:\n  e: { run: x }\n');
  await change('tasks:\n  c: { run: y }\n  e: { run: x }\n');
  await client.until(() => askedCount === 2);
  expect(await folder.ask('semanticTokens/full')).toEqual(before);
});
