import { expect, test } from 'vitest';
import { assert, unreachable } from '../../../server/domain/assert.ts';

test('a rule that holds is silent', () => {
  expect(() => assert(true, 'one is one')).not.toThrow();
});

test('a broken rule is named', () => {
  expect(() => assert(false, 'one is one')).toThrow('Broken rule: one is one');
});

test('a member that no case handles is named', () => {
  expect(() => Reflect.apply(unreachable, undefined, [{ kind: 'unknown' }])).toThrow(
    'Broken rule: no case handles {"kind":"unknown"}',
  );
});
