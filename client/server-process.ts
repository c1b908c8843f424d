import * as vscode from 'vscode';
import { LanguageClient, State, TransportKind } from 'vscode-languageclient/node';
import {
  BOARD_PROBLEM,
  type BoardProblem,
  type InitializationOptions,
  TRUST_GRANTED,
} from '../protocol/initialization.ts';
import { SERVER_FLAGS } from '../protocol/runtime.ts';
import { UNSAVED_CHANGED, type UnsavedChanged } from '../protocol/documents.ts';
import { RUN_FINISHED, type RunFinished } from '../protocol/runs.ts';
import {
  FIND_LOG,
  type FolderParams,
  type LogReply,
  RUN_TASKS,
  type RunReply,
  type RunTasks,
  STOP_TASKS,
  type StopReply,
  type TaskKey,
  TASKS_CHANGED,
  type TasksChanged,
} from '../protocol/tasks.ts';

/** What the server tells the window. */
export interface ServerListener {
  started(): void;
  stopped(): void;
  tasksChanged(changes: TasksChanged): void;
  runFinished(run: RunFinished): void;
  boardProblem(problem: BoardProblem): void;
}

/** The language server's process, and every message that the window sends to it. */
export class ServerProcess {
  readonly #client: LanguageClient;

  constructor(module: string, log: vscode.LogOutputChannel, listener: ServerListener) {
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
    this.#client.onDidChangeState(({ newState }) => {
      if (newState === State.Stopped) listener.stopped();
      if (newState === State.Running) listener.started();
    });
    this.#client.onNotification(TASKS_CHANGED, (changes: TasksChanged) =>
      listener.tasksChanged(changes),
    );
    this.#client.onNotification(RUN_FINISHED, (run: RunFinished) => listener.runFinished(run));
    this.#client.onNotification(BOARD_PROBLEM, (problem: BoardProblem) =>
      listener.boardProblem(problem),
    );
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

  /** Nobody has to be told while no server is there: a new one is told of all. */
  tellUnsaved(params: UnsavedChanged): void {
    if (this.#client.state !== State.Running) return;
    this.#client.sendNotification(UNSAVED_CHANGED, params).catch(() => {});
  }

  async runTasks(params: RunTasks): Promise<RunReply> {
    return await this.#client.sendRequest<RunReply>(RUN_TASKS, params);
  }

  async stopTasks(params: FolderParams): Promise<StopReply> {
    return await this.#client.sendRequest<StopReply>(STOP_TASKS, params);
  }

  async findLog(task: TaskKey): Promise<string | undefined> {
    const { folderUri, plan, id } = task;
    const reply = await this.#client.sendRequest<LogReply>(FIND_LOG, { folderUri, plan, id });
    return reply.path;
  }

  /** Tasks get the time to end that the server gives them. */
  async stop(): Promise<void> {
    await this.#client.dispose(SHUTDOWN_MS);
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
