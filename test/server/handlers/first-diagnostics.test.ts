import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import type { PublishDiagnosticsParams } from 'vscode-languageserver';
import { realWorld } from '../../../server/world.ts';
import { clientInMemory } from '../../support/language-client.ts';
import { OpenFolder } from '../../support/open-folder.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const OTHER = 'tasks:\n  b: { run: "true" }\n';

/** As many plans as it takes for the first key to come before all of them are read. */
function withMany(plans: Readonly<Record<string, string>>): Record<string, string> {
  const many = Array.from({ length: 30 }, (_, number) => [`p${number}/interlock.yaml`, OTHER]);
  return { ...Object.fromEntries(many), ...plans };
}

interface Told {
  readonly uri: string;
  readonly codes: readonly unknown[];
}

/** What the client is told, one after the other, up to something of `code`. */
async function toldUntil(code: string, { client }: OpenFolder): Promise<readonly Told[]> {
  const told: Told[] = [];
  return await new Promise((resolve) => {
    client.connection.onNotification(
      'textDocument/publishDiagnostics',
      ({ uri, diagnostics }: PublishDiagnosticsParams) => {
        told.push({ uri, codes: diagnostics.map((each) => each.code) });
        if (told.at(-1)!.codes.includes(code)) resolve(told);
      },
    );
  });
}

test('what is wrong with an open plan is told before all of the others are read', async () => {
  const text = 'tasks:\n  a: { run: "true", after: [nobody, gone/x, p3/b] }\n';
  const folder = await OpenFolder.open(
    withMany({ 'zz/interlock.yaml': text, 'q/interlock.yaml': 'tasks: 7\n' }),
  );
  const hearing = toldUntil('unknown-plan', folder);
  const uri = folder.uri('zz/interlock.yaml');
  await folder.client.open(uri, text);
  const symbols = await folder.askAll('symbol', { query: 'b' });
  expect(JSON.stringify(symbols)).toContain('p29/interlock.yaml');
  const told = await hearing;
  const own = told.filter((each) => each.uri === uri);
  expect(own.map(({ codes }) => codes)).toEqual([
    ['unknown-task'],
    ['unknown-task', 'unknown-plan'],
  ]);
  expect(told[0]?.uri).toBe(uri);
});

test('keys that come while plans are read count, and a plan that is closed is that of the disk', async () => {
  const folder = await OpenFolder.open(withMany({ 'interlock.yaml': OTHER }));
  const { client } = folder;
  const uri = folder.uri('interlock.yaml');
  await client.open(uri, 'tasks:\n  a: { run: "true", after: [nobody] }\n');
  await client.connection.sendNotification('textDocument/didChange', {
    textDocument: { uri, version: 2 },
    contentChanges: [{ text: 'tasks:\n  c: { run: "true" }\n' }],
  });
  await client.until(() => client.view('c')?.state === 'idle');
  expect(client.diagnostics.get(uri) ?? []).toEqual([]);
  await client.connection.sendNotification('textDocument/didClose', { textDocument: { uri } });
  await client.until(() => client.view('c') === undefined);
});

test('a document that a client opens before it says that it is initialized counts', async () => {
  const folder = temporaryFolder();
  writeFileSync(path.join(folder, 'interlock.yaml'), OTHER);
  const client = clientInMemory(realWorld('test', { XDG_STATE_HOME: temporaryFolder() }));
  const { href } = pathToFileURL(folder);
  await client.connection.sendRequest('initialize', {
    processId: null,
    rootUri: href,
    capabilities: {},
    initializationOptions: { isTrusted: true },
  });
  await client.open(`${href}/interlock.yaml`, 'tasks:\n  c: { run: "true" }\n');
  await client.connection.sendNotification('initialized', {});
  await client.until(() => client.view('c')?.state === 'idle');
  expect(client.view('b')).toBeUndefined();
});
