import { afterAll, beforeAll, expect, test } from 'vitest';
import { vsixPath } from '../../scripts/package.mjs';
import { pictureFailures } from '../support/failure-screenshot.ts';
import { Workbench } from '../support/workbench.ts';

let workbench: Workbench;

pictureFailures(() => workbench);

beforeAll(async () => {
  workbench = await Workbench.launch({ fixture: 'test/fixtures/tasks-view', vsix: vsixPath() });
  await workbench.command('Interlock: Focus on Tasks View');
  await workbench.taskRow(/^schema, .*not run yet/).waitFor();
});

afterAll(async () => {
  await workbench.close();
});

/** All rows, in their order, as a screen reader says them. */
async function allRows(): Promise<readonly string[]> {
  const items = workbench.page.locator('[role=tree][aria-label=Tasks] [role=treeitem]');
  const labels = await items.evaluateAll((rows) =>
    rows.map((row) => row.getAttribute('aria-label')),
  );
  return labels.map((label) => label ?? '');
}

async function pick(text: string): Promise<void> {
  const { page } = workbench;
  const focused = page.locator(
    '.quick-input-widget:visible .quick-input-list .monaco-list-row.focused',
  );
  await page.locator('.quick-input-widget:visible .quick-input-box input').fill(text);
  await focused.filter({ hasText: text }).waitFor();
  await page.keyboard.press('Enter');
}

/** A tick at one of the rows that may be ticked, found by what a screen reader says. */
async function pickMany(spoken: string): Promise<void> {
  const { page } = workbench;
  await page
    .locator(`.quick-input-list .monaco-list-row[aria-label*="${spoken}"] .label-name`)
    .first()
    .click();
  await page.keyboard.press('Enter');
}

test('what needs the user comes first, then each run with its tasks, the time of what runs, and how far it is', async () => {
  const { page } = workbench;
  await workbench.command('Interlock: Run All');
  await workbench.taskRow(/^needs you: docs, .*failed/).waitFor();
  await workbench.taskRow(/^lint, completed/).waitFor();
  await page.getByText('2 of 5 done, 1 running, 2 wait').waitFor();
  await page
    .locator('.monaco-list-row')
    .filter({ hasText: /schema.*running · \d+ s/ })
    .waitFor();
  await workbench.screenshot('tasks-view-running');
  await expect
    .poll(async () => (await allRows()).filter((row) => /docs|attention, 1|run at/.test(row)))
    .toEqual([
      'Needs attention, 1 task',
      expect.stringMatching(/^needs you: docs, /),
      expect.stringMatching(/^interlock\.yaml, run at \d\d:\d\d, running, 2 of 5 done$/),
      expect.stringMatching(/^docs, /),
    ]);
});

test('a tooltip says when, which attempt and the last line of output', async () => {
  const { page } = workbench;
  await workbench
    .taskRow(/^needs you: docs/)
    .locator('.label-name')
    .hover();
  const tooltip = page.locator('.monaco-hover:visible');
  await tooltip.filter({ hasText: 'Last output: out of ink' }).waitFor();
  await tooltip.filter({ hasText: /Started \d\d:\d\d:\d\d/ }).waitFor();
  await workbench.screenshot('tasks-view-tooltip');
  await expect.poll(() => tooltip.count()).toBe(1);
  await page.mouse.move(1000, 500);
});

test('everything is paused and goes on, and so is one task, by its commands', async () => {
  const { page } = workbench;
  await workbench.command('Interlock: Pause All');
  await page.getByText('2 of 5 done, 1 running, 2 wait, paused').waitFor();
  await workbench.command('Interlock: Resume All');
  await workbench.taskRow(/^api, Add the users endpoint, waits for schema$/).waitFor();
  await workbench.command('Interlock: Pause Task');
  await pickMany('api, waits for schema');
  await workbench.taskRow(/^api, Add the users endpoint, paused/).waitFor();
  await workbench.command('Interlock: Resume Task');
  await workbench.taskRow(/^api, Add the users endpoint, waits for schema$/).waitFor();
  await expect
    .poll(async () => (await workbench.taskRows()).filter((row) => row.includes('paused')))
    .toEqual([]);
});

