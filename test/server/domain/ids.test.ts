import { expect, test } from 'vitest';
import {
  foldTaskId,
  parseRunId,
  parseTaskId,
  parseTaskReference,
  splitReference,
} from '../../../server/domain/ids.ts';

test.for(['a', '1', 'A.b_c-d', 'constructor', 'x'.repeat(64)])('%j is a task id', (text) => {
  expect(parseTaskId(text)).toBe(text);
});

test.for(['', '-a', '.a', '_a', '__proto__', 'a b', 'a/b', 'a\n', 'ä', 'x'.repeat(65)])(
  '%j is no task id',
  (text) => {
    expect(parseTaskId(text)).toBeUndefined();
  },
);

test.for(['0123abcd', 'x'.repeat(64)])('%j is a run id', (text) => {
  expect(parseRunId(text)).toBe(text);
});

test.for(['', 'short', 'UPPERCASE', '../../etc', 'x'.repeat(65)])('%j is no run id', (text) => {
  expect(parseRunId(text)).toBeUndefined();
});

test('task ids that differ only in case fold to the same', () => {
  expect(foldTaskId('Build')).toBe(foldTaskId('bUILD'));
});

test.for([
  ['a', undefined, 'a'],
  ['other/a', 'other', 'a'],
  ['x/y z.w/a', 'x/y z.w', 'a'],
  ['../a', '..', 'a'],
] as const)('%j names a task, maybe of another plan', ([text, plan, task]) => {
  expect(parseTaskReference(text)).toBe(text);
  expect(splitReference(text)).toStrictEqual({ plan, task });
});

test.for(['', 'a/', '/a', 'a b', 'x\n/a', 'x\0/a', `${'x'.repeat(513)}/a`])(
  '%j names no task of any plan',
  (text) => {
    expect(parseTaskReference(text)).toBeUndefined();
  },
);
