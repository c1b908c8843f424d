import { expect, test } from 'vitest';
import type { ClientCapabilities } from 'vscode-languageserver';
import { OpenFolder } from '../../support/open-folder.ts';

const PULLS: ClientCapabilities = {
  textDocument: { diagnostic: { relatedDocumentSupport: true } },
  workspace: { diagnostics: { refreshSupport: true } },
};
const WRONG = 'tasks:\n  a: { rum: x }\n';
const RIGHT = 'tasks:\n  a: { run: x }\n';
const OTHER = 'tasks:\n  b: { run: x, after: [project/a] }\n';

interface Report {
  readonly kind: string;
  readonly resultId: string;
  readonly items?: readonly { readonly message: string }[];
  readonly relatedDocuments?: Readonly<Record<string, Report>>;
}

async function pull(folder: OpenFolder, file: string, previousResultId?: string): Promise<Report> {
  return await folder.client.connection.sendRequest('textDocument/diagnostic', {
    textDocument: { uri: folder.uri(file) },
    previousResultId,
  });
}

async function pullAll(
  folder: OpenFolder,
  previousResultIds: readonly object[] = [],
): Promise<readonly (Report & { readonly uri: string; readonly version: number | null })[]> {
  const { items } = await folder.client.connection.sendRequest<{
    items: (Report & { uri: string; version: number | null })[];
  }>('workspace/diagnostic', { previousResultIds });
  return items;
}

function countRefreshes({ client }: OpenFolder): { count: number } {
  const asked = { count: 0 };
  client.connection.onRequest('workspace/diagnostic/refresh', () => {
    asked.count += 1;
    client.heard();
  });
  return asked;
}

async function change(folder: OpenFolder, file: string, text: string): Promise<void> {
  await folder.client.connection.sendNotification('textDocument/didChange', {
    textDocument: { uri: folder.uri(file), version: 2 },
    contentChanges: [{ text }],
  });
}

test.each<[string, ClientCapabilities]>([
  ['says nothing', {}],
  ['is told', { textDocument: { publishDiagnostics: {} } }],
  ['is told or asks', { textDocument: { publishDiagnostics: {}, diagnostic: {} } }],
])('a client that %s is told', async (_, capabilities) => {
  const folder = await OpenFolder.open({ 'interlock.yaml': WRONG }, capabilities);
  expect(folder.offered.diagnosticProvider).toBeUndefined();
  await folder.client.until(() => folder.client.diagnostics.size === 1);
});

test('a client that only asks is answered, and told nothing', async () => {
  const folder = await OpenFolder.open({ 'interlock.yaml': WRONG }, PULLS);
  expect(folder.offered.diagnosticProvider).toEqual({
    identifier: 'interlock',
    interFileDependencies: true,
    workspaceDiagnostics: true,
  });
  const report = await pull(folder, 'interlock.yaml');
  expect(report).toMatchObject({ kind: 'full', items: [{ code: 'unknown-key' }] });
  const again = await pull(folder, 'interlock.yaml', report.resultId);
  expect(again).toEqual({ kind: 'unchanged', resultId: report.resultId });
  expect(folder.client.diagnostics.size).toBe(0);
});

test('an answer is of the text as it was when it was asked for', async () => {
  const folder = await OpenFolder.open({ 'interlock.yaml': WRONG }, PULLS);
  const asked = countRefreshes(folder);
  const { resultId } = await pull(folder, 'interlock.yaml');
  await folder.client.open(folder.uri('interlock.yaml'), WRONG);
  await change(folder, 'interlock.yaml', RIGHT);
  const [right] = await Promise.all([
    pull(folder, 'interlock.yaml', resultId),
    change(folder, 'interlock.yaml', WRONG),
  ]);
  expect(right).toMatchObject({ kind: 'full', items: [] });
  expect(await pull(folder, 'interlock.yaml', right.resultId)).toMatchObject({ resultId });
  // Whoever has made the change asks without being asked to.
  expect(asked.count).toBe(0);
});

test('what a change does to another plan comes with the answer, or is to be asked for', async () => {
  const files = { 'interlock.yaml': `name: project\n${RIGHT}`, 'o.interlock.yaml': OTHER };
  const folder = await OpenFolder.open(files, PULLS);
  const asked = countRefreshes(folder);
  expect(await pull(folder, 'o.interlock.yaml')).toMatchObject({ items: [] });
  await folder.client.open(folder.uri('interlock.yaml'), files['interlock.yaml']);
  await change(folder, 'interlock.yaml', 'name: project\ntasks:\n  c: { run: x }\n');
  const { relatedDocuments } = await pull(folder, 'interlock.yaml');
  expect(relatedDocuments).toMatchObject({
    [folder.uri('o.interlock.yaml')]: { kind: 'full', items: [{ code: 'unknown-task' }] },
  });
  expect(asked.count).toBe(0);
  await change(folder, 'interlock.yaml', files['interlock.yaml']);
  await folder.client.until(() => asked.count === 1);
  expect(await pull(folder, 'o.interlock.yaml')).toMatchObject({ kind: 'full', items: [] });
});

test('all documents are answered of at once, also those that have nothing wrong any more', async () => {
  const files = { 'interlock.yaml': WRONG, 'o.interlock.yaml': WRONG, 'p.interlock.yaml': RIGHT };
  const folder = await OpenFolder.open(files, PULLS);
  const first = await pullAll(folder);
  expect(first.map(({ uri, version, kind }) => ({ uri, version, kind }))).toEqual([
    { uri: folder.uri('interlock.yaml'), version: null, kind: 'full' },
    { uri: folder.uri('o.interlock.yaml'), version: null, kind: 'full' },
  ]);
  await folder.client.open(folder.uri('interlock.yaml'), RIGHT, 7);
  const known = first.map(({ uri, resultId }) => ({ uri, value: resultId }));
  const second = await pullAll(folder, known);
  expect(
    second.map(({ uri, version, kind, items }) => [uri, version, kind, items?.length]),
  ).toEqual([
    [folder.uri('o.interlock.yaml'), null, 'unchanged', undefined],
    [folder.uri('interlock.yaml'), 7, 'full', 0],
  ]);
});

test('a document is found by whatever name the client has for it', async () => {
  const folder = await OpenFolder.open({ 'a b.interlock.yaml': WRONG }, PULLS);
  const textDocument = { uri: folder.uri('a b.interlock.yaml').replace('%20b', '%20%62') };
  const { connection } = folder.client;
  const report = await connection.sendRequest('textDocument/diagnostic', { textDocument });
  expect(report).toMatchObject({ items: [{ code: 'unknown-key' }] });
});
