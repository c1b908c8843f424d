import * as vscode from 'vscode';
import { LanguageClient, State, TransportKind } from 'vscode-languageclient/node';
import { type InitializationOptions, TRUST_GRANTED } from '../protocol/initialization.ts';
import { SERVER_FLAGS } from '../protocol/runtime.ts';

/** The language server's process. Parts of the window say by the names of protocol/ what they want of it. */
export class ServerProcess {
  readonly #client: LanguageClient;

  constructor(module: string, log: vscode.LogOutputChannel) {
    this.#client = new LanguageClient(
      'interlock',
      'Interlock',
      { module, transport: TransportKind.ipc, options: { execArgv: [...SERVER_FLAGS] } },
      {
        documentSelector: [
          { scheme: 'file', language: 'interlock' },
          // Boards of kanban-md; the server looks which of these files are part of one.
          { scheme: 'file', pattern: '**/config.yml' },
          { scheme: 'file', pattern: '**/*.md' },
          { scheme: 'file', language: 'jsonc', pattern: '**/.vscode/tasks.json' },
        ],
        initializationOptions,
        outputChannel: log,
        diagnosticCollectionName: 'interlock',
      },
    );
  }

  get isRunning(): boolean {
    return this.#client.state === State.Running;
  }

  onStarting(listener: () => void): void {
    this.#onState(State.Starting, listener);
  }

  onStarted(listener: () => void): void {
    this.#onState(State.Running, listener);
  }

  /** In whatever way: what it said of the world is over with it. */
  onStopped(listener: () => void): void {
    this.#onState(State.Stopped, listener);
  }

  /** Listens to what the server tells, also to a server that is started later. */
  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- says what the message holds.
  on<Params>(method: string, listener: (params: Params) => void): vscode.Disposable {
    return this.#client.onNotification(method, listener);
  }

  async ask<Reply>(method: string, params: object): Promise<Reply> {
    return await this.#client.sendRequest<Reply>(method, params);
  }

  /** Nobody has to be told while no server is there: a new one is told of all. */
  tell(method: string, params: object): void {
    if (this.isRunning) this.#client.sendNotification(method, params).catch(() => {});
  }

  async start(): Promise<void> {
    await this.#client.start();
  }

  async restart(): Promise<void> {
    await this.#client.restart();
  }

  async grantTrust(): Promise<void> {
    await this.#client.sendNotification(TRUST_GRANTED);
  }

  /** Tasks get the time to end that the server gives them. */
  async stop(): Promise<void> {
    await this.#client.dispose(SHUTDOWN_MS);
  }

  #onState(wanted: State, listener: () => void): void {
    this.#client.onDidChangeState(({ newState }) => {
      if (newState === wanted) listener();
    });
  }
}

const SHUTDOWN_MS = 10_000;

/** Asked for at every start of the server, because trust may have been given since. */
function initializationOptions(): InitializationOptions {
  const userName = vscode.workspace.getConfiguration('interlock').get<string>('userName', '');
  return {
    isTrusted: vscode.workspace.isTrusted,
    tellsUnsaved: true,
    ...(userName.trim() !== '' && { userName }),
  };
}
