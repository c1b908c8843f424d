// Opens a board, and is killed on the way if somebody says so:
//   node test/support/store-migrator.mjs DATABASE [STATEMENT]
// Prints how many statements it has put to SQLite; before the given one it dies.
import { writeSync } from 'node:fs';
import SqliteDatabase from 'better-sqlite3';
import { SqliteStore } from '../../server/store/sqlite-store.ts';
import { SystemClock } from '../../server/system/clock.ts';

const STDOUT = 1;
const [file = '', deadly = '0'] = process.argv.slice(2);
const { prototype } = SqliteDatabase;
const scratch = new SqliteDatabase(':memory:');
const statements = Object.getPrototypeOf(scratch.prepare('select 1'));
scratch.close();
let passed = 0;

for (const name of /** @type {const} */ (['exec', 'pragma'])) dieAt(prototype, name);
for (const name of ['run', 'get', 'all']) dieAt(statements, name);

new SqliteStore(file, { clock: new SystemClock() }).close();
writeSync(STDOUT, `${passed}\n`);

/**
 * @param {object} owner
 * @param {string} name
 */
function dieAt(owner, name) {
  const perform = Reflect.get(owner, name);
  Reflect.set(
    owner,
    name,
    /**
     * @this {object}
     * @param {unknown[]} args
     */ function statement(...args) {
      passed += 1;
      if (passed === Number(deadly)) process.kill(process.pid, 'SIGKILL');
      return Reflect.apply(perform, this, args);
    },
  );
}
