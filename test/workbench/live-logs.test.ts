import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { vsixPath } from '../../scripts/package.mjs';
import { pictureFailures } from '../support/failure-screenshot.ts';
import {
  pressInTerminal,
  READABLE_TERMINALS,
  runEditorTask,
  showTerminal,
  terminalLine,
  terminalText,
} from '../support/terminals.ts';
import { Workbench } from '../support/workbench.ts';

let workbench: Workbench;

pictureFailures(() => workbench);

beforeAll(async () => {
  workbench = await Workbench.launch({
    fixture: 'test/fixtures/logs',
    vsix: vsixPath(),
    settings: READABLE_TERMINALS,
  });
  await workbench.command('Interlock: Focus on Tasks View');
});

afterAll(async () => {
  await workbench.close();
});

async function pick(command: string, row: string): Promise<void> {
  const { page } = workbench;
  await workbench.command(command);
  await page.locator('.quick-input-widget:visible .quick-input-box input').fill(row);
  await page
    .locator('.quick-input-list .monaco-list-row.focused')
    .filter({ hasText: row })
    .waitFor();
  await page.keyboard.press('Enter');
}

/** What is debugged, and what goes before. */
function launch(preLaunchTask: unknown): void {
  const program = '${workspaceFolder}/app.js';
  const app = { name: 'app', type: 'node', request: 'launch', program, preLaunchTask };
  workbench.write('.vscode/launch.json', JSON.stringify({ configurations: [app] }));
}

function textOf(name: string): string {
  const file = path.join(workbench.folder, name);
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}

test('a task that runs is shown live in a terminal, and its end closes it', async () => {
  const { page } = workbench;
  await pick('Interlock: Run Task…', 'schema');
  await workbench.pressInRow(workbench.taskRow(/^schema, running/), 'Show Terminal');
  await terminalLine(page, 'the schema is written').waitFor();
  await workbench.screenshot('logs-terminal-live');
  workbench.touch('go-schema');
  await terminalLine(page, /✓ schema completed in/).waitFor();
  await workbench.screenshot('logs-terminal-ended');
  await pressInTerminal(page, 'Enter');
  await page.locator('.terminal-wrapper').first().waitFor({ state: 'detached' });
  expect(await page.locator('.terminal-wrapper').count()).toBe(0);
});

test('the terminal of a task shows its next run, and comes back after Reload Window', async () => {
  const { page } = workbench;
  await pick('Interlock: Show Terminal', 'api');
  await terminalLine(page, 'api has not run yet').waitFor();
  await workbench.command('Interlock: Focus on Tasks View');
  await pick('Interlock: Run Task…', 'api');
  await terminalLine(page, /✗ api failed: exit code 3 after/).waitFor();
  await workbench.reload();
  await workbench.command('Terminal: Focus on Terminal View');
  await showTerminal(page, '✗ api');
  await terminalLine(page, /✗ api failed: exit code 3 after/).waitFor();
  await workbench.screenshot('logs-terminal-reloaded');
  await expect.poll(() => terminalText(page)).toContain('the api is written');
});

test('the terminal of a task goes on after the server was restarted', async () => {
  const { page } = workbench;
  workbench.remove('go-schema');
  await pick('Interlock: Run Task…', 'schema');
  await workbench.taskRow(/^schema, running/).waitFor();
  await pick('Interlock: Show Terminal', 'schema');
  await terminalLine(page, 'the schema is written').waitFor();
  await workbench.command('Interlock: Restart Server');
  workbench.touch('go-schema');
  await terminalLine(page, /✓ schema completed in/).waitFor();
  await expect.poll(() => terminalText(page)).toMatch(/^the schema is written\n✓ schema completed/);
});

test('Show Log shows a document to read, which grows while the task runs', async () => {
  const { page } = workbench;
  await workbench.command('Interlock: Focus on Tasks View');
  await pick('Interlock: Run Task…', 'docs');
  await workbench.taskRow(/^docs, running/).waitFor();
  await pick('Interlock: Show Log', 'docs');
  await page.locator('.tab.active[data-resource-name="docs.1.1.log"]').waitFor();
  await page
    .locator('.view-line')
    .filter({ hasText: /^the.docs.are.written$/ })
    .waitFor();
  workbench.touch('go-docs');
  await page
    .locator('.view-line')
    .filter({ hasText: /^the.docs.are.read$/ })
    .waitFor();
  await workbench.screenshot('logs-document');
  await page.keyboard.type('nobody writes here');
  expect(await page.locator('.view-line').allTextContents()).not.toContain('nobody writes here');
});

