import * as vscode from 'vscode';
import { UNSAVED_CHANGED, type UnsavedChanged } from '../protocol/documents.ts';
import type { ServerProcess } from './server-process.ts';

/**
 * Tells which files have unsaved changes. The protocol of language servers does not: a file that was
 * read anew from the disk looks to them like one that was typed into.
 */
export class UnsavedDocuments implements vscode.Disposable {
  readonly #server: ServerProcess;
  readonly #unsaved = new Set<string>();
  readonly #subscriptions: readonly vscode.Disposable[];

  constructor(server: ServerProcess) {
    this.#server = server;
    server.onStarted(() => this.#tellAll());
    this.#subscriptions = [
      vscode.workspace.onDidOpenTextDocument((document) => this.#look(document)),
      vscode.workspace.onDidChangeTextDocument(({ document }) => this.#look(document)),
      vscode.workspace.onDidSaveTextDocument((document) => this.#look(document)),
      vscode.workspace.onDidCloseTextDocument((document) => this.#say(document, false)),
    ];
  }

  dispose(): void {
    for (const each of this.#subscriptions) each.dispose();
  }

  /** To a server that has just started. */
  #tellAll(): void {
    this.#unsaved.clear();
    for (const document of vscode.workspace.textDocuments) this.#look(document);
  }

  #look(document: vscode.TextDocument): void {
    if (document.uri.scheme === 'file') this.#say(document, document.isDirty);
  }

  #say(document: vscode.TextDocument, isUnsaved: boolean): void {
    const uri = document.uri.toString();
    if (this.#unsaved.has(uri) === isUnsaved) return;
    if (isUnsaved) this.#unsaved.add(uri);
    else this.#unsaved.delete(uri);
    const params: UnsavedChanged = { uri, isUnsaved, version: document.version };
    this.#server.tell(UNSAVED_CHANGED, params);
  }
}
