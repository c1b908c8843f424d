import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import {
  CloseAction,
  ErrorAction,
  type ExecuteCommandSignature,
  LanguageClient,
  State,
  TransportKind,
} from 'vscode-languageclient/node';
import { type InitializationOptions, TRUST_GRANTED } from '../protocol/initialization.ts';
import { SERVER_FLAGS } from '../protocol/runtime.ts';
import { noServerText } from './server-survival-model.ts';
import { userSettings } from './user-settings.ts';

/** The language server's process. Parts of the window say by the names of protocol/ what they want of it. */
export class ServerProcess {
  readonly #client: LanguageClient;
  readonly #died = new vscode.EventEmitter<void>();
  readonly #refused = new vscode.EventEmitter<Error>();
  #isDead = false;

  /** It has ended without having been asked to. Whoever hears of it decides whether it is started again. */
  readonly onDied = this.#died.event;
  /** It lives, and could not be begun with. */
  readonly onRefused = this.#refused.event;

  constructor(module: string, log: vscode.LogOutputChannel) {
    this.#client = new QuietClient(
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
        middleware: { executeCommand },
        outputChannel: log,
        diagnosticCollectionName: 'interlock',
        errorHandler: {
          // When the connection is of no use any more, it is closed.
          error: () => ({ action: ErrorAction.Continue, handled: true }),
          closed: () => this.#closed(),
        },
        initializationFailedHandler: (error) => {
          setImmediate(() => {
            if (!this.#isDead) this.#refused.fire(error);
          });
          return false;
        },
      },
    );
  }

  get isRunning(): boolean {
    return this.#client.state === State.Running;
  }

  onStarting(listener: () => void): vscode.Disposable {
    return this.#onState(listener, State.Starting);
  }

  onStarted(listener: () => void): vscode.Disposable {
    return this.#onState(listener, State.Running);
  }

  /** In whatever way, also where it could not be begun with: what it said of the world is over with it. */
  onStopped(listener: () => void): vscode.Disposable {
    return this.#onState(listener, State.Stopped, State.StartFailed);
  }

  /** Listens to what the server tells, also to a server that is started later. */
  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- says what the message holds.
  on<Params>(
    method: string,
    listener: (params: Params) => void | Promise<void>,
  ): vscode.Disposable {
    return this.#client.onNotification(method, listener);
  }

  /** Listens to what the server tells and waits for: it is answered when the listener has it. */
  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- says what the message holds.
  onRequest<Params>(
    method: string,
    listener: (params: Params) => Promise<void>,
  ): vscode.Disposable {
    return this.#client.onRequest(method, async (params: Params) => {
      await listener(params);
      return null;
    });
  }

  async ask<Reply>(method: string, params: object): Promise<Reply> {
    if (this.#hasNone) throw new Error(noServerText());
    return await this.#client.sendRequest<Reply>(method, params);
  }

  /** Nobody has to be told while no server is there: a new one is told of all. */
  tell(method: string, params: object): void {
    if (this.isRunning) this.#client.sendNotification(method, params).catch(() => {});
  }

  /** Whoever listens is told when that fails. */
  async start(): Promise<void> {
    this.#isDead = false;
    await this.#client.start().catch(() => {});
  }

  /** Also where none is there, or one that does not end. */
  async restart(): Promise<void> {
    if (this.isRunning) await this.#client.stop(SHUTDOWN_MS).catch(() => {});
    await this.start();
  }

  /** One that is started later is told at its start. */
  async grantTrust(): Promise<void> {
    await this.#client.sendNotification(TRUST_GRANTED).catch(() => {});
  }

  /** Tasks get the time to end that the server gives them. */
  async stop(): Promise<void> {
    await this.#client.dispose(SHUTDOWN_MS);
  }

  get #hasNone(): boolean {
    return [State.Stopped, State.StartFailed].includes(this.#client.state);
  }

  /** The client is done with it only after this. */
  #closed(): { readonly action: CloseAction; readonly handled: true; readonly message: string } {
    this.#isDead = true;
    setImmediate(() => this.#died.fire());
    const message = l10n.t('The language server ended unexpectedly.');
    return { action: CloseAction.DoNotRestart, handled: true, message };
  }

  #onState(listener: () => void, ...wanted: readonly State[]): vscode.Disposable {
    return this.#client.onDidChangeState(({ newState }) => {
      if (wanted.includes(newState)) listener();
    });
  }
}

/** What the server does for clients that can do no more, and what is done here in its place. */
const OWN_COMMANDS: ReadonlyMap<string, string> = new Map([
  ['interlock.run', 'interlock.task.runThis'],
  ['interlock.why', 'interlock.task.why'],
  ['interlock.log', 'interlock.task.showLog'],
]);

async function executeCommand(
  command: string,
  args: unknown[],
  next: ExecuteCommandSignature,
): Promise<unknown> {
  const own = OWN_COMMANDS.get(command);
  return own === undefined
    ? await next(command, args)
    : await vscode.commands.executeCommand(own, ...args);
}

/**
 * Says nothing to the user of a server that has died or does not start: that is said once, by ours.
 * What the client says then it says to everybody, and it has no option for that.
 */
class QuietClient extends LanguageClient {
  override error(message: string, data?: unknown, showNotification?: boolean | 'force'): void {
    super.error(message, data, showNotification === 'force' ? false : showNotification);
  }
}

const SHUTDOWN_MS = 10_000;

/** Asked for at every start of the server, because trust may have been given since. */
function initializationOptions(): InitializationOptions {
  return { isTrusted: vscode.workspace.isTrusted, tellsUnsaved: true, ...userSettings() };
}
