import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { TRUST_GRANTED } from '../../../protocol/initialization.ts';
import {
  FIND_LOG,
  LIST_TASKS,
  type LogReply,
  RUN_TASKS,
  STOP_TASKS,
} from '../../../protocol/tasks.ts';
import { realWorld } from '../../../server/world.ts';
import { clientInMemory, type LanguageClient } from '../../support/language-client.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { untilFile } from '../../support/until-file.ts';

const PLAN = `tasks:
  schema:
    run: echo one > schema.txt
    writes: [schema.txt]
  api:
    depends_on: [schema]
    run: cat schema.txt; exit 0
    writes: [api.txt]
`;

interface Project {
  readonly folder: string;
  readonly planUri: string;
  readonly client: LanguageClient;
}

function project(plan: string | undefined): Project {
  const folder = temporaryFolder();
  const planPath = path.join(folder, 'interlock.yaml');
  if (plan !== undefined) writeFileSync(planPath, plan);
  const env = { ...process.env, INTERLOCK_STATE_DIR: path.join(folder, '.state') };
  const client = clientInMemory(realWorld('a test', env));
  return { folder, planUri: pathToFileURL(planPath).href, client };
}

function messages({ client, planUri }: Project): readonly string[] {
  return (client.diagnostics.get(planUri) ?? []).map(({ message }) =>
    typeof message === 'string' ? message : message.value,
  );
}

test('the tasks of a folder are shown with nothing to say of them yet', async () => {
  const { client, folder } = project(PLAN);
  await client.start(folder);
  await client.until(() => client.states === 'schema idle, api idle');
  expect(client.view('api')).toMatchObject({ plan: 'interlock.yaml', line: 4, character: 2 });
  expect(await client.connection.sendRequest(LIST_TASKS)).toHaveLength(2);
});

test('a title that nobody reads to its end is cut for those who show it', async () => {
  const { client, folder } = project(
    `tasks:\n  api: { title: "${'word '.repeat(9999)}", run: x }\n`,
  );
  await client.start(folder);
  await client.until(() => client.states === 'api idle');
  expect(client.view('api')?.title).toMatch(/^(word ){40}…$/);
});

test('a dependency that does not exist is marked at the exact word', async () => {
  const shop = project('tasks:\n  api: { run: x, depends_on: [schma] }\n  schema: { run: x }\n');
  await shop.client.start(shop.folder);
  await shop.client.until(() => shop.client.diagnostics.has(shop.planUri));
  expect(shop.client.diagnostics.get(shop.planUri)).toEqual([
    {
      source: 'interlock',
      code: 'unknown-task',
      severity: 1,
      message: 'There is no task "schma" in this plan. Did you mean "schema"?',
      range: { start: { line: 1, character: 30 }, end: { line: 1, character: 35 } },
      relatedInformation: [],
    },
  ]);
});

test('two tasks that write one file are marked, each pointing at the other', async () => {
  const shop = project('tasks:\n  a: { run: x, writes: [out] }\n  b: { run: x, writes: [out] }\n');
  await shop.client.start(shop.folder);
  await shop.client.until(() => shop.client.diagnostics.has(shop.planUri));
  const found = shop.client.diagnostics.get(shop.planUri) ?? [];
  const lines = found.map(({ range, relatedInformation }) => [
    range.start.line,
    ...(relatedInformation ?? []).map(({ location }) => location.range.start.line),
  ]);
  expect(lines).toEqual([
    [1, 2],
    [2, 1],
  ]);
});

