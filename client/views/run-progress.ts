import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { TIMERS } from '../time.ts';
import { noticeSetting } from '../user-settings.ts';
import type { Window } from '../window.ts';
import { progressOf } from './task-groups.ts';
import { progressText } from './task-tree-model.ts';

/** What is over sooner needs no message. */
const LONG_MS = 10_000;

/**
 * The Tasks view says how far everything is. Where nobody sees that, a run that takes long says it in a
 * message, and can be stopped there; once for as long as anything runs. There is no bar in the view: it
 * would hide the number on its icon.
 */
export class RunProgress implements vscode.Disposable {
  readonly #window: Window;
  readonly #isSeen: () => boolean;
  #due: Disposable | undefined;
  #end: (() => void) | undefined;
  #report = (): void => {};

  constructor(window: Window, isSeen: () => boolean) {
    this.#window = window;
    this.#isSeen = isSeen;
    window.runs.onChange(() => this.#look());
  }

  dispose(): void {
    this.#due?.[Symbol.dispose]();
    this.#end?.();
  }

  #look(): void {
    const isRunning = this.#window.runs.live.length > 0;
    if (isRunning && this.#end === undefined) this.#begin();
    else if (!isRunning) {
      this.dispose();
      this.#end = undefined;
    }
    this.#report();
  }

  #begin(): void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#end = resolve;
    this.#due = TIMERS.after(LONG_MS, () => {
      if (!this.#isSeen() && noticeSetting() === 'all') void this.#showMessage(promise);
    });
  }

  async #showMessage(end: Promise<void>): Promise<void> {
    const title = 'Interlock';
    const location = vscode.ProgressLocation.Notification;
    await vscode.window.withProgress({ location, cancellable: true, title }, async (bar, token) => {
      let told = 0;
      this.#report = () => {
        const { live } = this.#window.runs;
        const { done, total } = progressOf(live);
        const percent = total === 0 ? 0 : (100 * done) / total;
        const message = live.length === 0 ? l10n.t('done') : progressText(live);
        bar.report({ message, increment: Math.max(0, percent - told) });
        told = Math.max(told, percent);
      };
      this.#report();
      token.onCancellationRequested(
        () => void vscode.commands.executeCommand('interlock.tasks.stop'),
      );
      await end;
    });
    this.#report = () => {};
  }
}
