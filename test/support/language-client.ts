import { PassThrough } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { onTestFinished } from 'vitest';
import {
  createProtocolConnection,
  type InitializeParams,
  type InitializeResult,
  type ProtocolConnection,
  type PublishDiagnosticsParams,
  type ServerCapabilities,
  type ShowDocumentParams,
  type ShowMessageRequestParams,
} from 'vscode-languageserver/node';
import {
  createConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver/node';
import {
  RUN_FINISHED,
  type RunFinished,
  type RunView,
  TASKS_CHANGED,
  type TasksChanged,
} from '../../protocol/runs.ts';
import { RUN_TASKS, type RunReply, type TaskKey, type TaskView } from '../../protocol/tasks.ts';
import type { BoardWorld } from '../../server/board/ports.ts';
import { connectionOptions, createServer } from '../../server/server.ts';

/** A client of the language server that keeps what it was told, and waits for it to become true. */
export class LanguageClient {
  readonly connection: ProtocolConnection;
  readonly diagnostics = new Map<string, PublishDiagnosticsParams['diagnostics']>();
  readonly finishedRuns: RunFinished[] = [];
  readonly errors: string[] = [];
  /** What the user was asked or told, with the choices: `Take it? [Yes] [No]`. */
  readonly questions: string[] = [];
  /** What the user chooses, if it is among the choices; else nothing. */
  chosen = '';
  /** The user takes so long to choose. */
  thinks: Promise<void> = Promise.resolve();
  readonly shown: ShowDocumentParams[] = [];
  readonly #views = new Map<string, TaskView>();
  readonly #runs = new Map<string, RunView>();
  readonly #waiting = new Set<() => void>();

  constructor(connection: ProtocolConnection) {
    this.connection = connection;
    connection.onNotification(
      'textDocument/publishDiagnostics',
      (params: PublishDiagnosticsParams) => {
        this.diagnostics.set(params.uri, params.diagnostics);
        this.heard();
      },
    );
    connection.onNotification(TASKS_CHANGED, ({ changed, removed, runs }: TasksChanged) => {
      for (const key of removed) this.#views.delete(key.id);
      for (const view of changed) this.#views.set(view.id, view);
      for (const { run } of runs.removed) this.#runs.delete(run);
      for (const view of runs.changed) this.#runs.set(view.run, view);
      this.heard();
    });
    connection.onNotification(RUN_FINISHED, (run: RunFinished) => {
      this.finishedRuns.push(run);
      this.heard();
    });
    connection.onNotification('window/showMessage', ({ message }: { message: string }) => {
      this.errors.push(message);
      this.heard();
    });
    connection.onRequest('window/showMessageRequest', async (params: ShowMessageRequestParams) => {
      const { message, actions = [] } = params;
      this.questions.push([message, ...actions.map(({ title }) => `[${title}]`)].join(' '));
      this.heard();
      await this.thinks;
      return actions.find(({ title }) => title === this.chosen) ?? null;
    });
    connection.onRequest('window/showDocument', (params: ShowDocumentParams) => {
      this.shown.push(params);
      this.heard();
      return { success: true };
    });
    connection.listen();
  }

  /** `api completed, docs waiting`, in the order in which they were first heard of. */
  get states(): string {
    return [...this.#views.values()].map(({ id, state }) => `${id} ${state}`).join(', ');
  }

  view(id: string): TaskView | undefined {
    return this.#views.get(id);
  }

  get runs(): readonly RunView[] {
    return [...this.#runs.values()];
  }

  /** Answers what the server offers. */
  async start(
    folder: string,
    options: Partial<InitializeParams> = {},
  ): Promise<ServerCapabilities> {
    const { capabilities } = await this.connection.sendRequest<InitializeResult>('initialize', {
      processId: null,
      rootUri: null,
      capabilities: {},
      workspaceFolders: [{ uri: pathToFileURL(folder).href, name: 'project' }],
      initializationOptions: { isTrusted: true },
      ...options,
    });
    await this.connection.sendNotification('initialized', {});
    return capabilities;
  }

  async open(uri: string, text: string, version = 1): Promise<void> {
    const textDocument = { uri, languageId: 'interlock', version, text };
    await this.connection.sendNotification('textDocument/didOpen', { textDocument });
  }

  async run(folder: string, ids: readonly string[] = []): Promise<RunReply> {
    const folderUri = pathToFileURL(folder).href;
    return await this.connection.sendRequest(RUN_TASKS, { folderUri, ids });
  }

  key(folder: string, id: string): TaskKey {
    return { folderUri: pathToFileURL(folder).href, plan: 'interlock.yaml', id };
  }

  /** Resolves as soon as what the client knows is so; the test's own time limit ends the wait. */
  async until(isSo: () => boolean): Promise<void> {
    if (isSo()) return;
    await new Promise<void>((resolve) => {
      const look = (): void => {
        if (!isSo()) return;
        this.#waiting.delete(look);
        resolve();
      };
      this.#waiting.add(look);
    });
  }

  /** Something else has come that somebody may wait for. */
  heard(): void {
    for (const look of this.#waiting) look();
  }
}

/** A client and a server in one process, joined by two streams. */
export function clientInMemory(world: BoardWorld): LanguageClient {
  const [toServer, toClient] = [new PassThrough(), new PassThrough()];
  const entrance = connectionOptions();
  createServer(
    createConnection(
      new StreamMessageReader(toServer),
      new StreamMessageWriter(toClient),
      entrance,
    ),
    entrance,
    world,
  );
  const connection = createProtocolConnection(
    new StreamMessageReader(toClient),
    new StreamMessageWriter(toServer),
  );
  onTestFinished(async () => {
    // A test may have done so already.
    await connection.sendRequest('shutdown').catch(() => {});
    connection.dispose();
  });
  return new LanguageClient(connection);
}
