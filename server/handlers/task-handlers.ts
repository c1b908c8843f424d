import type { Connection } from 'vscode-languageserver';
import {
  FIND_LOG,
  type FolderParams,
  LIST_TASKS,
  type LogReply,
  RUN_TASKS,
  type RunReply,
  type RunTasks,
  STOP_TASKS,
  type StopReply,
  type TaskKey,
  type TaskView,
} from '../../protocol/tasks.ts';
import { sentenceOf } from '../board/board.ts';
import type { Workspace } from './workspace.ts';

export function registerTaskHandlers(connection: Connection, workspace: Workspace): void {
  connection.onRequest(LIST_TASKS, async (): Promise<readonly TaskView[]> => {
    // A client may ask as soon as it is there: folders that are just being opened count.
    await workspace.change({ added: [], removed: [] });
    workspace.settle();
    return workspace.folders.flatMap((folder) => folder.views);
  });

  connection.onRequest<RunReply, void>(RUN_TASKS, async (params: RunTasks): Promise<RunReply> => {
    const board = workspace.get(params.folderUri)?.board;
    if (board === undefined) return { kind: 'refused', message: 'This folder is not open.' };
    if (!Array.isArray(params.ids) || !params.ids.every((id) => typeof id === 'string'))
      return { kind: 'refused', message: '"ids" is a list of task ids.' };
    try {
      const result = await board.run({
        plan: params.plan,
        tasks: params.ids.map((id) => ({ id })),
        requestedBy: 'editor',
        isInTerminal: params.in === 'terminal',
        ...(typeof params.on === 'string' && { host: params.on }),
      });
      if (result.kind === 'refused') return { kind: 'refused', message: result.message };
      return {
        kind: 'accepted',
        leftOut: result.leftOut.map(({ task, why }) => ({ id: task, why })),
        refusedPlans: result.refusedPlans.map(({ plan, message }) => ({ plan, message })),
      };
    } catch (error) {
      return { kind: 'refused', message: sentenceOf(error) };
    }
  });

  connection.onRequest<StopReply, void>(STOP_TASKS, async (params: FolderParams) => {
    try {
      await workspace.get(params.folderUri)?.board.stop();
      return {};
    } catch (error) {
      return { refusal: sentenceOf(error) };
    }
  });

  connection.onRequest(FIND_LOG, ({ folderUri, plan, id }: TaskKey): LogReply => ({
    path: workspace.get(folderUri)?.board.logFile(plan, id),
  }));
}
