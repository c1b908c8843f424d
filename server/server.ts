import {
  type ClientCapabilities,
  type Connection,
  DidChangeWatchedFilesNotification,
  type InitializeParams,
  type ServerCapabilities,
  TextDocuments,
  TextDocumentSyncKind,
} from 'vscode-languageserver';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { type InitializationOptions, TRUST_GRANTED } from '../protocol/initialization.ts';
import type { BoardWorld } from './board/ports.ts';
import { registerTaskHandlers } from './handlers/task-handlers.ts';
import { FEATURES } from './handlers/features.ts';
import { Workspace } from './handlers/workspace.ts';

const PLAN_FILES = ['**/{interlock,*.interlock}.{yaml,yml}', '**/.vscode/tasks.json'];
/** The tasks of a board may be in a folder of any name. */
const BOARD_FILES = ['**/config.yml', '**/*.md'];

/** The server behind one connection. What a client cannot do is not asked of it. */
export function createServer(connection: Connection, world: BoardWorld): void {
  const workspace = new Workspace(connection, world);
  const documents = new TextDocuments(TextDocument);
  let initialization: InitializeParams | undefined;

  connection.onInitialize((params) => {
    initialization = params;
    workspace.meet(params.capabilities);
    return {
      serverInfo: { name: 'Interlock' },
      capabilities: {
        textDocumentSync: TextDocumentSyncKind.Incremental,
        ...offered(params.capabilities),
        workspace: { workspaceFolders: { supported: true, changeNotifications: true } },
      },
    };
  });

  connection.onInitialized(async () => {
    const { capabilities, workspaceFolders, rootUri } = initialization ?? {};
    const options: InitializationOptions = initialization?.initializationOptions ?? {};
    if (options.isTrusted === true) await workspace.trust();
    const roots = workspaceFolders?.map(({ uri }) => uri) ?? (rootUri ? [rootUri] : []);
    await workspace.add(roots);
    if (capabilities?.workspace?.didChangeWatchedFiles?.dynamicRegistration === true)
      await connection.client.register(DidChangeWatchedFilesNotification.type, {
        watchers: [...PLAN_FILES, ...BOARD_FILES].map((globPattern) => ({ globPattern })),
      });
    if (capabilities?.workspace?.workspaceFolders === true)
      connection.workspace.onDidChangeWorkspaceFolders(async ({ added, removed }) => {
        await workspace.remove(removed.map(({ uri }) => uri));
        await workspace.add(added.map(({ uri }) => uri));
      });
  });

  documents.onDidChangeContent(({ document }) => {
    workspace.setBuffer(document.uri, document.getText(), document.version);
  });
  documents.onDidClose(({ document }) => {
    workspace.setBuffer(document.uri, undefined);
  });

  connection.onDidChangeWatchedFiles(({ changes }) => {
    workspace.reload(changes.map(({ uri }) => uri));
  });
  connection.onNotification(TRUST_GRANTED, async () => workspace.trust());
  connection.onShutdown(async () => workspace.close());
  registerTaskHandlers(connection, workspace);
  for (const feature of FEATURES) feature.register(connection, workspace);
  documents.listen(connection);
  connection.listen();
}

function offered(client: ClientCapabilities): ServerCapabilities {
  return Object.assign({}, ...FEATURES.map((feature) => feature.capabilities(client)));
}
