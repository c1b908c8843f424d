import { expect, test } from 'vitest';
import type { PublishDiagnosticsParams } from 'vscode-languageserver';
import { OpenFolder } from '../../support/open-folder.ts';

const EASY = 'tasks:\n  a: { run: "true", writes: [x] }\n  b: { run: "true", writes: [x] }\n';

/** Cheap to write, and dear to compare. */
function dearPlan(): string {
  const tasks = Array.from({ length: 150 }, (_, n) => {
    const writes = [`{${Array.from({ length: 50 }, (__, k) => `**/*a${k}*b${n}*`).join(',')}}`];
    return `  t${n}: { run: "true", writes: ${JSON.stringify(writes)} }\n`;
  });
  return `tasks:\n${tasks.join('')}`;
}

/** What the client is told of a document from now on, as the codes of its problems. */
function hear({ client, uri }: { client: OpenFolder['client']; uri: string }): string[] {
  const told: string[] = [];
  client.connection.onNotification(
    'textDocument/publishDiagnostics',
    (params: PublishDiagnosticsParams) => {
      const codes = new Set(params.diagnostics.map(({ code }) => String(code)));
      if (params.uri === uri) told.push([...codes].toSorted().join(' '));
    },
  );
  return told;
}

test('while paths are compared that are dear to compare, the server answers', async () => {
  const folder = await OpenFolder.open({ 'interlock.yaml': EASY });
  const { client } = folder;
  const uri = folder.uri();
  const told = hear({ client, uri });
  await client.open(uri, dearPlan());
  let answered = 0;
  while (!told.some((codes) => codes.includes('more-problems'))) {
    await folder.askAll('symbol', { query: 't149' });
    answered += 1;
  }
  expect(answered).toBeGreaterThan(2);
});

test('a plan that changes while its paths are compared is looked at as it is now', async () => {
  const folder = await OpenFolder.open({ 'interlock.yaml': 'tasks:\n  a: { run: "true" }\n' });
  const { client } = folder;
  const uri = folder.uri();
  const told = hear({ client, uri });
  await client.open(uri, dearPlan());
  await folder.askAll('symbol', { query: 't149' });
  await client.connection.sendNotification('textDocument/didChange', {
    textDocument: { uri, version: 2 },
    contentChanges: [{ text: EASY }],
  });
  while (!told.includes('hazard')) await folder.askAll('symbol', { query: 'a' });
  expect(told.filter((codes) => codes.includes('more-problems'))).toEqual([]);
});
