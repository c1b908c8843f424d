import * as vscode from 'vscode';
import type { TaskList } from '../task-list.ts';
import { statusText } from './status-bar-model.ts';

export class StatusBar implements vscode.Disposable {
  readonly #tasks: TaskList;
  readonly #item: vscode.StatusBarItem;
  #problem: string | undefined;

  constructor(tasks: TaskList) {
    this.#tasks = tasks;
    this.#item = vscode.window.createStatusBarItem('status', vscode.StatusBarAlignment.Left);
    this.#item.name = 'Interlock';
    this.#item.command = 'interlock.tasks.focus';
    tasks.onChange(() => this.#draw());
  }

  showProblem(problem: string | undefined): void {
    this.#problem = problem;
    this.#draw();
  }

  dispose(): void {
    this.#item.dispose();
  }

  #draw(): void {
    const status = statusText(this.#tasks.all, this.#problem);
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
