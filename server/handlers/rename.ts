import {
  type ChangeAnnotation,
  LSPErrorCodes,
  ResponseError,
  type TextEdit,
  type WorkspaceEdit,
} from 'vscode-languageserver';
import type { TaskInFolder } from '../language/plan-in-folder.ts';
import { rename, renamableAt, type Renaming } from '../language/rename.ts';
import type { Feature } from './feature.ts';
import { spotAt } from './spots.ts';
import type { PlanDocument, Workspace } from './workspace.ts';

const ANNOTATION = 'running';

export const renameFeature: Feature = {
  capabilities: ({ textDocument }) => ({
    renameProvider:
      textDocument?.rename?.prepareSupport === true ? { prepareProvider: true } : true,
  }),
  register(connection, workspace) {
    connection.onPrepareRename(({ textDocument, position }) => {
      const document = workspace.documentAt(textDocument.uri);
      if (document === undefined) return null;
      const found = renamableAt(document.plans, spotAt(document, position));
      if (found.kind === 'refused') return refusal(found.message);
      const range = document.places.positionsOf(document.file).range(found.place.range);
      return { range, placeholder: found.target.task.id };
    });
    connection.onRenameRequest(({ textDocument, position, newName }) => {
      const document = workspace.documentAt(textDocument.uri);
      if (document === undefined) return null;
      const renaming = rename(document.plans, spotAt(document, position), newName);
      if (renaming.kind === 'refused') return refusal(renaming.message);
      return toWorkspaceEdit(workspace, document, renaming);
    });
  },
};

function toWorkspaceEdit(
  workspace: Workspace,
  document: PlanDocument,
  { target, edits }: Extract<Renaming, { kind: 'edits' }>,
): WorkspaceEdit {
  const { places } = document;
  const support = workspace.client.workspace?.workspaceEdit;
  const byUri = new Map<string, TextEdit[]>();
  for (const [file, inFile] of Map.groupBy(edits, (edit) => edit.file)) {
    const positions = places.positionsOf(file);
    byUri.set(
      places.uriOf(file),
      inFile.map(({ range, newText }) => ({ range: positions.range(range), newText })),
    );
  }
  const annotation =
    support?.documentChanges !== true || support.changeAnnotationSupport === undefined
      ? undefined
      : noteOf(document, target);
  if (annotation === undefined) return workspace.editOf(byUri);
  const documentChanges = [...byUri].map(([uri, changes]) => ({
    textDocument: { uri, version: workspace.versionOf(uri) ?? null },
    edits: changes.map((edit) => ({ ...edit, annotationId: ANNOTATION })),
  }));
  return { documentChanges, changeAnnotations: { [ANNOTATION]: annotation } };
}

/** What becomes of a task that somebody works on; nothing where nobody does. */
function noteOf(
  { folder }: PlanDocument,
  { plan, task }: TaskInFolder,
): ChangeAnnotation | undefined {
  const state = folder?.views.find((view) => view.plan === plan.path && view.id === task.id)?.state;
  if (state !== 'running' && state !== 'claimed') return undefined;
  return {
    label: `Rename "${task.id}" while it runs`,
    description: `The run goes on under the id "${task.id}". What is renamed has not run yet.`,
    needsConfirmation: true,
  };
}

function refusal(message: string): ResponseError {
  return new ResponseError(LSPErrorCodes.RequestFailed, message);
}
