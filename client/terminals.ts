import * as vscode from 'vscode';
import type { OpenTerminal } from '../protocol/terminals.ts';
import { keyOf } from './task-list.ts';
import { terminalLaunch } from './terminal-model.ts';
import { TIMERS } from './time.ts';

const REMEMBERED = 'interlock.terminals';
const COMING_BACK_MS = 5000;

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
    (await this.#among(vscode.window.terminals, key))?.dispose();
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

  /** VS Code brings terminals back a moment after the window. */
  async find(key: string): Promise<vscode.Terminal | undefined> {
    const there = await this.#among(vscode.window.terminals, key);
    if (there !== undefined || this.#remembered[key] === undefined) return there;
    return await new Promise((resolve) => {
      const opening = vscode.window.onDidOpenTerminal(async (terminal) => {
        const found = await this.#among([terminal], key);
        if (found !== undefined) end(found);
      });
      const alarm = TIMERS.after(COMING_BACK_MS, () => end(undefined));
      const end = (found: vscode.Terminal | undefined): void => {
        opening.dispose();
        alarm[Symbol.dispose]();
        resolve(found);
      };
    });
  }

  dispose(): void {
    this.#closing.dispose();
  }

  async #among(
    terminals: readonly vscode.Terminal[],
    key: string,
  ): Promise<vscode.Terminal | undefined> {
    const wanted = this.#remembered[key];
    if (wanted === undefined) return undefined;
    for (const terminal of terminals) if ((await terminal.processId) === wanted) return terminal;
    return undefined;
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
