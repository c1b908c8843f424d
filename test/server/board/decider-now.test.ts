import { expect, test } from 'vitest';
import { deciderNow } from '../../../server/board/decider-now.ts';
import { StoreError } from '../../../server/engine/store-error.ts';

function failing(error: Error): () => string {
  return () => {
    throw error;
  };
}

test('nobody decides for a board whose folder has been taken away', () => {
  const decider = failing(new StoreError('world', 'Interlock could not write lock.db.'));
  expect(deciderNow({ decider })).toBeUndefined();
  expect(deciderNow({ decider: () => 'a window' })).toBe('a window');
});

test('a mistake of ours is not taken for a folder that is gone', () => {
  expect(() => deciderNow({ decider: failing(new TypeError('x')) })).toThrow(TypeError);
});
