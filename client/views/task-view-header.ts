import type * as vscode from 'vscode';
import type { Window } from '../window.ts';
import { attentionText, progressText } from './task-tree-model.ts';

/** What the view says above its rows, and the number on its icon. */
export class ViewHeader {
  readonly #view: vscode.TreeView<unknown>;
  readonly #window: Window;
  #badge = '';

  constructor(view: vscode.TreeView<unknown>, window: Window) {
    this.#view = view;
    this.#window = window;
    window.trouble.onChange(() => this.draw());
    this.draw();
  }

  draw(): void {
    const { tasks, runs, trouble } = this.#window;
    const message = trouble.sentence ?? progressText(runs.live);
    if (this.#view.message !== message) this.#view.message = message;
    const badge = attentionText({
      failed: tasks.count('failed'),
      attention: tasks.count('attention'),
      all: tasks.needing,
    });
    if (this.#badge === JSON.stringify(badge)) return;
    this.#badge = JSON.stringify(badge) ?? '';
    this.#view.badge = badge;
  }
}