test('problems follow the open buffer, and the file again when it is closed', async () => {
  const shop = project(PLAN);
  const { client, folder, planUri } = shop;
  await client.start(folder);
  const textDocument = { uri: planUri, languageId: 'interlock', version: 1, text: PLAN };
  await client.connection.sendNotification('textDocument/didOpen', { textDocument });
  await client.connection.sendNotification('textDocument/didChange', {
    textDocument: { uri: planUri, version: 2 },
    contentChanges: [{ text: 'tasks:\n  api: { rum: x }\n' }],
  });
  await client.until(() => messages(shop).length === 1);
  expect(messages(shop)).toEqual(['"rum" is not a key of a task. Did you mean "run"?']);
  await client.until(() => client.states === 'api idle');
  await client.connection.sendNotification('textDocument/didClose', {
    textDocument: { uri: planUri },
  });
  await client.until(() => messages(shop).length === 0);
  await client.until(() => client.states === 'api idle, schema idle');
});

test('Run All runs the tasks in order and shows each state, and the run is reported once', async () => {
  const { client, folder } = project(PLAN);
  await client.start(folder);
  await client.until(() => client.states !== '');
  expect(await client.run(folder)).toEqual({ kind: 'accepted', leftOut: [], refusedPlans: [] });
  await client.until(() => client.finishedRuns.length > 0);
  await client.until(() => client.states === 'schema completed, api completed');
  expect(client.finishedRuns).toMatchObject([
    {
      plan: 'interlock.yaml',
      outcome: 'completed',
      completedCount: 2,
      failedIds: [],
      skippedCount: 0,
    },
  ]);
  const log = await client.connection.sendRequest<LogReply>(FIND_LOG, client.key(folder, 'api'));
  expect(log.path).toMatch(/api\.1\.1\.log$/);
});

test('a failed task is shown with its exit code, what depends on it as skipped', async () => {
  const { client, folder } = project(
    'tasks:\n  a: { run: exit 3 }\n  b: { run: x, depends_on: [a] }\n',
  );
  await client.start(folder);
  await client.run(folder);
  await client.until(() => client.states === 'a failed, b skipped');
  expect(client.view('a')?.detail).toMatch(/^exit code 3 after \d+ ms$/);
  expect(client.view('b')?.detail).toBe('because a did not complete');
});

test('stopping ends what runs and cancels what waits', async () => {
  const { client, folder } = project(
    'tasks:\n  a: { run: exec sleep 300 }\n  b: { run: x, depends_on: [a] }\n',
  );
  await client.start(folder);
  await client.run(folder);
  await client.until(() => client.states === 'a running, b waiting');
  expect(client.view('b')?.detail).toBe('waits for a');
  await client.connection.sendRequest(STOP_TASKS, { folderUri: pathToFileURL(folder).href });
  await client.until(() => client.states === 'a cancelled, b cancelled');
});

test('a new window shows what became of the tasks', async () => {
  const first = project(PLAN);
  await first.client.start(first.folder);
  await first.client.run(first.folder);
  await first.client.until(() => first.client.states === 'schema completed, api completed');
  const env = { ...process.env, INTERLOCK_STATE_DIR: path.join(first.folder, '.state') };
  const second = clientInMemory(realWorld('another window', env));
  await second.start(first.folder);
  await second.until(() => second.states === 'schema completed, api completed');
  expect(second.finishedRuns).toEqual([]);
});

test('two windows on one folder show the same, run the same and may stop it', async () => {
  const first = project('tasks:\n  a:\n    run: while [ ! -e go ]; do sleep 0.01; done\n');
  const env = { ...process.env, INTERLOCK_STATE_DIR: path.join(first.folder, '.state') };
  const second = clientInMemory(realWorld('another window', env));
  await first.client.start(first.folder);
  await second.start(first.folder);
  await second.until(() => second.states === 'a idle');
  await first.client.run(first.folder);
  await second.until(() => second.states === 'a running');
  expect(await second.run(first.folder)).toEqual({
    kind: 'accepted',
    leftOut: [],
    refusedPlans: [],
  });
  expect(first.client.states).toBe('a running');
  await second.connection.sendRequest(STOP_TASKS, {
    folderUri: pathToFileURL(first.folder).href,
  });
  await first.client.until(() => first.client.states === 'a cancelled');
  await second.until(() => second.states === 'a cancelled');
});

