import type { RunId, TaskId, WorkerId } from '../../domain/ids.ts';
import type { Instant } from '../../domain/time.ts';

/** A task at work in a working tree. */
export interface Writer {
  readonly run: RunId;
  readonly task: TaskId;
  readonly term: number;
  /** Whether its plan says which paths it reads or writes; who says nothing breaks no word. */
  readonly saysPaths: boolean;
  readonly from: Instant;
  /** Nothing of it is at work after that. */
  readonly until: Instant | undefined;
}

/** A file was written, or is gone; some time from `from` to `until`. */
export interface Change {
  readonly path: string;
  readonly from: Instant;
  readonly until: Instant;
}

/** Who has the path of a change, and who was there. */
export interface Suspects {
  /** Tasks that were at work in the tree. */
  readonly present: readonly Writer[];
  /** Those of them that say they write the path, or were seen to before. */
  readonly declared: readonly Writer[];
  /** Somebody who has taken the path, or is editing it. */
  readonly person: WorkerId | undefined;
}

export type Attribution =
  | { readonly kind: 'declared'; readonly by: readonly Writer[] }
  | { readonly kind: 'person'; readonly by: WorkerId }
  /** Nobody else of ours could have, and it did not say so. */
  | { readonly kind: 'undeclared'; readonly by: Writer }
  | { readonly kind: 'one-of'; readonly by: readonly Writer[] }
  /** Nobody of ours, as far as can be known. */
  | { readonly kind: 'nobody' };

const NOBODY: Attribution = { kind: 'nobody' };

/**
 * Who wrote, with as little guessing as possible: whoever says they write a path is believed, a
 * task is named only where one was at work from before the change on, and alone where no other was.
 */
export function attribute(change: Change, { present, declared, person }: Suspects): Attribution {
  const there = present.filter((writer) => wasThere(writer, change));
  const open = declared.filter((writer) => wasThere(writer, change));
  if (open.length > 0) return { kind: 'declared', by: open };
  if (person !== undefined) return { kind: 'person', by: person };
  if (!there.some(({ saysPaths }) => saysPaths)) return NOBODY;
  // What may have been written before any of them came, somebody else may have written.
  if (!there.some(({ from }) => from <= change.from)) return NOBODY;
  const [only, ...others] = there;
  if (only === undefined || others.length > 0) return { kind: 'one-of', by: there };
  return { kind: 'undeclared', by: only };
}

/** Those whose input it was, and who have not written it themselves, as far as can be known. */
export function staleFor(
  change: Change,
  { readers, by }: { readonly readers: readonly Writer[]; readonly by: Attribution },
): readonly Writer[] {
  if (by.kind !== 'declared' && by.kind !== 'person') return [];
  const authors = by.kind === 'declared' ? by.by : [];
  return readers.filter(
    (reader) => wasThere(reader, change) && reader.from <= change.from && !authors.includes(reader),
  );
}

/** Whoever begins in the millisecond in which a change ends cannot have made it. */
function wasThere(
  { from, until }: Pick<Writer, 'from' | 'until'>,
  change: Pick<Change, 'from' | 'until'>,
): boolean {
  return from < change.until && (until === undefined || until >= change.from);
}
