import { expect, test } from 'vitest';
import { OpenFolder } from '../../support/open-folder.ts';

const OPTIONS = { options: { tabSize: 8, insertSpaces: false } };
const PLAN = 'tasks:\n    a:\n        run:   x\n    b: {run: y}¦\n';

test('a plan is formatted line by line, by its own rules', async () => {
  const folder = await OpenFolder.open({ 'interlock.yaml': PLAN });
  expect(folder.offered).toMatchObject({
    documentFormattingProvider: true,
    documentRangeFormattingProvider: true,
  });
  expect(await folder.ask('formatting', OPTIONS)).toEqual([
    { range: '1:0-1:4', newText: '  ' },
    { range: '2:0-2:8', newText: '    ' },
    { range: '2:12-2:15', newText: ' ' },
    { range: '3:0-3:4', newText: '  ' },
    { range: '3:7-3:15', newText: '{ run: y }' },
  ]);
});

test('of a part, only its lines are', async () => {
  const folder = await OpenFolder.open({ 'interlock.yaml': PLAN });
  const range = { start: { line: 2, character: 0 }, end: { line: 3, character: 0 } };
  expect(await folder.ask('rangeFormatting', { ...OPTIONS, range })).toEqual([
    { range: '2:0-2:8', newText: '      ' },
    { range: '2:12-2:15', newText: ' ' },
  ]);
});

test('the text of the open document counts, and one that is no YAML stays', async () => {
  const folder = await OpenFolder.open({ 'interlock.yaml': PLAN });
  await folder.client.open(folder.uri(), 'tasks:   {\n');
  expect(await folder.ask('formatting', OPTIONS)).toEqual([]);
});
