import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { RunView } from '../../protocol/runs.ts';
import {
  CONTROL_TASKS,
  type ControlReply,
  type ControlTasks,
  type Intervention,
  type TaskView,
} from '../../protocol/tasks.ts';
import { foldersOf } from '../folder-name.ts';
import { isActive, isPending, isRetryable, progressText } from '../views/task-tree-model.ts';
import type { Part, Window } from '../window.ts';
import { isCalledFor, runOf, tasksOf } from './called-for.ts';
import { pickTasks } from './choose-task.ts';
import { sayGone } from './say-gone.ts';
import { withoutIcons } from '../text-of-others.ts';
import { showInformation, showWarning } from '../show-message.ts';

type TaskWord = Extract<Intervention, { tasks: unknown }>['kind'];

/** For which tasks a word means something, and what is asked where none is named. */
interface Choice {
  readonly kind: TaskWord;
  readonly fits: (view: TaskView) => boolean;
  readonly question: string;
  /** Where no task is one. */
  readonly none: string;
}

export const runControlCommands: Part = (window) => ({
  'interlock.task.cancel': async (...rows) => controlTasks(window, rows, cancelChoice()),
  'interlock.task.retry': async (...rows) => controlTasks(window, rows, retryChoice()),
  'interlock.task.pause': async (...rows) => controlTasks(window, rows, pauseChoice()),
  'interlock.task.resume': async (...rows) => controlTasks(window, rows, resumeChoice()),
  'interlock.task.answer': async (...rows) => controlTasks(window, rows, answerChoice()),
  'interlock.tasks.pauseAll': async () => controlAll(window, 'pause-all'),
  'interlock.tasks.resumeAll': async () => controlAll(window, 'resume-all'),
  'interlock.run.stop': async (row) => stopRun(window, row),
});

function cancelChoice(): Choice {
  return {
    kind: 'cancel',
    fits: ({ state }) => isActive(state),
    question: l10n.t('Cancel which tasks?'),
    none: l10n.t('No task is part of a run now: there is nothing to cancel.'),
  };
}

function retryChoice(): Choice {
  return {
    kind: 'retry',
    fits: ({ state }) => isRetryable(state),
    question: l10n.t('Try which tasks again?'),
    none: l10n.t('No task has failed, was cancelled or skipped: there is nothing to retry.'),
  };
}

function pauseChoice(): Choice {
  return {
    kind: 'pause',
    fits: ({ state, isPaused }) => isPending(state) && !isPaused,
    question: l10n.t('Keep which tasks from starting?'),
    none: l10n.t('No task waits to be started: there is nothing to pause.'),
  };
}

function resumeChoice(): Choice {
  return {
    kind: 'resume',
    fits: ({ isPaused }) => isPaused,
    question: l10n.t('Let which tasks go on?'),
    none: l10n.t('No task is paused. "Resume All" goes on where everything is.'),
  };
}

function answerChoice(): Choice {
  return {
    kind: 'answer',
    fits: ({ state }) => state === 'attention',
    question: l10n.t('Which tasks have their answer, and begin anew?'),
    none: l10n.t('No task has asked anything.'),
  };
}

/** Does it to all rows that are selected; where none is, to those that are picked. */
async function controlTasks(
  { server, tasks }: Window,
  rows: readonly unknown[],
  { kind, fits, question, none }: Choice,
): Promise<void> {
  const named = tasksOf(tasks, rows);
  if (named.length === 0 && isCalledFor(rows[0])) return sayGone();
  const fitting = (named.length > 0 ? named : tasks.all).filter(fits);
  // Of one row that does not fit the server says why.
  const given = fitting.length > 0 ? fitting : named;
  if (given.length === 0) {
    void showInformation(none);
    return;
  }
  const chosen = named.length > 0 ? given : await pickTasks(given, question);
  for (const [folderUri, views] of byFolder(chosen)) {
    const what: Intervention = { kind, tasks: views.map(({ plan, id }) => ({ plan, id })) };
    await ask(server, { folderUri, what });
  }
}

async function controlAll(
  { server, runs }: Window,
  kind: 'pause-all' | 'resume-all',
): Promise<void> {
  const status = kind === 'pause-all' ? 'active' : 'paused';
  const folders = new Set(
    runs.live.filter((run) => run.status === status).map(({ folderUri }) => folderUri),
  );
  if (folders.size === 0) {
    const none =
      kind === 'pause-all'
        ? l10n.t('Nothing runs that could be paused.')
        : l10n.t('Nothing is paused.');
    void showInformation(none);
    return;
  }
  for (const folderUri of folders) await ask(server, { folderUri, what: { kind } });
}

async function stopRun({ server, tasks, runs }: Window, row: unknown): Promise<void> {
  const called = runOf(tasks, row);
  const isLive = runs.live.some(
    ({ folderUri, run }) => folderUri === called?.folderUri && run === called.run,
  );
  if (isCalledFor(row) && !isLive) return sayGone();
  const chosen = called ?? (await pickRun(runs.live));
  if (chosen === undefined) return;
  const { folderUri, run } = chosen;
  await ask(server, { folderUri, what: { kind: 'stop-run', run } });
}

async function pickRun(live: readonly RunView[]): Promise<RunView | undefined> {
  if (live.length === 0) {
    void showInformation(l10n.t('Nothing runs: there is nothing to stop.'));
    return undefined;
  }
  if (live.length === 1) return live[0];
  const inFolder = foldersOf(live);
  const items = live.map((run) => ({
    run,
    label: `$(play-circle) ${withoutIcons(inFolder(run, run.plan))}`,
    description: progressText([run]),
  }));
  const picked = await vscode.window.showQuickPick(items, {
    placeHolder: l10n.t('Stop which run?'),
  });
  return picked?.run;
}

/** What was refused is said once, however many tasks it was. */
async function ask(server: Window['server'], params: ControlTasks): Promise<void> {
  const { refusals } = await server.ask<ControlReply>(CONTROL_TASKS, params);
  if (refusals.length === 0) return;
  const [first = '', ...others] = [...new Set(refusals)];
  const message = others.length === 0 ? first : l10n.t('{0} And {1} more.', first, others.length);
  void showWarning(message);
}

function byFolder(views: readonly TaskView[]): ReadonlyMap<string, readonly TaskView[]> {
  return Map.groupBy(views, ({ folderUri }) => folderUri);
}
