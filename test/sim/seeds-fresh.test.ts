import { randomInt } from 'node:crypto';
import { test } from 'vitest';
import { checkSeeds } from './check-seeds.ts';

/** Beyond the fixed seeds. */
const FIRST_FRESH = 1_000_000;
/** The simulator mixes 32 bits of a seed. */
const LAST_FRESH = 2_000_000_000;
const COUNT = 2000;
const HALF = COUNT / 2;

// INTERLOCK_SIM_FROM=NUMBER looks at the same worlds again.
const first = Number(
  process.env['INTERLOCK_SIM_FROM'] ?? randomInt(FIRST_FRESH, LAST_FRESH - COUNT),
);
console.log(`Fresh seeds: npm run sim -- --from ${first} --seeds ${COUNT}`);

test.each([first, first + HALF])(
  'nothing goes wrong in 1000 fresh worlds from seed %i',
  async (from) => checkSeeds(from, from + HALF - 1),
);

/** Outside of the fixed seeds; each of them once found a mistake of the scheduler or of these checks. */
test.each([
  43_802, 52_549, 84_298, 97_452, 136_836, 172_773, 215_367, 221_868, 352_683, 510_572, 624_641,
])('nothing goes wrong in world %i, where something once did', async (seed) =>
  checkSeeds(seed, seed),
);
