import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import SqliteDatabase from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { newestBoardFile } from '../../../server/domain/board-file-name.ts';
import { ReopeningStore } from '../../../server/store/reopening-store.ts';
import { SqliteStore } from '../../../server/store/sqlite-store.ts';
import { TermReserve } from '../../../server/store/term-reserve.ts';
import { folded, kept, submitted } from '../../support/contracts/board-on-trial.ts';
import { StoreClock } from '../../support/store-clock.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const SCRIPT = fileURLToPath(new URL('../../support/suspended-store-writer.mjs', import.meta.url));
const QUIET = '--disable-warning=MODULE_TYPELESS_PACKAGE_JSON';
const HOLDER: Holding = { holdsLock: () => true };
const FOLLOWER: Holding = { holdsLock: () => false };
/** Others are told which process writes by Linux only. */
const isLinux = process.platform === 'linux';

interface Suspended {
  /** It goes on; answers with what it says until it ends. */
  readonly goOn: () => Promise<readonly string[]>;
}

/** A process that is suspended in the middle of a write. */
async function suspendedIn(folder: string): Promise<Suspended> {
  const child = spawn(process.execPath, [QUIET, SCRIPT, databaseIn(folder)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const said: string[] = [];
  const lines = createInterface(child.stdout);
  const writes = once(lines, 'line');
  lines.on('line', (line) => said.push(line));
  const isGone = once(child, 'close');
  await writes;
  return {
    goOn: async () => {
      child.kill('SIGCONT');
      await isGone;
      return said.slice(1);
    },
  };
}

function databaseIn(folder: string): string {
  return path.join(folder, newestBoardFile(readdirSync(folder)));
}

interface Holding {
  /** Whether this process has the board's lock, each time it is asked. */
  readonly holdsLock: () => boolean;
}

function storeIn(folder: string, { holdsLock }: Holding): ReopeningStore {
  const clock = new StoreClock();
  const store = new ReopeningStore({
    file: () => databaseIn(folder),
    open: () => new SqliteStore(databaseIn(folder), { clock }),
    holdsLock,
    onMovedAside: () => {},
  });
  onTestFinished(() => store.close());
  return store;
}

test.runIf(isLinux)(
  'a tenure begins although a process is suspended in a write, and that process acts on nothing',
  async () => {
    const folder = temporaryFolder();
    const suspended = await suspendedIn(folder);
    const follower = storeIn(folder, FOLLOWER);
    expect(follower.runs(9)).toHaveLength(1);

    const store = storeIn(folder, HOLDER);
    store.beginTenure();
    store.record([submitted(4)]);
    expect(databaseIn(folder)).toContain('board-2.db');
    // What a process looked at before follows.
    expect(follower.runs(9)).toHaveLength(2);

    expect(await suspended.goOn()).toEqual(['deposed', 'deposed']);
    expect(store.isLatest()).toBe(true);
    store.record([submitted(5)]);
    expect(store.runs(9)).toHaveLength(3);
    expect(folded(store.snapshot().entries)).toEqual(kept(store));
  },
);

test.runIf(isLinux)('a tenure goes on when another process is suspended in a write', async () => {
  const folder = temporaryFolder();
  const first = await suspendedIn(folder);
  const store = storeIn(folder, HOLDER);
  store.beginTenure();
  const hints: number[] = [];
  using _ = storeIn(folder, FOLLOWER).watch(() => hints.push(1));
  const second = await suspendedIn(folder);
  store.beginTenure();
  store.record([submitted(7)]);
  await expect.poll(() => hints.length).toBeGreaterThan(0);
  expect(databaseIn(folder)).toContain('board-3.db');
  expect(await first.goOn()).toContain('deposed');
  expect(await second.goOn()).toContain('deposed');
  store.record([submitted(8)]);
  expect(store.runs(9).length).toBeGreaterThan(2);
});

test.runIf(isLinux)('without the board’s lock a process waits for a suspended one', async () => {
  const folder = temporaryFolder();
  const suspended = await suspendedIn(folder);
  const store = storeIn(folder, FOLLOWER);
  expect(() => store.beginTenure()).toThrow(/was suspended while it was writing/);
  expect(databaseIn(folder)).toContain('board.db');
  expect(await suspended.goOn()).toEqual(['latest', 'wrote']);
});

test.runIf(isLinux)(
  'a suspended process acts on nothing, however many copies the board has gone on in',
  async () => {
    const folder = temporaryFolder();
    const first = await suspendedIn(folder);
    for (const copy of ['board-2.db', 'board-3.db', 'board-4.db']) {
      const store = storeIn(folder, HOLDER);
      store.beginTenure();
      expect(databaseIn(folder)).toContain(copy);
      store.close();
      await suspendedIn(folder);
    }
    expect(await first.goOn()).toEqual(['deposed', 'deposed']);
  },
);

test.runIf(isLinux)(
  'a process that cannot read the copy of its board acts on nothing',
  async () => {
    const folder = temporaryFolder();
    const store = storeIn(folder, HOLDER);
    store.beginTenure();
    mkdirSync(path.join(folder, 'board-2.db'));
    expect(store.isLatest()).toBe(false);
    expect(() => store.record([submitted()])).toThrow(/board-2\.db/);
  },
);

test.runIf(isLinux)(
  'a process that loses the board while it copies publishes nothing, and leaves the note of another one',
  async () => {
    const folder = temporaryFolder();
    const suspended = await suspendedIn(folder);
    // The board's lock is lost after the copy was begun.
    const answers = [true, true, false];
    const losing = storeIn(folder, { holdsLock: () => answers.shift() ?? false });
    expect(() => losing.beginTenure()).toThrow(/Another process has copied the board/);
    const left = readdirSync(folder).filter((name) => name.startsWith('board-2'));
    expect(left).toEqual(['board-2.db-planned']);
    expect(await suspended.goOn()).toEqual(['deposed', 'deposed']);
  },
);

test.runIf(isLinux)('a copy is written ahead of its log before others can open it', async () => {
  const folder = temporaryFolder();
  await suspendedIn(folder);
  const store = storeIn(folder, HOLDER);
  store.beginTenure();
  store.close();
  const look = new SqliteDatabase(databaseIn(folder), { readonly: true });
  onTestFinished(() => void look.close());
  expect(look.pragma('journal_mode', { simple: true })).toBe('wal');
});

test('a copy that is empty is moved aside and said, as an empty board is', () => {
  const folder = temporaryFolder();
  const before = storeIn(folder, HOLDER);
  before.beginTenure();
  before.record([submitted()]);
  before.close();
  writeFileSync(path.join(folder, 'board-2.db'), '');
  expect(storeIn(folder, HOLDER).movedAside).toContain('board-2.db.damaged');
});

test('terms are not taken back by a process that was suspended while it reserved some', () => {
  const folder = temporaryFolder();
  const file = path.join(folder, 'board.db-terms');
  const stale = new TermReserve(file);
  new TermReserve(file).write({ tenure: 2, term: 3000 });
  expect(() => stale.write({ tenure: 1, term: 1000 })).toThrow(/decides for this board now/);
  expect(new TermReserve(file).read()).toEqual({ tenure: 2, term: 3000 });
});

test.runIf(isLinux)(
  'what a process left behind that died while it copied does not block the next',
  () => {
    const folder = temporaryFolder();
    const store = storeIn(folder, HOLDER);
    for (const name of ['board-2.db-planned', 'board-2.db-4711', 'board.db-4711'])
      writeFileSync(path.join(folder, name), '');
    mkdirSync(path.join(folder, 'board-3.db-planned'));
    store.beginTenure();
    store.record([submitted()]);
    expect(
      readdirSync(folder).filter((name) => /^board(-\d+)?\.db-(\d+|planned)$/.test(name)),
    ).toEqual([]);
  },
);

const OPENS = `
  const database = new (require('better-sqlite3'))(process.argv[1]);
  database.pragma('locking_mode = exclusive');
  database.exec('begin exclusive; create table t (x)');
  process.stdout.write('opens\\n', () => process.kill(process.pid, 'SIGSTOP'));
`;

test.runIf(isLinux)('a process that is suspended while it opens a board is named', async () => {
  const folder = temporaryFolder();
  const opening = spawn(process.execPath, ['-e', OPENS, path.join(folder, 'board.db')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void opening.kill('SIGKILL'));
  await once(opening.stdout, 'data');
  expect(() => storeIn(folder, HOLDER)).toThrow(
    new RegExp(`process ${opening.pid} \\(node\\) was suspended while it opened or closed it`),
  );
});