test('an untrusted folder is shown and checked, and runs nothing until it is trusted', async () => {
  const { client, folder } = project(PLAN);
  await client.start(folder, { initializationOptions: { isTrusted: false } });
  await client.until(() => client.states === 'schema idle, api idle');
  expect(await client.run(folder)).toEqual({
    kind: 'refused',
    message: 'Trust this folder to run its tasks.',
  });
  await client.connection.sendNotification(TRUST_GRANTED);
  expect(await client.run(folder)).toMatchObject({ kind: 'accepted' });
  await client.until(() => client.states === 'schema completed, api completed');
});

test('a client that says nothing of trust is not trusted', async () => {
  const { client, folder } = project(PLAN);
  await client.start(folder, { initializationOptions: undefined });
  expect(await client.run(folder)).toMatchObject({ kind: 'refused' });
});

test('tasks that cannot start are left out and named, the others run', async () => {
  const { client, folder } = project(
    'tasks:\n  a: { run: "true" }\n  b: { run: x, depends_on: [gone] }\n',
  );
  await client.start(folder);
  expect(await client.run(folder)).toEqual({
    kind: 'accepted',
    leftOut: [{ id: 'b', why: 'There is no task "gone" in this plan.' }],
    refusedPlans: [],
  });
  await client.until(() => client.states === 'a completed, b blocked');
});

test('what cannot be run of one plan is named, while another plan runs', async () => {
  const { client, folder } = project(
    'tasks:\n  a: { run: exec sleep 300 }\n  b: { run: "true" }\n',
  );
  mkdirSync(path.join(folder, 'web'));
  writeFileSync(path.join(folder, 'web', 'interlock.yaml'), 'tasks:\n  c: { run: "true" }\n');
  await client.start(folder);
  await client.run(folder, ['a']);
  await client.until(() => client.states === 'a running, b idle, c idle');
  const message = 'Other tasks of interlock.yaml are being run now. Wait for them, or stop them.';
  expect(await client.run(folder)).toEqual({
    kind: 'accepted',
    leftOut: [],
    refusedPlans: [{ plan: 'interlock.yaml', message }],
  });
  await client.until(() => client.states === 'a running, b idle, c completed');
  expect(await client.run(folder, ['b'])).toEqual({ kind: 'refused', message });
  await client.connection.sendRequest(STOP_TASKS, { folderUri: pathToFileURL(folder).href });
  await client.until(() => client.states === 'a cancelled, b idle, c completed');
});

test('a plan that is deleted takes its tasks and problems with it', async () => {
  const shop = project('tasks:\n  a: { rum: x }\n');
  const { client, folder, planUri } = shop;
  await client.start(folder);
  await client.until(() => messages(shop).length === 1);
  rmSync(path.join(folder, 'interlock.yaml'));
  const changes = [{ uri: planUri, type: 3 }];
  await client.connection.sendNotification('workspace/didChangeWatchedFiles', { changes });
  await client.until(() => messages(shop).length === 0 && client.states === '');
});

test('a folder that is deleted takes its plans with it', async () => {
  const { client, folder } = project('tasks:\n  a: { run: x }\n');
  const outer = path.join(folder, 'web');
  mkdirSync(path.join(outer, 'shop'), { recursive: true });
  writeFileSync(path.join(outer, 'shop', 'interlock.yaml'), 'tasks:\n  b: { run: x }\n');
  await client.start(folder);
  await client.until(() => client.states === 'a idle, b idle');
  rmSync(outer, { recursive: true });
  const changes = [{ uri: pathToFileURL(outer).href, type: 3 }];
  await client.connection.sendNotification('workspace/didChangeWatchedFiles', { changes });
  await client.until(() => client.states === 'a idle');
});

test('a folder without a plan is left without any state on disk', async () => {
  const { client, folder } = project(undefined);
  await client.start(folder);
  expect(await client.run(folder)).toEqual({
    kind: 'refused',
    message: 'There is no task to run in this folder.',
  });
  expect(() => rmSync(path.join(folder, '.state'), { recursive: true })).toThrow(/ENOENT/);
});

