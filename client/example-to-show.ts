import * as vscode from 'vscode';

const KEY = 'interlock.exampleToShow';

/** An example that was opened: its window begins with the plan, at the first thing that is marked there. */
export class ExampleToShow implements vscode.Disposable {
  readonly #memory: vscode.Memento;
  #marked: vscode.Disposable | undefined;

  constructor(memory: vscode.Memento) {
    this.#memory = memory;
  }

  /** For the window that is about to be opened. */
  async remember(folder: vscode.Uri): Promise<void> {
    await this.#memory.update(KEY, folder.toString());
  }

  /** In that window, and once. */
  async showIfOpened(): Promise<void> {
    const folder = vscode.workspace.workspaceFolders?.[0];
    if (folder === undefined || this.#memory.get(KEY) !== folder.uri.toString()) return;
    await this.#memory.update(KEY, undefined);
    await vscode.commands.executeCommand('interlock.tasks.focus');
    const plan = vscode.Uri.joinPath(folder.uri, 'interlock.yaml');
    const editor = await vscode.window.showTextDocument(plan);
    if (goToFirstMark(editor)) return;
    this.#marked = vscode.languages.onDidChangeDiagnostics(() => {
      if (goToFirstMark(editor)) this.dispose();
    });
  }

  dispose(): void {
    this.#marked?.dispose();
    this.#marked = undefined;
  }
}

/** There, Quick Fix offers what can be done about it. */
function goToFirstMark(editor: vscode.TextEditor): boolean {
  const [first] = vscode.languages
    .getDiagnostics(editor.document.uri)
    .toSorted((a, b) => a.range.start.compareTo(b.range.start));
  if (first === undefined) return false;
  editor.selection = new vscode.Selection(first.range.start, first.range.start);
  editor.revealRange(first.range, vscode.TextEditorRevealType.InCenter);
  return true;
}
