import { expect, test } from 'vitest';
import { displayLine } from '../../../server/domain/display-text.ts';

test.for([
  ['docs/naïve file (1).md', 'docs/naïve file (1).md'],
  ['C:\\new\\user\\u1', 'C:\\new\\user\\u1'],
  ['a\nb\r\tc', 'a\\u{a}b\\u{d}\\u{9}c'],
  ['\u001B[2K\u009B\u007F', '\\u{1b}[2K\\u{9b}\\u{7f}'],
  ['\u202Etxt.\u2066\u2028\u2029', '\\u{202e}txt.\\u{2066}\\u{2028}\\u{2029}'],
  ['\uD800', '\\u{d800}'],
  ['😀', '😀'],
])('%j is printed as %j', ([name, printed]) => {
  expect(displayLine(name!)).toBe(printed);
});

test('no two names are printed alike', () => {
  const parts = ['\\', 'u{a}', '{', 'u', '\n', '\u001B', '5c}', '\\u{5c}'];
  const names = new Set(
    parts.flatMap((a) => parts.flatMap((b) => parts.flatMap((c) => [a, a + b, a + b + c]))),
  );
  expect(new Set([...names].map(displayLine)).size).toBe(names.size);
});
