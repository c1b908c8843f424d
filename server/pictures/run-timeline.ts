import type {
  RunState,
  RunSummary,
  Timeline,
  TimelineRow,
  TimelineSpan,
} from '../../protocol/timeline.ts';
import { displayText, inShort } from '../domain/display-text.ts';
import type { RunId, TaskId } from '../domain/ids.ts';
import type { RunManifest } from '../domain/run.ts';
import { isFinal, type TaskDefinition, type TaskState } from '../domain/task.ts';
import type { RunRecord } from '../engine/store-port.ts';
import type { BoardEvent } from '../scheduler/model/board-event.ts';
import { ENDLESS, type Interval, type Intervals } from './intervals.ts';
import { type Held, type Looked, TaskPast } from './task-past.ts';
import { type FileRivals, type Wait, Waits } from './waits.ts';

const NAMES_LIMIT = 10;

export interface RunFacts {
  readonly folderUri: string;
  readonly record: RunRecord;
  /** In the order of the ledger. */
  readonly events: readonly BoardEvent[];
  readonly rivals: FileRivals;
  /** A task of another run as it stands, for what the ledger does not say any more. */
  readonly stateOf: (run: RunId, task: TaskId) => TaskState | undefined;
  readonly nowAt: number;
}

/** What ran when, on which worker, and what everything else waited for. */
export function timelineOf(facts: RunFacts): Timeline {
  const past = new RunPast(facts);
  const { record } = past;
  const { finishedAt } = record;
  const waits = new Waits({
    manifest: { tasks: past.tasks, policy: record.manifest.policy },
    pasts: past.tasksPast,
    lengthMs: (finishedAt ?? facts.nowAt) - record.manifest.requestedAt,
    rivals: facts.rivals,
    paused: past.paused,
    outside: past.outside,
  });
  const endAt = finishedAt ?? ENDLESS;
  const rows = past.tasks.map((task): TimelineRow => {
    const { held, looked, marks } = past.tasksPast.get(task.id)!;
    const spans = [
      ...waits.of(task).map((wait) => spanOfWait(wait, endAt)),
      ...held.map((each) => spanOfHeld(each, endAt)),
      ...looked.map((each) => spanOfLooked(each, endAt)),
    ].toSorted((a, b) => a.from - b.from);
    return { id: task.id, title: shortText(task.title), spans, marks };
  });
  return {
    ...summaryOf(facts.folderUri, record),
    nowAt: Math.max(facts.nowAt, finishedAt ?? 0),
    rows,
  };
}

export function summaryOf(
  folderUri: string,
  { manifest, status, outcome, finishedAt }: RunRecord,
): RunSummary {
  const { id: run, plan, requestedBy, requestedAt, tasks } = manifest;
  const state: RunState = outcome ?? (status === 'interrupted' ? 'interrupted' : 'active');
  return {
    folderUri,
    run,
    plan,
    state,
    requestedBy: shortText(requestedBy),
    requestedAt,
    ...(finishedAt !== undefined && { finishedAt }),
    taskCount: tasks.length,
  };
}

/** The fold of a run's events. */
class RunPast {
  readonly tasksPast = new Map<TaskId, TaskPast>();
  readonly paused: Interval[] = [];
  readonly outside: ReadonlyMap<TaskId, Intervals>;
  #record: RunRecord;
  #tasks: readonly TaskDefinition[];

  constructor({ record, events, stateOf }: RunFacts) {
    const { manifest } = record;
    this.#record = record;
    this.#tasks = manifest.tasks;
    this.#meet(manifest.tasks, manifest.requestedAt);
    const elsewhere = new Map<string, Interval[]>();
    for (const event of events) {
      const isOwn = 'run' in event && event.run === manifest.id;
      if (event.kind === 'taskMoved' && !isOwn) followElsewhere(elsewhere, event);
      else this.#follow(event);
    }
    this.outside = outsideOf(manifest, elsewhere, stateOf);
  }

  /** As it stands after all of them. */
  get record(): RunRecord {
    return this.#record;
  }

