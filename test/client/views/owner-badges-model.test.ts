import { expect, test } from 'vitest';
import { ownerOf } from '../../../client/views/owner-badges-model.ts';

const told = (source: string, code: string | number) => ({
  source,
  code,
  message: `${source} ${code}`,
});

test('who else writes a file is found among all that is said of it', () => {
  expect(ownerOf([told('ts', 2304), told('interlock', 'owner')])).toBe('interlock owner');
});

test('what others say, and what else we say, makes nobody an owner', () => {
  expect(ownerOf([told('ts', 'owner'), told('interlock', 'hazard')])).toBeUndefined();
  expect(ownerOf([])).toBeUndefined();
});
