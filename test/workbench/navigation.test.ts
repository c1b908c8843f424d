import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { vsixPath } from '../../scripts/package.mjs';
import { pictureFailures } from '../support/failure-screenshot.ts';
import { Workbench } from '../support/workbench.ts';

const OTHER = 'tasks:\n  page:\n    run: echo\n    after: [project/schema]\n';

let workbench: Workbench;

pictureFailures(() => workbench);

beforeAll(async () => {
  workbench = await Workbench.launch({ fixture: 'test/fixtures/slice', vsix: vsixPath() });
  workbench.write('web.interlock.yaml', OTHER);
  await workbench.openFile('interlock.yaml');
});

afterAll(async () => {
  await workbench.close();
});

/** Puts the cursor on the first letter of a line that has this text. */
async function goToLine(text: string): Promise<void> {
  await line(text).click();
  await workbench.page.keyboard.press('Home');
}

function line(text: string): Locator {
  return workbench.page.locator('.view-lines .view-line').filter({ hasText: text }).first();
}

test('the outline shows the plan and its tasks', async () => {
  const { page } = workbench;
  await workbench.command('Explorer: Focus on Outline View');
  const rows = page.locator('.outline-tree .monaco-list-row');
  await rows.filter({ hasText: 'docs' }).waitFor();
  await workbench.screenshot('navigation-outline');
  await expect
    .poll(() => rows.allTextContents())
    .toEqual([
      expect.stringMatching(/^project\s*interlock\.yaml$/),
      expect.stringMatching(/^schema\s*echo schema >> runs\.txt$/),
      expect.stringMatching(/^api\s*Add the users endpoint$/),
      expect.stringMatching(/^docs\s*echo the docs are out of ink; exit 3$/),
    ]);
});

test('what is no id is not renamed, and no id is taken twice', async () => {
  const { page } = workbench;
  await goToLine('writes: [schema');
  await page.keyboard.press('F2');
  await page
    .locator('.monaco-editor-overlaymessage')
    .filter({ hasText: 'Only the ids of tasks can be renamed here.' })
    .waitFor();
  await page.keyboard.press('Escape');
  await goToLine('schema:');
  await page.keyboard.press('F2');
  await page.locator('.rename-box input:focus').fill('api');
  await workbench.screenshot('navigation-rename');
  await page.keyboard.press('Enter');
  await workbench.notification('There is a task "api" in this plan already.');
  expect(workbench.read('interlock.yaml')).toContain('  schema:\n');
});

test('an id is renamed in all plans', async () => {
  const { page } = workbench;
  await goToLine('schema:');
  await page.keyboard.press('F2');
  await page.locator('.rename-box input:focus').fill('tables');
  await page.keyboard.press('Enter');
  await line('depends_on: [tables]').waitFor();
  await workbench.openFile('web.interlock.yaml');
  await line('after: [project/tables]').waitFor();
  await workbench.screenshot('navigation-renamed');
  await expect.poll(() => line('project/schema').count()).toBe(0);
});

test('a reference leads to the task in the other plan', async () => {
  const { page } = workbench;
  await line('after:').click();
  await page.keyboard.press('End');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('F12');
  await page.locator('.tab.active[data-resource-name="interlock.yaml"]').waitFor();
  await workbench.screenshot('navigation-definition');
  await expect
    .poll(() => page.locator('.statusbar-item').filter({ hasText: 'Ln 3, Col 3' }).count())
    .toBe(1);
});
