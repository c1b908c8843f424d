import * as vscode from 'vscode';
import type { Part } from '../window.ts';
import { ownerOf } from './owner-badges-model.ts';

export const ownerBadges: Part = ({ context }) => {
  context.subscriptions.push(new OwnerBadges());
  return {};
};

/** A pencil in the Explorer and on the tab of an open file that somebody else writes: the hint on its line 1 is small. */
class OwnerBadges implements vscode.FileDecorationProvider, vscode.Disposable {
  readonly #owners = new Map<string, string>();
  readonly #changed = new vscode.EventEmitter<vscode.Uri[]>();
  readonly #subscriptions: readonly vscode.Disposable[];

  readonly onDidChangeFileDecorations = this.#changed.event;

  constructor() {
    this.#subscriptions = [
      vscode.languages.onDidChangeDiagnostics(({ uris }) => this.#look(uris)),
      vscode.window.registerFileDecorationProvider(this),
    ];
  }

  provideFileDecoration(uri: vscode.Uri): vscode.FileDecoration | undefined {
    const owner = this.#owners.get(uri.toString());
    return owner === undefined ? undefined : new vscode.FileDecoration('✎', owner);
  }

  dispose(): void {
    for (const each of this.#subscriptions) each.dispose();
    this.#changed.dispose();
  }

  #look(uris: readonly vscode.Uri[]): void {
    const changed = uris.filter((uri) => {
      const key = uri.toString();
      const owner = ownerOf(vscode.languages.getDiagnostics(uri));
      if (owner === this.#owners.get(key)) return false;
      if (owner === undefined) this.#owners.delete(key);
      else this.#owners.set(key, owner);
      return true;
    });
    if (changed.length > 0) this.#changed.fire(changed);
  }
}
