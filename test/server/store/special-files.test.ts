import { execFileSync } from 'node:child_process';
import { rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const SOURCES = pathToFileURL(
  `${path.resolve(fileURLToPath(import.meta.url), '../../../../server')}/`,
);

/** In a process of its own: whoever opens a pipe can be ended by nothing but a signal. */
const PROGRAM = `
  const [folder, server] = process.argv.slice(1);
  const load = (name) => import(new URL(name, server).href);
  const { SqliteStore } = await load('store/sqlite-store.ts');
  const { SqliteLock } = await load('store/sqlite-lock.ts');
  const { SystemClock } = await load('system/clock.ts');
  const { readPass } = await load('coordinator/token.ts');
  try {
    readPass(folder);
    const held = new SqliteLock(folder, 'a test').acquire();
    new SqliteLock(folder, 'another').acquire();
    const store = new SqliteStore(folder + '/board.db', { clock: new SystemClock() });
    store.beginTenure();
    store.close();
    held.lock[Symbol.dispose]();
    process.stdout.write('used');
  } catch (error) {
    process.stdout.write(error.name + ': ' + error.message);
  }`;

function use(folder: string): string {
  const flags = ['--experimental-strip-types', '--no-warnings', '--input-type=module', '-e'];
  const args = [...flags, PROGRAM, '--', folder, SOURCES.href];
  return execFileSync(process.execPath, args, { encoding: 'utf8', timeout: 10_000 });
}

test.skipIf(process.platform === 'win32').for(['lock.db', 'board.db', 'board.db-bell'])(
  'a pipe that is called %s is refused',
  (name) => {
    const folder = temporaryFolder();
    use(folder);
    const file = path.join(folder, name);
    rmSync(file);
    execFileSync('mkfifo', [file]);
    expect(use(folder)).toBe(
      `StoreError: Interlock could not use ${file}: it is no regular file. Move it away, and start Interlock again.`,
    );
  },
);

test.skipIf(process.platform === 'win32').for(['holder', 'board.db-terms', 'board.db-suspect'])(
  'a pipe that is called %s is replaced',
  (name) => {
    const folder = temporaryFolder();
    use(folder);
    const file = path.join(folder, name);
    rmSync(file, { force: true });
    execFileSync('mkfifo', [file]);
    expect(use(folder)).toBe('used');
    expect(statSync(file, { throwIfNoEntry: false })?.isFIFO() ?? false).toBe(false);
  },
);

test.skipIf(process.platform === 'win32')('a pipe that is called token leads to nobody', () => {
  const folder = temporaryFolder();
  execFileSync('mkfifo', [path.join(folder, 'token')]);
  expect(use(folder)).toBe('used');
});
