// Processes that race for one lock, again and again:
//   node test/support/lock-race.mjs RACES [PROCESSES] [--damage]
// Whoever has it leaves a mark that nobody else may find. With --damage, each now and then overwrites
// the file that the lock is on. Prints how often it was taken and found held, and by how many at once.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { SqliteLock } from '../../server/store/sqlite-lock.ts';

/** That this project's package.json says nothing of modules is no news. */
const QUIET = '--disable-warning=MODULE_TYPELESS_PACKAGE_JSON';
const SCRIPT = fileURLToPath(import.meta.url);
const [first = '1000', second = '4', third = ''] = process.argv.slice(2);

if (first === '--racer') await race(second, JSON.parse(third));
else await start(Number(first), Number(second));

/**
 * @param {number} races how often the lock is taken
 * @param {number} processes
 */
async function start(races, processes) {
  const folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'interlock-race-')));
  try {
    const damages = process.argv.includes('--damage');
    const shares = Array.from({ length: processes }, (_, number) => ({
      number,
      races: Math.ceil(races / processes),
      damages,
    }));
    const racers = shares.map((share) =>
      spawn(process.execPath, [QUIET, SCRIPT, '--racer', folder, JSON.stringify(share)], {
        stdio: ['pipe', 'pipe', 'inherit'],
      }),
    );
    await Promise.all(racers.map(({ stdout }) => once(stdout, 'data')));
    for (const { stdin } of racers) stdin.write('go');
    const reports = await Promise.all(
      racers.map(async ({ stdout }) => JSON.parse(String(...(await once(stdout, 'data'))))),
    );
    const sum = (/** @type {string} */ name) =>
      reports.reduce((total, report) => total + report[name], 0);
    const total = { taken: sum('taken'), held: sum('held'), twice: sum('twice') };
    process.stdout.write(`${JSON.stringify(total)}\n`);
    process.exitCode = total.twice === 0 ? 0 : 1;
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/**
 * @param {string} folder
 * @param {{ number: number, races: number, damages: boolean }} share
 */
async function race(folder, { number, races, damages }) {
  const mark = path.join(folder, 'mark');
  const report = { taken: 0, held: 0, twice: 0 };
  process.stdout.write('ready');
  await once(process.stdin, 'data');
  for (let round = 0; report.taken < races; round += 1) {
    const result = new SqliteLock(folder, `racer ${number}`).acquire();
    if (result.kind === 'held') {
      report.held += 1;
      // Whoever holds no lock on it loses none by this.
      if (damages && (round + number) % 7 === 0) overwrite(path.join(folder, 'lock.db'));
      continue;
    }
    report.taken += 1;
    if (!leave(mark)) report.twice += 1;
    rmSync(mark, { force: true });
    result.lock[Symbol.dispose]();
  }
  process.stdout.write(JSON.stringify(report));
  process.stdin.destroy();
}

/** @param {string} mark */
function leave(mark) {
  try {
    closeSync(openSync(mark, 'wx'));
    return true;
  } catch {
    return false;
  }
}

/** @param {string} file */
function overwrite(file) {
  writeFileSync(file, 'this is no database, and long enough to be looked at '.repeat(20));
}
