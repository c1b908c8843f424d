import type { OpenBoard } from '../board/ports.ts';
import { displayText } from '../domain/display-text.ts';
import type { RunId } from '../domain/ids.ts';
import type { Reason } from '../scheduler/model/reason.ts';
import type { TaskEntry } from '../scheduler/model/run-model.ts';
import { explain } from '../scheduler/predicate/explain.ts';
import { mayStart } from '../scheduler/predicate/may-start.ts';

/** What is over sooner nobody has to know of. */
const LOOK_MS = 200;
/** More than that nobody reads; `interlock status` has all of them. */
const TOLD_LIMIT = 20;
/** Of those that are ready. */
const LOOK_LIMIT = 100;

interface Hearer {
  /** Whose tasks are told of. */
  readonly isMeant: (run: RunId) => boolean;
  readonly tell: (entry: TaskEntry, words: string) => void;
}

/**
 * Tells of tasks that are ready and wait for others because of what both use; of each task once. What
 * the plan puts in an order needs no word, and neither does a free place.
 */
export class WaitNotice implements Disposable {
  readonly #open: OpenBoard;
  readonly #hearer: Hearer;
  readonly #told = new Set<TaskEntry>();
  #due: Disposable | undefined;
  #isOver = false;

  constructor(open: OpenBoard, hearer: Hearer) {
    this.#open = open;
    this.#hearer = hearer;
  }

  /** Something has happened. */
  changed(): void {
    if (this.#isOver || this.#due !== undefined || this.#told.size === TOLD_LIMIT) return;
    this.#due = this.#open.alarm.after(LOOK_MS, () => {
      this.#due = undefined;
      this.#look();
    });
  }

  [Symbol.dispose](): void {
    this.#isOver = true;
    this.#due?.[Symbol.dispose]();
  }

  #look(): void {
    const entries = this.#readyEntries();
    if (entries.length === 0) return;
    const outlook = this.#open.keeper.outlook();
    for (const entry of entries) {
      const verdict = mayStart(outlook, entry);
      const reason = verdict.kind === 'no' ? verdict.reasons.find(isOther) : undefined;
      if (reason === undefined) continue;
      this.#told.add(entry);
      this.#hearer.tell(entry, displayText(explain(reason)));
      if (this.#told.size === TOLD_LIMIT) return;
    }
  }

  #readyEntries(): readonly TaskEntry[] {
    const { ready } = this.#open.keeper.board;
    const entries: TaskEntry[] = [];
    for (const lane of ready.pushLanes.flatMap((lanes) => [...lanes])) {
      if (!this.#hearer.isMeant(lane.run.manifest.id)) continue;
      for (const entry of lane.ready.inOrder()) {
        if (entries.length === LOOK_LIMIT) return entries;
        if (!this.#told.has(entry)) entries.push(entry);
      }
    }
    return entries;
  }
}

/** Somebody else has what it needs. */
function isOther({ kind }: Reason): boolean {
  return kind === 'hazard' || kind === 'resources' || kind === 'outranked';
}
