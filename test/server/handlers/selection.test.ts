import { expect, test } from 'vitest';
import { OpenFolder } from '../../support/open-folder.ts';

test('what is selected step by step', async () => {
  const folder = await OpenFolder.open({ 'interlock.yaml': '¦tasks:\n  a: { run: x y }\n' });
  const positions = [
    { line: 1, character: 14 },
    { line: 9, character: 9 },
  ];
  expect(await folder.ask('selectionRange', { positions })).toEqual([
    {
      range: '1:14-1:15',
      parent: {
        range: '1:12-1:15',
        parent: {
          range: '1:7-1:15',
          parent: {
            range: '1:5-1:17',
            parent: {
              range: '1:2-1:17',
              parent: { range: '0:0-1:17', parent: { range: '0:0-2:0' } },
            },
          },
        },
      },
    },
    { range: '0:0-2:0' },
  ]);
});
