// A process that begins a tenure and is suspended in the middle of a transaction:
//   node test/support/suspended-store-writer.mjs DATABASE
// Once continued it commits, says whether it may still act ("latest" or "deposed"), and writes again.
import { writeSync } from 'node:fs';
import { SqliteStore } from '../../server/store/sqlite-store.ts';
import { SystemClock } from '../../server/system/clock.ts';
import { manifest } from './runs.ts';

const STDOUT = 1;

const clock = new SystemClock();
const store = new SqliteStore(process.argv[2] ?? '', { clock });
/** @param {number} number */
const submit = (number) =>
  store.record([{ kind: 'runSubmitted', at: clock.now(), manifest: manifest(number) }]);

store.beginTenure();
submit(1);
store.together(() => {
  submit(2);
  writeSync(STDOUT, 'writes\n');
  process.kill(process.pid, 'SIGSTOP');
});
writeSync(STDOUT, store.isLatest() ? 'latest\n' : 'deposed\n');
try {
  submit(3);
  writeSync(STDOUT, 'wrote\n');
} catch (error) {
  const reason = error instanceof Error && 'reason' in error ? error.reason : error;
  writeSync(STDOUT, `${String(reason)}\n`);
}
