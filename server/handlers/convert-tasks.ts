import {
  type CodeAction,
  CodeActionKind,
  CreateFile,
  ResourceOperationKind,
} from 'vscode-languageserver';
import { tasksJsonToPlan } from '../plans/vscode-tasks/tasks-json-to-plan.ts';
import type { Workspace } from './workspace.ts';

const NAMES = ['interlock.yaml', 'tasks.interlock.yaml'];
const START = { line: 0, character: 0 };

/** Writes the tasks of a tasks.json into a plan of its own. What is there already is never touched. */
export function convertActions(uri: string, workspace: Workspace): readonly CodeAction[] {
  const document = workspace.documentAt(uri);
  const { documentChanges, resourceOperations } = workspace.client.workspace?.workspaceEdit ?? {};
  const canCreate = resourceOperations?.includes(ResourceOperationKind.Create) === true;
  if (document?.plan.kind !== 'vscode-tasks' || documentChanges !== true || !canCreate) return [];
  const { folder, text, plan, places } = document;
  const platform = plan.surroundings?.platform;
  const name = NAMES.find((one) => folder?.hasFile(one) === false);
  if (platform === undefined || name === undefined) return [];
  const newUri = places.uriOf(name);
  const newText = tasksJsonToPlan(text, platform);
  return [
    {
      title: `Write these tasks into ${name}`,
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
    },
  ];
}
