import * as vscode from 'vscode';

export function workspaceFile(name: string): vscode.Uri {
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  if (folder === undefined) throw new Error('The tests run in a window with a folder.');
  return vscode.Uri.joinPath(folder.uri, name);
}

export function diagnosticsOf(uri: vscode.Uri): readonly vscode.Diagnostic[] {
  return vscode.languages.getDiagnostics(uri);
}

/** Resolves when the problems of a file are so; the test's own time limit ends the wait. */
export async function untilDiagnostics(
  uri: vscode.Uri,
  isSo: (found: readonly vscode.Diagnostic[]) => boolean,
): Promise<void> {
  if (isSo(diagnosticsOf(uri))) return;
  await new Promise<void>((resolve) => {
    const subscription = vscode.languages.onDidChangeDiagnostics(() => {
      if (!isSo(diagnosticsOf(uri))) return;
      subscription.dispose();
      resolve();
    });
  });
}
