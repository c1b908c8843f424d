import type { RunId, TaskId } from '../domain/ids.ts';
import { withoutDuplicates } from '../domain/run.ts';
import { NEW_TASK, type TaskState, transition } from '../domain/task.ts';
import type { LedgerEntry } from '../engine/store-port.ts';
import type { BoardEvent } from '../scheduler/model/board-event.ts';
import { type Decided, entryToRow } from './ledger-rows.ts';
import { revised } from './revision.ts';
import { rowToTask, type TaskPlace, taskToRow } from './rows.ts';
import {
  checkedRun,
  earlierIn,
  manifestIn,
  newRunRow,
  revisedRunRow,
  type RunRow,
  withSum,
} from './run-rows.ts';
import type { Statements } from './statements.ts';

type EventOf<Kind extends BoardEvent['kind']> = Extract<BoardEvent, { kind: Kind }>;

/** A task of an unfinished run, as its row says. */
interface KnownTask {
  readonly place: TaskPlace;
  state: TaskState;
}

/** So many states are kept in memory; whoever moves one is likely to move it again soon. */
const KNOWN_LIMIT = 10_000;

/**
 * Writes events to the ledger, and to the tables what follows from them.
 *
 * Invariant: what it remembers of the tables is what they say. Nobody else writes while this one
 * may, and `forget` is called when that begins and when something was rolled back.
 */
export class LedgerWriter {
  readonly #statements: Statements;
  readonly #known = new Map<string, KnownTask>();
  readonly #unfinished = new Set<RunId>();
  #sequence = 0;

  constructor(statements: Statements) {
    this.#statements = statements;
  }

  forget(): void {
    this.#known.clear();
    this.#unfinished.clear();
    this.#sequence = this.#statements.lastSequence.get()?.sequence ?? 0;
  }

  get lastSequence(): number {
    return this.#sequence;
  }

  hasKey(key: string): boolean {
    return this.#statements.hasKey.get({ key }) !== undefined;
  }

  /** Only of a run that is unfinished: nobody acts on the others. */
  stateOf(run: RunId, task: TaskId): TaskState | undefined {
    return this.#find(run, task)?.state;
  }

  /** Nothing where the event does not fit the facts; then nothing is written. */
  write(event: BoardEvent, decided?: Decided): LedgerEntry | undefined {
    if (!this.#follow(event)) return undefined;
    const sequence = this.#sequence + 1;
    const entry: LedgerEntry =
      decided?.of === undefined ? { sequence, event } : { sequence, event, decided: decided.of };
    this.#statements.insertEvent.run(entryToRow(entry, decided));
    this.#sequence = sequence;
    return entry;
  }

  #follow(event: BoardEvent): boolean {
    switch (event.kind) {
      case 'taskMoved':
        return this.#moveTask(event);
      case 'runSubmitted':
        return this.#submitRun(event);
      case 'runRevised':
        return this.#reviseRun(event);
      case 'runStopAsked':
        return this.#changeRun(event.run, { stop_asked_at: event.at });
      case 'runInterrupted':
        return this.#changeRun(event.run, { interrupted_at: event.at });
      case 'runResumed':
        return this.#changeRun(event.run, { interrupted_at: null });
      case 'runFinished': {
        const { run, outcome, at } = event;
        // Whoever is at work on it would be forgotten.
        if (this.#statements.hasHeldTask.get({ run }) !== undefined) return false;
        this.#known.clear();
        this.#unfinished.delete(run);
        return this.#changeRun(run, { outcome, finished_at: at });
      }
      default:
        return true;
    }
  }

  #moveTask({ run, task, event }: EventOf<'taskMoved'>): boolean {
    const known = this.#find(run, task);
    if (known === undefined) return false;
    const result = transition(known.state, event);
    if (result.kind === 'refused') return false;
    this.#statements.updateTask.run(taskToRow(known.place, result.state));
    known.state = result.state;
    return true;
  }

  #submitRun({ manifest }: EventOf<'runSubmitted'>): boolean {
    const { id: run } = manifest;
    if (this.#statements.isRunKnown.get({ run }) !== undefined) return false;
    const number = (this.#statements.lastRun.get()?.number ?? 0) + 1;
    this.#statements.insertRun.run(newRunRow(number, manifest));
    const { tasks } = withoutDuplicates(manifest);
    this.#insertTasks(run, new Map(tasks.map(({ id }) => [id, NEW_TASK])));
    return true;
  }

  #reviseRun(event: EventOf<'runRevised'>): boolean {
    const { run } = event;
    const row = this.#statements.wholeRun.get({ run });
    if (row === undefined || row.outcome !== null) return false;
    const states = statesIn(this.#statements, run);
    const manifest = manifestIn(checkedRun(row));
    const after = revised({ manifest, states, earlier: earlierIn(row) }, event);
    this.#known.clear();
    this.#statements.deleteTasks.run({ run });
    this.#insertTasks(run, after.states);
    this.#statements.reviseRun.run(revisedRunRow(row, after));
    return true;
  }

  #insertTasks(run: RunId, states: ReadonlyMap<TaskId, TaskState>): void {
    let position = 0;
    for (const [task, state] of states) {
      const place = { run_id: run, position, task_id: task };
      this.#statements.insertTask.run(taskToRow(place, state));
      position += 1;
    }
  }

  #changeRun(run: RunId, change: Partial<RunRow>): boolean {
    const row = this.#statements.run.get({ run });
    if (row === undefined || checkedRun(row).outcome !== null) return false;
    this.#statements.updateRun.run(withSum({ ...row, ...change }));
    return true;
  }

  #find(run: RunId, task: TaskId): KnownTask | undefined {
    // No id has a space in it.
    const key = `${run} ${task}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    if (!this.#isUnfinished(run)) return undefined;
    const row = this.#statements.task.get({ run, task });
    if (row === undefined) return undefined;
    const { run_id, position, task_id } = row;
    const found = { place: { run_id, position, task_id }, state: rowToTask(row) };
    if (this.#known.size >= KNOWN_LIMIT) this.#known.clear();
    this.#known.set(key, found);
    return found;
  }

  #isUnfinished(run: RunId): boolean {
    if (this.#unfinished.has(run)) return true;
    const row = this.#statements.run.get({ run });
    if (row === undefined || checkedRun(row).outcome !== null) return false;
    this.#unfinished.add(run);
    return true;
  }
}

/** Each task of a run, in the order of its manifest. */
export function statesIn(statements: Statements, run: RunId): ReadonlyMap<TaskId, TaskState> {
  const rows = statements.tasksOfRun.all({ run });
  return new Map(rows.map((row) => [row.task_id, rowToTask(row)]));
}
