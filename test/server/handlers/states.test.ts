import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { TRUST_GRANTED } from '../../../protocol/initialization.ts';
import { OpenFolder } from '../../support/open-folder.ts';

const REFRESH = {
  workspace: { codeLens: { refreshSupport: true }, inlayHint: { refreshSupport: true } },
};
const WHOLE = { range: { start: { line: 0, character: 0 }, end: { line: 99, character: 0 } } };
const PLAN = 'tasks:\n  a:\n    run: "true"\n  b: { run: "true", after: [nobody] }¦\n';

function waitingFor(id: string): string {
  return `tasks:\n  a: { run: "true", after: [${id}] }\n`;
}

function titles(lenses: unknown): readonly string[] {
  return (JSON.stringify(lenses).match(/"title":"[^"]*"/g) ?? []).map((text) => text.slice(9, -1));
}

test('a task can be run from its line, and one that cannot start says why', async () => {
  const folder = await OpenFolder.open({ 'interlock.yaml': PLAN });
  const lenses = await folder.ask('codeLens');
  expect(titles(lenses)).toEqual(['Run', 'Why', '1 blocker']);
  expect(lenses).toMatchObject([
    { range: '1:2-1:3', command: { command: 'interlock.run', arguments: [{ id: 'a' }] } },
    { range: '3:2-3:3', command: { command: 'interlock.why', arguments: [{ id: 'b' }] } },
    {},
  ]);
});

test('nothing is offered to be run from its line before the folder is trusted', async () => {
  const folder = await OpenFolder.open({ 'interlock.yaml': PLAN }, REFRESH, { isTrusted: false });
  const { connection } = folder.client;
  expect(titles(await folder.ask('codeLens'))).toEqual(['Why', '1 blocker']);
  const asked = new Promise<void>((resolve) => {
    connection.onRequest('workspace/codeLens/refresh', () => resolve());
  });
  await connection.sendNotification(TRUST_GRANTED);
  await asked;
  expect(titles(await folder.ask('codeLens'))).toEqual(['Run', 'Why', '1 blocker']);
});

test('the commands of a line do what they say, and its end shows how it went', async () => {
  const folder = await OpenFolder.open({ 'interlock.yaml': PLAN }, REFRESH);
  const asked = new Set<string>();
  for (const method of ['workspace/codeLens/refresh', 'workspace/inlayHint/refresh'])
    folder.client.connection.onRequest(method, () => void asked.add(method));
  const key = { folderUri: folder.uri('').replace(/\/$/, ''), plan: 'interlock.yaml' };
  const command = async (name: string, id: string): Promise<unknown> =>
    await folder.client.connection.sendRequest('workspace/executeCommand', {
      command: name,
      arguments: [{ ...key, id }],
    });
  await command('interlock.why', 'b');
  await folder.client.until(() => folder.client.errors.some((said) => said.includes('"nobody"')));
  await command('interlock.run', 'a');
  await folder.client.until(() => folder.client.view('a')?.state === 'completed');
  expect(await folder.ask('inlayHint', WHOLE)).toMatchObject([
    { label: '✓ completed', position: { line: 1, character: 4 } },
    { label: '⊘ cannot start', position: { line: 3 } },
  ]);
  await folder.client.until(() => asked.size === 2);
});

test('a task that could not be run now, since others of its plan are, says why instead', async () => {
  const untilGo = 'until test -e go || test ! -e interlock.yaml; do sleep 0.02; done';
  const plan = `¦tasks:\n  a: { run: "${untilGo}" }\n  b: { run: "true" }\n`;
  const folder = await OpenFolder.open({ 'interlock.yaml': plan });
  const { client } = folder;
  const key = { folderUri: folder.uri('').replace(/\/$/, ''), plan: 'interlock.yaml' };
  const command = async (name: string, id: string): Promise<unknown> =>
    await client.connection.sendRequest('workspace/executeCommand', {
      command: name,
      arguments: [{ ...key, id }],
    });
  await command('interlock.run', 'a');
  await client.until(() => client.view('a')?.state === 'running');
  expect(titles(await folder.ask('codeLens'))).toEqual(['Why', '1 blocker']);
  await command('interlock.why', 'b');
  const busy = 'b: Other tasks of interlock.yaml are being run now. Wait for them, or stop them.';
  await client.until(() => client.errors.some((said) => said.includes(busy)));
  writeFileSync(path.join(folder.path, 'go'), '');
  await client.until(() => client.view('a')?.state === 'completed');
  await client.until(() => client.states === 'a completed, b idle');
  expect(titles(await folder.ask('codeLens'))).toEqual(['Run', 'Run']);
});

test('above a task that runs is its log, where the client can show one', async () => {
  const run = 'echo hi; until test -e go || test ! -e interlock.yaml; do sleep 0.02; done';
  const capabilities = { window: { showDocument: { support: true } } };
  const folder = await OpenFolder.open(
    { 'interlock.yaml': `¦tasks:\n  a: { run: "${run}" }\n` },
    capabilities,
  );
  const { client } = folder;
  const folderUri = folder.uri('').replace(/\/$/, '');
  const command = async (name: string): Promise<unknown> =>
    await client.connection.sendRequest('workspace/executeCommand', {
      command: name,
      arguments: [{ folderUri, plan: 'interlock.yaml', id: 'a' }],
    });
  await command('interlock.log');
  await client.until(() => client.errors.includes('a has not printed anything yet.'));
  await command('interlock.run');
  await client.until(() => client.view('a')?.state === 'running');
  expect(titles(await folder.ask('codeLens'))).toEqual(['Log']);
  await command('interlock.log');
  expect(client.shown).toMatchObject([{ uri: expect.stringMatching(/\/a\.\d+\.1\.log$/) }]);
  writeFileSync(path.join(folder.path, 'go'), '');
  await client.until(() => client.view('a')?.state === 'completed');
});

test('a command without a task is refused with a sentence', async () => {
  const folder = await OpenFolder.open({ 'interlock.yaml': PLAN });
  const asked = folder.client.connection.sendRequest('workspace/executeCommand', {
    command: 'interlock.run',
    arguments: [{ id: 7 }],
  });
  await expect(asked).rejects.toThrow('A task is named by "folderUri", "plan" and "id".');
});

test('however fast somebody types, the client hears how the tasks stand in the end', async () => {
  const folder = await OpenFolder.open({ 'interlock.yaml': PLAN });
  const { client } = folder;
  const uri = folder.uri('interlock.yaml');
  await client.open(uri, waitingFor('nobody'));
  for (let version = 2; version <= 60; version += 1)
    await client.connection.sendNotification('textDocument/didChange', {
      textDocument: { uri, version },
      contentChanges: [
        { text: version === 60 ? `# moved\n${waitingFor('')}` : waitingFor(`x${version}`) },
      ],
    });
  await client.until(() => client.states === 'a idle' && client.view('a')?.line === 2);
});