test('the document of a log is there after the window was reloaded', async () => {
  const { page } = workbench;
  // As people do it: what the editor keeps of its tabs is written before the page goes.
  const loaded = page.waitForEvent('domcontentloaded');
  await workbench.command('Developer: Reload Window');
  await loaded;
  await page.locator('.tab.active[data-resource-name="docs.1.1.log"]').waitFor();
  await page
    .locator('.view-line')
    .filter({ hasText: /^the.docs.are.written$/ })
    .waitFor();
  await workbench.screenshot('logs-document-reloaded');
  await expect
    .poll(() => page.locator('.view-line').allTextContents())
    .toContain('the\u00A0docs\u00A0are\u00A0read');
});

test('a task of tasks.json waits for one of a plan, which runs in a terminal of its own', async () => {
  const { page } = workbench;
  workbench.remove('go-docs');
  workbench.remove('after.txt');
  await runEditorTask(page, 'after docs');
  await workbench.taskRow(/^docs, running/).waitFor();
  await terminalLine(page, 'the docs are written').waitFor();
  await workbench.screenshot('logs-task-running');
  workbench.touch('go-docs');
  await terminalLine(page, 'echo after > after.txt').waitFor();
  await workbench.screenshot('logs-task-ended');
  await expect.poll(() => terminalText(page)).toMatch(/✓ docs completed in \d/);
});

test('lines of several tasks say whose they are', async () => {
  const { page } = workbench;
  workbench.touch('go-schema');
  await runEditorTask(page, 'interlock');
  const api = page.locator('.quick-input-list .monaco-list-row').filter({ hasText: /api/ });
  await api.waitFor();
  await workbench.screenshot('logs-tasks-to-run');
  await api.click();
  await terminalLine(page, /✗ api failed: exit code 3/).waitFor();
  await workbench.screenshot('logs-task-with-needs');
  await expect.poll(() => terminalText(page)).toMatch(/^schema │ the schema is written$/m);
  await expect.poll(() => terminalText(page)).toMatch(/^api {4}│ the api is written$/m);
});

test('a task of the editor that is terminated is cancelled', async () => {
  const { page } = workbench;
  workbench.remove('go-docs');
  await runEditorTask(page, 'write the docs');
  await workbench.taskRow(/^docs, running/).waitFor();
  await workbench.command('Tasks: Terminate Task');
  await page
    .locator('.quick-input-list .monaco-list-row.focused')
    .filter({ hasText: 'write the docs' })
    .waitFor();
  await page.keyboard.press('Enter');
  await workbench.taskRow(/^docs, cancelled/).waitFor();
  await expect.poll(() => workbench.taskRows()).not.toContain('docs, running');
});

test('a debugger waits for a task of a plan, and hears when that has failed', async () => {
  const { page } = workbench;
  for (const name of ['go-docs', 'debugged.txt']) workbench.remove(name);
  const program = `require('node:fs').writeFileSync('debugged.txt', 'with go-docs: ' + require('node:fs').existsSync('go-docs'));`;
  workbench.write('app.js', program);
  launch({ type: 'interlock', task: 'docs' });
  await page.keyboard.press('F5');
  await workbench.taskRow(/^docs, running/).waitFor();
  await workbench.screenshot('logs-debugger-waits');
  workbench.touch('go-docs');
  await expect.poll(() => textOf('debugged.txt'), { timeout: 20_000 }).toBe('with go-docs: true');
  await workbench.taskRow(/^docs, completed/).waitFor();
  launch('Interlock: api');
  workbench.touch('go-schema');
  const dialog = page.locator('.monaco-dialog-box');
  const refusal = dialog.getByText("preLaunchTask 'Interlock: api'");
  // While the first one is still being debugged, the key has another meaning.
  for (let attempt = 1; !(await refusal.isVisible()); attempt += 1) {
    await page.keyboard.press('F5');
    await refusal.waitFor({ timeout: 5000 }).catch((error: unknown) => {
      if (attempt === 5) throw error;
    });
  }
  await workbench.screenshot('logs-debugger-refused');
  await dialog.locator('.monaco-button', { hasText: 'Abort' }).click();
  await workbench
    .taskRow(/^api.*, failed, exit code 3/)
    .first()
    .waitFor();
  expect(textOf('debugged.txt')).toBe('with go-docs: true');
});
