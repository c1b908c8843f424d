import { expect, test } from 'vitest';
import { boardServers } from '../../../client/agents/mcp-servers-model.ts';

const FOLDERS = [
  { uri: 'file:///shop', name: 'shop', path: '/shop' },
  { uri: 'file:///empty', name: 'empty', path: '/empty' },
];
const TASKS = [{ folderUri: 'file:///shop' }, { folderUri: 'file:///shop' }];

test('each trusted folder with tasks has a server of tools, and no other', () => {
  const program = '/dist/cli.js';
  expect(boardServers(FOLDERS, TASKS, { isTrusted: true, program })).toEqual([
    { label: 'Interlock: shop', args: ['/dist/cli.js', 'mcp', '--board', '/shop'] },
  ]);
  expect(boardServers(FOLDERS, TASKS, { isTrusted: false, program })).toEqual([]);
  expect(boardServers(FOLDERS, [], { isTrusted: true, program })).toEqual([]);
});
