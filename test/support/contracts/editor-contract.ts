import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'vitest';
import type { LanguageClient } from '../language-client.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const TEXT = `# äöü
tasks:
    a: {run:   "true", writes: [out/**]}
    b: { title: "𝒩ot in the basic plane", rum: x, after: [a], writes: [out/x] }
`;
const LINE = 3;
const HERE = at(LINE, TEXT.split('\n')[LINE]!.indexOf('[a]') + 1);
const WHOLE = { start: at(0, 0), end: at(4, 0) };

/** What each request is asked with, besides the document. */
export const REQUESTS: Readonly<Record<string, object>> = {
  'textDocument/completion': { position: HERE },
  'textDocument/hover': { position: HERE },
  'textDocument/definition': { position: HERE },
  'textDocument/references': { position: HERE, context: { includeDeclaration: true } },
  'textDocument/documentHighlight': { position: HERE },
  'textDocument/prepareRename': { position: HERE },
  'textDocument/rename': { position: HERE, newName: 'c' },
  'textDocument/documentSymbol': {},
  'textDocument/foldingRange': {},
  'textDocument/selectionRange': { positions: [HERE] },
  'textDocument/documentLink': {},
  'textDocument/semanticTokens/full': {},
  'textDocument/semanticTokens/range': { range: WHOLE },
  'textDocument/codeAction': { range: WHOLE, context: { diagnostics: [] } },
  'textDocument/codeLens': {},
  'textDocument/inlayHint': { range: WHOLE },
  'textDocument/formatting': { options: { tabSize: 4, insertSpaces: true } },
  'textDocument/rangeFormatting': { options: { tabSize: 4, insertSpaces: true }, range: WHOLE },
  'textDocument/diagnostic': {},
  'workspace/symbol': { query: 'a' },
  'workspace/diagnostic': { previousResultIds: [] },
};

/** Requests whose answers may be empty for who cannot use them, or where nothing is to be said. */
const MAY_BE_EMPTY = new Set([
  'textDocument/codeAction',
  'textDocument/inlayHint',
  'textDocument/documentLink',
]);

const OFFERS_TO_RUN = 'textDocument/codeLens';

export interface Start {
  readonly folder: string;
  readonly uri: string;
  readonly params: object;
  /** Whether it takes what the server registers for. */
  readonly isTaking?: boolean;
  /** Whether it says that what it has open may run; nothing is offered to be run otherwise. */
  readonly isTrusting?: boolean;
}

/** A folder with a plan, and what to start with. */
export function startWith(capabilities: unknown, more: object = {}): Start {
  const folder = temporaryFolder();
  writeFileSync(path.join(folder, 'interlock.yaml'), TEXT);
  const root = pathToFileURL(folder).href;
  const initializationOptions = { isTrusted: true };
  const params = { processId: null, rootUri: root, capabilities, initializationOptions, ...more };
  return { folder, uri: `${root}/interlock.yaml`, params };
}

/** A day of an editor, from `initialize` up to and with `shutdown`. */
export async function checkSession(client: LanguageClient, start: Start): Promise<void> {
  const { uri, params, isTaking = true, isTrusting = true } = start;
  const unused = isTrusting ? MAY_BE_EMPTY : new Set([...MAY_BE_EMPTY, OFFERS_TO_RUN]);
  const { connection } = client;
  if (isTaking) connection.onRequest('client/registerCapability', () => null);
  const { capabilities } = await connection.sendRequest<{
    capabilities: { positionEncoding: string; diagnosticProvider?: object };
  }>('initialize', params);
  expect(capabilities).toMatchObject({ positionEncoding: 'utf-16', hoverProvider: true });
  await connection.sendNotification('initialized', {});
  await client.open(uri, TEXT);
  const isTold = capabilities.diagnosticProvider === undefined;
  if (isTold) await client.until(() => client.diagnostics.get(uri)?.length === 1);
  for (const [method, more] of Object.entries(REQUESTS)) {
    const answer = await connection.sendRequest(method, { textDocument: { uri }, ...more });
    const isEmpty = answer === null || JSON.stringify(answer) === '[]';
    expect(`${method} ${isEmpty && !unused.has(method)}`).toBe(`${method} false`);
  }
  await checkEdit(client, uri, isTold);
  await connection.sendNotification('textDocument/didClose', { textDocument: { uri } });
  expect(client.diagnostics.size).toBe(isTold ? 1 : 0);
  await connection.sendRequest('shutdown');
  await checkRefused(client, ['textDocument/hover', { textDocument: { uri }, position: HERE }]);
}

/** Characters are counted as UTF-16 does, whatever the client would have liked. */
async function checkEdit(client: LanguageClient, uri: string, isTold: boolean): Promise<void> {
  const { connection } = client;
  const slip = TEXT.split('\n')[LINE]!.indexOf('rum') + 2;
  await connection.sendNotification('textDocument/didChange', {
    textDocument: { uri, version: 2 },
    contentChanges: [
      { range: { start: at(0, 0), end: at(0, 1) }, text: '\n\n#' },
      { range: { start: at(LINE + 2, slip), end: at(LINE + 2, slip + 1) }, text: 'n' },
    ],
  });
  const report = await connection.sendRequest<{ items: object[] }>('textDocument/diagnostic', {
    textDocument: { uri },
  });
  expect(report.items).toEqual([]);
  if (isTold) await client.until(() => client.diagnostics.get(uri)?.length === 0);
}

function at(line: number, character: number): { line: number; character: number } {
  return { line, character };
}

export async function checkRefused(
  { connection }: LanguageClient,
  [method, params]: readonly [string, unknown],
): Promise<void> {
  const answer = connection.sendRequest(method, params).then(
    () => `${method} is answered`,
    (error: unknown) => error,
  );
  expect(await answer).toMatchObject({ message: expect.any(String) });
}
