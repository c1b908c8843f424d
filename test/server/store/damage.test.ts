import { existsSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { instant } from '../../../server/domain/time.ts';
import { SqliteStore } from '../../../server/store/sqlite-store.ts';
import { claim, submitted } from '../../support/contracts/board-on-trial.ts';
import { claimOf } from '../../support/decisions.ts';
import { fuzzDatabase } from '../../support/fuzz/database-fuzz.ts';
import { definition, runId } from '../../support/runs.ts';
import { StoreClock } from '../../support/store-clock.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const FUZZED = 2000;
/** So many tasks make a file that is not looked through whenever it is opened. */
const MANY = 4000;

function open(file: string): SqliteStore {
  const store = new SqliteStore(file, { clock: new StoreClock() });
  onTestFinished(() => store.close());
  return store;
}

function newFile(): string {
  return path.join(temporaryFolder(), 'board.db');
}

/** A board on which terms were given out, closed. */
function usedBoard(tasks = 2): { readonly file: string; readonly term: number } {
  const file = newFile();
  const store = open(file);
  store.beginTenure();
  const definitions = ['a', ...Array.from({ length: tasks }, (_, number) => `t${number}`)];
  store.record([submitted(1, { tasks: definitions.map((id) => definition(id)) })]);
  const term = claim(store);
  store.close();
  return { file, term };
}

/** What somebody with another program does to a file. */
function change(file: string, sql: string): void {
  const database = new SqliteDatabase(file);
  database.pragma('foreign_keys = off');
  database.pragma('ignore_check_constraints = on');
  database.exec(sql);
  database.close();
}

const NOT_A_DATABASE = 'this was never a database, and is long enough to be looked at as one';

const DAMAGE: readonly (readonly [string, (file: string) => void])[] = [
  ['is no database', (file) => writeFileSync(file, NOT_A_DATABASE.repeat(20))],
  ['is empty', (file) => writeFileSync(file, '')],
  ['is cut off', (file) => truncateSync(file, 9000)],
  ['has lost an entry', (file) => change(file, 'delete from event where sequence = 1')],
  ['has lost the board', (file) => change(file, 'delete from board')],
  ['has another term', (file) => change(file, 'update board set term = 0')],
  ['has another state', (file) => change(file, 'update run_task set attempts = attempts + 1')],
  ['has another event', (file) => change(file, "update event set body = replace(body, '1', '2')")],
  ['has another run', (file) => change(file, "update run set outcome = 'failed', finished_at = 1")],
  ['lacks an index', (file) => change(file, 'drop index event_key')],
  ['says it is older', (file) => change(file, 'pragma user_version = 1')],
  ['says nothing of its age', (file) => change(file, 'pragma user_version = 0')],
];

for (const [name, damage] of DAMAGE)
  test(`a file that ${name} is moved aside as it is, and terms and tenures go on`, () => {
    const { file, term } = usedBoard();
    damage(file);
    const bytes = readFileSync(file);
    const store = open(file);
    expect(store.movedAside).toBe(`${file}.damaged-1`);
    expect(readFileSync(`${file}.damaged-1`).equals(bytes)).toBe(true);
    expect(store.snapshot()).toMatchObject({ revision: 0, entries: [], base: undefined });
    expect(store.beginTenure()).toBe(2);
    store.record([submitted()]);
    expect(claim(store)).toBe(term + 1);
  });

test('a board is sound on which something was said of a run before there was one', () => {
  const file = newFile();
  const store = open(file);
  store.beginTenure();
  const { task } = claimOf(A);
  store.record([{ kind: 'taskPaused', at: instant(1), run: runId(1), task }]);
  store.record([submitted()]);
  store.close();
  expect(open(file).movedAside).toBeUndefined();
});

test('a second damaged file does not take the name of the first', () => {
  const file = newFile();
  writeFileSync(`${file}.damaged-1`, '');
  writeFileSync(file, NOT_A_DATABASE.repeat(20));
  expect(open(file).movedAside).toBe(`${file}.damaged-2`);
});

test('of two that find a file damaged one moves it, and both go on with the new one', () => {
  const { file } = usedBoard();
  writeFileSync(file, NOT_A_DATABASE.repeat(20));
  const [first, second] = [open(file), open(file)];
  expect([first.movedAside, second.movedAside]).toEqual([`${file}.damaged-1`, undefined]);
  first.beginTenure();
  first.record([submitted()]);
  expect(second.runs(9)).toHaveLength(1);
  expect(readdirSync(path.dirname(file)).filter((name) => name.includes('damaged-2'))).toEqual([]);
});

test('damage that is found in the middle of the work is said, and looked for at the next start', () => {
  const { file } = usedBoard(MANY);
  change(file, "update event set at = at + 1 where kind = 'runSubmitted'");
  const store = open(file);
  expect(store.movedAside).toBeUndefined();
  expect(() => store.snapshot()).toThrow(
    expect.objectContaining({ reason: 'world', message: expect.stringContaining('damaged') }),
  );
  store.close();
  expect(open(file).movedAside).toBe(`${file}.damaged-1`);
  expect(existsSync(`${file}-suspect`)).toBe(false);
});

test('a large file is looked through when whoever wrote to it has died', () => {
  const { file } = usedBoard(MANY);
  const dead = open(file);
  dead.beginTenure();
  dead.record([submitted(2)]);
  const copy = path.join(temporaryFolder(), 'board.db');
  for (const suffix of ['', '-wal']) writeFileSync(copy + suffix, readFileSync(file + suffix));
  expect(open(copy).movedAside).toBeUndefined();
  const other = path.join(temporaryFolder(), 'board.db');
  for (const suffix of ['', '-wal']) writeFileSync(other + suffix, readFileSync(file + suffix));
  const held = new SqliteDatabase(other);
  onTestFinished(() => void held.close());
  held.exec("update event set at = at + 1 where kind = 'runSubmitted'");
  expect(open(other).movedAside).toBe(`${other}.damaged-1`);
});

test('a database that was put back from a copy gives out no term twice', () => {
  const { file } = usedBoard();
  const copy = readFileSync(file);
  const store = open(file);
  const tenure = store.beginTenure();
  store.record([submitted(2)]);
  const term = claim(store, claimOf({ ...A, run: runId(2) }));
  store.close();
  writeFileSync(file, copy);
  const restored = open(file);
  expect(restored.movedAside).toBeUndefined();
  expect(restored.beginTenure()).toBeGreaterThan(tenure);
  restored.record([submitted(2)]);
  expect(claim(restored, claimOf({ ...A, run: runId(2) }))).toBeGreaterThan(term);
});

test('a database from before its last tenure died gives out no term twice', () => {
  const file = newFile();
  const dead = open(file);
  dead.beginTenure();
  dead.record([submitted()]);
  const copy = newFile();
  for (const suffix of ['', '-wal']) writeFileSync(copy + suffix, readFileSync(file + suffix));
  const term = claim(dead);
  writeFileSync(`${copy}-terms`, readFileSync(`${file}-terms`));
  const restored = open(copy);
  restored.beginTenure();
  expect(claim(restored)).toBeGreaterThan(term);
});

test('whoever takes over from one that has died leaves out the terms it may have used', () => {
  const file = newFile();
  const [dead, next] = [open(file), open(file)];
  dead.beginTenure();
  dead.record([submitted(), submitted(2)]);
  const term = claim(dead);
  next.beginTenure();
  const after = claim(next, claimOf({ ...A, run: runId(2) }));
  expect(after).toBeGreaterThan(term);
  expect(after).toBeLessThanOrEqual(term + 1001);
});

for (const text of ['', 'tenure 1\nterm 1\nsum 1\n', 'nonsense'])
  test(`where nobody knows which terms were used they go on far above (${text.length} bytes)`, () => {
    const { file } = usedBoard();
    writeFileSync(file, NOT_A_DATABASE.repeat(20));
    writeFileSync(`${file}-terms`, text);
    const clock = new StoreClock(1_800_000_000_000);
    const store = new SqliteStore(file, { clock });
    onTestFinished(() => store.close());
    expect(store.beginTenure()).toBe(1_800_000_001);
    store.record([submitted()]);
    expect(claim(store)).toBe(1_800_000_001);
  });

test('terms do not repeat over thousands of claims and many starts', () => {
  const file = newFile();
  const seen: number[] = [];
  for (let start = 1; start <= 3; start += 1) {
    const store = open(file);
    store.beginTenure();
    const tasks = Array.from({ length: 700 }, (_, number) => definition(`t${number}`));
    store.together(() => {
      store.record([submitted(start, { tasks })]);
      for (const { id: task } of tasks)
        seen.push(claim(store, claimOf({ task, run: runId(start) })));
    });
    store.close();
  }
  expect(seen).toEqual(Array.from({ length: 2100 }, (_, index) => index + 1));
});

test('whatever happens to the bytes of a file, it is noticed or changes nothing', () => {
  const report = fuzzDatabase({ seed: 1, count: FUZZED });
  expect(report.sound + report.movedAside + report.refused + report.shortened).toBe(FUZZED);
  expect(report.movedAside).toBeGreaterThan(FUZZED / 10);
}, 120_000);

const A = { task: definition('a').id };
