import type { RunId, TaskId, WorkerId } from '../../domain/ids.ts';
import { overlap, type PathRules } from '../../domain/paths/overlap.ts';
import { type PathSet, parsePathSet } from '../../domain/paths/path-set.ts';
import type { Instant } from '../../domain/time.ts';
import type { Patterns } from './past-people.ts';

/** A claim that an agent has lost without knowing it. */
export interface LostClaim {
  readonly run: RunId;
  readonly task: TaskId;
  readonly term: number;
  /** The plan of the run. */
  readonly plan: string;
  readonly worker: WorkerId;
  readonly at: Instant;
}

/** The same as the facts of the board keep it. */
export interface PlainLoss extends LostClaim {
  /** The working tree that its paths are in. */
  readonly tree: string;
  readonly patterns: Patterns;
}

interface Loss {
  readonly plain: PlainLoss;
  readonly writes: PathSet;
}

/** The oldest are forgotten first: their agents have most likely ended long ago. */
const LOSSES_LIMIT = 256;

/**
 * Claims that their agents lost and have not been told of. An agent that was suspended wakes up and goes
 * on writing where it stopped, perhaps after another worker has taken and even completed its task. So it
 * gets none of the lost task's paths until an answer has told it.
 */
export class Losses {
  readonly #rules: PathRules;
  /** By their terms, the oldest first. */
  readonly #untold = new Map<number, Loss>();

  constructor(rules: PathRules) {
    this.#rules = rules;
  }

  get all(): readonly PlainLoss[] {
    return Array.from(this.#untold.values(), ({ plain }) => plain);
  }

  add(plain: PlainLoss): void {
    const { patterns, term } = plain;
    this.#untold.set(term, { plain, writes: parsePathSet(patterns.writes, patterns.folder) });
    const [oldest] = this.#untold.keys();
    if (this.#untold.size > LOSSES_LIMIT && oldest !== undefined) this.#untold.delete(oldest);
  }

  /** Returns whether that is news. */
  told(worker: WorkerId, terms: readonly number[]): boolean {
    let isNews = false;
    for (const term of terms)
      if (this.#untold.get(term)?.plain.worker === worker)
        isNews = this.#untold.delete(term) || isNews;
    return isNews;
  }

  /** What a worker has lost and not been told of. */
  of(worker: WorkerId): readonly LostClaim[] {
    return this.all.filter((loss) => loss.worker === worker).map(lostClaim);
  }

  /** Those of them that wrote any of these paths. */
  meeting(
    worker: WorkerId,
    { tree, writes }: { readonly tree: string; readonly writes: PathSet },
  ): readonly LostClaim[] {
    const met: LostClaim[] = [];
    for (const { plain, writes: lost } of this.#untold.values())
      if (
        plain.worker === worker &&
        plain.tree === tree &&
        overlap(lost, writes, this.#rules).kind !== 'disjoint'
      )
        met.push(lostClaim(plain));
    return met;
  }
}

function lostClaim({ run, task, term, plan, worker, at }: PlainLoss): LostClaim {
  return { run, task, term, plan, worker, at };
}
