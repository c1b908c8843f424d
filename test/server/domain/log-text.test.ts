import { expect, test } from 'vitest';
import { LogText } from '../../../server/domain/log-text.ts';

function shown(text: string): string {
  const log = new LogText();
  return log.take(Buffer.from(text)) + log.end();
}

const check = (behaviour: string, text: string, expected: string): void =>
  test(behaviour, () => expect(shown(text)).toBe(expected));

check('lines, tabs and letters of all scripts stay', 'a\tb\n日本 é 🚀\n', 'a\tb\n日本 é 🚀\n');
check(
  'colours stay, and end with the text',
  '\u001B[1;31mred\u001B[0m',
  '\u001B[1;31mred\u001B[0m\u001B[0m',
);
test('colors are left out whole where nothing shows them', () => {
  const log = new LogText({ hasColors: false });
  const text = log.take(Buffer.from('\u001B[32m✓\u001B[0m a \u001B[38;5;4')) + log.end();
  expect(text).toBe('✓ a ');
});
check('the cursor is not moved', 'a\u001B[2J\u001B[H\u001B[10Ab', 'ab');
check('the title is not set', 'a\u001B]0;owned\u0007b', 'ab');
check('the clipboard is not written', 'a\u001B]52;c;aGk=\u001B\\b', 'ab');
check('nothing is asked of the terminal', 'a\u001B[6n\u001BP$q"p\u001B\\\u001B[cb', 'ab');
check('letters behind ESC are not taken for text', 'a\u001Bcb\u001B(0c', 'abc');
check('a link leaves its words', '\u001B]8;;http://x\u001B\\here\u001B]8;;\u001B\\', 'here');
check('a sequence that does not end costs a line at most', 'a\u001B]0;title\nb\n', 'a\nb\n');
check('other control characters go', 'a\u0000b\u0008c\u007Fd\u009Be', 'abcde');
check('the direction of text is not turned', 'a\u202Eb\u2066c', 'abc');
check('progress over itself becomes lines', '10%\r20%\r\n30%', '10%\n20%\n30%');

test('a line of more than 64 KiB is cut, the next is whole', () => {
  const text = shown(`${'x'.repeat(100_000)}\nnext\n`);
  expect(text).toHaveLength(64 * 1024 + ' … (the rest of this line is not shown)\nnext\n'.length);
  expect(text.endsWith('not shown)\nnext\n')).toBe(true);
});

test('it does not matter where the pieces are cut', () => {
  const text = 'é\u001B[31mred\u001B]0;title\u0007 日\r\nend';
  const bytes = Buffer.from(text);
  for (let size = 1; size < bytes.length; size += 1) {
    const log = new LogText();
    let pieces = '';
    for (let at = 0; at < bytes.length; at += size)
      pieces += log.take(bytes.subarray(at, at + size));
    expect(pieces + log.end()).toBe(shown(text));
  }
});

test('where lines may be written over, they are, and may be cleared', () => {
  const log = new LogText({ isOverwriting: true });
  const text = log.take(Buffer.from('10%\r20%\u001B[K\r\n30%\r')) + log.end();
  expect(text).toBe('10%\r20%\u001B[K\n30%');
});

test('a long run of letters is shown the same as one letter after the other', () => {
  const text = `${'word 日 🚀 \u001B[32mok\u001B[0m '.repeat(2000)}\r${'x'.repeat(70_000)}\n\u202Eend`;
  const bytes = Buffer.from(text);
  const log = new LogText();
  let pieces = '';
  for (const byte of bytes) pieces += log.take(Buffer.from([byte]));
  expect(pieces + log.end() === shown(text)).toBe(true);
});
