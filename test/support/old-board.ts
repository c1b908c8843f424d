import path from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import type { RunId } from '../../server/domain/ids.ts';
import { initial } from '../../server/store/migrations/0001-initial.ts';
import { attention } from '../../server/store/migrations/0002-attention.ts';
import { definition, manifest, runId } from './runs.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** What the first release wrote for a task in each state, in the order of the columns. */
export const FIRST_ROWS = [
  ['new', 'pending', 0, null, null, null, null],
  ['back', 'pending', 1, null, null, null, '{"releasedFor":"lost"}'],
  ['taken', 'claimed', 1, 4, 40, null, null],
  ['busy', 'running', 2, 5, 50, null, '{"process":{"bootId":"b","pid":7,"startTime":"9"}}'],
  ['done', 'completed', 1, null, 60, 65, null],
  ['broken', 'failed', 1, null, 60, 66, '{"failure":{"kind":"exit","code":3}}'],
  ['dropped', 'cancelled', 1, null, null, 67, null],
  ['behind', 'skipped', 0, null, null, 68, '{"because":"broken"}'],
] as const;

const process = { bootId: 'b', pid: 7, startTime: '9' };

/** And what it wrote on the way there: a task, what happened to it, and when. */
export const FIRST_EVENTS = [
  ['back', { kind: 'taskClaimed', term: 1, at: 20 }],
  ['back', { kind: 'taskReleased', term: 1, at: 21, reason: 'lost' }],
  ['busy', { kind: 'taskClaimed', term: 2, at: 30 }],
  ['busy', { kind: 'taskReleased', term: 2, at: 31, reason: 'lost' }],
  ['done', { kind: 'taskClaimed', term: 3, at: 59 }],
  ['done', { kind: 'taskStarted', term: 3, at: 60, process }],
  ['done', { kind: 'taskCompleted', term: 3, at: 65 }],
  ['broken', { kind: 'taskClaimed', term: 6, at: 59 }],
  ['broken', { kind: 'taskStarted', term: 6, at: 60, process }],
  ['broken', { kind: 'taskFailed', term: 6, at: 66, failure: { kind: 'exit', code: 3 } }],
  ['dropped', { kind: 'taskClaimed', term: 7, at: 60 }],
  ['dropped', { kind: 'taskCancelled', at: 67 }],
  ['behind', { kind: 'taskSkipped', at: 68, because: 'broken' }],
  ['taken', { kind: 'taskClaimed', term: 4, at: 40 }],
  ['busy', { kind: 'taskClaimed', term: 5, at: 49 }],
  ['busy', { kind: 'taskStarted', term: 5, at: 50, process }],
] as const;

const NEVER = { revision: 1, attempts: 0, failures: 0, losses: 0 };
export const ONCE = { ...NEVER, attempts: 1 };
const worker = 'runner/local';

export const READ_NOW = {
  new: { kind: 'pending', tries: NEVER },
  back: { kind: 'pending', tries: ONCE, releasedFor: 'lost' },
  taken: { kind: 'claimed', tries: ONCE, term: 4, worker, claimedAt: 40 },
  busy: {
    kind: 'running',
    tries: { ...NEVER, attempts: 2 },
    term: 5,
    worker,
    startedAt: 50,
    process,
  },
  done: { kind: 'completed', tries: ONCE, startedAt: 60, finishedAt: 65 },
  broken: {
    kind: 'failed',
    tries: { ...ONCE, failures: 1 },
    startedAt: 60,
    finishedAt: 66,
    failure: { kind: 'exit', code: 3 },
  },
  dropped: { kind: 'cancelled', tries: ONCE, finishedAt: 67 },
  behind: { kind: 'skipped', tries: NEVER, because: 'broken', finishedAt: 68 },
};

interface OldBoard {
  readonly version: 1 | 2;
  /** Left out: as much as leads to the rows. */
  readonly events?: readonly (readonly [string, object])[];
}

/** A board as an earlier release left it: a finished run, then an unfinished one. */
export function oldBoard({ version, events = FIRST_EVENTS }: OldBoard): string {
  const file = path.join(temporaryFolder(), 'board.db');
  const database = new SqliteDatabase(file);
  database.exec(initial);
  if (version === 2) database.exec(attention);
  database.pragma(`user_version = ${version}`);
  const insertRun = database.prepare(
    `insert into run (id, root, plan, manifest, requested_at, outcome, finished_at)
     values (?, '/project', 'interlock.yaml', ?, ?, ?, ?)`,
  );
  const tasks = FIRST_ROWS.map(([id]) => definition(id));
  insertRun.run(runId(2), JSON.stringify(manifest(2)), 2, 'completed', 3);
  insertRun.run(runId(1), JSON.stringify(manifest(1, { tasks })), 1, null, null);
  const insertTask = database.prepare(
    `insert into run_task (run_id, position, task_id, state, attempts, term, started_at,
       finished_at, detail) values (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  insertTask.run(runId(2), 0, 'new', 'cancelled', 0, null, null, 3, null);
  for (const [position, row] of FIRST_ROWS.entries()) insertTask.run(runId(1), position, ...row);
  const insertEvent = database.prepare('insert into event (at, run_id, what) values (?, ?, ?)');
  const say = (what: object, run: RunId): unknown => insertEvent.run(9, run, JSON.stringify(what));
  say({ kind: 'runSubmitted' }, runId(2));
  say({ kind: 'runFinished', outcome: 'completed' }, runId(2));
  say({ kind: 'runSubmitted' }, runId(1));
  say({ kind: 'runInterrupted' }, runId(1));
  say({ kind: 'runResumed' }, runId(1));
  for (const [task, event] of events) say({ kind: 'taskMoved', task, event }, runId(1));
  database.exec('update board set term = 7');
  database.close();
  return file;
}
