import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { BOARD_PROBLEM, type BoardProblem } from '../protocol/initialization.ts';
import type { ServerProcess } from './server-process.ts';
import type { TaskList } from './task-list.ts';

/** The one sentence that the user must know before anything else, for whoever shows it. */
export class BoardTrouble implements vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #tasks: TaskList;
  readonly #subscriptions: readonly vscode.Disposable[];
  /** By the folders that have one. */
  readonly #problems = new Map<string, string>();
  /** Of all folders at once. */
  #general: string | undefined;
  /** That no server is there: the view without tasks says so by itself, with what to press. */
  #withoutServer: string | undefined;

  readonly onChange = this.#changed.event;

  constructor(server: ServerProcess, tasks: TaskList) {
    server.on<BoardProblem>(BOARD_PROBLEM, ({ folderUri, message }) => {
      this.#problems.set(folderUri, message);
      this.#changed.fire();
    });
    // What it said of itself is over with it; a new one says again what is wrong.
    server.onStopped(() => this.#forget());
    server.onStarted(() => this.#forget());
    // Where no task is shown, the view has a text of its own.
    let hasTasks = false;
    tasks.onChange(() => {
      if (hasTasks === tasks.size > 0) return;
      hasTasks = tasks.size > 0;
      this.#changed.fire();
    });
    this.#tasks = tasks;
    this.#subscriptions = [
      vscode.workspace.onDidGrantWorkspaceTrust(() => this.#changed.fire()),
      vscode.workspace.onDidChangeWorkspaceFolders(({ removed }) => {
        for (const { uri } of removed) this.#problems.delete(uri.toString());
        this.#changed.fire();
      }),
    ];
  }

  /** Why a board does not do what it should. */
  get problem(): string | undefined {
    return this.#withoutServer ?? this.#general ?? this.#problems.values().next().value;
  }

  /** The same, or why everything that runs is grey, and the way out. */
  get sentence(): string | undefined {
    if (this.#withoutServer !== undefined) return undefined;
    if (this.problem !== undefined || vscode.workspace.isTrusted) return this.problem;
    if (this.#tasks.size === 0) return undefined;
    return l10n.t(
      'Tasks are shown and not run until you trust this folder: "Workspaces: Manage Workspace Trust".',
    );
  }

  report(problem: string): void {
    this.#general = problem;
    this.#changed.fire();
  }

  reportNoServer(problem: string): void {
    this.#withoutServer = problem;
    this.#changed.fire();
  }

  dispose(): void {
    for (const each of this.#subscriptions) each.dispose();
    this.#changed.dispose();
  }

  #forget(): void {
    this.#general = undefined;
    this.#withoutServer = undefined;
    this.#problems.clear();
    this.#changed.fire();
  }
}