test('plans below hidden folders and node_modules are not read', async () => {
  const { client, folder } = project(PLAN);
  for (const hidden of ['node_modules/x', '.cache']) {
    mkdirSync(path.join(folder, hidden), { recursive: true });
    writeFileSync(path.join(folder, hidden, 'interlock.yaml'), 'tasks:\n  hidden: { run: x }\n');
  }
  mkdirSync(path.join(folder, 'packages/web'), { recursive: true });
  writeFileSync(path.join(folder, 'packages/web/web.interlock.yml'), 'tasks:\n  web: { run: x }\n');
  await client.start(folder);
  await client.until(() => client.states === 'schema idle, api idle, web idle');
});

test('a plan that is opened where plans are not looked for is checked, and never run', async () => {
  const { client, folder } = project(PLAN);
  await client.start(folder);
  const uri = pathToFileURL(path.join(folder, 'node_modules', 'x', 'interlock.yaml')).href;
  const text = 'tasks:\n  hidden: { run: x, depends_on: [gone] }\n';
  await client.connection.sendNotification('textDocument/didOpen', {
    textDocument: { uri, languageId: 'interlock', version: 1, text },
  });
  await client.until(() => client.diagnostics.get(uri)?.length === 1);
  expect(await client.run(folder)).toEqual({ kind: 'accepted', leftOut: [], refusedPlans: [] });
  expect(client.states).toBe('schema idle, api idle');
  await client.until(() => client.states === 'schema completed, api completed');
});

test('a folder that cannot be read takes nothing from the others', async () => {
  const { client, folder } = project(PLAN);
  const uris = ['file://host/share', 'file:///no/such/folder', pathToFileURL(folder).href];
  const workspaceFolders = uris.map((uri) => ({ uri, name: uri }));
  await client.start(folder, { workspaceFolders });
  await client.connection.sendNotification('textDocument/didOpen', {
    textDocument: {
      uri: 'file:///%E0%A4%A.interlock.yaml',
      languageId: 'interlock',
      version: 1,
      text: '',
    },
  });
  await client.until(() => client.states === 'schema idle, api idle');
});

test('a folder that is closed while its tasks run leaves them running and stays away', async () => {
  const { client, folder } = project(
    'tasks:\n  a:\n    run: while [ -e interlock.yaml ]; do sleep 0.05; done; touch $INTERLOCK_TERM\n',
  );
  const uri = pathToFileURL(folder).href;
  await client.start(folder, { capabilities: { workspace: { workspaceFolders: true } } });
  await client.run(folder);
  await client.until(() => client.states === 'a running');
  const event = { added: [], removed: [{ uri, name: 'project' }] };
  await client.connection.sendNotification('workspace/didChangeWorkspaceFolders', { event });
  await client.until(() => client.states === '');
  expect(await client.connection.sendRequest(LIST_TASKS)).toEqual([]);
  expect(client.states).toBe('');
  rmSync(path.join(folder, 'interlock.yaml'));
  // It goes on to its end without anybody.
  await untilFile(path.join(folder, '1'));
});

test('ids that are no list of texts are refused', async () => {
  const { client, folder } = project(PLAN);
  await client.start(folder);
  const folderUri = pathToFileURL(folder).href;
  for (const ids of [undefined, 3, [3]])
    expect(await client.connection.sendRequest(RUN_TASKS, { folderUri, ids })).toEqual({
      kind: 'refused',
      message: '"ids" is a list of task ids.',
    });
});

test('control characters of a plan never reach the screen', async () => {
  const { client, folder } = project('tasks:\n  a: { run: x, title: "one\\e[31m\\u202Etwo" }\n');
  await client.start(folder);
  await client.until(() => client.states === 'a idle');
  expect(client.view('a')?.title).toBe('one [31m two');
});
