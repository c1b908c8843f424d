import { expect, test } from 'vitest';
import { nestedNotice } from '../../../server/board/nested-folders.ts';

for (const [folder, other, inner] of [
  ['/a', '/a/b', '/a/b'],
  ['/a/b/c', '/a', '/a/b/c'],
  ['/', '/a', '/a'],
  [String.raw`C:\a`, String.raw`C:\a\b`, String.raw`C:\a\b`],
] as const)
  test(`of ${folder} and ${other} one lies in the other`, () => {
    expect(nestedNotice(folder, [folder, other])).toContain(`The folder ${inner} lies inside`);
  });

for (const [folder, other] of [
  ['/a', '/a'],
  ['/a', '/ab'],
  ['/a/b', '/a/c'],
] as const)
  test(`of ${folder} and ${other} none lies in the other`, () => {
    expect(nestedNotice(folder, [other])).toBeUndefined();
  });
