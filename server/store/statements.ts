import type { Database, Statement } from 'better-sqlite3';
import type { RunId, TaskId } from '../domain/ids.ts';
import type { Instant } from '../domain/time.ts';
import { OBSERVATIONS } from '../scheduler/model/observed.ts';
import type { EventRow } from './ledger-rows.ts';
import type { TaskRow } from './rows.ts';
import type { RunRow, WholeRunRow } from './run-rows.ts';

export interface BoardRow {
  readonly tenure: number;
  readonly term: number;
  readonly at: Instant;
  readonly boot_id: string;
  readonly uptime_ms: number;
  readonly sequence: number;
  readonly base_revision: number;
  readonly operation: number;
  readonly sum: number;
}

interface BaseRow {
  readonly revision: number;
  readonly facts: string;
  readonly sum: number;
}

export interface OperationRow {
  readonly id: string;
  readonly at: Instant;
  readonly result: string;
  readonly sum: number;
}

interface TaskKey {
  readonly run: RunId;
  readonly task: TaskId;
}

interface Page {
  readonly after: number;
  readonly limit: number;
}

const BOARD = 'tenure, term, at, boot_id, uptime_ms, sequence, base_revision, operation, sum';
const BASE = 'revision, facts, sum';
const EVENT = 'sequence, at, kind, run_id, task_id, body, key, turn, decision, sum';
const RUN =
  'number, id, root, plan, manifest_sum, tasks_sum, requested_at, outcome, finished_at, interrupted_at, stop_asked_at, earlier_revisions, sum';
const TASK =
  'run_id, position, task_id, state, attempts, term, started_at, finished_at, detail, sum';
const OPERATION = 'id, at, result, sum';

/** Every SQL statement that is not asked once in a while only, on one page. */
export const SQL = {
  board: `select ${BOARD} from board where id = 1`,
  updateBoard: `update board set ${assigned(BOARD)} where id = 1`,
  base: `select ${BASE} from base where id = 1`,
  replaceBase: `insert or replace into base (id, ${BASE}) values (1, ${named(BASE)})`,

  insertEvent: `insert into event (${EVENT}) values (${named(EVENT)})`,
  hasKey: 'select 1 as found from event where key = @key',
  lastSequence: `select max(coalesce((select max(sequence) from event), 0),
    coalesce((select revision from base where id = 1), 0)) as sequence`,
  eventsAfter: `select ${EVENT} from event where sequence > @after order by sequence limit @limit`,
  submission: `select 1 as found from event
    where run_id = @run and kind = 'runSubmitted' limit 1`,
  eventsOfRun: `select ${EVENT} from event
    where run_id = @run and sequence > @after order by sequence limit @limit`,
  observationsOf: `select ${EVENT} from event
    where run_id = @run and kind in (${OBSERVATIONS.map((kind) => `'${kind}'`).join(', ')})
    order by sequence limit @limit`,

  lastRun: 'select coalesce(max(number), 0) as number from run',
  insertRun: `insert into run (${RUN}, manifest) values (${named(RUN)}, @manifest)`,
  updateRun: `update run set ${assigned(RUN)} where id = @id`,
  reviseRun: `update run set ${assigned(RUN)}, manifest = @manifest where id = @id`,
  run: `select ${RUN} from run where id = @run`,
  wholeRun: `select ${RUN}, manifest from run where id = @run`,
  runs: `select ${RUN}, manifest from run order by number desc limit @limit`,
  runsOfRoot: `select ${RUN} from run where root = @root order by number desc`,
  isRunKnown: `select 1 as found from run where id = @run
    union all select 1 from pruned_run where id = @run`,

  task: `select ${TASK} from run_task where run_id = @run and task_id = @task`,
  tasksOfRun: `select ${TASK} from run_task where run_id = @run order by position`,
  hasHeldTask: 'select 1 as found from run_task where run_id = @run and term is not null limit 1',
  insertTask: `insert into run_task (${TASK}) values (${named(TASK)})`,
  updateTask: `update run_task set state = @state, attempts = @attempts, term = @term,
      started_at = @started_at, finished_at = @finished_at, detail = @detail, sum = @sum
    where run_id = @run_id and task_id = @task_id`,
  deleteTasks: 'delete from run_task where run_id = @run',

  lastOperation: 'select coalesce(max(number), 0) as number from operation',
  operation: `select ${OPERATION} from operation where id = @id`,
  insertOperation: `insert into operation (${OPERATION}) values (${named(OPERATION)})`,
} as const;

