import { writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { realWorld } from '../../../server/world.ts';
import { taskText } from '../../support/kanban-board.ts';
import { boardProject } from '../../support/kanban-project.ts';
import { clientInMemory } from '../../support/language-client.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

test('mistakes are marked in the file of their task, as it is typed and as it is on disk', async () => {
  const { folder, fileOf } = boardProject({
    '001-a.md': taskText(1),
    '002-b.md': taskText(2, 'depends_on: [9]'),
  });
  const client = clientInMemory(realWorld('test', { INTERLOCK_STATE_DIR: temporaryFolder() }));
  const [first, second] = ['001-a.md', '002-b.md'].map((name) => pathToFileURL(fileOf(name)).href);
  const said = (uri = ''): readonly string[] =>
    (client.diagnostics.get(uri) ?? []).map(
      ({ message, range }) =>
        `${range.start.line}:${range.start.character} ${JSON.stringify(message)}`,
    );
  await client.start(folder);
  await client.until(() => said(second).length > 0);
  expect(said(second)).toStrictEqual(['7:13 "There is no task \\"9\\" in this plan."']);
  await client.until(() => client.states === '1 idle, 2 blocked');
  const text = taskText(1).replace('status: todo', 'status: tod');
  const textDocument = { uri: first, languageId: 'markdown', version: 1, text };
  await client.connection.sendNotification('textDocument/didOpen', { textDocument });
  await client.until(() => said(first).length > 0);
  expect(said(first)[0]).toContain(
    '3:8 "There is no status \\"tod\\" on this board. Did you mean \\"todo\\"?',
  );
  await client.connection.sendNotification('textDocument/didClose', {
    textDocument: { uri: first },
  });
  await client.until(() => said(first).length === 0);
  // A new file, of which the client says that it has changed.
  writeFileSync(fileOf('009-i.md'), taskText(9));
  const changes = [{ uri: pathToFileURL(fileOf('009-i.md')).href, type: 1 }];
  await client.connection.sendNotification('workspace/didChangeWatchedFiles', { changes });
  await client.until(() => said(second).length === 0);
  await client.until(() => client.states === '1 idle, 2 idle, 9 idle');
});

test('above the tasks of a board stands what can be done with them, also where one is claimed by a word', async () => {
  const { folder, fileOf } = boardProject({
    '001-a.md': taskText(1, 'claimed_by: kim'),
    '002-b.md': taskText(2),
  });
  const client = clientInMemory(realWorld('test', { INTERLOCK_STATE_DIR: temporaryFolder() }));
  await client.start(folder);
  await client.until(() => client.states === '1 blocked, 2 idle');
  const ask = async (method: string, name: string, more = {}): Promise<unknown> => {
    const textDocument = { uri: pathToFileURL(fileOf(name)).href };
    return await client.connection.sendRequest(method, { textDocument, ...more });
  };
  const range = { start: { line: 0, character: 0 }, end: { line: 9, character: 0 } };
  expect(await ask('textDocument/inlayHint', '001-a.md', { range })).toMatchObject([
    { label: '⊘ cannot start' },
  ]);
  expect(await ask('textDocument/codeLens', '002-b.md')).toMatchObject([
    { command: { title: 'Run' } },
  ]);
});
