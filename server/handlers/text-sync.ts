import {
  type ClientCapabilities,
  CodeActionRequest,
  type Connection,
  DidChangeTextDocumentNotification,
  DidCloseTextDocumentNotification,
  DidOpenTextDocumentNotification,
  DidSaveTextDocumentNotification,
  type ServerCapabilities,
  TextDocumentSyncKind,
} from 'vscode-languageserver';
import { QUICK_FIXES } from './code-actions.ts';

/**
 * Any file may be one that somebody else writes, so the texts of all are wanted, and nothing else of
 * them: what is offered without a selector counts for plans.
 */
const ANY_FILE = { documentSelector: [{ scheme: 'file' }] };

/** A client that takes no registrations sends the documents that it was set up to send. */
export function syncCapabilities({ textDocument }: ClientCapabilities): ServerCapabilities {
  const isSyncLater = textDocument?.synchronization?.dynamicRegistration === true;
  return {
    textDocumentSync: isSyncLater
      ? TextDocumentSyncKind.None
      : { openClose: true, change: TextDocumentSyncKind.Incremental, save: true },
    workspace: {
      workspaceFolders: { supported: true, changeNotifications: true },
      fileOperations: { didRename: { filters: [{ scheme: 'file', pattern: { glob: '**' } }] } },
    },
  };
}

export async function registerForAnyFile(
  { client }: Connection,
  { textDocument }: ClientCapabilities,
): Promise<void> {
  if (textDocument?.codeAction?.dynamicRegistration === true)
    await client.register(CodeActionRequest.type, { ...ANY_FILE, ...QUICK_FIXES });
  if (textDocument?.synchronization?.dynamicRegistration !== true) return;
  await client.register(DidChangeTextDocumentNotification.type, {
    ...ANY_FILE,
    syncKind: TextDocumentSyncKind.Incremental,
  });
  await client.register(DidSaveTextDocumentNotification.type, ANY_FILE);
  await client.register(DidCloseTextDocumentNotification.type, ANY_FILE);
  // Last, because the documents that are open come with it.
  await client.register(DidOpenTextDocumentNotification.type, ANY_FILE);
}
