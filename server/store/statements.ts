import type { Database, Statement } from 'better-sqlite3';
import type { RunId, TaskId } from '../domain/ids.ts';
import type { RunOutcome } from '../domain/run.ts';
import type { Instant } from '../domain/time.ts';
import type { StateRow } from './rows.ts';

interface TaskRow extends StateRow {
  readonly task_id: TaskId;
}

export interface LatestRow extends TaskRow {
  readonly run_id: RunId;
  readonly plan: string;
  readonly outcome: RunOutcome | null;
  readonly interrupted_at: Instant | null;
}

interface EventRow {
  readonly sequence: number;
  readonly at: Instant;
  readonly run_id: RunId;
  readonly what: string;
}

interface TaskKey {
  readonly run: RunId;
  readonly task: TaskId;
}

interface NewRun {
  readonly id: RunId;
  readonly root: string;
  readonly plan: string;
  readonly manifest: string;
  readonly requestedAt: Instant;
}

/** Every SQL statement of the store, on one page. */
export interface Statements {
  readonly unfinishedRuns: Statement<[], { id: RunId; manifest: string }>;
  readonly insertRun: Statement<[NewRun]>;
  readonly finishRun: Statement<[{ run: RunId; outcome: RunOutcome; now: Instant }]>;
  readonly interruptRun: Statement<[{ run: RunId; now: Instant }]>;
  readonly resumeRun: Statement<[{ run: RunId; policy: string }]>;
  readonly tasksOfRun: Statement<[{ run: RunId }], TaskRow>;
  readonly taskOfRun: Statement<[TaskKey], TaskRow>;
  readonly insertTask: Statement<[TaskKey & { position: number } & StateRow]>;
  readonly updateTask: Statement<[TaskKey & StateRow]>;
  readonly nextTerm: Statement<[], { term: number }>;
  readonly latestStates: Statement<[{ root: string }], LatestRow>;
  readonly insertEvent: Statement<[{ run: RunId; at: Instant; what: string }]>;
  readonly eventsAfter: Statement<[{ sequence: number; limit: number }], EventRow>;
  readonly lastSequence: Statement<[], { sequence: number | null }>;
}

const STATE_COLUMNS = 'state, attempts, term, started_at, finished_at, detail';

export function prepareStatements(database: Database): Statements {
  return {
    unfinishedRuns: database.prepare(
      'select id, manifest from run where outcome is null order by requested_at, id',
    ),
    insertRun: database.prepare(
      `insert into run (id, root, plan, manifest, requested_at)
       values (@id, @root, @plan, @manifest, @requestedAt)`,
    ),
    finishRun: database.prepare(
      'update run set outcome = @outcome, finished_at = @now where id = @run and outcome is null',
    ),
    interruptRun: database.prepare(
      `update run set interrupted_at = @now
       where id = @run and outcome is null and interrupted_at is null`,
    ),
    resumeRun: database.prepare(
      `update run set interrupted_at = null,
         manifest = json_set(manifest, '$.policy', json(@policy))
       where id = @run and interrupted_at is not null`,
    ),
    tasksOfRun: database.prepare(
      `select task_id, ${STATE_COLUMNS} from run_task where run_id = @run order by position`,
    ),
    taskOfRun: database.prepare(
      `select task_id, ${STATE_COLUMNS} from run_task where run_id = @run and task_id = @task`,
    ),
    insertTask: database.prepare(
      `insert into run_task (run_id, position, task_id, ${STATE_COLUMNS})
       values (@run, @position, @task, @state, @attempts, @term, @started_at, @finished_at, @detail)`,
    ),
    updateTask: database.prepare(
      `update run_task set state = @state, attempts = @attempts, term = @term,
         started_at = @started_at, finished_at = @finished_at, detail = @detail
       where run_id = @run and task_id = @task`,
    ),
    nextTerm: database.prepare('update board set term = term + 1 returning term'),
    // SQLite takes the other columns from the row that has the maximum: the newest run of each task.
    latestStates: database.prepare(
      `select run_id, plan, outcome, interrupted_at, task_id, state, attempts, term, started_at,
         run_task.finished_at as finished_at, detail, max(run.rowid)
       from run join run_task on run_task.run_id = run.id
       where root = @root
       group by plan, task_id`,
    ),
    insertEvent: database.prepare('insert into event (at, run_id, what) values (@at, @run, @what)'),
    eventsAfter: database.prepare(
      `select sequence, at, run_id, what from event
       where sequence > @sequence order by sequence limit @limit`,
    ),
    lastSequence: database.prepare('select max(sequence) as sequence from event'),
  };
}
