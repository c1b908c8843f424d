import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import type { LockResult } from '../../../server/engine/ports.ts';
import { SqliteLock } from '../../../server/store/sqlite-lock.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const QUIET = '--disable-warning=MODULE_TYPELESS_PACKAGE_JSON';
const SQLITE = createRequire(import.meta.url).resolve('better-sqlite3');

function acquire(folder: string, name: string): LockResult {
  const result = new SqliteLock(folder, name).acquire();
  onTestFinished(() => {
    if (result.kind === 'acquired') result.lock[Symbol.dispose]();
  });
  return result;
}

/** Another process that takes the lock, says so, and keeps it until it is killed. */
async function holderProcess(folder: string): Promise<{ kill: () => Promise<void> }> {
  const script = `
    const Database = require(${JSON.stringify(SQLITE)});
    new Database(${JSON.stringify(path.join(folder, 'lock.db'))}).exec('begin exclusive');
    process.stdout.write('held');
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  return {
    kill: async () => {
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}

test('one holder at a time, and the others learn its name', () => {
  const folder = temporaryFolder();
  expect(acquire(folder, 'first').kind).toBe('acquired');
  expect(acquire(folder, 'second')).toEqual({ kind: 'held', holder: 'first' });
});

test('a lock that was given back can be taken again', () => {
  const folder = temporaryFolder();
  const first = acquire(folder, 'first');
  if (first.kind === 'acquired') first.lock[Symbol.dispose]();
  expect(acquire(folder, 'second').kind).toBe('acquired');
});

test('giving a lock back twice is harmless', () => {
  const folder = temporaryFolder();
  const first = acquire(folder, 'first');
  if (first.kind === 'acquired') {
    first.lock[Symbol.dispose]();
    first.lock[Symbol.dispose]();
  }
  expect(acquire(folder, 'second').kind).toBe('acquired');
});

test('the lock of a killed process is free at once', async () => {
  const folder = temporaryFolder();
  const holder = await holderProcess(folder);
  expect(acquire(folder, 'us').kind).toBe('held');
  await holder.kill();
  expect(acquire(folder, 'us').kind).toBe('acquired');
});

test('a lock file that is damaged is made anew', () => {
  const folder = temporaryFolder();
  writeFileSync(
    path.join(folder, 'lock.db'),
    'this is no database, and long enough to be looked at'.repeat(20),
  );
  expect(acquire(folder, 'us').kind).toBe('acquired');
  expect(acquire(folder, 'others').kind).toBe('held');
});

test('a lock file that is damaged while it is held stays held, and stays the same file', () => {
  const folder = temporaryFolder();
  const file = path.join(folder, 'lock.db');
  const other = new SqliteLock(folder, 'other').acquire();
  const { ino } = statSync(file);
  execFileSync(process.execPath, [
    '-e',
    'fs.writeFileSync(process.argv[1], "x".repeat(999))',
    file,
  ]);
  expect(acquire(folder, 'us').kind).toBe('held');
  if (other.kind === 'acquired') other.lock[Symbol.dispose]();
  expect(acquire(folder, 'us').kind).toBe('acquired');
  expect(statSync(file).ino).toBe(ino);
});

for (const damage of [[], ['--damage']])
  test(`of processes that race for it, one has it at a time ${damage.join('')}`, async () => {
    const script = fileURLToPath(new URL('../../support/lock-race.mjs', import.meta.url));
    const child = spawn(process.execPath, [QUIET, script, '200', '4', ...damage], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [said] = await once(child.stdout, 'data');
    expect(JSON.parse(String(said))).toEqual({ taken: 200, held: expect.any(Number), twice: 0 });
  }, 60_000);

test('where the name of the holder cannot be written the lock is taken all the same', () => {
  const folder = temporaryFolder();
  mkdirSync(path.join(folder, 'holder'));
  expect(acquire(folder, 'us').kind).toBe('acquired');
  expect(acquire(folder, 'others')).toEqual({ kind: 'held', holder: 'another Interlock process' });
});
