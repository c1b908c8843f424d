import { expect, test } from 'vitest';
import { OpenFolder } from '../../support/open-folder.ts';

const FILES = {
  'interlock.yaml': 'tasks:\n  ¦api: { run: x }\n  b: { run: x, after: [api, "api"] }\n',
  'web/interlock.yaml': 'name: web\ntasks:\n  c: { run: x, after: [interlock/api] }\n',
};

test('all places where a task is named, in all plans', async () => {
  const folder = await OpenFolder.open(FILES);
  const mentions = [
    { uri: 'interlock.yaml', range: '2:23-2:26' },
    { uri: 'interlock.yaml', range: '2:29-2:32' },
    { uri: 'web/interlock.yaml', range: '2:33-2:36' },
  ];
  const ask = async (includeDeclaration: boolean): Promise<unknown> =>
    folder.ask('references', { context: { includeDeclaration } });
  expect(await ask(false)).toEqual(mentions);
  expect(await ask(true)).toEqual([{ uri: 'interlock.yaml', range: '1:2-1:5' }, ...mentions]);
});

test('those in the document are highlighted', async () => {
  const folder = await OpenFolder.open(FILES);
  expect(await folder.ask('documentHighlight')).toEqual([
    { range: '1:2-1:5', kind: 3 },
    { range: '2:23-2:26', kind: 2 },
    { range: '2:29-2:32', kind: 2 },
  ]);
});
