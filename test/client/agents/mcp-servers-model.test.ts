import { expect, test } from 'vitest';
import { boardServers } from '../../../client/agents/mcp-servers-model.ts';

const FOLDERS = [
  { uri: 'file:///shop', name: 'shop', path: '/shop' },
  { uri: 'file:///empty', name: 'empty', path: '/empty' },
];
const WITH_TASKS = new Set(['file:///shop', 'file:///elsewhere']);

test('each trusted folder with tasks has a server of tools, and no other', () => {
  const program = '/dist/cli.js';
  expect(boardServers(FOLDERS, WITH_TASKS, { isTrusted: true, program })).toEqual([
    { label: 'Interlock: shop', args: ['/dist/cli.js', 'mcp', '--board', '/shop'] },
  ]);
  expect(boardServers(FOLDERS, WITH_TASKS, { isTrusted: false, program })).toEqual([]);
  expect(boardServers(FOLDERS, new Set(), { isTrusted: true, program })).toEqual([]);
});
