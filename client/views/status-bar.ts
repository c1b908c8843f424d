import * as vscode from 'vscode';
import type { BoardTrouble } from '../board-trouble.ts';
import type { TaskList } from '../task-list.ts';
import type { Part, Window } from '../window.ts';
import { statusText } from './status-bar-model.ts';

export const statusBar: Part = (window) => {
  window.context.subscriptions.push(new StatusBar(window));
  return {};
};

class StatusBar implements vscode.Disposable {
  readonly #tasks: TaskList;
  readonly #item: vscode.StatusBarItem;
  readonly #trouble: BoardTrouble;

  constructor({ tasks, trouble }: Window) {
    this.#tasks = tasks;
    this.#trouble = trouble;
    this.#item = vscode.window.createStatusBarItem('status', vscode.StatusBarAlignment.Left);
    this.#item.name = 'Interlock';
    this.#item.command = 'interlock.tasks.focus';
    tasks.onChange(() => this.#draw());
    trouble.onChange(() => this.#draw());
  }

  dispose(): void {
    this.#item.dispose();
  }

  #draw(): void {
    const status = statusText(this.#tasks.all, this.#trouble.problem);
    if (status === undefined) {
      this.#item.hide();
      return;
    }
    this.#item.text = status.text;
    this.#item.tooltip = status.tooltip;
    this.#item.backgroundColor = status.isProblem
      ? new vscode.ThemeColor('statusBarItem.warningBackground')
      : undefined;
    this.#item.show();
  }
}
