import { pathToFileURL } from 'node:url';
import {
  type Connection,
  LSPErrorCodes,
  MessageType,
  ResponseError,
  ShowDocumentRequest,
  ShowMessageNotification,
} from 'vscode-languageserver';
import type { TaskKey } from '../../protocol/tasks.ts';
import { sentenceOf } from '../board/board.ts';
import { displayText } from '../domain/display-text.ts';
import { parseTaskId } from '../domain/ids.ts';
import { SHOW_PLAN_COMMAND } from './convert-tasks.ts';
import type { Feature } from './feature.ts';
import { DISMISS_COMMANDS } from './observed-actions.ts';
import { HAZARD_COMMANDS } from './ownership/hazard-actions.ts';
import type { Workspace } from './workspace.ts';

/** Commands of the server's own, so that a client needs none to offer them. */
export const RUN_COMMAND = 'interlock.run';
export const WHY_COMMAND = 'interlock.why';
export const LOG_COMMAND = 'interlock.log';

export const commandFeature: Feature = {
  capabilities: () => ({
    executeCommandProvider: {
      commands: [
        RUN_COMMAND,
        WHY_COMMAND,
        LOG_COMMAND,
        SHOW_PLAN_COMMAND,
        ...HAZARD_COMMANDS,
        ...DISMISS_COMMANDS,
      ],
    },
  }),
  register(connection, workspace) {
    connection.onExecuteCommand(async ({ command, arguments: args = [] }) => {
      const perform = workspace.commands.get(command);
      if (perform !== undefined) return perform(args);
      const key = readKey(args[0]);
      const said =
        command === RUN_COMMAND
          ? await run(key, workspace)
          : command === LOG_COMMAND
            ? await showLog(key, { connection, workspace })
            : why(key, workspace);
      if (said === undefined) return;
      const message = displayText(said);
      await connection.sendNotification(ShowMessageNotification.type, {
        type: MessageType.Info,
        message,
      });
    });
  },
};

/** Nothing to say when it runs: everybody sees that. */
async function run(
  { folderUri, plan, id }: TaskKey,
  workspace: Workspace,
): Promise<string | undefined> {
  const board = workspace.get(folderUri)?.board;
  if (board === undefined) throw refused('This folder is not open.');
  try {
    const result = await board.run({ plan, tasks: [{ id }], requestedBy: 'editor' });
    return result.kind === 'refused' ? result.message : undefined;
  } catch (error) {
    return sentenceOf(error);
  }
}

async function showLog(
  { folderUri, plan, id }: TaskKey,
  { connection, workspace }: { readonly connection: Connection; readonly workspace: Workspace },
): Promise<string | undefined> {
  const path = workspace.get(folderUri)?.board.logFile(plan, id);
  if (path === undefined) return `${id} has not printed anything yet.`;
  const uri = pathToFileURL(path).href;
  await connection.sendRequest(ShowDocumentRequest.type, { uri, takeFocus: true });
  return undefined;
}

function why({ folderUri, plan, id }: TaskKey, workspace: Workspace): string {
  const board = workspace.get(folderUri)?.board;
  const task = parseTaskId(id);
  if (board === undefined || task === undefined) throw refused('This folder is not open.');
  const sentences = board.whyNot(plan, task);
  return sentences.length > 0 ? `${id}: ${sentences.join(' ')}` : `Nothing is in the way of ${id}.`;
}

function readKey(arg: unknown): TaskKey {
  const { folderUri, plan, id }: Partial<Record<keyof TaskKey, unknown>> =
    typeof arg === 'object' && arg !== null ? arg : {};
  if (typeof folderUri === 'string' && typeof plan === 'string' && typeof id === 'string')
    return { folderUri, plan, id };
  throw refused('A task is named by "folderUri", "plan" and "id".');
}

function refused(message: string): ResponseError {
  return new ResponseError(LSPErrorCodes.RequestFailed, message);
}
