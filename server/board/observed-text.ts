import { displayLine } from '../domain/display-text.ts';
import type { TaskId, WorkerId } from '../domain/ids.ts';
import type { WriterName } from '../scheduler/model/board-event.ts';
import type { Authors, Observed } from '../scheduler/model/observed.ts';
import { isRunner, personName, withoutWindow } from '../scheduler/model/workers.ts';
import type { TouchedFiles } from '../scheduler/observation/shell-commands.ts';

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

/** What an agent is told whose shell command may have changed files of another worker. */
export function shellNote({ paths, holder, task }: TouchedFiles): string {
  const which =
    task === undefined ? `${personName(holder)} has taken` : `${taskBy(task, holder)} is writing`;
  return displayLine(
    `Your shell command may have changed ${pathsIn(paths)}, which ${which}: look at it. ` +
      'Undo the change if your command made it; otherwise leave it alone.',
  );
}

/** What an agent is told of its own files in that case. */
export function touchedNote(
  paths: readonly string[],
  by: { readonly worker: WorkerId; readonly task?: TaskId },
): string {
  const whose = by.task === undefined ? 'you have taken' : `"${by.task}" writes`;
  return displayLine(
    `${pathsIn(paths)}, which ${whose}, changed while ${personName(by.worker)} ran a shell command: ` +
      'if you did not make the change, look whether your work is still in it.',
  );
}

/** A task, with its holder where that is a name that users know. */
function taskBy(task: TaskId, holder: WorkerId): string {
  return isRunner(holder) ? `task "${task}"` : `task "${task}" (${personName(holder)})`;
}

export function workersIn(workers: Iterable<WorkerId>): string {
  return inShortList([...new Set(Array.from(workers, personName))]);
}

function inShortList(names: readonly string[]): string {
  const shown = names.slice(0, SHOWN).join(', ');
  return names.length > SHOWN ? `${shown} and ${names.length - SHOWN} more` : shown;
}

/** For a line about a task; nothing where nothing was seen. */
export function observedClause(observed: Observed | undefined): string {
  if (observed === undefined) return '';
  const { undeclared, unclear, stale, touched } = observed;
  const clauses: string[] = [];
  const changed = [...undeclared, ...unclear.keys()];
  if (changed.length > 0)
    clauses.push(`${pathsIn(changed)} changed while it was running, which its "writes" leaves out`);
  if (stale.size > 0) clauses.push(`read ${pathsIn(stale.keys())} that changed after it began`);
  if (touched.size > 0)
    clauses.push(
      `${pathsIn(touched.keys())} may have been changed by a shell command of another worker`,
    );
  return clauses.join('; ');
}

/** The same in sentences, with who else was there. */
export function observedSentences(task: TaskId, observed: Observed | undefined): readonly string[] {
  if (observed === undefined) return [];
  const { undeclared, unclear, stale, touched } = observed;
  const sentences: string[] = [];
  if (undeclared.size > 0)
    sentences.push(
      `${pathsIn(undeclared)} changed while "${task}" was running, which its "writes" leaves out.`,
    );
  const [others] = unclear.values();
  if (others !== undefined)
    sentences.push(
      `${pathsIn(unclear.keys())} changed while ${tasksIn(others)} were running, and none of them declares that.`,
    );
  const [authors] = stale.values();
  if (authors !== undefined)
    sentences.push(
      `${pathsIn(stale.keys())}, which "${task}" reads, changed after it began, by ${authorsIn(authors)}.`,
    );
  if (touched.size > 0)
    sentences.push(
      `${pathsIn(touched.keys())}, which "${task}" writes, changed while ${workersIn(touched.values())} ran a shell command.`,
    );
  return sentences;
}

/** As plain lists; absent where nothing was seen. */
export function observedLists(
  observed: Observed | undefined,
): Readonly<Partial<Record<'undeclared' | 'unclear' | 'stale' | 'touched', readonly string[]>>> {
  if (observed === undefined) return {};
  const { undeclared, unclear, stale, touched } = observed;
  return {
    ...(undeclared.size > 0 && { undeclared: [...undeclared] }),
    ...(unclear.size > 0 && { unclear: [...unclear.keys()] }),
    ...(stale.size > 0 && { stale: [...stale.keys()] }),
    ...(touched.size > 0 && { touched: [...touched.keys()] }),
  };
}
