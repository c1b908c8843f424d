import * as vscode from 'vscode';
import type { Hold, WorkerView } from '../../protocol/workers.ts';
import { keyOf } from '../task-list.ts';
import { keyOfWorker, type WorkerList } from '../worker-list.ts';
import { holdRow, workerRow } from '../views/workers-model.ts';

/** Something that a worker has. */
export interface HeldBy {
  readonly worker: WorkerView;
  readonly hold: Hold;
}

/** The worker that a command was called for: a menu passes its row, the palette passes nothing. */
export async function chooseWorker(
  workers: WorkerList,
  argument: unknown,
  choice: { readonly placeHolder: string; readonly isFit: (view: WorkerView) => boolean },
): Promise<WorkerView | undefined> {
  const called = workers.get(keysIn(argument).key);
  if (called !== undefined) return called;
  const items = workers.all.filter(choice.isFit).map((view) => {
    const { icon, label, description } = workerRow(view, workers.now);
    return { view, label: `$(${icon}) ${label}`, description };
  });
  const { placeHolder } = choice;
  return (await vscode.window.showQuickPick(items, { placeHolder }))?.view;
}

/** The same for one of the things that workers have. */
export async function chooseHold(
  workers: WorkerList,
  argument: unknown,
  choice: { readonly placeHolder: string; readonly isFit: (held: HeldBy) => boolean },
): Promise<HeldBy | undefined> {
  const all = workers.all.flatMap((worker) => worker.holds.map((hold) => ({ worker, hold })));
  const { key, task } = keysIn(argument);
  const called = all.find(({ worker, hold }) => `${keyOfWorker(worker)}\n${hold.key}` === key);
  if (called !== undefined) return called;
  const fit = all.filter(choice.isFit).filter(({ hold }) => task === '' || isOf(hold, task));
  if (task !== '' && fit.length === 1) return fit[0];
  const items = fit.map((held) => {
    const { icon, label, description } = holdRow(held.hold, workers.now);
    return { held, label: `$(${icon}) ${label}`, description, detail: held.worker.name };
  });
  const { placeHolder } = choice;
  const picked = await vscode.window.showQuickPick(items, { placeHolder, matchOnDetail: true });
  return picked?.held;
}

function isOf({ task }: Hold, key: string): boolean {
  return task !== undefined && keyOf(task) === key;
}

/** Rows have a key of their own; a row of the Tasks view has that of its task, and links name a task. */
function keysIn(argument: unknown): { readonly key: string; readonly task: string } {
  const { key, folderUri, plan, id, kind }: Partial<Record<string, unknown>> =
    typeof argument === 'object' && argument !== null ? { ...argument } : {};
  if (typeof key === 'string') return kind === 'task' ? { key: '', task: key } : { key, task: '' };
  if (typeof folderUri !== 'string' || typeof plan !== 'string' || typeof id !== 'string')
    return { key: '', task: '' };
  return { key: '', task: keyOf({ folderUri, plan, id }) };
}
