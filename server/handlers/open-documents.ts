import {
  type Range,
  type TextDocumentContentChangeEvent,
  TextDocuments,
} from 'vscode-languageserver';
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
      live.edited(document, applyEdits(document, edits, version));
      return document;
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

/**
 * Applies edits one after the other, each range clamped to the text that it is an edit of, and returns
 * them so. Past its last line a document loses count of its lines: the second such edit never ends.
 */
export function applyEdits(
  document: TextDocument,
  edits: readonly TextDocumentContentChangeEvent[],
  version: number,
): readonly TextDocumentContentChangeEvent[] {
  const applied = edits.map((edit) => {
    const clamped = 'range' in edit ? clampedTo(document, edit) : edit;
    TextDocument.update(document, [clamped], version);
    return clamped;
  });
  TextDocument.update(document, [], version);
  return applied;
}

function clampedTo(
  document: TextDocument,
  { range, text }: { readonly range: Range; readonly text: string },
): TextDocumentContentChangeEvent {
  const [one, other] = [document.offsetAt(range.start), document.offsetAt(range.end)];
  const start = document.positionAt(Math.min(one, other));
  return { range: { start, end: document.positionAt(Math.max(one, other)) }, text };
}
