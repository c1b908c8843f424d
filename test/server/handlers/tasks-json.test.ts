import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { realWorld } from '../../../server/world.ts';
import { clientInMemory } from '../../support/language-client.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const TEXT = `{
  "tasks": [
    { "label": "say it", "type": "shell", "command": "echo \${file}" },
  ],
}`;

test('a tasks.json is shown with its labels, follows its buffer, and has hints where an editor is needed', async () => {
  const folder = temporaryFolder();
  mkdirSync(path.join(folder, '.vscode'));
  const file = path.join(folder, '.vscode', 'tasks.json');
  writeFileSync(file, TEXT);
  const uri = pathToFileURL(file).href;
  const env = { ...process.env, INTERLOCK_STATE_DIR: path.join(folder, '.state') };
  const client = clientInMemory(realWorld('a test', env));
  await client.start(folder);
  await client.until(() => client.diagnostics.has(uri));
  expect(client.view('say-it')).toMatchObject({
    plan: '.vscode/tasks.json',
    title: 'say it',
    line: 2,
  });
  expect(client.diagnostics.get(uri)).toMatchObject([
    {
      code: 'editor-only',
      severity: 4,
      range: { start: { line: 2, character: 59 }, end: { line: 2, character: 66 } },
    },
  ]);
  const place = { textDocument: { uri }, position: { line: 2, character: 6 } };
  const offered = client.connection.sendRequest<{ items?: unknown[] } | unknown[] | null>(
    'textDocument/completion',
    place,
  );
  expect([[], null, { isIncomplete: false, items: [] }]).toContainEqual(await offered);
  const text = TEXT.replace('say it', 'other').replace(' ${file}', '');
  const textDocument = { uri, languageId: 'jsonc', version: 1, text };
  await client.connection.sendNotification('textDocument/didOpen', { textDocument });
  await client.until(() => client.states === 'other idle');
  await client.until(() => client.diagnostics.get(uri)?.length === 0);
  await client.connection.sendNotification('textDocument/didClose', { textDocument: { uri } });
  await client.until(() => client.diagnostics.get(uri)?.length === 1);
  await client.until(() => client.view('say-it')?.state === 'blocked');
});

test('a tasks.json that comes later is shown', async () => {
  const folder = temporaryFolder();
  writeFileSync(path.join(folder, 'interlock.yaml'), 'tasks:\n  a: { run: x }\n');
  const env = { ...process.env, INTERLOCK_STATE_DIR: path.join(folder, '.state') };
  const client = clientInMemory(realWorld('a test', env));
  await client.start(folder);
  await client.until(() => client.states === 'a idle');
  mkdirSync(path.join(folder, '.vscode'));
  const file = path.join(folder, '.vscode', 'tasks.json');
  writeFileSync(file, TEXT);
  const changes = [{ uri: pathToFileURL(file).href, type: 1 }];
  await client.connection.sendNotification('workspace/didChangeWatchedFiles', { changes });
  await client.until(() => client.view('say-it')?.title === 'say it');
});
