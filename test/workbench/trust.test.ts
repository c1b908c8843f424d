import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { vsixPath } from '../../scripts/package.mjs';
import { pictureFailures } from '../support/failure-screenshot.ts';
import { choice, closeFolder } from '../support/workbench-parts.ts';
import { Workbench } from '../support/workbench.ts';

let workbench: Workbench;

pictureFailures(() => workbench);

beforeAll(async () => {
  workbench = await Workbench.launch({
    fixture: 'test/fixtures/plan',
    vsix: vsixPath(),
    isTrusted: false,
  });
});

afterAll(async () => {
  await workbench.close();
});

async function runCommands(): Promise<readonly string[]> {
  const rows = await workbench.paletteRows('Interlock: ');
  return rows.filter((row) => /Interlock: Run/.test(row));
}

test('in a folder that is not trusted the tasks are shown, and nothing offers to run them', async () => {
  await workbench.command('Interlock: Focus on Tasks View');
  await workbench.taskRow('schema, not run yet').waitFor();
  await workbench.page.getByText('until you trust this folder').waitFor();
  await workbench.screenshot('trust-restricted');
  expect(await runCommands()).toEqual([]);
});

/** What is asked for as `task …` where files are opened by name. */
async function editorTasks(): Promise<void> {
  const { page } = workbench;
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+P');
  await page.locator('.quick-input-widget:visible .quick-input-box input').fill('task interlock');
}

/** What went wrong in extensions since the window was opened, and is said nowhere else. */
function errorsOfHost(): readonly string[] {
  const root = path.join(path.dirname(workbench.folder), 'data', 'data', 'logs');
  const logs = globSync('*/exthost*/*exthost.log', { cwd: root });
  expect(logs).not.toEqual([]);
  const lines = logs.flatMap((log) => readFileSync(path.join(root, log), 'utf8').split('\n'));
  // What a window was asked for that is closed by now is cancelled.
  return lines.filter((line) => /\[error\].*interlock(?!.*: Canceled$)/i.test(line));
}

test('where nothing may run, and where no folder is open, VS Code is offered no tasks, and no error', async () => {
  const { page } = workbench;
  await editorTasks();
  const question = page.locator('.monaco-dialog-box');
  await question.getByText('Listing and running tasks requires').waitFor();
  await workbench.screenshot('trust-no-tasks-of-editor');
  await question.locator('.monaco-button', { hasText: 'Cancel' }).click();
  expect(errorsOfHost()).toEqual([]);
  const folder = page.url();
  await closeFolder(workbench);
  await editorTasks();
  await choice(workbench, /./).first().waitFor();
  await workbench.screenshot('trust-no-tasks-without-folder');
  expect(errorsOfHost()).toEqual([]);
  await page.keyboard.press('Escape');
  await workbench.command('Notifications: Show Notifications');
  expect(await page.locator('.notifications-center .notification-list-item').count()).toBe(0);
  await page.goto(folder);
});

test('once the folder is trusted the tasks run, without a reload', async () => {
  const { page } = workbench;
  await workbench.command('Workspaces: Manage Workspace Trust');
  await page
    .locator('.workspace-trust-editor .monaco-button', { hasText: /^Trust/ })
    .first()
    .click();
  await workbench.command('Interlock: Focus on Tasks View');
  await workbench.command('Interlock: Run All');
  await workbench.taskRow(/^api, completed/).waitFor();
  expect(workbench.read('api.txt')).toBe('schema\n');
});