test('the rows are put together by state, by plan or by dependency, and the choice is kept', async () => {
  const { page } = workbench;
  await workbench.command('Interlock: Group Tasks By…');
  await pick('By state');
  await workbench.taskRow('Running, 1 task').waitFor();
  await workbench.screenshot('tasks-view-by-state');
  await expect
    .poll(async () => (await allRows()).filter((row) => /tasks?$/.test(row)))
    .toEqual([
      'Needs attention, 1 task',
      'Running, 1 task',
      'Waiting, 2 tasks',
      'Completed, 1 task',
    ]);
  await workbench.command('Interlock: Group Tasks By…');
  await pick('By dependency');
  await workbench.taskRow('Running, 1 task').waitFor({ state: 'detached' });
  await workbench.reload();
  await workbench.command('Interlock: Focus on Tasks View');
  const ui = workbench.taskRow(/^ui, /);
  await ui.click();
  await page.keyboard.press('ArrowRight');
  await workbench.taskRow(/^api, /).waitFor();
  await workbench.screenshot('tasks-view-by-dependency');
  await workbench.command('Interlock: Group Tasks By…');
  await pick('By run');
  await workbench.taskRow(/^interlock\.yaml, run at/).waitFor();
});

test('several selected rows are cancelled together, and tried again', async () => {
  const { page } = workbench;
  await workbench.taskRow(/^api, /).click();
  await workbench.taskRow(/^ui, /).click({ modifiers: ['ControlOrMeta'] });
  await workbench.taskRow(/^ui, /).click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Cancel Task' }).hover();
  await page.keyboard.press('Enter');
  await workbench.taskRow(/^api, .*cancelled/).waitFor();
  await workbench.taskRow(/^ui, .*cancelled/).waitFor();
  workbench.touch('go');
  workbench.touch('ink');
  await workbench.taskRow(/^interlock\.yaml, run at .*, failed, 5 tasks/).waitFor();
  await workbench.notification('docs failed in interlock.yaml');
  await workbench.screenshot('tasks-view-notice');
  await workbench.command('Interlock: Show What Needs You');
  await page.locator('.monaco-list-row.focused[aria-label^="needs you: docs"]').waitFor();
  await workbench.command('Interlock: Retry');
  await pickMany('docs, failed');
  await workbench.taskRow(/^docs, .*completed/).waitFor();
  await expect
    .poll(async () => (await allRows()).filter((row) => row.startsWith('needs you')))
    .toEqual([]);
});

for (const [theme, body] of [
  ['Default Dark Modern', 'vs-dark'],
  ['Default High Contrast', 'hc-black'],
  ['Default Light Modern', 'vs'],
] as const)
  test(`rows and their icons can be told apart in ${theme}`, async () => {
    workbench.remove('go');
    workbench.remove('ink');
    workbench.write('.vscode/settings.json', JSON.stringify({ 'workbench.colorTheme': theme }));
    await workbench.page.locator(`.monaco-workbench.${body}`).waitFor();
    await workbench.command('Interlock: Run All');
    await workbench.taskRow('schema, Generate the schema, running').waitFor();
    await workbench.taskRow(/^needs you: docs/).waitFor();
    await workbench.screenshot(`tasks-view-${body}`);
    await workbench.command('Interlock: Stop');
    await workbench.taskRow(/^schema, .*cancelled/).waitFor();
    await expect.poll(() => workbench.taskRows()).toHaveLength(5);
  });

test('a long run that nobody sees says how far it is, and is stopped from there', async () => {
  const { page } = workbench;
  workbench.remove('go');
  await workbench.command('Interlock: Run All');
  await workbench.taskRow('schema, Generate the schema, running').waitFor();
  await workbench.command('View: Show Explorer');
  const message = page.locator('.notification-list-item', { hasText: /of 5 done, 1 running/ });
  await workbench.notification(/of 5 done, 1 running/);
  await workbench.screenshot('tasks-view-progress');
  await message.hover();
  await message.getByRole('button', { name: 'Cancel' }).click();
  await workbench.command('Interlock: Focus on Tasks View');
  await workbench.taskRow(/^schema, .*cancelled/).waitFor();
  await expect
    .poll(async () => (await workbench.taskRows()).filter((row) => row.includes('running')))
    .toEqual([]);
});
