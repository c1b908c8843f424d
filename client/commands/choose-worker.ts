import * as vscode from 'vscode';
import type { Hold, WorkerView } from '../../protocol/workers.ts';
import { keyOfWorker, type WorkerList } from '../worker-list.ts';
import { holdRow, workerRow } from '../views/workers-model.ts';
import { withoutIcons } from '../text-of-others.ts';

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
    return {
      view,
      label: `$(${icon}) ${withoutIcons(label)}`,
      description: withoutIcons(description),
    };
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
  const { key, id } = keysIn(argument);
  const called = all.find(({ worker, hold }) => `${keyOfWorker(worker)}\n${hold.key}` === key);
  if (called !== undefined) return called;
  const fit = all.filter(choice.isFit).filter(({ hold }) => id === '' || hold.name === id);
  if (id !== '' && fit.length === 1) return fit[0];
  const items = fit.map((held) => {
    const { icon, label, description } = holdRow(held.hold, workers.now);
    return {
      held,
      label: `$(${icon}) ${withoutIcons(label)}`,
      description: withoutIcons(description),
      detail: withoutIcons(held.worker.name),
    };
  });
  const { placeHolder } = choice;
  const picked = await vscode.window.showQuickPick(items, { placeHolder, matchOnDetail: true });
  return picked?.held;
}

/** Rows have a key of their own; a row of the Tasks view has that of its task, which ends with the id. */
function keysIn(argument: unknown): { readonly key: string; readonly id: string } {
  const { key, id, kind }: Partial<Record<string, unknown>> =
    typeof argument === 'object' && argument !== null ? { ...argument } : {};
  if (typeof id === 'string') return { key: '', id };
  if (typeof key !== 'string') return { key: '', id: '' };
  return { key, id: kind === 'task' ? (key.split('\n').at(-1) ?? '') : '' };
}
