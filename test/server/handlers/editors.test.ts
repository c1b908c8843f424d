import { expect, test } from 'vitest';
import { realWorld } from '../../../server/world.ts';
import {
  checkRefused,
  checkSession,
  REQUESTS,
  startWith,
} from '../../support/contracts/editor-contract.ts';
import { EDITORS } from '../../support/editors.ts';
import { clientInMemory, type LanguageClient } from '../../support/language-client.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

function client(): LanguageClient {
  return clientInMemory(realWorld('test', { XDG_STATE_HOME: temporaryFolder() }));
}

test.each(Object.entries(EDITORS))('%s is served', async (_, capabilities) => {
  await checkSession(client(), startWith(capabilities));
});

test.each<[string, (root: string, folder: string) => object]>([
  ['folders', (uri) => ({ rootUri: null, workspaceFolders: [{ uri, name: 'x' }] })],
  ['a path', (_, rootPath) => ({ rootUri: null, rootPath })],
  ['a path, and null for the rest', (_, rootPath) => ({ rootPath, workspaceFolders: null })],
  ['folders of which some are none', (uri) => ({ workspaceFolders: [null, {}, { uri }] })],
  ['no process, no options', () => ({ processId: -1, initializationOptions: 'x', trace: 3 })],
])('so is one that starts with %s', async (_, more) => {
  const { folder, uri, params } = startWith({});
  const root = uri.replace('/interlock.yaml', '');
  const said = more(root, folder);
  const isTrusting = !('initializationOptions' in said);
  await checkSession(client(), { folder, uri, params: { ...params, ...said }, isTrusting });
});

test('so is one that refuses what it said it would take', async () => {
  const one = client();
  await checkSession(one, { ...startWith(EDITORS['VS Code']), isTaking: false });
});

test('one without any folder gets answers for what it opens', async () => {
  const { folder, uri } = startWith({});
  const one = client();
  await one.connection.sendRequest('initialize', { capabilities: {} });
  await one.connection.sendNotification('initialized', {});
  await one.open(uri, 'tasks:\n  a: { rum: x }\n');
  await one.until(() => one.diagnostics.get(uri)?.length === 1);
  expect(folder).not.toBe('');
});

test('nothing is answered before "initialize", and that is sent once', async () => {
  const { uri, params } = startWith({});
  const one = client();
  const early = one.connection.sendRequest('textDocument/hover', { textDocument: { uri } });
  await expect(early).rejects.toMatchObject({ code: -32_002 });
  await checkRefused(one, ['shutdown', undefined]);
  await one.open(uri, 'tasks: 3\n');
  await one.connection.sendRequest('initialize', params);
  await one.connection.sendNotification('initialized', {});
  await one.connection.sendNotification('initialized', {});
  await one.until(() => one.diagnostics.get(uri)?.length === 1);
  await checkRefused(one, ['initialize', params]);
});

const PLACES = [
  undefined,
  null,
  'here',
  {},
  { line: -1, character: 0 },
  { line: 0.5, character: 0 },
  { line: '0', character: 0 },
];
const HUGE = { line: 4e9, character: 4e9 };

test('parameters that are none are refused, and places that are nowhere are nowhere', async () => {
  const { uri, params } = startWith(EDITORS['VS Code']);
  const one = client();
  await one.connection.sendRequest('initialize', params);
  await one.connection.sendNotification('initialized', {});
  await one.open(uri, 'tasks:\n  a: { run: x }\n');
  for (const [method, more] of Object.entries(REQUESTS)) {
    if (method.startsWith('textDocument/'))
      for (const textDocument of [undefined, null, 'x', {}, { uri: 7 }])
        await checkRefused(one, [method, { ...more, textDocument }]);
    for (const place of 'position' in more ? PLACES : [])
      await checkRefused(one, [method, { ...more, textDocument: { uri }, position: place }]);
    for (const place of 'range' in more ? PLACES : [])
      await checkRefused(one, [
        method,
        { ...more, textDocument: { uri }, range: { start: place, end: HUGE } },
      ]);
    const far = { position: HUGE, range: { start: HUGE, end: HUGE }, positions: [HUGE] };
    const asked = one.connection.sendRequest(method, { textDocument: { uri }, ...more, ...far });
    const refusal = await asked.then(() => undefined, String);
    expect(refusal ?? 'Only the ids of tasks').toContain('Only the ids of tasks');
  }
  for (const method of ['no/such', '$/noSuch', 'interlock/refused', '', 'textDocument/noSuch'])
    await checkRefused(one, [method, { textDocument: { uri } }]);
});

