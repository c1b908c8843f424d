import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import {
  askProgram,
  clockFacts,
  stateFacts,
  watchFacts,
} from '../../../server/system/machine-facts.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const onDisk = (): undefined => undefined;

test('a program is asked and says something, is not there, or fails', async () => {
  const ask = askProgram(temporaryFolder(), process.env);
  expect(await ask('sh', ['-c', 'echo hello'])).toEqual({ kind: 'said', text: 'hello' });
  expect(await ask('sh', ['-c', 'echo hello >&2'])).toEqual({ kind: 'said', text: 'hello' });
  expect(await ask('no-such-program', [])).toEqual({ kind: 'absent' });
  expect(await ask('sh', ['-c', 'echo why >&2; exit 3'])).toEqual({
    kind: 'failed',
    message: 'why',
  });
});

test('a program gets no input, so that it does not wait for any', async () => {
  const ask = askProgram(temporaryFolder(), process.env);
  expect(await ask('cat', [])).toEqual({ kind: 'said', text: '' });
});

test('a state folder that is not there is not made', () => {
  const folder = path.join(temporaryFolder(), 'a', 'b');
  const facts = stateFacts(folder, onDisk);
  expect(facts).toMatchObject({ path: folder, isWritable: true, isOpenToOthers: undefined });
  expect(facts.freeBytes).toBeGreaterThan(0);
  expect(stateFacts(folder, onDisk)).toEqual(facts);
});

test('a state folder that others can look into is told', () => {
  const folder = path.join(temporaryFolder(), 'state');
  mkdirSync(folder, { mode: 0o700 });
  expect(stateFacts(folder, onDisk).isOpenToOthers).toBe(false);
  chmodSync(folder, 0o755);
  expect(stateFacts(folder, () => 'NFS')).toMatchObject({ isOpenToOthers: true, network: 'NFS' });
});

test('where a file is in the way, nothing can be written', () => {
  const file = path.join(temporaryFolder(), 'file');
  writeFileSync(file, '');
  expect(stateFacts(path.join(file, 'state'), onDisk).isWritable).toBe(false);
});

test('limits and times are those of the machine', () => {
  const file = path.join(temporaryFolder(), 'file');
  expect(clockFacts(file).writtenMs).toBe(undefined);
  writeFileSync(file, '');
  expect(clockFacts(file).writtenMs).toBeGreaterThan(clockFacts(file).nowMs - 60_000);
  expect(process.platform === 'linux').toBe(watchFacts() !== undefined);
});
