import type { CodeLens, Command } from 'vscode-languageserver';
import type { TaskKey } from '../../protocol/tasks.ts';
import type { BoardTask } from '../board/board-task.ts';
import { ACTIVE_STATES } from '../language/state-text.ts';
import type { Feature } from './feature.ts';
import type { Folder } from './folder.ts';
import { LOG_COMMAND, RUN_COMMAND, WHY_COMMAND } from './task-commands.ts';
import { fileOf } from '../plans/plan-source.ts';

/** `Run | Why | 2 blockers` above each task, and `Log` above one that runs: the lines below stay where they are. */
export const codeLensFeature: Feature = {
  capabilities: () => ({ codeLensProvider: {} }),
  register(connection, workspace) {
    const canShow = (): boolean => workspace.client.window?.showDocument?.support === true;
    connection.onCodeLens(({ textDocument }): CodeLens[] => {
      const document = workspace.documentAt(textDocument.uri);
      if (document?.folder === undefined) return [];
      const { folder, plan, file, places } = document;
      const tasks = folder.board
        .tasksShown()
        .filter(
          ({ task, plan: { path } }) => path === plan.path && fileOf(task.idRange, plan) === file,
        );
      const ids = tasks.map(({ task }) => task.id);
      const whyNot = folder.board.whyNotEach(plan.path, ids);
      return tasks.flatMap((task) => {
        const range = places.positionsOf(file).range(task.task.idRange);
        const blockers = whyNot.get(task.task.id)?.length ?? 0;
        const commands = ACTIVE_STATES.has(task.status.kind)
          ? logLens(task, folder.uri).filter(canShow)
          : lensesOf(task, folder, blockers);
        return commands.map((command) => ({ range, command }));
      });
    });
  },
};

function logLens({ task, plan }: BoardTask, folderUri: string): readonly Command[] {
  const key: TaskKey = { folderUri, plan: plan.path, id: task.id };
  return [{ title: 'Log', command: LOG_COMMAND, arguments: [key] }];
}

function lensesOf(
  { task, plan, status }: BoardTask,
  folder: Pick<Folder, 'uri' | 'board'>,
  blockers: number,
): readonly Command[] {
  const key: TaskKey = { folderUri: folder.uri, plan: plan.path, id: task.id };
  const lens = (title: string, command: string): Command => {
    return { title, command, arguments: [key] };
  };
  const isWanted = status.kind === 'waiting' || status.kind === 'ready';
  // Where others of its plan are being run, it could only be refused; an answer is no new run.
  const isFree = blockers === 0 || status.kind === 'attention';
  const mayRun = folder.board.isTrusted && isFree && !isWanted && status.kind !== 'blocked';
  return [
    ...(mayRun ? [lens('Run', RUN_COMMAND)] : []),
    ...(isWanted || blockers > 0 ? [lens('Why', WHY_COMMAND)] : []),
    ...(blockers > 0 ? [lens(`${blockers} blocker${blockers === 1 ? '' : 's'}`, WHY_COMMAND)] : []),
  ];
}
