import { expect, test } from 'vitest';
import { OpenFolder } from '../../support/open-folder.ts';

const FILES = {
  'interlock.yaml':
    '¦tasks:\n  a:\n    run: node scripts/x.mjs scripts/y.mjs\n    reads: [scripts, scripts/x.mjs]\n    title: http://a.b\n',
  'scripts/x.mjs': '',
};

test('addresses, and files that are there', async () => {
  const folder = await OpenFolder.open(FILES, {
    textDocument: { documentLink: { tooltipSupport: true } },
  });
  const file = { target: 'scripts/x.mjs', tooltip: 'Open scripts/x.mjs' };
  expect(await folder.ask('documentLink')).toEqual([
    { range: '2:14-2:27', ...file },
    { range: '3:21-3:34', ...file },
    { range: '4:11-4:21', target: 'http://a.b' },
  ]);
});

test('without tooltips for who cannot show them', async () => {
  const folder = await OpenFolder.open(FILES);
  expect(await folder.ask('documentLink')).toContainEqual({
    range: '2:14-2:27',
    target: 'scripts/x.mjs',
  });
});
