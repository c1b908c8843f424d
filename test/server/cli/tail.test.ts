import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { tailOf } from '../../../server/cli/tail.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const RED = '\u001B[31m✗ wrong\u001B[0m';

function logWith(text: string): string {
  const file = path.join(temporaryFolder(), 'a.log');
  writeFileSync(file, text);
  return file;
}

test('colors stay whole on a screen and go whole elsewhere', () => {
  const file = logWith(`one\ntwo\n${RED}\n`);
  const wish = { lineCount: 2, byteCount: 1024 };
  expect(tailOf(file, { ...wish, hasColors: true })).toBe(`two\n${RED}\u001B[0m`);
  expect(tailOf(file, { ...wish, hasColors: false })).toBe('two\n✗ wrong');
});

test('a cut inside of an escape sequence or a character leaves no part of it', () => {
  const file = logWith(`first ${RED}\nlast ä\n`);
  for (let byteCount = 8; byteCount < 30; byteCount += 1)
    expect(tailOf(file, { lineCount: 9, byteCount, hasColors: false })).toMatch(
      /^(first ✗ wrong\n)?last ä$/,
    );
});

test('a log that sets titles or moves the cursor shows its words', () => {
  const file = logWith('\u001B]0;title\u0007a\u001B[2Kb\r\nc');
  expect(tailOf(file, { lineCount: 9, byteCount: 99, hasColors: true })).toBe('ab\nc');
});
