import { expect, test } from 'vitest';
import * as vscode from 'vscode';
import { workspaceFile } from './support/plan-editor.ts';

const decoder = new TextDecoder();

/** Resolves when a command of the plan has made its file. */
async function untilFile(name: string): Promise<string> {
  const uri = workspaceFile(name);
  const watcher = vscode.workspace.createFileSystemWatcher(
    new vscode.RelativePattern(vscode.Uri.joinPath(uri, '..'), name),
  );
  try {
    for (;;) {
      const changed = new Promise<void>((resolve) => {
        watcher.onDidCreate(() => resolve());
        watcher.onDidChange(() => resolve());
      });
      const text = await read(uri);
      if (text !== '') return text;
      await changed;
    }
  } finally {
    watcher.dispose();
  }
}

async function read(uri: vscode.Uri): Promise<string> {
  try {
    return decoder.decode(await vscode.workspace.fs.readFile(uri));
  } catch {
    return '';
  }
}

test('Run All runs the tasks of the plan in their order', async () => {
  await vscode.commands.executeCommand('interlock.tasks.runAll');
  expect(await untilFile('api.txt')).toBe('schema\n');
  expect(await untilFile('docs.txt')).toBe('docs\n');
});

test('New Plan opens the plan that is there and does not touch it', async () => {
  const before = await read(workspaceFile('interlock.yaml'));
  await vscode.commands.executeCommand('interlock.plan.new');
  expect(vscode.window.activeTextEditor?.document.fileName).toMatch(/interlock\.yaml$/);
  expect(await read(workspaceFile('interlock.yaml'))).toBe(before);
});
