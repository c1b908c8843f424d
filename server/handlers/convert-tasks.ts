import {
  type CodeAction,
  CodeActionKind,
  type Connection,
  CreateFile,
  ResourceOperationKind,
  ShowDocumentRequest,
} from 'vscode-languageserver';
import { tasksJsonToPlan } from '../plans/vscode-tasks/tasks-json-to-plan.ts';
import type { Folder } from './folder.ts';
import type { Workspace } from './workspace.ts';

const NAMES = ['interlock.yaml', 'tasks.interlock.yaml'];
const START = { line: 0, character: 0 };

/** Shows the plan that has just been written: a client may write it without a word. */
export const SHOW_PLAN_COMMAND = 'interlock.plan.show';

/** Writes the tasks of a tasks.json into a plan of its own. What is there already is never touched. */
export function convertActions(uri: string, workspace: Workspace): readonly CodeAction[] {
  const document = workspace.documentAt(uri);
  const { documentChanges, resourceOperations } = workspace.client.workspace?.workspaceEdit ?? {};
  const canCreate = resourceOperations?.includes(ResourceOperationKind.Create) === true;
  if (document?.plan.kind !== 'vscode-tasks' || documentChanges !== true || !canCreate) return [];
  const { folder, text, plan, places } = document;
  const platform = plan.surroundings?.platform;
  const name = folder && freePlanName(folder);
  if (platform === undefined || name === undefined) return [];
  const newUri = places.uriOf(name);
  const newText = tasksJsonToPlan(text, platform);
  const title = `Write these tasks into ${name}`;
  const canShow = workspace.client.window?.showDocument?.support === true;
  return [
    {
      title,
      kind: CodeActionKind.RefactorRewrite,
      edit: {
        documentChanges: [
          CreateFile.create(newUri),
          {
            textDocument: { uri: newUri, version: null },
            edits: [{ range: { start: START, end: START }, newText }],
          },
        ],
      },
      ...(canShow && { command: { title, command: SHOW_PLAN_COMMAND, arguments: [newUri] } }),
    },
  ];
}

/** Where nothing is yet. */
export function freePlanName(folder: Folder): string | undefined {
  return NAMES.find((one) => !folder.hasFile(one));
}

export function registerShowPlan(connection: Connection, workspace: Workspace): void {
  workspace.commands.set(SHOW_PLAN_COMMAND, ([uri]) => {
    if (typeof uri !== 'string') return;
    connection
      .sendRequest(ShowDocumentRequest.type, { uri, takeFocus: true })
      .catch((error: unknown) => connection.console.error(String(error)));
  });
}
