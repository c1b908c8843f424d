import type { RunId, TaskId } from '../domain/ids.ts';
import type { RunManifest, RunOutcome } from '../domain/run.ts';
import { isFinal, NEW_TASK, type TaskEvent, type TaskState, transition } from '../domain/task.ts';
import type { LedgerEntry } from '../engine/store-port.ts';
import type { FinishDecision } from '../scheduler/decision.ts';
import type { BoardModel } from '../scheduler/model/board-model.ts';

/** A task of a watched run has gone from one state to another. */
export interface Move {
  readonly run: WatchedRun;
  readonly task: TaskId;
  readonly event: TaskEvent;
  readonly before: TaskState;
  readonly state: TaskState;
}

export interface WatchedRun {
  readonly id: RunId;
  readonly manifest: RunManifest;
  /** Of the tasks that were asked for: a run that was joined may have more. */
  readonly states: ReadonlyMap<TaskId, TaskState>;
  /** Nothing while it is not at its end. */
  readonly outcome: RunOutcome | 'ended' | undefined;
  /** Of a deadlock: what keeps some of its tasks from ever starting. */
  readonly stuck: FinishDecision['stuck'];
  /** Nobody here waits for the rest of it. */
  readonly isPart: boolean;
}

interface Watched extends WatchedRun {
  readonly states: Map<TaskId, TaskState>;
  outcome: WatchedRun['outcome'];
  stuck: WatchedRun['stuck'];
  /** Whether the board had it once: whoever follows may be told of it a little later. */
  wasOnBoard: boolean;
}

/**
 * The runs that a command waits for, as the ledger tells of them: whatever is said of a task costs
 * the same however many there are.
 */
export class RunWatch {
  readonly #runs = new Map<RunId, Watched>();
  readonly #counts = new Map<TaskState['kind'], number>();
  /** At work now, in the order in which they began. */
  readonly #atWork = new Set<TaskId>();

  get runs(): readonly WatchedRun[] {
    return [...this.#runs.values()];
  }

  get atWork(): ReadonlySet<TaskId> {
    return this.#atWork;
  }

  count(kind: TaskState['kind']): number {
    return this.#counts.get(kind) ?? 0;
  }

  get isOver(): boolean {
    return [...this.#runs.values()].every((run) => run.outcome !== undefined || hasEnded(run));
  }

  /** From now on, with the states that its tasks have by now; only some of them, where they are said. */
  add(
    manifest: RunManifest,
    stateOf: (task: TaskId) => TaskState | undefined = () => undefined,
    only: readonly TaskId[] = manifest.tasks.map(({ id }) => id),
  ): void {
    const states = new Map<TaskId, TaskState>();
    for (const id of only) {
      const state = stateOf(id) ?? NEW_TASK;
      states.set(id, state);
      this.#count(id, { before: undefined, state });
    }
    const { id } = manifest;
    this.#runs.set(id, {
      id,
      manifest,
      states,
      outcome: undefined,
      stuck: [],
      isPart: only.length < manifest.tasks.length,
      wasOnBoard: false,
    });
  }

  end(id: RunId, outcome: RunOutcome | undefined): void {
    const run = this.#runs.get(id);
    if (run !== undefined) run.outcome ??= outcome ?? 'ended';
  }

  /** Takes in what has happened; whatever is about other runs is not looked at. */
  take(entries: readonly LedgerEntry[]): readonly Move[] {
    const moves: Move[] = [];
    for (const { event, decided } of entries) {
      if (event.kind === 'taskMoved') {
        const run = this.#runs.get(event.run);
        const move = run && this.#move(run, event.task, event.event);
        if (move !== undefined) moves.push(move);
      } else if (event.kind === 'runFinished') {
        const run = this.#runs.get(event.run);
        if (run === undefined) continue;
        run.outcome = event.outcome;
        if (decided?.decision.kind === 'finish') run.stuck = decided.decision.stuck;
      }
    }
    return moves;
  }

  /** Of what ended without being told, for instance because the ledger was cut: only that it has. */
  endWithout(board: BoardModel): void {
    for (const run of this.#runs.values()) {
      if (board.runs.has(run.id)) run.wasOnBoard = true;
      else if (run.wasOnBoard) run.outcome ??= 'ended';
    }
  }

  #move(run: Watched, task: TaskId, event: TaskEvent): Move | undefined {
    const before = run.states.get(task);
    if (before === undefined) return undefined;
    const result = transition(before, event);
    if (result.kind === 'refused') return undefined;
    const { state } = result;
    run.states.set(task, state);
    this.#count(task, { before, state });
    return { run, task, event, before, state };
  }

  #count(
    task: TaskId,
    { before, state }: { before: TaskState | undefined; state: TaskState },
  ): void {
    if (before !== undefined) this.#counts.set(before.kind, this.count(before.kind) - 1);
    this.#counts.set(state.kind, this.count(state.kind) + 1);
    if (state.kind === 'running') this.#atWork.add(task);
    else this.#atWork.delete(task);
  }
}

/** All that anybody here waits for, whatever becomes of the rest. */
function hasEnded({ isPart, states }: Watched): boolean {
  return isPart && [...states.values()].every((state) => isFinal(state));
}
