import { LSPErrorCodes, ResponseError } from 'vscode-languageserver';
import {
  CONTROL_TASKS,
  type ControlReply,
  DESCRIBE_TASK,
  type DescribeReply,
  type TaskKey,
} from '../../protocol/tasks.ts';
import { sentenceOf } from '../board/board.ts';
import { type BoardIntervention, intervene } from '../board/intervene.ts';
import { parseRunId, parseTaskId } from '../domain/ids.ts';
import { describeTask } from './describe-task.ts';
import type { Feature } from './feature.ts';
import { fieldsOf } from './refuse-params.ts';

/** What people ask of tasks that are on the board, and do with them. */
export const runControlFeature: Feature = {
  capabilities: () => ({}),
  register(connection, workspace) {
    connection.onRequest(CONTROL_TASKS, async (params: unknown): Promise<ControlReply> => {
      const { folderUri, what: asked } = fieldsOf(params);
      const what = readIntervention(asked);
      const board = typeof folderUri === 'string' ? workspace.get(folderUri)?.board : undefined;
      if (board === undefined) return { refusals: ['This folder is not open.'] };
      if (!board.isTrusted) return { refusals: ['Trust this folder to run its tasks.'] };
      try {
        return { refusals: await intervene(board, what) };
      } catch (error) {
        return { refusals: [sentenceOf(error)] };
      }
    });

    connection.onRequest(DESCRIBE_TASK, async (params: unknown): Promise<DescribeReply> => {
      const { folderUri, plan, id }: Partial<Record<keyof TaskKey, unknown>> = fieldsOf(params);
      if (typeof folderUri !== 'string' || typeof plan !== 'string' || typeof id !== 'string')
        throw invalid('A task is named by "folderUri", "plan" and "id".');
      const board = workspace.get(folderUri)?.board;
      return { markdown: board && (await describeTask(board, { plan, id })) };
    });
  },
};

function readIntervention(asked: unknown): BoardIntervention {
  const { kind, run, tasks } = fieldsOf(asked);
  switch (kind) {
    case 'pause-all':
    case 'resume-all':
      return { kind };
    case 'stop-run': {
      const id = typeof run === 'string' ? parseRunId(run) : undefined;
      if (id === undefined) throw invalid('"run" is the id of a run.');
      return { kind, run: id };
    }
    case 'cancel':
    case 'retry':
    case 'pause':
    case 'resume':
    case 'answer':
      if (!Array.isArray(tasks)) throw invalid('"tasks" is a list.');
      return { kind, tasks: tasks.map(readTask) };
    default:
      throw invalid('"what.kind" is nothing that can be done.');
  }
}

function readTask(task: unknown): Extract<BoardIntervention, { tasks: unknown }>['tasks'][number] {
  const { plan, id } = fieldsOf(task);
  const parsed = typeof id === 'string' ? parseTaskId(id) : undefined;
  if (typeof plan !== 'string' || parsed === undefined)
    throw invalid('Each of "tasks" has a "plan" and an "id".');
  return { plan, id: parsed };
}

function invalid(message: string): ResponseError {
  return new ResponseError(LSPErrorCodes.RequestFailed, message);
}
