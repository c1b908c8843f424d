import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import SqliteDatabase from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { SqliteStore } from '../../../server/store/sqlite-store.ts';
import { canTrace, STRACE } from '../../crash/syscalls.ts';
import { folded, kept } from '../../support/contracts/board-on-trial.ts';
import { oldBoard, READ_NOW } from '../../support/old-board.ts';
import { runId } from '../../support/runs.ts';
import { StoreClock } from '../../support/store-clock.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const SCRIPT = fileURLToPath(new URL('../../support/store-migrator.mjs', import.meta.url));
const MIGRATIONS = fileURLToPath(new URL('../../../server/store/migrations', import.meta.url));
const QUIET = '--disable-warning=MODULE_TYPELESS_PACKAGE_JSON';
const CALLS = ['pwrite64', 'fsync', 'fdatasync', 'ftruncate', 'unlink'];
const [FIRST_STATEMENTS, KILLS] = [10, 12];
/** How many steps there are in `server/store/migrations/`. */
const NEWEST = readdirSync(MIGRATIONS).filter((name) => /^\d{4}-/.test(name)).length;
const TABLES = ['board', 'run', 'run_task', 'event'];

/** A process that opens the board; answers with what it printed, or with how it died. */
function migrator(words: readonly string[], under: readonly string[] = []): string {
  const [file = '', ...args] = [...under, process.execPath, QUIET, SCRIPT, ...words];
  const { stdout, signal } = spawnSync(file, args, { encoding: 'utf8' });
  return signal ?? stdout.trim();
}

/** Some of so many, from the first to the last. */
function spread(from: number, to: number): readonly number[] {
  const step = (to - from) / (KILLS - 1);
  const numbers = Array.from({ length: KILLS }, (_, index) => Math.round(from + index * step));
  return [...new Set(numbers)];
}

/** What whoever looks at the file now is told that it holds. */
function contentsOf(file: string): { readonly version: unknown; readonly rows: unknown } {
  const database = new SqliteDatabase(file);
  const rows = TABLES.map((table) => database.prepare(`select * from ${table}`).all());
  const version = database.pragma('user_version', { simple: true });
  database.close();
  return { version, rows };
}

/** It is as it was before or as it is afterwards, and whoever opens it next has all of it. */
function expectOldOrNew(file: string, old: unknown): unknown {
  const found = contentsOf(file);
  expect(found.version === 1 ? found.rows : old).toEqual(old);
  const store = new SqliteStore(file, { clock: new StoreClock() });
  onTestFinished(() => store.close());
  expect(store.movedAside).toBeUndefined();
  expect(Object.fromEntries(store.statesOf(runId(1)))).toStrictEqual(READ_NOW);
  expect(folded(store.snapshot().entries)).toEqual(kept(store));
  expect(contentsOf(file).version).toBe(8);
  return found.version;
}

test('a board whose migration is killed at a statement is the old one or the new one', () => {
  const statements = Number(migrator([oldBoard({ version: 1 })]));
  const found = spread(FIRST_STATEMENTS, statements).map((number) => {
    const file = oldBoard({ version: 1 });
    const { rows } = contentsOf(file);
    expect(migrator([file, String(number)])).toBe('SIGKILL');
    return expectOldOrNew(file, rows);
  });
  expect([found[0], found.at(-1)]).toEqual([1, NEWEST]);
}, 60_000);

test.runIf(canTrace())(
  'a board whose migration is killed on the way to the disk is the old one or the new one',
  () => {
    const log = path.join(temporaryFolder(), 'strace');
    migrator([oldBoard({ version: 1 })], [STRACE, '-qq', '-o', log, '-e', `trace=${CALLS.join()}`]);
    const lines = readFileSync(log, 'utf8').split('\n').slice(0, -1);
    const found = spread(1, lines.length).map((number) => {
      const [call = ''] = (lines[number - 1] ?? '').split('(');
      const nth = lines.slice(0, number).filter((line) => line.startsWith(`${call}(`)).length;
      const file = oldBoard({ version: 1 });
      const { rows } = contentsOf(file);
      const inject = `inject=${call}:signal=KILL:when=${nth}`;
      const under = [STRACE, '-qq', '-o', '/dev/null', '-e', `trace=${call}`, '-e', inject];
      expect(migrator([file], under)).toBe('SIGKILL');
      return expectOldOrNew(file, rows);
    });
    expect([found[0], found.at(-1)]).toEqual([1, NEWEST]);
  },
  60_000,
);