export interface Statements {
  readonly board: Statement<[], BoardRow>;
  readonly updateBoard: Statement<[BoardRow]>;
  readonly base: Statement<[], BaseRow>;
  readonly replaceBase: Statement<[BaseRow]>;
  readonly insertEvent: Statement<[EventRow]>;
  readonly hasKey: Statement<[{ key: string }], { found: 1 }>;
  readonly lastSequence: Statement<[], { sequence: number }>;
  readonly eventsAfter: Statement<[Page], EventRow>;
  readonly submission: Statement<[{ run: RunId }], { found: 1 }>;
  readonly eventsOfRun: Statement<[Page & { run: RunId }], EventRow>;
  readonly observationsOf: Statement<[{ run: RunId; limit: number }], EventRow>;
  readonly lastRun: Statement<[], { number: number }>;
  readonly insertRun: Statement<[WholeRunRow]>;
  readonly updateRun: Statement<[RunRow]>;
  readonly reviseRun: Statement<[WholeRunRow]>;
  readonly run: Statement<[{ run: RunId }], RunRow>;
  readonly wholeRun: Statement<[{ run: RunId }], WholeRunRow>;
  readonly runs: Statement<[{ limit: number }], WholeRunRow>;
  readonly runsOfRoot: Statement<[{ root: string }], RunRow>;
  readonly isRunKnown: Statement<[{ run: RunId }], { found: 1 }>;
  readonly task: Statement<[TaskKey], TaskRow>;
  readonly tasksOfRun: Statement<[{ run: RunId }], TaskRow>;
  readonly hasHeldTask: Statement<[{ run: RunId }], { found: 1 }>;
  readonly insertTask: Statement<[TaskRow]>;
  readonly updateTask: Statement<[TaskRow]>;
  readonly deleteTasks: Statement<[{ run: RunId }]>;
  readonly lastOperation: Statement<[], { number: number }>;
  readonly operation: Statement<[{ id: string }], OperationRow>;
  readonly insertOperation: Statement<[OperationRow]>;
}

export function prepareStatements(database: Database): Statements {
  return {
    board: database.prepare(SQL.board),
    updateBoard: database.prepare(SQL.updateBoard),
    base: database.prepare(SQL.base),
    replaceBase: database.prepare(SQL.replaceBase),
    insertEvent: database.prepare(SQL.insertEvent),
    hasKey: database.prepare(SQL.hasKey),
    lastSequence: database.prepare(SQL.lastSequence),
    eventsAfter: database.prepare(SQL.eventsAfter),
    submission: database.prepare(SQL.submission),
    eventsOfRun: database.prepare(SQL.eventsOfRun),
    observationsOf: database.prepare(SQL.observationsOf),
    lastRun: database.prepare(SQL.lastRun),
    insertRun: database.prepare(SQL.insertRun),
    updateRun: database.prepare(SQL.updateRun),
    reviseRun: database.prepare(SQL.reviseRun),
    run: database.prepare(SQL.run),
    wholeRun: database.prepare(SQL.wholeRun),
    runs: database.prepare(SQL.runs),
    runsOfRoot: database.prepare(SQL.runsOfRoot),
    isRunKnown: database.prepare(SQL.isRunKnown),
    task: database.prepare(SQL.task),
    tasksOfRun: database.prepare(SQL.tasksOfRun),
    hasHeldTask: database.prepare(SQL.hasHeldTask),
    insertTask: database.prepare(SQL.insertTask),
    updateTask: database.prepare(SQL.updateTask),
    deleteTasks: database.prepare(SQL.deleteTasks),
    lastOperation: database.prepare(SQL.lastOperation),
    operation: database.prepare(SQL.operation),
    insertOperation: database.prepare(SQL.insertOperation),
  };
}

function named(columns: string): string {
  return columns
    .split(', ')
    .map((column) => `@${column}`)
    .join(', ');
}

function assigned(columns: string): string {
  return columns
    .split(', ')
    .map((column) => `${column} = @${column}`)
    .join(', ');
}
