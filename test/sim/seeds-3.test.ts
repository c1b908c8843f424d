import { test } from 'vitest';
import { checkSeeds } from './check-seeds.ts';

test.each(Array.from({ length: 5 }, (_, part) => 10001 + part * 1000))(
  'nothing goes wrong in the 1000 worlds from seed %i',
  async (first) => checkSeeds(first, first + 999),
);
