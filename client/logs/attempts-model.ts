import * as l10n from '@vscode/l10n';
import type { AttemptView } from '../../protocol/logs.ts';
import type { TaskKey } from '../../protocol/tasks.ts';

export interface AttemptItem {
  readonly label: string;
  readonly description: string;
  readonly attempt: AttemptView;
}

/** The rows of a choice of attempts, the newest first. */
export function attemptItems(attempts: readonly AttemptView[]): readonly AttemptItem[] {
  return attempts.map((attempt, index) => ({
    label: attemptLabel(attempt),
    description: [
      l10n.t('run of {0}', attempt.runAt),
      attempt.outcome,
      ...(index === 0 ? [l10n.t('newest')] : []),
    ]
      .filter((part) => part !== '')
      .join(' · '),
    attempt,
  }));
}

function attemptLabel({ revision, attempt }: AttemptView): string {
  return revision === 1
    ? l10n.t('Attempt {0}', attempt)
    : l10n.t('Attempt {0} after it was begun anew {1}×', attempt, revision - 1);
}

/** For a row of the view there is a choice only where its newest run has several. */
export function isChoice(attempts: readonly AttemptView[], isRow: boolean): boolean {
  const newest = attempts[0]?.run;
  return (isRow ? attempts.filter(({ run }) => run === newest) : attempts).length > 1;
}

/** What names one attempt at a task among all. */
export interface LogName {
  readonly task: TaskKey;
  readonly attempt: Pick<AttemptView, 'run' | 'revision' | 'attempt'>;
}

/** The path of a log's document ends with what its tab is called; the query says which one it is. */
export function logPath({ task, attempt }: LogName): string {
  return `/${attempt.run}/${task.id}.${attempt.revision}.${attempt.attempt}.log`;
}

export function logQuery({ task, attempt: { run, revision, attempt } }: LogName): string {
  const { folderUri, plan, id } = task;
  return JSON.stringify([folderUri, plan, id, run, revision, attempt]);
}

/** Nothing for an address that somebody else has made. */
export function readLogQuery(query: string): LogName | undefined {
  const [folderUri, plan, id, run, revision, attempt] = listOf(query);
  if (typeof folderUri !== 'string' || typeof plan !== 'string' || typeof id !== 'string')
    return undefined;
  if (typeof run !== 'string' || typeof revision !== 'number' || typeof attempt !== 'number')
    return undefined;
  return { task: { folderUri, plan, id }, attempt: { run, revision, attempt } };
}

function listOf(text: string): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}
