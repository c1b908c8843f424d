import { execFileSync } from 'node:child_process';
import { symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import {
  openRegular,
  readStart,
  readTextWithin,
  readWithinLater,
} from '../../../server/system/bounded-read.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

test('a file is read up to its limit, and one that is longer is not read whole', async () => {
  const file = path.join(temporaryFolder(), 'file');
  writeFileSync(file, 'abcdef');
  expect(readStart(file, 4)?.toString()).toBe('abcd');
  expect(readTextWithin(file, 6)).toBe('abcdef');
  expect(readTextWithin(file, 5)).toBeUndefined();
  expect((await readWithinLater(file, 6))?.toString()).toBe('abcdef');
  expect(await readWithinLater(file, 5)).toBeUndefined();
});

test('a link is read as the file that it leads to', () => {
  const folder = temporaryFolder();
  writeFileSync(path.join(folder, 'file'), 'a');
  symlinkSync('file', path.join(folder, 'link'));
  expect(readTextWithin(path.join(folder, 'link'), 10)).toBe('a');
});

test.skipIf(process.platform === 'win32')('what is no regular file is never opened', async () => {
  const folder = temporaryFolder();
  const pipe = path.join(folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
  symlinkSync('/dev/zero', path.join(folder, 'zero'));
  for (const file of [pipe, path.join(folder, 'zero'), folder]) {
    expect(openRegular(file)).toBeUndefined();
    expect(readStart(file, 10)).toBeUndefined();
    expect(await readWithinLater(file, 10)).toBeUndefined();
  }
  expect(readStart(path.join(folder, 'none'), 10)).toBeUndefined();
});