const METHODS = `
  agents/explain agents/owners board/folder claims/list claims/claim claims/end
  doctor/examine graph/show graph/leave logs/follow logs/run logs/cancel
  logs/attempts ownership/of plans/starters plans/imports tasks/list tasks/run
  tasks/stop tasks/log tasks/describe tasks/control timeline/runs timeline/follow
  timeline/leave why/task why/clear workers/act workers/take workspace/executeCommand`
  .trim()
  .split(/\s+/);
/** What the connection says of a handler that has thrown. */
const THROWN = /failed with message|Unhandled method/;

test('our own requests with parameters that mean nothing are answered, and run nothing', async () => {
  const { uri, params } = startWith(EDITORS['VS Code']);
  const one = client();
  await one.connection.sendRequest('initialize', params);
  await one.connection.sendNotification('initialized', {});
  await one.open(uri, 'tasks:\n  a: { run: x }\n');
  const odd = [
    null,
    [],
    [null],
    {},
    JSON.parse('{"__proto__":{},"folderUri":1,"id":[],"uris":{}}'),
  ];
  for (const method of METHODS)
    for (const more of odd) {
      const asked = one.connection.sendRequest(method, more);
      expect(await asked.then(() => 'answered', String)).not.toMatch(THROWN);
    }
  expect(one.states).not.toContain('running');
});

const NOTIFICATIONS: readonly (readonly [string, unknown])[] = [
  ['textDocument/didOpen', {}],
  ['textDocument/didOpen', { textDocument: { uri: 'x', version: 1, text: 7 } }],
  ['textDocument/didChange', { textDocument: null, contentChanges: [] }],
  ['textDocument/didClose', { textDocument: { uri: 3 } }],
  ['textDocument/didSave', null],
  ['workspace/didChangeWorkspaceFolders', { event: { added: [null] } }],
  ['workspace/didChangeWatchedFiles', { changes: 'all' }],
  ['workspace/didChangeConfiguration', {}],
  ['$/cancelRequest', { id: {} }],
  ['$/cancelRequest', undefined],
  ['$/setTrace', { value: 8 }],
  ['$/progress', {}],
  ['$/noSuch', {}],
  ['no/such', [1, 2, 3]],
  ['documents/unsaved', null],
  ['settings/changed', null],
  ['terminals/offer', null],
  ['logs/unfollow', null],
  ['interlock/refused', { message: 'x' }],
];

test('notifications that are none, or unknown, change nothing', async () => {
  const { uri, params } = startWith(EDITORS['VS Code']);
  const one = client();
  await one.connection.sendRequest('initialize', params);
  await one.connection.sendNotification('initialized', {});
  const text = 'tasks:\n  a: { rum: x }\n';
  await one.open(uri, text);
  for (const [method, more] of NOTIFICATIONS) await one.connection.sendNotification(method, more);
  for (const contentChanges of [3, [{ text: 4 }], [{ text: '', range: { start: 1 } }]])
    await one.connection.sendNotification('textDocument/didChange', {
      textDocument: { uri, version: 2 },
      contentChanges,
    });
  const report = await one.connection.sendRequest('textDocument/diagnostic', {
    textDocument: { uri },
  });
  expect(report).toMatchObject({ items: [{ code: 'unknown-key', range: { start: { line: 1 } } }] });
});
