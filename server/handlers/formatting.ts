import type { Range, TextEdit } from 'vscode-languageserver';
import { format } from '../language/format/format.ts';
import type { Feature } from './feature.ts';
import type { Workspace } from './workspace.ts';

/**
 * Plans have one form, for whoever writes them: what the client says of tabs and of how far to
 * indent is deliberately not asked.
 */
export const formattingFeature: Feature = {
  capabilities: () => ({
    documentFormattingProvider: true,
    documentRangeFormattingProvider: true,
  }),
  register(connection, workspace) {
    connection.onDocumentFormatting(({ textDocument }) => editsOf(workspace, textDocument.uri));
    connection.onDocumentRangeFormatting(({ textDocument, range }) =>
      editsOf(workspace, textDocument.uri, range),
    );
  },
};

function editsOf(workspace: Workspace, uri: string, range?: Range): TextEdit[] {
  const document = workspace.documentAt(uri);
  if (document?.plan.kind !== 'interlock') return [];
  const positions = document.places.positionsOf(document.file);
  const part = range && { start: positions.offset(range.start), end: positions.offset(range.end) };
  return format(document.tree(), part).map((edit) => ({
    range: positions.range(edit.range),
    newText: edit.text,
  }));
}
