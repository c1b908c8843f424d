import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { vsixPath } from '../../scripts/package.mjs';
import { pictureFailures } from '../support/failure-screenshot.ts';
import {
  activeTab,
  choice,
  closeFolder,
  welcomeButton,
  welcomeText,
} from '../support/workbench-parts.ts';
import { Workbench } from '../support/workbench.ts';

let workbench: Workbench;

pictureFailures(() => workbench);

beforeAll(async () => {
  // For pictures in another theme, for instance "Default High Contrast".
  const theme = process.env['INTERLOCK_THEME'];
  workbench = await Workbench.launch({
    fixture: 'test/fixtures/npm',
    vsix: vsixPath(),
    settings: {
      'workbench.secondarySideBar.defaultVisibility': 'hidden',
      ...(theme !== undefined && { 'workbench.colorTheme': theme }),
    },
  });
});

afterAll(async () => {
  await workbench.close();
});

test('New Plan offers what fits the folder, and what it writes has no problem and runs', async () => {
  const { page } = workbench;
  workbench.remove('.vscode/tasks.json');
  await workbench.command('Interlock: Focus on Tasks View');
  await welcomeText(workbench).getByText('This folder has no plan yet.').waitFor();
  await workbench.screenshot('first-no-plan');
  await welcomeButton(workbench, 'New Plan').click();
  await choice(workbench, /Targets of the Makefile.*all/).waitFor();
  await workbench.screenshot('first-starters');
  await choice(workbench, /Scripts of package\.json.*fits best.*lint, build, test/).click();
  await activeTab(workbench, 'interlock.yaml').waitFor();
  await workbench.taskRow('lint, not run yet').waitFor();
  const lines = workbench.read('interlock.yaml').split('\n');
  const line = lines.indexOf('  lint:') + 1;
  await page.locator('.statusbar-item', { hasText: `Ln ${line}, Col 3` }).waitFor();
  await workbench.command('Interlock: Run All');
  await workbench.taskRow(/^test, completed/).waitFor();
  await workbench.screenshot('first-starter');
  expect(await page.locator('.view-overlays .cdr[class*=squiggly]').count()).toBe(0);
});

test('New Plan opens the plan that is there, and writes none over it', async () => {
  const plan = workbench.read('interlock.yaml');
  await workbench.command('View: Close All Editors');
  await workbench.command('Interlock: New Plan');
  await activeTab(workbench, 'interlock.yaml').waitFor();
  await workbench.page.locator('.statusbar-item', { hasText: 'has a plan already' }).waitFor();
  expect(workbench.read('interlock.yaml')).toBe(plan);
});

test('Import Tasks writes the tasks of tasks.json into a plan of their own', async () => {
  await workbench.command('Interlock: Import Tasks…');
  await workbench.notification('There is nothing to import in project');
  workbench.write(
    '.vscode/tasks.json',
    readFileSync('test/fixtures/npm/.vscode/tasks.json', 'utf8'),
  );
  await workbench.taskRow('.vscode/tasks.json').waitFor();
  await workbench.command('Interlock: Import Tasks…');
  await activeTab(workbench, 'tasks.interlock.yaml').waitFor();
  await workbench.taskRow('tasks.interlock.yaml').waitFor();
  await workbench.screenshot('first-imported');
  expect(workbench.read('tasks.interlock.yaml')).toContain(
    '  say-it-twice:\n    title: say it twice',
  );
});

test('a plan that cannot be read, and one without tasks, are opened from the empty view', async () => {
  for (const file of ['tasks.interlock.yaml', '.vscode/tasks.json']) workbench.remove(file);
  workbench.write('interlock.yaml', 'tasks: 7\n');
  await workbench.command('Interlock: Focus on Tasks View');
  await welcomeText(workbench).getByText('no task of it can be read').waitFor();
  await workbench.screenshot('first-wrong-plan');
  await workbench.command('View: Close All Editors');
  await workbench.command('Interlock: Focus on Tasks View');
  await welcomeButton(workbench, 'Open Plan').click();
  await activeTab(workbench, 'interlock.yaml').waitFor();
  workbench.write('interlock.yaml', 'tasks: {}\n');
  await welcomeText(workbench).getByText('no task in it yet').waitFor();
  await workbench.screenshot('first-no-tasks');
  await expect.poll(() => workbench.taskRows()).toEqual([]);
});

test('Open Board Folder says where the record of the folder is kept', async () => {
  await workbench.command('Interlock: Open Board Folder');
  const boards = path.join(workbench.stateDir, 'boards');
  const [name = ''] = readdirSync(boards);
  await workbench.notification(`The board of project is in ${path.join(boards, name)}.`);
  await workbench.screenshot('first-board-folder');
  expect(name).toMatch(/^project-/);
});

test('the walkthrough has five steps, and what was done is ticked off', async () => {
  const { page } = workbench;
  await workbench.command('Interlock: Open Walkthrough');
  const steps = page.locator('.getting-started-step');
  await steps.nth(4).waitFor();
  await page.locator('.getting-started-step', { hasText: 'See what would collide' }).click();
  const picture = page.frameLocator('iframe.webview.ready').frameLocator('#active-frame');
  await picture.getByText('./shopping.sh').waitFor();
  await workbench.screenshot('first-walkthrough');
  await expect.poll(() => steps.count()).toBe(5);
  const done = page.locator('.getting-started-step:has([data-done-step-id][aria-checked=true])');
  await done.nth(1).waitFor();
  await expect
    .poll(() => done.allTextContents())
    .toEqual([expect.stringContaining('Open a folder'), expect.stringContaining('Write a plan')]);
});

test('without a folder the example is offered: it begins with a squiggle, and a quick fix clears it', async () => {
  const { page } = workbench;
  await closeFolder(workbench);
  await workbench.command('Interlock: Focus on Tasks View');
  await welcomeText(workbench).getByText('Interlock runs the tasks of a folder').waitFor();
  await workbench.screenshot('first-no-folder');
  await welcomeText(workbench).getByText('open the example').click();
  await choice(workbench, 'Only Try It').waitFor();
  await workbench.screenshot('first-example-place');
  await choice(workbench, 'Only Try It').click();
  await activeTab(workbench, 'interlock.yaml').waitFor();
  const squiggles = page.locator('.view-overlays .cdr.squiggly-warning');
  await squiggles.nth(1).waitFor();
  await workbench.taskRow('prices, not run yet').waitFor();
  await workbench.screenshot('first-example');
  await page.keyboard.press('Control+.');
  await page.locator('.action-widget .monaco-list-row', { hasText: 'depends_on' }).first().click();
  await squiggles.first().waitFor({ state: 'detached' });
  await workbench.screenshot('first-example-fixed');
  await expect.poll(() => squiggles.count()).toBe(0);
});
