import { parseArgs } from 'node:util';
import { fuzzDatabase } from './database-fuzz.ts';
import { fuzzFrames } from './frame-fuzz.ts';
import { fuzzLedger } from './ledger-fuzz.ts';
import { fuzzMessages } from './message-fuzz.ts';
import { fuzzOverlaps } from './overlap-fuzz.ts';
import { fuzzResults } from './result-fuzz.ts';

interface Fuzzer {
  /** Of a thousand inputs that were asked for, as many as take about as long as with the others. */
  readonly share: number;
  readonly fuzz: (input: { seed: number; count: number }) => unknown;
}

const FUZZERS: Readonly<Record<string, Fuzzer>> = {
  frames: { share: 1, fuzz: fuzzFrames },
  messages: { share: 1, fuzz: fuzzMessages },
  ledger: { share: 0.05, fuzz: fuzzLedger },
  database: { share: 0.02, fuzz: fuzzDatabase },
  overlaps: { share: 1, fuzz: fuzzOverlaps },
  results: { share: 0.01, fuzz: fuzzResults },
};

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '100000' },
    only: { type: 'string' },
    seed: { type: 'string' },
  },
});
const { only } = values;
const seed = Number(values.seed ?? Date.now() % 1_000_003);
const chosen = Object.entries(FUZZERS).filter(([name]) => only === undefined || name === only);
if (chosen.length === 0) console.error(`There are: ${Object.keys(FUZZERS).join(', ')}.`);
if (chosen.length === 0) process.exitCode = 1;
for (const [name, { share, fuzz }] of chosen) {
  const count = Math.ceil(Number(values.count) * (only === undefined ? share : 1));
  const begunAt = performance.now();
  try {
    const totals = await fuzz({ seed, count });
    const perSecond = (count * 1000) / (performance.now() - begunAt);
    console.log(`${name}: ${count} inputs, ${perSecond.toFixed(0)} a second, seed ${seed}`, totals);
  } catch (error) {
    process.exitCode = 1;
    console.log(`${name}:`, error);
    console.log(`npm run fuzz -- --only ${name} --seed ${seed} --count ${count}`);
  }
}