  get tasks(): readonly TaskDefinition[] {
    return this.#tasks;
  }

  #follow(event: BoardEvent): void {
    switch (event.kind) {
      case 'taskMoved':
        this.tasksPast.get(event.task)?.follow(event.event);
        return;
      case 'taskPaused':
        this.tasksPast.get(event.task)?.pause(event.at);
        return;
      case 'taskResumed':
        this.tasksPast.get(event.task)?.resume(event.at);
        return;
      case 'runRevised':
        this.#tasks = event.tasks;
        this.#meet(event.tasks, event.at);
        return;
      case 'runFinished': {
        const { outcome, at: finishedAt } = event;
        this.#record = { ...this.#record, status: 'finished', outcome, finishedAt };
        return;
      }
      case 'boardPaused':
      case 'runInterrupted':
        if (event.kind === 'runInterrupted') this.#setStatus('interrupted');
        if (this.paused.at(-1)?.to !== ENDLESS) this.paused.push({ from: event.at, to: ENDLESS });
        return;
      case 'boardResumed':
      case 'runResumed': {
        if (event.kind === 'runResumed') this.#setStatus('active');
        const last = this.paused.at(-1);
        if (last?.to === ENDLESS) this.paused[this.paused.length - 1] = { ...last, to: event.at };
        return;
      }
      default:
    }
  }

  #setStatus(status: 'active' | 'interrupted'): void {
    this.#record = { ...this.#record, status };
  }

  #meet(tasks: readonly TaskDefinition[], since: number): void {
    for (const { id } of tasks)
      if (!this.tasksPast.has(id)) this.tasksPast.set(id, new TaskPast(since));
  }
}

type Moved = Extract<BoardEvent, { kind: 'taskMoved' }>;

/** Whoever waits for a task of another plan waits until it is completed there. */
function followElsewhere(elsewhere: Map<string, Interval[]>, { run, task, event }: Moved): void {
  const key = `${run}\n${task}`;
  const known = elsewhere.get(key) ?? [];
  elsewhere.set(key, known);
  if (event.kind === 'taskCompleted') known.push({ from: event.at, to: ENDLESS });
  const last = known.at(-1);
  if (event.kind === 'taskRetried' && last?.to === ENDLESS)
    known[known.length - 1] = { ...last, to: event.at };
}

/** What was over before the run was asked for has no event that is looked at here. */
function outsideOf(
  { outside = [] }: RunManifest,
  elsewhere: ReadonlyMap<string, Intervals>,
  stateOf: RunFacts['stateOf'],
): ReadonlyMap<TaskId, Intervals> {
  return new Map(
    outside.map(({ reference, run, task }) => {
      const seen = elsewhere.get(`${run}\n${task}`) ?? [];
      const state = seen.length > 0 ? undefined : stateOf(run, task);
      const isOver = state !== undefined && isFinal(state);
      return [reference, isOver ? [{ from: state.finishedAt, to: ENDLESS }] : seen];
    }),
  );
}

function spanOfWait({ cause, names, ...interval }: Wait, endAt: number): TimelineSpan {
  const told = names.slice(0, NAMES_LIMIT).map(displayText);
  const more = names.length - told.length;
  return { kind: 'waiting', cause, names: told, more, ...timesOf(interval, endAt) };
}

function spanOfHeld(
  { kind, worker, attempt, end, detail, ...interval }: Held,
  endAt: number,
): TimelineSpan {
  const how = { kind, worker, attempt, detail: shortText(detail), ...timesOf(interval, endAt) };
  return end === undefined ? how : { ...how, end };
}

function spanOfLooked({ detail, ...interval }: Looked, endAt: number): TimelineSpan {
  return { kind: 'attention', detail, ...timesOf(interval, endAt) };
}

/** With a run all that was in it has ended. */
function timesOf({ from, to }: Interval, endAt: number): { from: number; to?: number } {
  const until = Math.min(to, Math.max(from, endAt));
  return until === ENDLESS ? { from } : { from, to: until };
}

function shortText(text: string): string {
  return inShort(displayText(text));
}
