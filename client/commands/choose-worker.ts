import * as vscode from 'vscode';
import { foldersOf } from '../folder-name.ts';
import type { WorkerView } from '../../protocol/workers.ts';
import type { HeldBy } from '../worker-list.ts';
import { holdRow, workerName, workerRow } from '../views/workers-model.ts';
import type { Window } from '../window.ts';
import { holdOf, isCalledFor, workerOf } from './called-for.ts';
import { sayGone } from './say-gone.ts';
import { withoutIcons } from '../text-of-others.ts';
import { showInformation } from '../show-message.ts';

interface Choice<Some> {
  readonly placeHolder: string;
  readonly isFit: (some: Some) => boolean;
  /** Where there is nothing to choose from. */
  readonly none: string;
}

/** The worker that a command was called for, or one that is picked. */
export async function chooseWorker(
  { workers }: Window,
  argument: unknown,
  { placeHolder, isFit, none }: Choice<WorkerView>,
): Promise<WorkerView | undefined> {
  const called = workerOf(workers, argument);
  if (called !== undefined) return called;
  if (isCalledFor(argument)) return sayGone();
  const inFolder = foldersOf(workers.all);
  const items = workers.all.filter(isFit).map((view) => {
    const { icon, label, description } = workerRow(view, workers.now);
    return {
      view,
      label: `$(${icon}) ${withoutIcons(label)}`,
      description: withoutIcons(description),
      detail: withoutIcons(inFolder(view, '')),
    };
  });
  if (items.length === 0) return sayNone(none);
  return (await vscode.window.showQuickPick(items, { placeHolder }))?.view;
}

/** The same for one of the things that workers have. */
export async function chooseHold(
  { tasks, workers }: Window,
  argument: unknown,
  { placeHolder, isFit, none }: Choice<HeldBy>,
): Promise<HeldBy | undefined> {
  const called = holdOf({ tasks, workers }, argument);
  if (called !== undefined) return called;
  if (isCalledFor(argument)) return sayGone();
  const inFolder = foldersOf(workers.all);
  const items = workers.holds.filter(isFit).map((held) => {
    const { worker, hold } = held;
    const { icon, label, description } = holdRow(hold, workers.now, worker);
    return {
      held,
      label: `$(${icon}) ${withoutIcons(label)}`,
      description: withoutIcons(description),
      detail: withoutIcons(inFolder(worker, workerName(worker))),
    };
  });
  if (items.length === 0) return sayNone(none);
  const picked = await vscode.window.showQuickPick(items, { placeHolder, matchOnDetail: true });
  return picked?.held;
}

function sayNone(none: string): undefined {
  void showInformation(none);
}
