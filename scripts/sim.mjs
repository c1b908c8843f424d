// Lets the engine and its scheduler live through many small worlds in which everything goes wrong.
//
//   npm run sim                      20 000 seeds
//   npm run sim -- --seeds 100000    more of them
//   npm run sim -- --seconds 60      as many as there is time for
//   npm run sim -- --seed 17 --trace one of them, line by line
//   npm run sim -- --replay FILE     whether what a board has decided is decided again
//   npm run sim -- --mutants         whether planted faults are found
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { MUTANTS } from '../test/sim/mutants.mjs';
import { fail, ROOT, step, useToolchain } from './toolchain.mjs';

/**
 * @typedef {import('../test/sim/explore.ts').Report} Report
 * @typedef {import('../test/sim/planting.mjs').Mutant} Mutant
 */

const CACHE = path.join(ROOT, 'node_modules', '.cache', 'interlock-sim');
const PROCESSES = 2;
/** Nothing lives longer than its world, and a world is small: with room for many there is little to clear away. */
const ROOM = '--max-semi-space-size=64';
const MUTANT_SEEDS = 10_000;
const RARE_SEEDS = 80_000;
/** Nothing may go wrong in these before anything is planted. */
const SOME_SEEDS = { first: 1, last: 2000, step: 1, seconds: 0 };

useToolchain(import.meta.url);
const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '20000' },
    from: { type: 'string', default: '1' },
    seconds: { type: 'string' },
    seed: { type: 'string' },
    trace: { type: 'boolean', default: false },
    mutants: { type: 'boolean', default: false },
    only: { type: 'string' },
    replay: { type: 'string' },
  },
});
mkdirSync(CACHE, { recursive: true });
process.exitCode = values.mutants ? await findMutants() : await runSeeds();

async function runSeeds() {
  const bundle = await bundleWith(undefined);
  const { seed, seconds, replay } = values;
  if (replay !== undefined) return show([bundle, '--replay', path.resolve(replay)]);
  if (seed !== undefined && values.trace) return show([bundle, seed, seed, '1', '0', '--trace']);
  const first = Number(seed ?? values.from);
  const last = seed === undefined ? first + Number(values.seeds) - 1 : first;
  const begunAt = performance.now();
  const reports = await Promise.all(
    Array.from({ length: PROCESSES }, (_, index) =>
      explore(bundle, {
        first: first + index,
        last: seconds === undefined ? last : Number.MAX_SAFE_INTEGER,
        step: PROCESSES,
        seconds: Number(seconds ?? 0),
      }),
    ),
  );
  return tell(reports, (performance.now() - begunAt) / 1000);
}

/**
 * @param {readonly string[]} args
 * @returns {Promise<number>}
 */
function show(args) {
  const child = spawn(process.execPath, args, { stdio: 'inherit' });
  return new Promise((resolve) => child.on('close', (code) => resolve(code ?? 1)));
}

/**
 * @param {readonly Report[]} reports
 * @param {number} tookSeconds
 */
function tell(reports, tookSeconds) {
  const total = (/** @type {(report: Report) => number} */ of) =>
    reports.reduce((sum, report) => sum + of(report), 0);
  const seeds = total((report) => report.seeds);
  const hours = total((report) => report.simulatedMs) / 3_600_000;
  const events = total((report) => report.events);
  const { seed, tookMs } = reports
    .map(({ slowest }) => slowest)
    .reduce((a, b) => (a.tookMs > b.tookMs ? a : b));
  console.log(
    `${seeds} seeds in ${tookSeconds.toFixed(1)} s: ${(seeds / tookSeconds).toFixed(0)} seeds/s, ` +
      `${(hours / tookSeconds).toFixed(0)} simulated hours/s, ${events} events`,
  );
  console.log(`slowest: seed ${seed} with ${tookMs.toFixed(0)} ms`);
  console.log(`faults: ${listOf(reports.map(({ faults }) => faults))}`);
  console.log(`checks: ${listOf(reports.map(({ checks }) => checks))}`);
  const failures = reports.flatMap((report) => report.failures);
  for (const failure of failures) {
    console.log(failure.message);
    console.log(`  npm run sim -- --seed ${failure.seed} --trace`);
  }
  return failures.length === 0 ? 0 : 1;
}

