import type { Database } from 'better-sqlite3';
import { parseWorkerId, type RunId, type TaskId } from '../../domain/ids.ts';
import { type RunManifest, withoutDuplicates } from '../../domain/run.ts';
import { holderOf, isFinal, NEW_TASK, type TaskState, transition } from '../../domain/task.ts';
import type { Instant } from '../../domain/time.ts';
import type { BoardEvent } from '../../scheduler/model/board-event.ts';
import { entryToRow } from '../ledger-rows.ts';
import { rowToTask, type TaskRow, taskToRow } from '../rows.ts';
import { type RunRow, withSum } from '../run-rows.ts';

/** What the ledger held before: all of it about runs. */
interface OldRow {
  readonly at: Instant;
  readonly run_id: RunId;
  readonly what: string;
}

/** What somebody who reads the new ledger knows of a run. */
interface Replay {
  readonly run: RunRow;
  readonly states: Map<TaskId, TaskState>;
  isSubmitted: boolean;
  isFinished: boolean;
  isInterrupted: boolean;
  lastAt: Instant;
}

/** The only worker there was before there were several, and before claims named theirs. */
const FIRST_WORKER = parseWorkerId('runner/local')!;

/**
 * Writes the ledger anew, so that whoever reads it comes to the states that the tables hold. A run
 * that is unfinished and of which that cannot be had ends as superseded, in both.
 */
export function convertLedger(database: Database): void {
  const replays = replaysOf(database);
  const append = appender(database);
  const old = database.prepare<[], OldRow>(
    'select at, run_id, what from old_event order by sequence',
  );
  let sequence = 0;
  for (const row of old.all()) {
    const replay = replays.get(row.run_id);
    const event = replay === undefined ? undefined : newEvent(database, row);
    if (replay !== undefined && event !== undefined && follow(replay, event))
      sequence = append(event);
  }
  for (const replay of replays.values())
    for (const event of settled(database, replay))
      if (follow(replay, event)) sequence = append(event);
  database.exec(`drop table old_event;
    update board set sequence = ${sequence},
      sum = row_sum(tenure, term, at, boot_id, uptime_ms, ${sequence}, 0, 0)`);
}

function replaysOf(database: Database): ReadonlyMap<RunId, Replay> {
  const runs = database.prepare<[], RunRow>('select * from run order by number').all();
  return new Map(
    runs.map((run) => {
      const lastAt = run.finished_at ?? run.requested_at;
      const notYet = { isSubmitted: false, isFinished: false, isInterrupted: false };
      return [run.id, { run, states: new Map(), ...notYet, lastAt }];
    }),
  );
}

function appender(database: Database): (event: BoardEvent) => number {
  const insert = database.prepare(
    `insert into event (sequence, at, kind, run_id, task_id, body, key, turn, decision, sum)
     values (@sequence, @at, @kind, @run_id, @task_id, @body, @key, @turn, @decision, @sum)`,
  );
  let sequence = 0;
  return (event) => {
    sequence += 1;
    insert.run(entryToRow({ sequence, event }));
    return sequence;
  };
}

function newEvent(database: Database, { at, run_id: run, what }: OldRow): BoardEvent {
  const event = JSON.parse(what);
  switch (event.kind) {
    case 'runSubmitted':
      return { kind: 'runSubmitted', at, manifest: manifestOf(database, run) };
    case 'taskMoved': {
      const isNamed = event.event.kind !== 'taskClaimed' || event.event.worker !== undefined;
      const moved = isNamed ? event.event : { ...event.event, worker: FIRST_WORKER };
      return { kind: 'taskMoved', run, task: event.task, event: moved };
    }
    default:
      return { ...event, at, run };
  }
}

function manifestOf(database: Database, id: RunId): RunManifest {
  const select = database.prepare<[{ id: RunId }], { manifest: string }>(
    'select manifest from run where id = @id',
  );
  return JSON.parse(select.get({ id })?.manifest ?? '');
}

