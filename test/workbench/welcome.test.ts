import { afterAll, beforeAll, expect, test } from 'vitest';
import { vsixPath } from '../../scripts/package.mjs';
import { pictureFailures } from '../support/failure-screenshot.ts';
import { Workbench } from '../support/workbench.ts';

let workbench: Workbench;

pictureFailures(() => workbench);

beforeAll(async () => {
  workbench = await Workbench.launch({ fixture: 'test/fixtures/empty', vsix: vsixPath() });
});

afterAll(async () => {
  await workbench.close();
});

test('a folder without a plan offers to write one, and that one runs', async () => {
  const { page } = workbench;
  await workbench.command('Interlock: Focus on Tasks View');
  await page.getByText('This folder has no plan yet.').waitFor();
  await workbench.screenshot('welcome-empty');
  await page.locator('.welcome-view-content .monaco-button', { hasText: 'New Plan' }).click();
  await page.locator('.tab.active[data-resource-name="interlock.yaml"]').waitFor();
  await workbench.taskRow('hello, not run yet').waitFor();
  await workbench.command('Interlock: Run All');
  await workbench.taskRow(/^shout, completed/).waitFor();
  await workbench.screenshot('welcome-starter');
  expect(workbench.read('shout.txt')).toBe('HELLO FROM INTERLOCK\n');
});

test('a plan that comes into the folder shows up by itself', async () => {
  workbench.write('more.interlock.yaml', 'tasks:\n  extra: { run: x }\n');
  await workbench.taskRow(/^extra/).waitFor();
  await workbench.screenshot('welcome-two-plans');
  await expect
    .poll(() => workbench.taskRows())
    .toEqual([
      expect.stringMatching(/^hello, completed/),
      expect.stringMatching(/^shout, completed/),
      'extra, not run yet',
    ]);
  await workbench.taskRow(/^interlock\.yaml, run at \d\d:\d\d, completed, 2 tasks$/).waitFor();
  await workbench.taskRow('Not run yet: more.interlock.yaml, 1 task').waitFor();
});
