// A process that claims tasks and completes them, until it is killed:
//   node test/support/store-writer.mjs DATABASE
// Prints the last sequence number after each commit. What it has printed must be there afterwards.
import { writeSync } from 'node:fs';
import { SqliteStore } from '../../server/store/sqlite-store.ts';
import { SystemClock } from '../../server/system/clock.ts';
import { claimOf } from './decisions.ts';
import { definition, manifest, runId } from './runs.ts';

const TASKS = 500;
const STDOUT = 1;

const clock = new SystemClock();
const store = new SqliteStore(process.argv[2] ?? '', { clock });
store.beginTenure();
const number = store.runs(1000).length + 1;
const run = runId(number);
const tasks = Array.from({ length: TASKS }, (_, task) => definition(`t${task}`));
const at = clock.now();
store.record([{ kind: 'runSubmitted', at, manifest: manifest(number, { tasks }) }]);

for (const { id: task } of tasks) {
  store.together(() => {
    const [claimed] = store.commit(1, [claimOf({ task, run })]);
    const moved = claimed?.entry.event;
    if (moved?.kind !== 'taskMoved' || moved.event.kind !== 'taskClaimed') throw new Error(task);
    const { term } = moved.event;
    const event = /** @type {const} */ ({ kind: 'taskCompleted', term, at: clock.now() });
    const events = [/** @type {const} */ ({ kind: 'taskMoved', run, task, event })];
    store.settle({ run, task, term, events, operation: `${run} ${task}` });
  });
  writeSync(STDOUT, `${store.lastSequence()}\n`);
}
