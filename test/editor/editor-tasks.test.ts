import { beforeAll, expect, test } from 'vitest';
import * as vscode from 'vscode';
import { workspaceFile } from './support/plan-editor.ts';

/** Resolves with the exit code of a task that is run as one of the editor's own. */
async function exitCodeOf(task: vscode.Task): Promise<number | undefined> {
  const ended = Promise.withResolvers<number | undefined>();
  const subscription = vscode.tasks.onDidEndTaskProcess(({ execution, exitCode }) => {
    if (execution.task.name === task.name) ended.resolve(exitCode);
  });
  try {
    await vscode.tasks.executeTask(task);
    return await ended.promise;
  } finally {
    subscription.dispose();
  }
}

async function read(uri: vscode.Uri): Promise<string> {
  return new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
}

/** A test before this one may have had the plan open, and the server hears that it was closed when it was. */
function isApi({ name }: vscode.Task): boolean {
  return name === 'api';
}

beforeAll(async () => {
  while (!(await vscode.tasks.fetchTasks({ type: 'interlock' })).some(isApi)) continue;
});

test('the tasks of plans are tasks of the editor', async () => {
  const tasks = await vscode.tasks.fetchTasks({ type: 'interlock' });
  expect(tasks.map(({ name }) => name).toSorted()).toEqual(['api', 'docs', 'schema']);
  expect(tasks[0]?.definition).toEqual({ type: 'interlock', task: tasks[0]?.name });
  expect(tasks[0]?.source).toBe('Interlock');
});

test('run as a task of the editor, a task runs with what it needs and ends with its exit code', async () => {
  const tasks = await vscode.tasks.fetchTasks({ type: 'interlock' });
  const api = tasks.find(({ name }) => name === 'api');
  if (api === undefined) throw new Error('There is no task "api".');
  await vscode.workspace.fs.delete(workspaceFile('api.txt')).then(undefined, () => {});
  expect(await exitCodeOf(api)).toBe(0);
  expect(await read(workspaceFile('api.txt'))).toBe('schema\n');
});

test('a task that fails ends with the exit code of its command', async () => {
  const plan = await vscode.workspace.openTextDocument(workspaceFile('interlock.yaml'));
  const before = plan.getText();
  await write(plan, before.replace('run: echo docs > docs.txt', 'run: exit 7'));
  try {
    const tasks = await vscode.tasks.fetchTasks({ type: 'interlock' });
    const docs = tasks.find(({ name }) => name === 'docs');
    if (docs === undefined) throw new Error('There is no task "docs".');
    expect(await exitCodeOf(docs)).toBe(7);
  } finally {
    await write(plan, before);
    await plan.save();
  }
});

/** Changes an open document: the server is told before anything else is asked of it. */
async function write(document: vscode.TextDocument, text: string): Promise<void> {
  const edit = new vscode.WorkspaceEdit();
  const all = new vscode.Range(0, 0, document.lineCount, 0);
  edit.replace(document.uri, all, text);
  await vscode.workspace.applyEdit(edit);
}
