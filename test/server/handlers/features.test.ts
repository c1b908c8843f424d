import { isDeepStrictEqual } from 'node:util';
import { expect, test } from 'vitest';
import { clientInMemory } from '../../support/language-client.ts';
import { OpenFolder } from '../../support/open-folder.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { realWorld } from '../../../server/world.ts';

const REQUESTS: Readonly<Record<string, object>> = {
  definition: {},
  references: { context: { includeDeclaration: true } },
  documentHighlight: {},
  prepareRename: {},
  rename: { newName: 'x' },
  documentSymbol: {},
  foldingRange: {},
  selectionRange: { positions: [{ line: 0, character: 0 }] },
  documentLink: {},
  'semanticTokens/full': {},
  'semanticTokens/range': {
    range: { start: { line: 0, character: 0 }, end: { line: 9, character: 0 } },
  },
};
const URIS = [
  'file:///no/such/interlock.yaml',
  'untitled:Untitled-1',
  'file://%',
  'git:/a.yaml',
  '',
];

test.each(URIS)('of a document "%s" that nobody knows, nothing is known', async (uri) => {
  const folder = await OpenFolder.open({ 'interlock.yaml': 'tasks: {}\n' });
  for (const [method, params] of Object.entries(REQUESTS)) {
    const answer = await folder.ask(method, { textDocument: { uri }, ...params });
    expect([null, [], { data: [] }]).toContainEqual(answer);
  }
});

test('a plan that lies in no folder is answered of, too', async () => {
  const client = clientInMemory(realWorld('test', { XDG_STATE_HOME: temporaryFolder() }));
  await client.start(temporaryFolder(), { workspaceFolders: null });
  const uri = 'file:///elsewhere/interlock.yaml';
  await client.open(uri, 'tasks:\n  a: { run: x, reads: [b] }\n  c: { run: x, after: [a] }\n');
  const textDocument = { uri };
  const position = { line: 2, character: 23 };
  for (const [method, params] of Object.entries(REQUESTS)) {
    const answer = await client.connection.sendRequest(`textDocument/${method}`, {
      textDocument,
      position,
      ...params,
    });
    expect([null, [], { data: [] }].some((nothing) => isDeepStrictEqual(answer, nothing))).toBe(
      method === 'documentLink',
    );
  }
});

test('no place of any text is one too many', async () => {
  const text = 'name: [\ntasks:\n  a: { run: |, after: [b/, "c\n  ? d\n\t- e: {\n';
  const folder = await OpenFolder.open({ 'interlock.yaml': text });
  for (const [line, character] of [
    [0, 0],
    [0, 99],
    [2, 30],
    [3, 5],
    [4, 9],
    [99, 0],
    [-1, -1],
  ]) {
    const position = { line: Math.max(0, line!), character: Math.max(0, character!) };
    for (const method of ['definition', 'documentHighlight', 'selectionRange'])
      await folder.ask(method, { position, positions: [position] });
  }
  expect(await folder.ask('documentSymbol')).not.toEqual([]);
});
