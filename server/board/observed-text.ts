import type { TaskId } from '../domain/ids.ts';
import type { WriterName } from '../scheduler/model/board-event.ts';
import type { Authors, Observed } from '../scheduler/model/observed.ts';
import { withoutWindow } from '../scheduler/model/workers.ts';

/** The first of some names, and how many more there are. */
const SHOWN = 3;

export function pathsIn(paths: Iterable<string>): string {
  return inShortList([...paths]);
}

export function tasksIn(names: readonly WriterName[]): string {
  return inShortList([...new Set(names.map(({ task }) => `"${task}"`))]);
}

export function authorsIn(authors: Authors): string {
  if (authors.length === 0) return 'somebody';
  const names = authors.map((author) =>
    'task' in author ? `"${author.task}"` : withoutWindow(author.worker),
  );
  return inShortList([...new Set(names)]);
}

function inShortList(names: readonly string[]): string {
  const shown = names.slice(0, SHOWN).join(', ');
  return names.length > SHOWN ? `${shown} and ${names.length - SHOWN} more` : shown;
}

/** For a line about a task; nothing where nothing was seen. */
export function observedClause(observed: Observed | undefined): string {
  if (observed === undefined) return '';
  const { undeclared, unclear, stale } = observed;
  const clauses: string[] = [];
  if (undeclared.size > 0) clauses.push(`wrote ${pathsIn(undeclared)}, which it had not declared`);
  if (unclear.size > 0) clauses.push(`may have written ${pathsIn(unclear.keys())} undeclared`);
  if (stale.size > 0) clauses.push(`read ${pathsIn(stale.keys())} that changed after it began`);
  return clauses.join('; ');
}

/** The same in sentences, with who else was there. */
export function observedSentences(task: TaskId, observed: Observed | undefined): readonly string[] {
  if (observed === undefined) return [];
  const { undeclared, unclear, stale } = observed;
  const sentences: string[] = [];
  if (undeclared.size > 0)
    sentences.push(`"${task}" wrote ${pathsIn(undeclared)}, which it had not declared.`);
  const [others] = unclear.values();
  if (others !== undefined)
    sentences.push(
      `${pathsIn(unclear.keys())} was written by one of ${tasksIn(others)}, and none had declared it.`,
    );
  const [authors] = stale.values();
  if (authors !== undefined)
    sentences.push(
      `${pathsIn(stale.keys())}, which "${task}" reads, changed after it began, by ${authorsIn(authors)}.`,
    );
  return sentences;
}

/** As plain lists; absent where nothing was seen. */
export function observedLists(
  observed: Observed | undefined,
): Readonly<Partial<Record<'undeclared' | 'unclear' | 'stale', readonly string[]>>> {
  if (observed === undefined) return {};
  const { undeclared, unclear, stale } = observed;
  return {
    ...(undeclared.size > 0 && { undeclared: [...undeclared] }),
    ...(unclear.size > 0 && { unclear: [...unclear.keys()] }),
    ...(stale.size > 0 && { stale: [...stale.keys()] }),
  };
}
