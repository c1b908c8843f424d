import { expect, test } from 'vitest';
import { OpenFolder } from '../../support/open-folder.ts';

const LINKS = { textDocument: { definition: { linkSupport: true } } };

test('a dependency leads to the task in another plan', async () => {
  const files = {
    'interlock.yaml': 'tasks:\n  b: { run: x, after: [web/a¦pi] }\n',
    'web/interlock.yaml': 'tasks:\n  api:\n    run: x\n',
  };
  const plain = await OpenFolder.open(files);
  expect(await plain.ask('definition')).toEqual({ uri: 'web/interlock.yaml', range: '1:2-1:5' });
  const linking = await OpenFolder.open(files, LINKS);
  expect(await linking.ask('definition')).toEqual([
    {
      originSelectionRange: '1:27-1:30',
      targetUri: 'web/interlock.yaml',
      targetRange: '1:2-2:10',
      targetSelectionRange: '1:2-1:5',
    },
  ]);
});

test('a path leads to the file, if there is one', async () => {
  const plan = 'tasks:\n  a: { run: x, reads: [¦a.txt] }\n';
  const there = await OpenFolder.open({ 'interlock.yaml': plan, 'a.txt': '' });
  expect(await there.ask('definition')).toEqual({ uri: 'a.txt', range: '0:0-0:0' });
  const missing = await OpenFolder.open({ 'interlock.yaml': plan });
  expect(await missing.ask('definition')).toBeNull();
});
