import { expect, test } from 'vitest';
import { WithoutMark } from '../../../server/cli/without-mark.ts';

const MARK = '\u001B_interlock 12\u001B\\';

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('latin1');
}

/** What comes out of these pieces, with what is held back until the end behind a bar. */
function passed(...pieces: readonly string[]): string {
  const filter = new WithoutMark();
  const out = pieces.map((piece) => textOf(filter.take(Buffer.from(piece, 'latin1'))));
  return `${out.join('')}|${textOf(filter.end())}`;
}

test('a mark at the end is left out, in whichever pieces it comes', () => {
  expect(passed(`done\n${MARK}`)).toBe('done\n|');
  for (let at = 1; at < MARK.length; at += 1)
    expect(passed(`done\n${MARK.slice(0, at)}`, MARK.slice(at))).toBe('done\n|');
  expect(passed('done\n', ...MARK.split(''))).toBe('done\n|');
});

test('what only begins like one, or does not end the log, is passed on', () => {
  expect(passed('a\u001B', '[1mb')).toBe('a\u001B[1mb|');
  expect(passed('a\u001B')).toBe('a|\u001B');
  expect(passed(`a${MARK}b`)).toBe(`a${MARK}b|`);
  expect(passed(`a${MARK}`, 'b')).toBe(`a${MARK}b|`);
  expect(passed('\u001B_interlock x')).toBe('\u001B_interlock x|');
  expect(passed('ü\u00FF\u0000')).toBe('ü\u00FF\u0000|');
});
