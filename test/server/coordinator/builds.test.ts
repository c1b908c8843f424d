import { expect, test } from 'vitest';
import { isNewerBuild } from '../../../server/coordinator/builds.ts';

/** Each comes after the one before it. */
const IN_ORDER = ['0.9.12', '1.0.0-beta', '1.0.0', '1.0.2', '1.0.10', '1.10.0', '2.0.0'];

test('of two builds the one that was made later is newer', () => {
  const later = IN_ORDER.flatMap((build, index) =>
    IN_ORDER.flatMap((than, other) =>
      isNewerBuild(build, { than }) === index > other ? [] : than,
    ),
  );
  expect(later).toEqual([]);
});

test('what is no version is neither newer nor older', () => {
  const odd = ['', 'dev', '1.0', 'v2.0.0'];
  expect(odd.filter((build) => isNewerBuild(build, { than: '1.0.0' }))).toEqual([]);
  expect(odd.filter((than) => isNewerBuild('1.0.0', { than }))).toEqual([]);
});
