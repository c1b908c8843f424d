// Everything: the checks, then every suite of tests, from the pure ones to the workbench in a browser.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { runChecks } from './check.mjs';
import { packageExtension } from './package.mjs';
import { ensureSystemPackages } from './system-packages.mjs';
import { bin, ROOT, step, useToolchain } from './toolchain.mjs';
import { ensureVsCodeServer } from './vscode-server.mjs';

/** What stands in one row runs at the same time. Whoever kills processes wants the machine for itself. */
const ROUNDS = [
  ['unit', 'thorough', 'sim', 'integration', 'editor', 'workbench'],
  ['crash', 'machines'],
];
const SOAK_MINUTES = 2;
/** One for each processor: by itself vitest leaves one of them to whoever watches. */
const WORKERS = String(availableParallelism());
const RESULTS = path.join(ROOT, 'test-results');
const COUNTS = path.join(RESULTS, 'counts.json');

useToolchain(import.meta.url);
ensureSystemPackages();
step('Checking');
const checks = await runChecks();
packageExtension();
ensureVsCodeServer();
/** @type {Record<string, Counts>} */
const suites = {};
for (const round of ROUNDS) {
  step(`Testing: ${round.join(', ')}`);
  Object.assign(suites, runSuites(round));
}
step(`Soaking for ${SOAK_MINUTES} minutes`);
suites.soak = soak();
const total = { passed: checks.passed, failed: checks.failed, skipped: 0 };
for (const counts of Object.values(suites)) {
  total.passed += counts.passed;
  total.failed += counts.failed;
  total.skipped += counts.skipped;
}
for (const suite of ROUNDS.flat()) {
  if ((suites[suite]?.passed ?? 0) + (suites[suite]?.failed ?? 0) > 0) continue;
  console.log(`The suite "${suite}" ran nothing.`);
  total.failed += 1;
}
console.log(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
process.exit(total.failed === 0 ? 0 : 1);

/** @typedef {{ passed: number, failed: number, skipped: number }} Counts */

/**
 * @param {readonly string[]} round
 * @returns {Record<string, Counts>}
 */
function runSuites(round) {
  mkdirSync(RESULTS, { recursive: true });
  rmSync(COUNTS, { force: true });
  const env = { ...process.env, INTERLOCK_TEST_COUNTS: COUNTS };
  const projects = round.flatMap((suite) => ['--project', suite]);
  const args = ['run', ...projects, '--maxWorkers', WORKERS];
  const { status } = spawnSync(bin('vitest'), args, { cwd: ROOT, env, stdio: 'inherit' });
  /** @type {ReturnType<typeof runSuites>} */
  const counts = JSON.parse(readFileSync(COUNTS, 'utf8'));
  // Vitest also fails for what belongs to no test, such as an error nobody waited for.
  const hasFailedTest = Object.values(counts).some(({ failed }) => failed > 0);
  if (status !== 0 && !hasFailedTest)
    counts[`vitest ${round.join()}`] = { passed: 0, failed: 1, skipped: 0 };
  return counts;
}

/** @returns {Counts} */
function soak() {
  const args = [path.join(ROOT, 'scripts', 'soak.mjs'), '--minutes', String(SOAK_MINUTES)];
  const { status } = spawnSync(process.execPath, args, { cwd: ROOT, stdio: 'inherit' });
  return { passed: status === 0 ? 1 : 0, failed: status === 0 ? 0 : 1, skipped: 0 };
}
