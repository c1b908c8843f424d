import { TextDocuments } from 'vscode-languageserver';
import { TextDocument } from 'vscode-languageserver-textdocument';
import type { LiveFiles } from './ownership/live-files.ts';
import type { Workspace } from './workspace.ts';

/** The texts that the client has open: of plans, and of whatever else somebody may be at work on. */
export function openDocuments({
  workspace,
  live,
}: {
  readonly workspace: Workspace;
  readonly live: LiveFiles;
}): TextDocuments<TextDocument> {
  const documents = new TextDocuments({
    create: TextDocument.create,
    update(document, edits, version) {
      const updated = TextDocument.update(document, edits, version);
      live.edited(updated, edits);
      return updated;
    },
  });
  documents.onDidOpen(({ document }) => live.opened(document));
  documents.onDidChangeContent(({ document }) => {
    workspace.setBuffer(document.uri, document.getText(), document.version);
  });
  documents.onDidSave(({ document }) => live.saved(document.uri));
  documents.onDidClose(({ document }) => {
    workspace.setBuffer(document.uri, undefined);
    live.closed(document.uri);
  });
  return documents;
}
