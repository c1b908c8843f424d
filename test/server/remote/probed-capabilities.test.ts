import { expect, test } from 'vitest';
import { probedCapabilities } from '../../../server/remote/probed-capabilities.ts';

test('a host is capable of what it is and has', () => {
  const facts = { system: 'Linux x86_64', tools: ['git', 'rsync'], tmux: 'tmux 3.3a' };
  expect(probedCapabilities(facts)).toEqual([
    'os:linux',
    'arch:x86_64',
    'tool:tmux',
    'tool:git',
    'tool:rsync',
  ]);
});

test('of a host that does not say what it is nothing is known', () => {
  expect(probedCapabilities({ system: '', tools: [], tmux: undefined })).toEqual([]);
});
