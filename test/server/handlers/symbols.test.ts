import { expect, test } from 'vitest';
import { OpenFolder } from '../../support/open-folder.ts';

const FILES = {
  'interlock.yaml': '¦name: shop\ntasks:\n  a:\n    run: x\n\n  b: { run: y }\n',
  'web/interlock.yaml': 'tasks:\n  ab: { run: x }\n',
};

test('an outline has the tasks below the plan', async () => {
  const folder = await OpenFolder.open(FILES, {
    textDocument: { documentSymbol: { hierarchicalDocumentSymbolSupport: true } },
  });
  const task = { kind: 12, children: [] };
  expect(await folder.ask('documentSymbol')).toEqual([
    {
      name: 'shop',
      detail: 'interlock.yaml',
      kind: 4,
      range: '0:0-6:0',
      selectionRange: '0:0-0:10',
      children: [
        { ...task, name: 'a', detail: 'x', range: '2:2-3:10', selectionRange: '2:2-2:3' },
        { ...task, name: 'b', detail: 'y', range: '5:2-5:15', selectionRange: '5:2-5:3' },
      ],
    },
  ]);
});

test('for others it is a list', async () => {
  const folder = await OpenFolder.open(FILES);
  const task = { kind: 12, containerName: 'shop' };
  expect(await folder.ask('documentSymbol')).toEqual([
    { name: 'shop', kind: 4, location: { uri: 'interlock.yaml', range: '0:0-6:0' } },
    { ...task, name: 'a', location: { uri: 'interlock.yaml', range: '2:2-3:10' } },
    { ...task, name: 'b', location: { uri: 'interlock.yaml', range: '5:2-5:15' } },
  ]);
});

test('tasks of all plans are found by letters of their ids', async () => {
  const folder = await OpenFolder.open(FILES);
  const found = [
    {
      name: 'b',
      kind: 12,
      location: { uri: 'interlock.yaml', range: '5:2-5:3' },
      containerName: 'shop',
    },
    {
      name: 'ab',
      kind: 12,
      location: { uri: 'web/interlock.yaml', range: '1:2-1:4' },
      containerName: 'web',
    },
  ];
  expect(await folder.askAll('symbol', { query: 'B' })).toEqual(found);
});
