import * as vscode from 'vscode';
import type { OpenTerminal } from '../protocol/terminals.ts';
import { keyOf } from './task-list.ts';
import { terminalLaunch } from './terminal-model.ts';

const REMEMBERED = 'interlock.terminals';

/** The processes of terminals, by the keys of their tasks. */
type Remembered = Readonly<Record<string, number>>;

/**
 * The terminals of tasks in this window. Of one that it had before it was reloaded, VS Code still knows
 * the process and nothing of what it was opened with; so the processes are remembered.
 */
export class TaskTerminals implements vscode.Disposable {
  readonly #context: vscode.ExtensionContext;
  readonly #closing: vscode.Disposable;

  constructor(context: vscode.ExtensionContext) {
    this.#context = context;
    this.#closing = vscode.window.onDidCloseTerminal((terminal) => void this.#forget(terminal));
  }

  /** Opens the terminal of a task. An earlier one of it has nothing more to say. */
  async open(task: OpenTerminal): Promise<vscode.Terminal> {
    const key = keyOf(task);
    (await this.find(key))?.dispose();
    const launch = terminalLaunch(task, {
      program: process.execPath,
      script: this.#context.asAbsolutePath('dist/cli.js'),
      stateDir: process.env['INTERLOCK_STATE_DIR'],
    });
    const terminal = vscode.window.createTerminal({
      ...launch,
      cwd: vscode.Uri.file(task.board),
      iconPath: new vscode.ThemeIcon('play-circle'),
      color: new vscode.ThemeColor('terminal.ansiCyan'),
    });
    void this.#remember(key, terminal);
    return terminal;
  }

  async find(key: string): Promise<vscode.Terminal | undefined> {
    const wanted = this.#remembered[key];
    if (wanted === undefined) return undefined;
    for (const terminal of vscode.window.terminals)
      if ((await terminal.processId) === wanted) return terminal;
    return undefined;
  }

  dispose(): void {
    this.#closing.dispose();
  }

  get #remembered(): Remembered {
    return this.#context.workspaceState.get<Remembered>(REMEMBERED, {});
  }

  async #remember(key: string, terminal: vscode.Terminal): Promise<void> {
    const processId = await terminal.processId;
    if (processId === undefined) return;
    await this.#context.workspaceState.update(REMEMBERED, {
      ...this.#remembered,
      [key]: processId,
    });
  }

  async #forget(terminal: vscode.Terminal): Promise<void> {
    // It may come back with the window.
    if (terminal.exitStatus?.reason === vscode.TerminalExitReason.Shutdown) return;
    const processId = await terminal.processId;
    const left = Object.entries(this.#remembered).filter(([, each]) => each !== processId);
    await this.#context.workspaceState.update(REMEMBERED, Object.fromEntries(left));
  }
}
