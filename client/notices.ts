import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { RUN_FINISHED, type RunFinished } from '../protocol/runs.ts';
import { type Notice, noticeOfNeeds, noticeOfRuns } from './notices-model.ts';
import { TIMERS } from './time.ts';
import { noticeSetting } from './user-settings.ts';
import type { Part, Window } from './window.ts';
import { showInformation, showWarning } from './show-message.ts';

/** What comes within this time is said in one message. */
const TOGETHER_MS = 1000;

/** Few messages, and each of them once: what the Tasks view says by itself is not repeated. */
export const notices: Part = (window) => {
  window.context.subscriptions.push(new Notices(window));
  return {};
};

class Notices implements vscode.Disposable {
  readonly #window: Window;
  readonly #asking = new Set<string>();
  #runs: RunFinished[] = [];
  #needs: string[] = [];
  #due: Disposable | undefined;

  constructor(window: Window) {
    this.#window = window;
    window.server.on<RunFinished>(RUN_FINISHED, (run) => {
      this.#runs.push(run);
      this.#waitForMore();
    });
    window.tasks.onChange((keys) => this.#heed(keys));
  }

  dispose(): void {
    this.#due?.[Symbol.dispose]();
  }

  /** Whoever has needed the user all the time is not said again, nor after the server has gone and come. */
  #heed(keys: readonly string[]): void {
    for (const key of keys) {
      const view = this.#window.tasks.get(key);
      if (view === undefined) continue;
      if (view.state !== 'attention') this.#asking.delete(key);
      else if (!this.#asking.has(key)) {
        this.#asking.add(key);
        this.#needs.push(key);
        this.#waitForMore();
      }
    }
  }

  #waitForMore(): void {
    this.#due ??= TIMERS.after(TOGETHER_MS, () => this.#tell());
  }

  #tell(): void {
    this.#due = undefined;
    const setting = noticeSetting();
    const runs = this.#runs.splice(0);
    const keys = this.#needs.splice(0).filter((key) => this.#asking.has(key));
    const views = keys.flatMap((key) => this.#window.tasks.get(key) ?? []);
    const { focused: isFocused } = vscode.window.state;
    void show(noticeOfRuns(runs, { setting, isFocused }));
    void show(noticeOfNeeds(views, setting));
  }
}

async function show(notice: Notice | undefined): Promise<void> {
  if (notice === undefined) return;
  const { isWarning, message, without } = notice;
  const [showMe, never] = [l10n.t('Show Me'), l10n.t('Do Not Show Again')];
  const chosen = isWarning
    ? await showWarning(message, showMe, never)
    : await showInformation(message, showMe, never);
  if (chosen === showMe)
    await vscode.commands.executeCommand(
      isWarning ? 'interlock.tasks.showNeeds' : 'interlock.tasks.focus',
    );
  if (chosen === never)
    await vscode.workspace
      .getConfiguration('interlock')
      .update('notifications', without, vscode.ConfigurationTarget.Global);
}
