import * as vscode from 'vscode';
import type { UnsavedChanged } from '../protocol/documents.ts';

/**
 * Tells which files have unsaved changes. The protocol of language servers does not: a file that was
 * read anew from the disk looks to them like one that was typed into.
 */
export class UnsavedDocuments implements vscode.Disposable {
  readonly #tell: (params: UnsavedChanged) => void;
  readonly #unsaved = new Set<string>();
  readonly #subscriptions: readonly vscode.Disposable[];

  constructor(tell: (params: UnsavedChanged) => void) {
    this.#tell = tell;
    this.#subscriptions = [
      vscode.workspace.onDidOpenTextDocument((document) => this.#look(document)),
      vscode.workspace.onDidChangeTextDocument(({ document }) => this.#look(document)),
      vscode.workspace.onDidSaveTextDocument((document) => this.#look(document)),
      vscode.workspace.onDidCloseTextDocument((document) => this.#say(document, false)),
    ];
  }

  /** To a server that has just started. */
  tellAll(): void {
    this.#unsaved.clear();
    for (const document of vscode.workspace.textDocuments) this.#look(document);
  }

  dispose(): void {
    for (const each of this.#subscriptions) each.dispose();
  }

  #look(document: vscode.TextDocument): void {
    if (document.uri.scheme === 'file') this.#say(document, document.isDirty);
  }

  #say(document: vscode.TextDocument, isUnsaved: boolean): void {
    const uri = document.uri.toString();
    if (this.#unsaved.has(uri) === isUnsaved) return;
    if (isUnsaved) this.#unsaved.add(uri);
    else this.#unsaved.delete(uri);
    this.#tell({ uri, isUnsaved, version: document.version });
  }
}
