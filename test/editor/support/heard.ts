import * as vscode from 'vscode';

type Say = (text: string, ...more: readonly unknown[]) => Thenable<undefined>;

/**
 * What the extension says and asks, in place of showing it: nobody is there to answer. The tests have
 * the same `vscode` as the extension, so that whatever is changed here it sees, too.
 */
export class Heard implements Disposable {
  readonly #before: Readonly<Record<string, unknown>>;
  /** Sentences and questions, in their order. */
  readonly said: string[] = [];
  /** Errors that were shown. */
  readonly errors: string[] = [];
  /** Promises that failed and that nobody waits for. */
  readonly lost: unknown[] = [];
  readonly #lose = (reason: unknown): void => {
    this.lost.push(reason);
  };

  constructor() {
    const hear: Say = async (text) => void this.said.push(text);
    const hearError: Say = async (text) => void this.errors.push(text);
    const asked = async (_items: unknown, { placeHolder }: vscode.QuickPickOptions = {}) =>
      void this.said.push(placeHolder ?? '');
    const instead = {
      showInformationMessage: hear,
      showWarningMessage: hear,
      showErrorMessage: hearError,
      showQuickPick: asked,
      showWorkspaceFolderPick: async () => void this.said.push('folder'),
      showInputBox: async ({ prompt }: vscode.InputBoxOptions) => void this.said.push(prompt ?? ''),
      setStatusBarMessage: hear,
    };
    const { window } = vscode;
    const before = Object.keys(instead).map((name) => [name, Reflect.get(window, name)] as const);
    this.#before = Object.fromEntries(before);
    Object.assign(window, instead);
    process.on('unhandledRejection', this.#lose);
  }

  /** What has been said since, and forgets it. */
  take(): readonly string[] {
    return this.said.splice(0);
  }

  [Symbol.dispose](): void {
    process.off('unhandledRejection', this.#lose);
    Object.assign(vscode.window, this.#before);
  }
}
