import type { PathRules } from '../domain/paths/overlap.ts';
import { type TaskState, transition } from '../domain/task.ts';
import type { Instant } from '../domain/time.ts';
import { decide } from './decide.ts';
import { type Decision, keyOf, stillFits } from './decision.ts';
import type { BoardEvent } from './model/board-event.ts';
import { type BoardFacts, boardOf } from './model/board-facts.ts';
import { BoardModel } from './model/board-model.ts';
import { nextDueAt } from './model/next-due.ts';

/** A line of a ledger. What a worker claimed for itself was decided in no turn, or in turn 0. */
interface RecordedEntry {
  readonly sequence: number;
  readonly event: BoardEvent;
  readonly decided?: { readonly turn: number; readonly decision: Decision };
}

export type Replay =
  | { readonly kind: 'same'; readonly turns: number; readonly decisions: number }
  /** The first turn in which something else is decided now; its decisions by their keys. */
  | {
      readonly kind: 'differs';
      readonly sequence: number;
      readonly turn: number;
      readonly recorded: readonly string[];
      readonly decided: readonly string[];
    };

/**
 * Decides again what a ledger says was decided, each turn on the board as it was then. What happened
 * besides is taken as it is. A turn in which something could have been decided and nothing was leaves
 * nothing to compare.
 */
export function replayLedger(
  entries: Iterable<RecordedEntry>,
  { base, rules }: { readonly base: BoardFacts | undefined; readonly rules: PathRules },
): Replay {
  const board = base === undefined ? new BoardModel(rules) : boardOf(base, rules);
  let [turns, decisions] = [0, 0];
  for (const { turn, entries: recorded } of stretchesOf(entries)) {
    if (turn !== undefined) {
      const other = otherDecisions(board, recorded);
      if (other !== undefined) {
        const { sequence } = recorded[0];
        const keys = { recorded: recorded.flatMap(keysOf), decided: other.map(keyOf) };
        return { kind: 'differs', sequence, turn, ...keys };
      }
      turns += 1;
      decisions += recorded.length;
    }
    for (const { event } of recorded) board.apply(event);
  }
  return { kind: 'same', turns, decisions };
}

type Recorded = readonly [RecordedEntry, ...RecordedEntry[]];

/** Entries of one turn stand together; what was decided in none stands alone. */
function* stretchesOf(
  entries: Iterable<RecordedEntry>,
): Generator<{ readonly turn: number | undefined; readonly entries: Recorded }, void> {
  let stretch: [RecordedEntry, ...RecordedEntry[]] | undefined;
  for (const entry of entries) {
    if (
      stretch !== undefined &&
      turnOf(entry) !== undefined &&
      turnOf(entry) === turnOf(stretch[0])
    )
      stretch.push(entry);
    else {
      if (stretch !== undefined) yield { turn: turnOf(stretch[0]), entries: stretch };
      stretch = [entry];
    }
  }
  if (stretch !== undefined) yield { turn: turnOf(stretch[0]), entries: stretch };
}

function turnOf({ decided }: RecordedEntry): number | undefined {
  return decided === undefined || decided.turn === 0 ? undefined : decided.turn;
}

function keysOf({ decided }: RecordedEntry): readonly string[] {
  return decided === undefined ? [] : [keyOf(decided.decision)];
}

/** So often is looked between what came before a turn and the turn. */
const LOOK_LIMIT = 100;

/**
 * What is decided now instead; nothing where it is the same. Nobody wrote down when the turn looked at
 * the clock: not before what came before it, and not after its first event. In between, something else
 * is decided only when something has become due.
 */
function otherDecisions(board: BoardModel, recorded: Recorded): readonly Decision[] | undefined {
  const until = timeOf(recorded[0].event);
  let { now } = board;
  for (let looks = 1; ; looks += 1) {
    const decided = decide(board, now);
    if (isRecordOf(recorded, { board, decided })) return undefined;
    if (now >= until) return decided;
    const dueAt = nextDueAt(board) ?? until;
    now = dueAt > now && dueAt < until && looks < LOOK_LIMIT ? dueAt : until;
  }
}

function timeOf(event: BoardEvent): Instant {
  return event.kind === 'taskMoved' ? event.event.at : event.at;
}

/**
 * Whether all of these decisions were written down, in this order, but for those that did not stand:
 * an earlier one of the turn had moved their task on. For any other reason the store leaves none out,
 * unless the lease of a claim ended, or the same was decided before; neither should ever happen.
 */
function isRecordOf(
  recorded: Recorded,
  { board, decided }: { readonly board: BoardModel; readonly decided: readonly Decision[] },
): boolean {
  const moved = new Map<string, TaskState>();
  let count = 0;
  for (const decision of decided) {
    const entry = recorded[count];
    const [key] = entry === undefined ? [] : keysOf(entry);
    const state = stateOf(board, decision, moved);
    if (entry !== undefined && key === keyOf(decision)) {
      count += 1;
      if (entry.event.kind !== 'taskMoved' || state === undefined) continue;
      const result = transition(state, entry.event.event);
      if (result.kind === 'moved') moved.set(nameOf(entry.event), result.state);
    } else if (!('task' in decision) || state === undefined || stillFits(decision, state)) {
      return false;
    }
  }
  return count === recorded.length;
}

function stateOf(
  board: BoardModel,
  decision: Decision,
  moved: ReadonlyMap<string, TaskState>,
): TaskState | undefined {
  if (!('task' in decision)) return undefined;
  return moved.get(nameOf(decision)) ?? board.find(decision.run, decision.task)?.state;
}

function nameOf({ run, task }: { readonly run: string; readonly task: string }): string {
  return `${run}/${task}`;
}
