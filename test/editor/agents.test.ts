import { expect, test } from 'vitest';
import * as vscode from 'vscode';
import { workspaceFile } from './support/plan-editor.ts';

const extension = vscode.extensions.getExtension('interlock.interlock');

/** What a tool answers to a model. */
async function ask(name: string, input: object): Promise<string> {
  const options = { input, toolInvocationToken: undefined };
  const { content } = await vscode.lm.invokeTool(name, options);
  return content
    .map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : ''))
    .join('');
}

test('every tool of the manifest is there for models', async () => {
  await extension?.activate();
  const declared: readonly { readonly name: string }[] =
    extension?.packageJSON.contributes.languageModelTools;
  const there = new Set(vscode.lm.tools.map(({ name }) => name));
  expect(declared.length).toBeGreaterThan(0);
  expect(declared.map(({ name }) => name).filter((name) => !there.has(name))).toEqual([]);
});

test('a model sees the tasks, what is in the way of one, and who writes a file', async () => {
  await untilPlanIsRead();
  expect(await ask('interlock_explain_task', { task: 'api' })).toMatch(
    /^Task "api" of interlock\.yaml is /,
  );
  expect(await ask('interlock_explain_task', { task: 'nothing' })).toBe(
    'There is no task "nothing".',
  );
  expect(JSON.parse(await ask('interlock_find_owners', { paths: ['some/file.ts'] }))).toEqual({
    files: [{ path: 'some/file.ts', mayWrite: true, sentences: [] }],
  });
});

test('a model runs a task, and sees what becomes of it', async () => {
  await untilPlanIsRead();
  expect(await ask('interlock_run_tasks', { tasks: ['nothing'] })).toBe(
    'There is no task "nothing".',
  );
  expect(await ask('interlock_run_tasks', { tasks: ['docs'] })).toBe('The run of docs has begun.');
  while (!(await stateOf('docs')).startsWith('completed')) continue;
  await vscode.workspace.fs.delete(workspaceFile('docs.txt'));
});

/** Another plan may have been in its place a moment ago. */
async function untilPlanIsRead(): Promise<void> {
  await extension?.activate();
  while (!(await ask('interlock_get_status', {})).includes('"id":"api"')) continue;
}

async function stateOf(task: string): Promise<string> {
  const { tasks } = JSON.parse(await ask('interlock_get_status', {}));
  return tasks.find(({ id }: { id: string }) => id === task).state;
}
