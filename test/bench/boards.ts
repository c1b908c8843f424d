import { assert } from '../../server/domain/assert.ts';
import { parseRunId, parseTaskId, type RunId, type TaskId } from '../../server/domain/ids.ts';
import type { RunManifest, RunPolicy } from '../../server/domain/run.ts';
import type { TaskDefinition } from '../../server/domain/task.ts';
import { type Instant, instant } from '../../server/domain/time.ts';
import type { BoardEvent } from '../../server/scheduler/model/board-event.ts';
import { BoardModel } from '../../server/scheduler/model/board-model.ts';
import { decide } from '../../server/scheduler/decide.ts';
import { boardEventOf, type Decision } from '../../server/scheduler/decision.ts';
import type { Earlier } from './graphs.ts';

export const START = instant(1_700_000_000_000);

/** What a task of a bench has that others have not. */
export type Detail = Partial<Pick<TaskDefinition, 'asks' | 'reads' | 'writes'>>;

export function manifestOf(
  tasks: readonly TaskDefinition[],
  policy: Partial<RunPolicy> = {},
): RunManifest {
  return {
    id: runId(),
    root: '/project',
    plan: 'interlock.yaml',
    planHash: 'bench',
    selection: [],
    requestedBy: 'bench',
    requestedAt: START,
    policy: { parallel: 16, failFast: false, ...policy },
    tasks,
  };
}

export function tasksOf(
  earlier: Earlier,
  detailOf: (number: number) => Detail = () => ({}),
): readonly TaskDefinition[] {
  const ids = earlier.map((_, number) => taskId(number));
  return earlier.map((before, number) => ({
    id: ids[number]!,
    title: `Task ${number}`,
    command: { kind: 'shell', script: 'make' },
    cwd: '',
    env: {},
    dependsOn: before.map((one) => ids[one]!),
    after: [],
    reads: [],
    writes: [],
    ...detailOf(number),
  }));
}

/** A board with one run, and a queue that is long enough for it. */
export function boardOf(manifest: RunManifest): BoardModel {
  const board = new BoardModel({ foldCase: false });
  const queueLimit = 100 * manifest.tasks.length;
  board.apply({ kind: 'loadMeasured', at: START, load: { queueLimit, memory: 0, cpu: 0 } });
  board.apply({ kind: 'runSubmitted', at: START, manifest });
  return board;
}

/** Carries out what is decided, and what happens then. Each change comes a millisecond later. */
export class Play {
  readonly board: BoardModel;
  /** Everything that was applied, for those who want to apply it again. */
  readonly ledger: BoardEvent[] | undefined;
  /** In the order in which they were claimed. Decisions themselves are not kept: they die young. */
  readonly claimed: TaskId[] = [];
  changes = 0;
  decides = 0;
  #now: number = START;
  #term = 0;
  readonly #mintTerm = (): number => (this.#term += 1);

  constructor(board: BoardModel, ledger?: BoardEvent[]) {
    this.board = board;
    this.ledger = ledger;
  }

  get now(): Instant {
    return instant(this.#now);
  }

  decide(): readonly Decision[] {
    this.decides += 1;
    return decide(this.board, this.now);
  }

  commit(decision: Decision): void {
    const entry = 'task' in decision ? this.board.find(decision.run, decision.task) : undefined;
    const minting = { now: this.now, mintTerm: this.#mintTerm };
    const event = boardEventOf(decision, entry?.state, minting);
    if (event === undefined) return;
    this.#apply(event);
    if (decision.kind === 'claim') this.claimed.push(decision.task);
  }

  /** The command of the claim starts, or ends well. */
  move(task: TaskId, kind: 'taskStarted' | 'taskCompleted'): void {
    const run = RUN;
    const term = this.board.find(run, task)?.claim?.holder.term;
    assert(term !== undefined, 'only what is claimed starts or ends');
    this.#apply({ kind: 'taskMoved', run, task, event: { kind, term, at: this.now } });
  }

  #apply(event: BoardEvent): void {
    this.changes += 1;
    this.#now += 1;
    const said = this.board.apply(event);
    assert(said === 'moved', 'a bench plays by the rules');
    this.ledger?.push(event);
  }
}

/** To the end, with a decision after every change. */
export function playEachChange(play: Play, afterCompletion?: (completed: number) => void): void {
  settle(play);
  for (let [started, completed] = [0, 0]; completed < play.claimed.length;) {
    if (started < play.claimed.length) {
      play.move(play.claimed[started]!, 'taskStarted');
      started += 1;
    } else {
      play.move(play.claimed[completed]!, 'taskCompleted');
      completed += 1;
      afterCompletion?.(completed);
    }
    settle(play);
  }
}

/** To the end, with one decision for each task that completes. */
export function playEachCompletion(play: Play): void {
  for (const decision of play.decide()) play.commit(decision);
  for (let [started, completed] = [0, 0]; completed < play.claimed.length;) {
    for (; started < play.claimed.length; started += 1)
      play.move(play.claimed[started]!, 'taskStarted');
    play.move(play.claimed[completed]!, 'taskCompleted');
    completed += 1;
    for (const decision of play.decide()) play.commit(decision);
  }
}

function settle(play: Play): void {
  for (let decisions = play.decide(); decisions.length > 0; decisions = play.decide())
    for (const decision of decisions) play.commit(decision);
}

export function taskId(number: number): TaskId {
  const id = parseTaskId(`task-${String(number).padStart(6, '0')}`);
  assert(id !== undefined, 'a bench names its tasks well');
  return id;
}

const RUN = runId();

function runId(): RunId {
  const id = parseRunId('bench-run-1');
  assert(id !== undefined, 'a bench names its run well');
  return id;
}
