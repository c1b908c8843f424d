import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import {
  type ImportsReply,
  LIST_IMPORTS,
  LIST_STARTERS,
  PLANS_READ,
  type PlansRead,
  type StartersReply,
} from '../../../protocol/starter-plan.ts';
import { OpenFolder } from '../../support/open-folder.ts';

async function ask<Reply>(folder: OpenFolder, method: string): Promise<Reply> {
  const folderUri = pathToFileURL(folder.path).href;
  return await folder.client.connection.sendRequest(method, { folderUri });
}

const TASKS = '{ "tasks": [{ "label": "say it", "type": "shell", "command": "echo hi" }] }';
const BOARD = {
  'kanban/config.yml': 'version: 11\nstatuses: [todo, done]\n',
  'kanban/tasks/001-a.md': '---\nid: 1\ntitle: A\nstatus: todo\n---\n',
};

test('first plans that fit a folder are offered, with the place of the first task', async () => {
  const folder = await OpenFolder.open({
    'package.json': '{ "scripts": { "build": "x", "lint": "x" } }',
    Makefile: 'all:\n\ttrue\n',
  });
  const reply = await ask<StartersReply>(folder, LIST_STARTERS);
  const starters = reply.kind === 'offered' ? reply.starters : [];
  expect(starters.map(({ label, detail }) => `${label}: ${detail}`)).toEqual([
    'Scripts of package.json: lint, build',
    'Targets of the Makefile: all',
    'A small plan to begin with: hello, shout',
  ]);
  for (const { text, uri, line, character } of starters) {
    expect(uri).toBe(folder.uri('interlock.yaml'));
    expect(text.split('\n')[line]?.slice(character)).toMatch(/^(lint|all|hello):$/);
  }
});

test('where a plan is, it is named instead, whatever it is called', async () => {
  const folder = await OpenFolder.open({ 'mine.interlock.yml': '', 'sub/interlock.yaml': '' });
  expect(await ask(folder, LIST_STARTERS)).toEqual({
    kind: 'exists',
    uri: folder.uri('mine.interlock.yml'),
  });
});

test('the tasks of a tasks.json are taken over beside what is there, and a board is one already', async () => {
  const folder = await OpenFolder.open({
    '.vscode/tasks.json': TASKS,
    'interlock.yaml': '',
    ...BOARD,
  });
  const reply = await ask<ImportsReply>(folder, LIST_IMPORTS);
  const [taken, board] = reply.kind === 'found' ? reply.sources : [];
  expect(taken).toMatchObject({
    kind: 'tasks-json',
    plan: { label: 'tasks.interlock.yaml', uri: folder.uri('tasks.interlock.yaml'), character: 2 },
  });
  const { text, line } = (taken?.kind === 'tasks-json' && taken.plan) || { text: '', line: 0 };
  expect(text.split('\n')[line]).toBe('  say-it:');
  const uri = folder.uri('kanban/config.yml');
  expect(board).toEqual({ kind: 'board', uri, path: 'kanban/config.yml', taskCount: 1 });
});

test('tasks that were taken over already are left as they are, and nothing is found in a bare folder', async () => {
  const taken = { 'interlock.yaml': '', 'tasks.interlock.yaml': '' };
  const folder = await OpenFolder.open({ '.vscode/tasks.json': TASKS, ...taken });
  expect(await ask(folder, LIST_IMPORTS)).toEqual({
    kind: 'refused',
    message: 'There is a plan for the tasks of .vscode/tasks.json already. It is left as it is.',
  });
  const bare = await OpenFolder.open({ 'notes.md': '' });
  expect(await ask(bare, LIST_IMPORTS)).toEqual({ kind: 'found', sources: [] });
});

test('folders that are not open, and messages without one, are refused', async () => {
  const { client } = await OpenFolder.open({ 'notes.md': '' });
  const refused = { kind: 'refused', message: 'This folder is not open.' };
  for (const method of [LIST_STARTERS, LIST_IMPORTS])
    for (const params of [{ folderUri: 'file:///nowhere' }, { folderUri: 7 }, {}])
      expect(await client.connection.sendRequest(method, params)).toEqual(refused);
});

test('a client hears which plans there are, and only when that changes', async () => {
  const folder = await OpenFolder.open({ 'notes.md': '' });
  const heard: string[] = [];
  folder.client.connection.onNotification(PLANS_READ, ({ plans }: PlansRead) => {
    heard.push(plans.map(({ path: at, hasErrors }) => `${at} ${hasErrors}`).join());
    folder.client.heard();
  });
  const uri = folder.uri('interlock.yaml');
  const write = async (text: string): Promise<void> => {
    writeFileSync(path.join(folder.path, 'interlock.yaml'), text);
    const changes = [{ uri, type: 2 }];
    await folder.client.connection.sendNotification('workspace/didChangeWatchedFiles', { changes });
  };
  await folder.client.until(() => heard.length === 1);
  await write('tasks: {}\n');
  await folder.client.until(() => heard.length === 2);
  await write('tasks: {} # still none\n');
  await write('tasks: 7\n');
  await folder.client.until(() => heard.length === 3);
  expect(heard).toEqual(['', 'interlock.yaml false', 'interlock.yaml true']);
});