function follow(replay: Replay, event: BoardEvent): boolean {
  const { states } = replay;
  if (replay.isFinished || replay.isSubmitted === (event.kind === 'runSubmitted')) return false;
  switch (event.kind) {
    case 'runSubmitted':
      replay.isSubmitted = true;
      for (const { id } of withoutDuplicates(event.manifest).tasks) states.set(id, NEW_TASK);
      return true;
    case 'taskMoved': {
      const state = states.get(event.task);
      const result = state === undefined ? undefined : transition(state, event.event);
      if (result?.kind !== 'moved') return false;
      states.set(event.task, result.state);
      if (event.event.at > replay.lastAt) replay.lastAt = event.event.at;
      return true;
    }
    case 'runFinished':
      if ([...states.values()].some((state) => holderOf(state) !== undefined)) return false;
      replay.isFinished = true;
      return true;
    default:
      replay.isInterrupted = event.kind === 'runInterrupted';
      return true;
  }
}

/** What is missing in the ledger for it to say the same as the tables. */
function settled(database: Database, replay: Replay): readonly BoardEvent[] {
  const { run, isSubmitted, isFinished, lastAt: at } = replay;
  const rows = database
    .prepare<[{ run: RunId }], TaskRow>('select * from run_task where run_id = @run')
    .all({ run: run.id });
  if (run.outcome === null && !isFinished && isSubmitted && isSame(replay, rows)) {
    // How often it failed was not counted at first.
    for (const row of rows) write(database, row, replay.states.get(row.task_id)!);
    return interruption(replay);
  }
  const outcome = run.outcome ?? 'superseded';
  if (run.outcome === null) supersede(database, { run, rows, at });
  const { requested_at } = run;
  return [
    { kind: 'runSubmitted', at: requested_at, manifest: manifestOf(database, run.id) },
    ...rows.map(({ task_id: task }): BoardEvent => {
      return { kind: 'taskMoved', run: run.id, task, event: { kind: 'taskCancelled', at } };
    }),
    { kind: 'runFinished', at, run: run.id, outcome },
  ];
}

function isSame({ states }: Replay, rows: readonly TaskRow[]): boolean {
  return (
    states.size === rows.length &&
    rows.every((row) => {
      const state = states.get(row.task_id);
      if (state === undefined || state.kind !== row.state) return false;
      const isSameTry = state.tries.attempts === row.attempts;
      return (holderOf(state)?.term ?? null) === row.term && (isFinal(state) || isSameTry);
    })
  );
}

/** Somebody carries a run on, or nobody does; the tables may know it better. */
function interruption({ run, isInterrupted, lastAt: at }: Replay): readonly BoardEvent[] {
  const shouldBe = run.interrupted_at !== null;
  if (shouldBe === isInterrupted) return [];
  return [{ kind: shouldBe ? 'runInterrupted' : 'runResumed', at, run: run.id }];
}

function supersede(
  database: Database,
  { run, rows, at }: { run: RunRow; rows: readonly TaskRow[]; at: Instant },
): void {
  for (const row of rows) {
    const result = transition(rowToTask(row), { kind: 'taskCancelled', at });
    if (result.kind === 'moved') write(database, row, result.state);
  }
  database
    .prepare(
      'update run set outcome = @outcome, finished_at = @finished_at, sum = @sum where id = @id',
    )
    .run(withSum({ ...run, outcome: 'superseded', finished_at: at }));
}

function write(database: Database, row: TaskRow, state: TaskState): void {
  const { run_id, position, task_id } = row;
  database
    .prepare(
      `update run_task set state = @state, attempts = @attempts, term = @term,
         started_at = @started_at, finished_at = @finished_at, detail = @detail, sum = @sum
       where run_id = @run_id and task_id = @task_id`,
    )
    .run(taskToRow({ run_id, position, task_id }, state));
}