/** @param {readonly Record<string, number>[]} all */
function listOf(all) {
  /** @type {Record<string, number>} */
  const sums = {};
  for (const counts of all)
    for (const [name, count] of Object.entries(counts)) sums[name] = (sums[name] ?? 0) + count;
  const sorted = Object.entries(sums).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return sorted.map(([name, count]) => `${name} ${count}`).join(', ');
}

async function findMutants() {
  const { only = '' } = values;
  const wanted = MUTANTS.filter(({ name, file }) => `${file} ${name}`.includes(only));
  /** @type {Map<Mutant, string>} */
  const found = new Map();
  const queue = [...wanted];
  step(`Looking for ${wanted.length} planted faults in up to ${MUTANT_SEEDS} seeds each`);
  const sound = await explore(await bundleWith(undefined), SOME_SEEDS);
  for (const { message } of sound.failures) fail(`Without any planted fault: ${message}`);
  const lookFor = async () => {
    for (let mutant = queue.shift(); mutant !== undefined; mutant = queue.shift())
      found.set(mutant, await findMutant(mutant));
  };
  await Promise.all(Array.from({ length: PROCESSES }, lookFor));
  let missed = 0;
  const width = Math.max(...wanted.map(({ name }) => name.length));
  for (const mutant of wanted) {
    const how = found.get(mutant) ?? '';
    const isMissed = how === '';
    if (isMissed && mutant.equivalent === undefined) missed += 1;
    const answer = isMissed ? (mutant.equivalent ?? 'NOT FOUND') : how;
    console.log(`${mutant.name.padEnd(width)} | ${answer}`);
  }
  console.log(`${wanted.length - missed} of ${wanted.length} found`);
  return missed === 0 ? 0 : 1;
}

/**
 * Which invariant finds it, and at which seed; empty when none does.
 *
 * @param {Mutant} mutant
 */
async function findMutant(mutant) {
  const bundle = await bundleWith(mutant);
  const last = mutant.isRare === true ? RARE_SEEDS : MUTANT_SEEDS;
  const report = await explore(bundle, { first: 1, last, step: 1, seconds: 0 });
  const [failure] = report.failures;
  return failure === undefined ? '' : `${failure.invariant} | seed ${failure.seed}`;
}

/**
 * @param {Mutant | undefined} mutant
 * @returns {Promise<string>} the file
 */
async function bundleWith(mutant) {
  const name = mutant === undefined ? 'main' : `mutant-${MUTANTS.indexOf(mutant)}`;
  const outfile = path.join(CACHE, `${name}.mjs`);
  await build({
    entryPoints: [path.join(ROOT, 'test', 'sim', 'main.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node24',
    logLevel: 'warning',
    external: ['better-sqlite3'],
    plugins: mutant === undefined ? [] : [plant(mutant)],
  });
  return outfile;
}

/**
 * @param {Mutant} mutant
 * @returns {import('esbuild').Plugin}
 */
function plant({ name, file, find, replace }) {
  const target = path.join(ROOT, file);
  return {
    name: 'plant',
    setup(setting) {
      setting.onLoad({ filter: /\.ts$/ }, (args) => {
        if (path.normalize(args.path) !== target) return undefined;
        const parts = readFileSync(target, 'utf8').split(find);
        if (parts.length !== 2)
          fail(
            `The mutant "${name}" wants "${find}" once in ${file}, not ${parts.length - 1} times.`,
          );
        return { contents: parts.join(replace), loader: 'ts' };
      });
    },
  };
}

/**
 * @param {string} bundle
 * @param {{ first: number, last: number, step: number, seconds: number }} seeds
 * @returns {Promise<Report>}
 */
async function explore(bundle, { first, last, step: by, seconds }) {
  const args = [ROOM, bundle, `${first}`, `${last}`, `${by}`, `${seconds}`];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  child.stdout.on('data', (chunk) => {
    text += String(chunk);
  });
  await new Promise((resolve) => child.on('close', resolve));
  if (text === '') fail(`The simulator died on the way (${args.slice(1).join(' ')}).`);
  return JSON.parse(text);
}
