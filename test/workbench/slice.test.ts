import { afterAll, beforeAll, expect, test } from 'vitest';
import { vsixPath } from '../../scripts/package.mjs';
import { pictureFailures } from '../support/failure-screenshot.ts';
import { Workbench } from '../support/workbench.ts';

const MISTAKES = `version: 1
tasks:
  schema: { run: x }
  first: { run: x, depends_on: [schma], writes: [out.txt] }
  second: { run: x, writes: [out.txt] }
`;

let workbench: Workbench;

pictureFailures(() => workbench);

beforeAll(async () => {
  workbench = await Workbench.launch({ fixture: 'test/fixtures/slice', vsix: vsixPath() });
  await workbench.command('Interlock: Focus on Tasks View');
});

afterAll(async () => {
  await workbench.close();
});

test('the sidebar shows the tasks of the plan', async () => {
  await workbench.taskRow(/^schema/).waitFor();
  await workbench.screenshot('slice-idle');
  await expect
    .poll(() => workbench.taskRows())
    .toEqual([
      'schema, not run yet',
      'api, Add the users endpoint, not run yet',
      'docs, not run yet',
    ]);
});

test('a wrong dependency and colliding writers are underlined, and the Problems view tells of them', async () => {
  const { page } = workbench;
  const plan = workbench.read('interlock.yaml');
  await workbench.openFile('interlock.yaml');
  workbench.write('interlock.yaml', MISTAKES);
  await page.locator('.view-overlays .cdr.squiggly-error').first().waitFor();
  await page.locator('.view-overlays .cdr.squiggly-warning').nth(1).waitFor();
  await workbench.command('Problems: Focus on Problems View');
  const problems = page.locator('.markers-panel .monaco-list-row');
  await problems.filter({ hasText: 'There is no task "schma" in this plan.' }).first().waitFor();
  await problems.filter({ hasText: '"second" writes it here.' }).first().waitFor();
  await problems.filter({ hasText: '"first" writes it here.' }).first().waitFor();
  await workbench.screenshot('slice-problems');
  await expect.poll(() => page.locator('.view-overlays .cdr.squiggly-error').count()).toBe(1);
  workbench.write('interlock.yaml', plan);
  await page.locator('.view-overlays .cdr.squiggly-error').waitFor({ state: 'detached' });
});

test('Run Task runs one task and what it needs, and the tree shows each state as it changes', async () => {
  const { page } = workbench;
  await workbench.command('Interlock: Run Task…');
  await page.locator('.quick-input-widget:visible .quick-input-box input').fill('api');
  await page
    .locator('.quick-input-list .monaco-list-row.focused')
    .filter({ hasText: 'api' })
    .waitFor();
  await page.keyboard.press('Enter');
  await workbench.taskRow('schema, running').waitFor();
  await workbench.taskRow('api, Add the users endpoint, waits for schema').waitFor();
  await page.locator('.statusbar-item').filter({ hasText: '1 running, 1 waiting' }).waitFor();
  await workbench.screenshot('slice-running');
  workbench.touch('go-schema');
  await workbench.taskRow(/^api, Add the users endpoint, running/).waitFor();
  workbench.touch('go-api');
  await workbench.taskRow(/^api, Add the users endpoint, completed, \d+ m?s/).waitFor();
  await expect
    .poll(async () => (await workbench.taskRows()).filter((row) => row.includes('docs')))
    .toEqual(['docs, not run yet']);
});

test('a failed task shows its exit code, its log, and a number on the view', async () => {
  const { page } = workbench;
  await workbench.command('Interlock: Run All');
  const docs = workbench.taskRow(/^docs, failed, exit code 3/);
  await docs.waitFor();
  await page
    .locator('.activitybar .action-item', { has: page.locator('[aria-label^="Interlock"]') })
    .locator('.badge-content')
    .filter({ hasText: '1' })
    .waitFor();
  await workbench.pressInRow(docs, 'Show Log');
  await page.locator('.tab.active[data-resource-name="docs.1.1.log"]').waitFor();
  await page
    .locator('.view-line')
    .filter({ hasText: /^the.docs.are.out.of.ink$/ })
    .waitFor();
  await workbench.screenshot('slice-failed');
  await expect.poll(() => workbench.taskRows()).toHaveLength(3);
});

test('everything is still there after Reload Window', async () => {
  const before = await workbench.taskRows();
  await workbench.reload();
  await workbench.command('Interlock: Focus on Tasks View');
  await workbench.taskRow(/^docs, failed, exit code 3/).waitFor();
  await workbench.screenshot('slice-reloaded');
  await expect.poll(() => workbench.taskRows()).toEqual(before);
});

test('tasks that run while the window reloads go on, and so does their run', async () => {
  workbench.remove('go-schema');
  await workbench.command('Interlock: Run All');
  await workbench.taskRow('schema, running').waitFor();
  await workbench.reload();
  await workbench.command('Interlock: Focus on Tasks View');
  await workbench.taskRow('schema, running').waitFor();
  await workbench.screenshot('slice-goes-on');
  workbench.touch('go-schema');
  await workbench.taskRow(/^api.*completed/).waitFor();
  await expect.poll(() => workbench.taskRows()).toHaveLength(3);
});

test('Stop stops what runs', async () => {
  workbench.remove('go-schema');
  await workbench.command('Interlock: Run All');
  await workbench.taskRow('schema, running').waitFor();
  await workbench.command('Interlock: Stop');
  await workbench.taskRow('schema, cancelled').waitFor();
  await expect
    .poll(async () => (await workbench.taskRows()).filter((row) => row.includes('running')))
    .toEqual([]);
});
