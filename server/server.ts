import {
  type ClientCapabilities,
  type Connection,
  type ConnectionOptions,
  type InitializeParams,
  PositionEncodingKind,
  type ServerCapabilities,
} from 'vscode-languageserver';
import { EDIT_OVERWRITTEN, type EditOverwritten } from '../protocol/documents.ts';
import type { InitializationOptions } from '../protocol/initialization.ts';
import type { BoardWorld } from './board/ports.ts';
import { FEATURES } from './handlers/features.ts';
import { Gate, registerRefusals } from './handlers/gate.ts';
import { openDocuments } from './handlers/open-documents.ts';
import { LiveFiles } from './handlers/ownership/live-files.ts';
import { showMessagesIn } from './handlers/ownership/ownership-handlers.ts';
import { registerHandlers } from './handlers/register-handlers.ts';
import { tellResumed } from './handlers/resumption.ts';
import { registerForAnyFile, syncCapabilities } from './handlers/text-sync.ts';
import { registerForWatchedFiles } from './handlers/watched-files.ts';
import {
  configureHosts,
  registerUserHandlers,
  tellHostProblems,
} from './handlers/user-handlers.ts';
import { type FolderChange, Workspace } from './handlers/workspace.ts';

/** What a connection is to be made with, for `createServer` to serve it. */
export interface Entrance extends ConnectionOptions {
  readonly messageStrategy: Gate;
}

export function connectionOptions(): Entrance {
  return { messageStrategy: new Gate() };
}

/** The server behind one connection. What a client cannot do is not asked of it. */
export function createServer(
  connection: Connection,
  { messageStrategy: gate }: Entrance,
  world: BoardWorld,
): void {
  const workspace = new Workspace(connection, world);
  gate.waitFor(workspace);
  const live = new LiveFiles({
    workspace,
    world,
    show: showMessagesIn(connection),
    tellOverwritten: (edit: EditOverwritten) =>
      void connection.sendNotification(EDIT_OVERWRITTEN, edit),
  });
  const documents = openDocuments({ workspace, live });
  let initialization: InitializeParams | undefined;
  let hostProblems: Disposable | undefined;
  /** What is open already lies in other folders then, or in one for the first time. */
  const changeFolders = async (change: FolderChange): Promise<void> => {
    await workspace.change(change);
    for (const document of documents.all()) workspace.takeAnew(document.uri, document.getText());
    live.placeAnew();
  };

  connection.onInitialize((params) => {
    initialization = params;
    workspace.meet(params.capabilities);
    const options: InitializationOptions = params.initializationOptions ?? {};
    live.configure(options);
    configureHosts(world.hosts, options);
    return {
      serverInfo: { name: 'Interlock' },
      capabilities: {
        // Every client can do this one, and it is how our texts are counted anyway.
        positionEncoding: PositionEncodingKind.UTF16,
        ...syncCapabilities(params.capabilities),
        ...offered(params.capabilities),
      },
    };
  });

  connection.onInitialized(async () => {
    const { capabilities = {}, workspaceFolders, rootUri } = initialization ?? {};
    const options: InitializationOptions = initialization?.initializationOptions ?? {};
    if (options.isTrusted === true) await workspace.trust();
    const roots = workspaceFolders?.map(uriOf) ?? (rootUri ? [rootUri] : []);
    if (capabilities.workspace?.workspaceFolders === true)
      connection.workspace.onDidChangeWorkspaceFolders(async ({ added, removed }) =>
        changeFolders({ added: added.map(uriOf), removed: removed.map(uriOf) }),
      );
    await changeFolders({ added: roots, removed: [] });
    tellResumed(connection, workspace);
    hostProblems = tellHostProblems(connection, world.hosts);
    await registerForWatchedFiles(connection, capabilities);
    await registerForAnyFile(connection, capabilities);
  });

  connection.onDidChangeWatchedFiles(({ changes }) => {
    workspace.reload(changes.map(({ uri }) => uri));
  });
  registerUserHandlers(connection, workspace, { live, hosts: world.hosts });
  connection.onShutdown(async () => {
    hostProblems?.[Symbol.dispose]();
    await live.close();
    await workspace.close();
  });
  registerRefusals(connection);
  registerHandlers({ connection, live, workspace, world });
  documents.listen(connection);
  connection.listen();
}

function uriOf({ uri }: { readonly uri: string }): string {
  return uri;
}

function offered(client: ClientCapabilities): ServerCapabilities {
  return Object.assign({}, ...FEATURES.map((feature) => feature.capabilities(client)));
}
