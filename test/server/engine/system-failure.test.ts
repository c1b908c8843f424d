import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { sentenceOf } from '../../../server/board/board.ts';
import { worldMessage } from '../../../server/cli/command-line.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** As Node.js reports what a system call gave. */
function refused(code: string, syscall: string, file?: string): Error {
  return Object.assign(new Error(`${code}: not this time, ${syscall}`), {
    code,
    syscall,
    ...(file !== undefined && { path: file }),
  });
}

const ADVICE: readonly (readonly [string, string])[] = [
  ['ENOSPC', 'The disk is full: free some space.'],
  ['EIO', 'The disk failed: check it.'],
  ['EROFS', 'That disk is read-only: make it writable.'],
];

for (const [code, advice] of ADVICE)
  test(`${code} is said as what the disk did, with what to do`, () => {
    const error = refused(code, 'write', '/state/runs/1.log');
    const sentence = `Interlock could not use /state/runs/1.log (${code}). ${advice}`;
    expect([sentenceOf(error), worldMessage(error)]).toEqual([sentence, sentence]);
  });

test('an error without a file names what the system refused', () => {
  expect(sentenceOf(refused('ENOSPC', 'write'))).toBe(
    'The system refused "write" (ENOSPC). The disk is full: free some space.',
  );
});

test('a folder that is gone is named, as the system itself says it', () => {
  const file = path.join(temporaryFolder(), 'gone', 'file');
  expect(() => readFileSync(file)).toThrow(
    expect.toSatisfy((error) => sentenceOf(error).startsWith(`Interlock could not use ${file} (`)),
  );
});

test('a mistake of ours stays one', () => {
  for (const error of [
    refused('EBADF', 'close'),
    refused('EINVAL', 'read'),
    new TypeError('One is not two.'),
  ]) {
    expect(sentenceOf(error)).toMatch(/mistake of its own/);
    expect(worldMessage(error)).toBeUndefined();
  }
});
