import * as vscode from 'vscode';
import { doneKeys } from './tour-model.ts';
import type { Window } from './window.ts';

const WALKTHROUGH = 'start';

/**
 * The walkthrough, with what was done before ticked off. VS Code heeds a key only if it changes after
 * the walkthrough became known, which may be when it is opened: until then none of them is set.
 */
export class Tour {
  readonly #window: Window;
  readonly #set = new Set<string>();
  #isOpened = false;

  constructor(window: Window) {
    this.#window = window;
    window.plans.onChange(() => this.#look());
    window.tasks.onChange(() => this.#look());
  }

  async open(): Promise<void> {
    const id = `${this.#window.context.extension.id}#${WALKTHROUGH}`;
    await vscode.commands.executeCommand('workbench.action.openWalkthrough', id, false);
    this.#isOpened = true;
    this.#look();
  }

  #look(): void {
    if (!this.#isOpened) return;
    const { plans, tasks } = this.#window;
    const folderCount = vscode.workspace.workspaceFolders?.length ?? 0;
    for (const key of doneKeys({ folderCount, plans: plans.all, tasks: tasks.all })) {
      if (this.#set.has(key)) continue;
      this.#set.add(key);
      void vscode.commands.executeCommand('setContext', key, true);
    }
  }
}
