import * as vscode from 'vscode';
import { DrawLimit } from '../draw-limit.ts';
import type { Part, Window } from '../window.ts';
import { statusText } from './status-bar-model.ts';

const DRAW_MS = 250;

export const statusBar: Part = (window) => {
  window.context.subscriptions.push(new StatusBar(window));
  return {};
};

class StatusBar implements vscode.Disposable {
  readonly #window: Window;
  readonly #item: vscode.StatusBarItem;
  readonly #limit = new DrawLimit(
    () => this.#draw(),
    () => DRAW_MS,
  );

  constructor(window: Window) {
    this.#window = window;
    this.#item = vscode.window.createStatusBarItem('status', vscode.StatusBarAlignment.Left);
    this.#item.name = 'Interlock';
    this.#item.command = 'interlock.tasks.focus';
    window.tasks.onChange(() => this.#limit.ask());
    window.runs.onChange(() => this.#limit.ask());
    window.trouble.onChange(() => this.#limit.ask());
  }

  dispose(): void {
    this.#limit[Symbol.dispose]();
    this.#item.dispose();
  }

  #draw(): void {
    const { tasks, runs, trouble } = this.#window;
    const status = statusText({ tasks, live: runs.live, problem: trouble.problem });
    if (status === undefined) {
      this.#item.hide();
      return;
    }
    this.#item.text = status.text;
    this.#item.tooltip = new vscode.MarkdownString(status.tooltip);
    this.#item.accessibilityInformation = { label: status.spoken };
    this.#item.backgroundColor = status.isBlocked
      ? new vscode.ThemeColor('statusBarItem.warningBackground')
      : undefined;
    this.#item.show();
  }
}
