import type { TaskId } from '../ids.ts';
import type { Budget } from './overlap.ts';
import { overlap, type PathRules } from './overlap.ts';
import type { PathSet } from './path-set.ts';

/** Two tasks without an order between them whose paths overlap, at least one of them writing. */
export interface Hazard<Id extends string = TaskId> {
  readonly kind: 'write-write' | 'read-write';
  /** Of a read-write hazard, `first` is the writer. */
  readonly first: Id;
  readonly second: Id;
  /**
   * A path that both would touch; absent when the exact answer was too expensive. It is looked for when
   * it is first read.
   */
  readonly example?: string | undefined;
}

/** A task, and the paths that it declares. */
export interface TaskPaths<Id extends string = TaskId> {
  readonly id: Id;
  readonly reads: readonly string[];
  readonly writes: readonly string[];
}

export interface Claimant<Id extends string> {
  readonly id: Id;
  readonly reads: PathSet;
  readonly writes: PathSet;
}

/** At most one for two tasks: the write-write one if there is one, else that of which `a` writes. */
export function hazardBetween<Id extends string>(
  a: Claimant<Id>,
  b: Claimant<Id>,
  rules: PathRules & { readonly budget: Budget; readonly examples?: Budget },
): Hazard<Id> | undefined {
  return (
    hazardOf('write-write', [a.id, a.writes], [b.id, b.writes]) ??
    hazardOf('read-write', [a.id, a.writes], [b.id, b.reads]) ??
    hazardOf('read-write', [b.id, b.writes], [a.id, a.reads])
  );

  function hazardOf(
    kind: Hazard['kind'],
    [first, firstPaths]: readonly [Id, PathSet],
    [second, secondPaths]: readonly [Id, PathSet],
  ): Hazard<Id> | undefined {
    const found = overlap(firstPaths, secondPaths, rules);
    if (found.kind === 'disjoint') return undefined;
    if (found.kind === 'may-overlap') return { kind, first, second };
    return {
      kind,
      first,
      second,
      get example() {
        return found.example;
      },
    };
  }
}
