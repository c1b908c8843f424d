import { expect, test } from 'vitest';
import { DeciderNow } from '../../../server/board/decider-now.ts';
import { StoreError } from '../../../server/engine/store-error.ts';

const LOOKING = { name: 'a window', isDeciding: false, followed: undefined };

function failing(error: Error): () => string {
  return () => {
    throw error;
  };
}

test('nobody decides for a board whose folder has been taken away', () => {
  const keeper = { ...LOOKING, followed: {} };
  const decider = failing(new StoreError('world', 'Interlock could not write lock.db.'));
  const now = new DeciderNow();
  expect(now.of({ keeper, decider })).toBeUndefined();
  expect(now.of({ keeper, decider: () => 'another window' })).toBe('another window');
});

test('a mistake of ours is not taken for a folder that is gone', () => {
  const decider = failing(new TypeError('x'));
  expect(() => new DeciderNow().of({ keeper: LOOKING, decider })).toThrow(TypeError);
});

test('the lock is looked at once for each that is followed, and never by who decides', () => {
  let looks = 0;
  const decider = (): string => `window ${(looks += 1)}`;
  const now = new DeciderNow();
  const follow = (followed: object | undefined): string | undefined =>
    now.of({ keeper: { ...LOOKING, followed }, decider });
  const [one, other] = [{}, {}];
  expect([one, one, one, other, other].map(follow)).toEqual([
    'window 1',
    'window 1',
    'window 1',
    'window 2',
    'window 2',
  ]);
  expect([follow(undefined), follow(undefined)]).toEqual(['window 3', 'window 4']);
  expect(now.of({ keeper: { ...LOOKING, isDeciding: true }, decider })).toBe('a window');
  expect(looks).toBe(4);
});
