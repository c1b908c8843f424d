import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { BOARD_PROBLEM, type BoardProblem } from '../protocol/initialization.ts';
import type { ServerProcess } from './server-process.ts';
import type { TaskList } from './task-list.ts';

/** The one sentence that the user must know before anything else, for whoever shows it. */
export class BoardTrouble implements vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #tasks: TaskList;
  readonly #subscription: vscode.Disposable;
  #problem: string | undefined;

  readonly onChange = this.#changed.event;

  constructor(server: ServerProcess, tasks: TaskList) {
    server.on<BoardProblem>(BOARD_PROBLEM, ({ message }) => this.#set(message));
    // What it said of itself is over with it; a new one says again what is wrong.
    server.onStopped(() => this.#set(undefined));
    server.onStarted(() => this.#set(undefined));
    // Where no task is shown, the view has a text of its own.
    let hasTasks = false;
    tasks.onChange(() => {
      if (hasTasks === tasks.all.length > 0) return;
      hasTasks = tasks.all.length > 0;
      this.#changed.fire();
    });
    this.#tasks = tasks;
    this.#subscription = vscode.workspace.onDidGrantWorkspaceTrust(() => this.#set(undefined));
  }

  /** Why a board does not do what it should. */
  get problem(): string | undefined {
    return this.#problem;
  }

  /** The same, or why everything that runs is grey, and the way out. */
  get sentence(): string | undefined {
    if (this.#problem !== undefined || vscode.workspace.isTrusted) return this.#problem;
    if (this.#tasks.all.length === 0) return undefined;
    return l10n.t(
      'Tasks are shown and not run until you trust this folder: "Workspaces: Manage Workspace Trust".',
    );
  }

  report(problem: string): void {
    this.#set(problem);
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#changed.dispose();
  }

  #set(problem: string | undefined): void {
    this.#problem = problem;
    this.#changed.fire();
  }
}
