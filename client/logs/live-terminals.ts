import * as vscode from 'vscode';
import type { TaskKey, TaskView } from '../../protocol/tasks.ts';
import { keyOf, namesOf } from '../task-list.ts';
import type { Window } from '../window.ts';
import type { LogReaders } from './log-readers.ts';
import { LiveTerminal } from './live-terminal.ts';

const OPEN_TERMINALS = 'interlock.openTerminals';

/** The terminals of this window that show tasks. Those that are open come back when the window is loaded anew. */
export class LiveTerminals implements vscode.Disposable {
  readonly #window: Window;
  readonly #readers: LogReaders;
  readonly #open = new Map<string, { readonly terminal: vscode.Terminal; readonly key: TaskKey }>();
  readonly #subscription: vscode.Disposable;
  /** Those of an earlier window that have not been brought back yet. */
  #left: readonly TaskKey[];

  constructor(window: Window, readers: LogReaders) {
    this.#window = window;
    this.#readers = readers;
    this.#subscription = vscode.window.onDidCloseTerminal((terminal) => this.#closed(terminal));
    window.tasks.onChange(() => this.#bringBack());
    this.#left = window.context.workspaceState.get<readonly TaskKey[]>(OPEN_TERMINALS, []);
  }

  show(task: TaskView): void {
    (this.#open.get(keyOf(task))?.terminal ?? this.#create(task)).show();
  }

  dispose(): void {
    this.#subscription.dispose();
  }

  #create(task: TaskView): vscode.Terminal {
    const { server, tasks } = this.#window;
    const key = namesOf(task);
    const now = (): TaskView | undefined => tasks.get(keyOf(key));
    const terminal = vscode.window.createTerminal({
      name: key.id,
      pty: new LiveTerminal({ readers: this.#readers, server, key, task: now }),
      iconPath: new vscode.ThemeIcon('output'),
      isTransient: true,
    });
    this.#open.set(keyOf(task), { terminal, key });
    this.#remember();
    return terminal;
  }

  /** What the window takes with it is not forgotten. */
  #closed(terminal: vscode.Terminal): void {
    if (terminal.exitStatus?.reason === vscode.TerminalExitReason.Shutdown) return;
    for (const [key, open] of this.#open)
      if (open.terminal === terminal) {
        this.#open.delete(key);
        this.#remember();
      }
  }

  #bringBack(): void {
    const { tasks } = this.#window;
    const back = this.#left.flatMap((key) => tasks.get(keyOf(key)) ?? []);
    if (back.length === 0) return;
    const keys = new Set(back.map(keyOf));
    this.#left = this.#left.filter((key) => !keys.has(keyOf(key)));
    for (const task of back) if (!this.#open.has(keyOf(task))) this.#create(task);
  }

  #remember(): void {
    const keys = [...[...this.#open.values()].map(({ key }) => key), ...this.#left];
    void this.#window.context.workspaceState.update(OPEN_TERMINALS, keys);
  }
}
