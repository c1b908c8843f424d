import { afterAll, beforeAll, expect, test } from 'vitest';
import { vsixPath } from '../../scripts/package.mjs';
import { pictureFailures } from '../support/failure-screenshot.ts';
import { Workbench } from '../support/workbench.ts';

let workbench: Workbench;

pictureFailures(() => workbench);

beforeAll(async () => {
  workbench = await Workbench.launch({
    fixture: 'test/fixtures/live',
    vsix: vsixPath(),
    // In a browser VS Code saves by itself.
    settings: { 'files.autoSave': 'off' },
  });
  await workbench.command('Interlock: Focus on Tasks View');
  await workbench.taskRow('api, Add the users endpoint, not run yet').waitFor();
});

afterAll(async () => {
  await workbench.close();
});

test('the first character typed into a file that a task writes is underlined, and free again with its end', async () => {
  const { page } = workbench;
  await workbench.openFile('users.py');
  await workbench.command('Interlock: Run All');
  await workbench.taskRow(/^api.*, running/).waitFor();
  const hint = page.locator('.view-overlays .cdr.squiggly-hint');
  const warning = page.locator('.view-overlays .cdr.squiggly-warning');
  await hint.first().waitFor();
  const pencil = page.locator('.tab[data-resource-name="users.py"] .monaco-decoration-badge');
  await pencil.waitFor();
  await workbench.screenshot('live-owner-hint');
  expect(await warning.count()).toBe(0);
  await workbench.openFile('users.py');
  await page.keyboard.press('Control+g');
  await page.keyboard.type('3');
  await page.keyboard.press('Enter');
  await page.keyboard.press('End');
  await page.keyboard.type('x');
  await warning.first().waitFor();
  await workbench.command('Show or Focus Hover');
  await page
    .locator('.monaco-hover')
    .filter({ hasText: 'If you save this change, one of the two may overwrite the other.' })
    .first()
    .waitFor();
  await workbench.screenshot('live-changed-line');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+Period');
  const menu = page.locator('.action-widget');
  await menu.filter({ hasText: 'Take over users.py: stop task "api"…' }).first().waitFor();
  await workbench.screenshot('live-quick-fixes');
  await page.keyboard.press('Escape');
  await workbench.command('Problems: Focus on Problems View');
  await page
    .locator('.markers-panel .monaco-list-row')
    .filter({ hasText: 'says here that it writes this file' })
    .first()
    .waitFor();
  await workbench.screenshot('live-problems');
  workbench.touch('go');
  await warning.first().waitFor({ state: 'detached' });
  await hint.first().waitFor({ state: 'detached' });
  await pencil.waitFor({ state: 'detached' });
  await workbench.screenshot('live-free');
});

test("what the task itself writes into an open file is nobody's change", async () => {
  const { page } = workbench;
  await workbench.command('File: Revert File');
  workbench.remove('go');
  await workbench.command('Interlock: Run All');
  await page.locator('.view-overlays .cdr.squiggly-hint').first().waitFor();
  workbench.write('src/users.py', 'written by the task\n'.repeat(9));
  await page
    .locator('.view-line')
    .filter({ hasText: /^written.by.the.task$/ })
    .first()
    .waitFor();
  await workbench.screenshot('live-written-by-task');
  await expect.poll(() => page.locator('.view-overlays .cdr.squiggly-warning').count()).toBe(0);
  workbench.touch('go');
  await workbench.taskRow(/^api.*, completed/).waitFor();
  await page.locator('.view-overlays .cdr.squiggly-hint').first().waitFor({ state: 'detached' });
});

test('a task that would write what is being edited waits, and the person is asked', async () => {
  const { page } = workbench;
  workbench.remove('go');
  await workbench.openFile('users.py');
  await page.keyboard.type('y');
  await workbench.command('Interlock: Run All');
  await workbench.taskRow(/^api.*, waits for you: you are editing src\/users\.py/).waitFor();
  await workbench.notification(/Task "api" would write src\/users\.py, which you have changed/);
  await workbench.screenshot('live-asked');
  await page.locator('.notifications-center').getByText('Let It Start').click();
  await workbench.taskRow(/^api.*, running/).waitFor();
  await page.locator('.view-overlays .cdr.squiggly-warning').first().waitFor();
  workbench.touch('go');
  await workbench.taskRow(/^api.*, completed/).waitFor();
  await page.locator('.view-overlays .cdr.squiggly-warning').first().waitFor({ state: 'detached' });
  // Nobody has saved it.
  expect(workbench.read('src/users.py')).toBe('written by the task\n'.repeat(9));
});
