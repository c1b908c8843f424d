import type { PathRules } from '../../domain/paths/overlap.ts';
import { PathIndex } from '../../domain/paths/path-index.ts';
import type { Instant } from '../../domain/time.ts';
import type { Owner } from './ownership.ts';

/** Paths that a person has without a task. */
export interface OwnerOfPerson extends Owner {
  readonly patterns: Patterns;
  readonly since: Instant;
}

/** Paths as they were written; a set of paths does not tell. */
export interface Patterns {
  /** What they count from, in its working tree. */
  readonly folder?: string;
  readonly reads: readonly string[];
  readonly writes: readonly string[];
}

/** Somebody who has let go of paths, or whose time was over. */
export interface PastPerson {
  readonly owner: OwnerOfPerson;
  readonly endedAt: Instant;
}

/** A change may be told for so long after whoever made it has let go. */
const MEMORY_MS = 10_000;

/** Which people had which paths a moment ago: what they wrote is heard of only later. */
export class PastPeople {
  readonly #index: PathIndex<PastPerson>;
  /** In the order in which they ended. */
  readonly #all: PastPerson[] = [];

  constructor(rules: PathRules) {
    this.#index = new PathIndex(rules);
  }

  get all(): readonly PastPerson[] {
    return this.#all;
  }

  add(past: PastPerson): void {
    this.#all.push(past);
    this.#index.add(past.owner.writes, past);
  }

  forget(now: Instant): void {
    const kept = this.#all.findIndex(({ endedAt }) => now - endedAt < MEMORY_MS);
    for (const past of this.#all.splice(0, kept < 0 ? Infinity : kept))
      this.#index.remove(past.owner.writes, past);
  }

  /** Who wrote the path, and still had it at that time. */
  writersOf(path: string, at: Instant): readonly OwnerOfPerson[] {
    if (this.#all.length === 0) return [];
    const past = this.#index.covering(path);
    return past.filter(({ endedAt }) => endedAt >= at).map(({ owner }) => owner);
  }
}
