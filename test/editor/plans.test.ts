import { afterEach, beforeEach, expect, test } from 'vitest';
import * as vscode from 'vscode';
import { diagnosticsOf, untilDiagnostics, workspaceFile } from './support/plan-editor.ts';

const PLAN = workspaceFile('interlock.yaml');
let original: Uint8Array;

beforeEach(async () => {
  original = await vscode.workspace.fs.readFile(PLAN);
});

afterEach(async () => {
  await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  await vscode.workspace.fs.writeFile(PLAN, original);
});

/** Shows the plan with another text in it, not saved. */
async function edit(text: string): Promise<vscode.TextDocument> {
  const editor = await vscode.window.showTextDocument(PLAN);
  const all = new vscode.Range(0, 0, editor.document.lineCount, 0);
  await editor.edit((builder) => builder.replace(all, text));
  return editor.document;
}

test('a plan is of its own language', async () => {
  const document = await vscode.workspace.openTextDocument(PLAN);
  expect(document.languageId).toBe('interlock');
});

test('a plan without mistakes has no problems', async () => {
  await vscode.window.showTextDocument(PLAN);
  await untilDiagnostics(PLAN, (found) => found.length === 0);
  expect(diagnosticsOf(PLAN)).toEqual([]);
});

test('a dependency that does not exist is underlined at the exact word, while it is typed', async () => {
  const document = await edit(
    'tasks:\n  schema: { run: x }\n  api: { run: x, depends_on: [schma] }\n',
  );
  await untilDiagnostics(PLAN, (found) => found.length === 1);
  const [problem] = diagnosticsOf(PLAN);
  expect(document.getText(problem?.range)).toBe('schma');
  expect(problem?.severity).toBe(vscode.DiagnosticSeverity.Error);
  expect(problem?.message).toBe('There is no task "schma" in this plan. Did you mean "schema"?');
});

test('two writers of one file point at each other', async () => {
  const document = await edit(
    'tasks:\n  a: { run: x, writes: [one.txt] }\n  b: { run: x, writes: ["*.txt"] }\n',
  );
  await untilDiagnostics(PLAN, (found) => found.length === 2);
  const found = diagnosticsOf(PLAN).map(({ range, relatedInformation }) => [
    document.getText(range),
    document.getText(relatedInformation?.[0]?.location.range),
  ]);
  expect(found).toEqual([
    ['one.txt', '"*.txt"'],
    ['"*.txt"', 'one.txt'],
  ]);
});

test('a problem goes when its cause goes', async () => {
  await edit('tasks:\n  a: { rum: x }\n');
  await untilDiagnostics(PLAN, (found) => found.length === 1);
  await edit('tasks:\n  a: { run: x }\n');
  await untilDiagnostics(PLAN, (found) => found.length === 0);
  expect(diagnosticsOf(PLAN)).toEqual([]);
});
