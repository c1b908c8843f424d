import { ErrorCodes, ResponseError } from 'vscode-languageserver';
import type { TaskKey } from '../../protocol/tasks.ts';
import type { Board } from '../board/board.ts';
import { parseTaskId, type TaskId } from '../domain/ids.ts';
import type { Folder } from './folder.ts';
import type { Workspace } from './workspace.ts';

/** For whoever sends what cannot be read. */
export function refuseParams(message: string): ResponseError {
  return new ResponseError(ErrorCodes.InvalidParams, message);
}

export function fieldsOf(params: unknown): Readonly<Record<string, unknown>> {
  return typeof params === 'object' && params !== null ? { ...params } : {};
}

interface NamedTask {
  readonly folder: Folder;
  readonly board: Board;
  readonly plan: string;
  readonly id: TaskId;
}

/** The task that a message is about; whoever names none is refused. */
export function readTask(params: unknown, workspace: Workspace): NamedTask {
  const { folderUri, plan, id }: Partial<Record<keyof TaskKey, unknown>> = fieldsOf(params);
  if (typeof folderUri !== 'string' || typeof plan !== 'string' || typeof id !== 'string')
    throw refuseParams('A task is named by "folderUri", "plan" and "id".');
  const folder = workspace.get(folderUri);
  const task = parseTaskId(id);
  if (folder === undefined) throw refuseParams('This folder is not open.');
  if (task === undefined) throw refuseParams(`"${id}" is no id of a task.`);
  return { folder, board: folder.board, plan, id: task };
}
