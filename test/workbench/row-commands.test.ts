import { readdirSync } from 'node:fs';
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { vsixPath } from '../../scripts/package.mjs';
import { cli, startCli } from '../support/command.ts';
import { pictureFailures } from '../support/failure-screenshot.ts';
import { PictureTab } from '../support/pictures.ts';
import { choice } from '../support/workbench-parts.ts';
import { reloadWindow } from '../support/workbench-terminals.ts';
import { Workbench } from '../support/workbench.ts';

const PLAN = `limits: { parallel: 4 }
tasks:
  one: { run: "true" }
  two: { run: "true" }
  three: { run: sleep 2 }
  bad: { run: exit 3 }
  worse: { run: exit 4 }
  silent: { run: "[ -e answer ] || sleep 1000", stuck_after: 1s }
  review: { role: human }
`;

let workbench: Workbench;

pictureFailures(() => workbench);

beforeAll(async () => {
  workbench = await Workbench.launch({ fixture: 'test/fixtures/empty', vsix: vsixPath() });
  workbench.write('interlock.yaml', PLAN);
  await workbench.command('Interlock: Focus on Tasks View');
  await workbench.taskRow('review, not run yet').waitFor();
});

afterAll(async () => {
  await workbench.close();
});

/** The menu of rows that are selected together. */
async function openMenu(...rows: readonly [RegExp, ...RegExp[]]): Promise<void> {
  const [first, ...others] = rows;
  const named = (spoken: RegExp): Locator => workbench.taskRow(spoken).locator('.label-name');
  await named(first).click();
  for (const other of others) await named(other).click({ modifiers: ['ControlOrMeta'] });
  await named(others.at(-1) ?? first).click({ button: 'right' });
  await workbench.page.getByRole('menu').waitFor();
}

async function choose(title: string): Promise<void> {
  await workbench.page.getByRole('menuitem', { name: title, exact: true }).hover();
  await workbench.page.keyboard.press('Enter');
}

/** What the menu of a row offers. */
async function menuOf(row: RegExp): Promise<readonly string[]> {
  await openMenu(row);
  const labels = await workbench.page.getByRole('menuitem').allTextContents();
  await workbench.page.keyboard.press('Escape');
  return labels.filter((label) => label !== '');
}

/** A menu behind a button beside the name of the view. */
async function openTitleMenu(button: string): Promise<void> {
  const header = workbench.page.locator('.pane-header', { hasText: 'Tasks' });
  await header.hover();
  await header.locator(`.action-label[aria-label="${button}"]`).click();
  await workbench.page.getByRole('menu').waitFor();
}

/** What the list of messages says, while it is open. */
async function messages(): Promise<readonly string[]> {
  const items = workbench.page.locator('.notifications-center .notification-list-item-message');
  return await items.allTextContents();
}

test('several selected rows run together, and no others', async () => {
  await openMenu(/^one, /, /^two, /);
  await choose('Run');
  await workbench.taskRow(/^interlock\.yaml, run at \d\d:\d\d, completed, 2 tasks$/).waitFor();
  await expect
    .poll(() => workbench.taskRows())
    .toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^one, completed/),
        expect.stringMatching(/^two, completed/),
        'three, not run yet',
      ]),
    );
});

test('two tasks that fail are said in one message', async () => {
  await openMenu(/^bad, /, /^worse, /);
  await choose('Run');
  await workbench.notification('bad, worse failed in interlock.yaml; 0 completed.');
  await workbench.screenshot('row-commands-notice');
  await expect.poll(messages).toHaveLength(1);
});

test('a task that failed offers to be tried again, and not to be run besides', async () => {
  const row = workbench.taskRow(/^worse, failed/);
  await row.hover();
  await row.locator('.action-label[aria-label="Retry Task"]').waitFor();
  expect(await row.locator('.action-label[aria-label="Run"]').count()).toBe(0);
  const menu = await menuOf(/^worse, failed/);
  await workbench.screenshot('row-commands-failed');
  expect(menu.filter((label) => /^(Run|Retry)/.test(label))).toEqual([
    'Retry Task',
    'Run in Terminal',
  ]);
});

test('what people do offers no terminal, and each thing once', async () => {
  await openMenu(/^review, /);
  await choose('Claim Task…');
  const row = workbench.taskRow(/^review, .*held by/);
  await row.hover();
  await row.locator('.action-label[aria-label="Complete Task"]').waitFor();
  const menu = await menuOf(/^review, .*held by/);
  await workbench.screenshot('row-commands-own');
  expect(menu.slice(0, 3)).toEqual(['Complete Task', 'Fail Task…', 'Release Task']);
  expect(menu.filter((label) => /Terminal|Log/.test(label))).toEqual([]);
  expect(new Set(menu).size).toBe(menu.length);
  await openMenu(/^review, .*held by/);
  await choose('Complete Task');
  await workbench.taskRow(/^review.*, completed/).waitFor();
});

test('a task that has come to need somebody is answered, and begins anew', async () => {
  await openMenu(/^silent, /);
  await choose('Run');
  await workbench.taskRow(/^needs you: silent, needs attention/).waitFor();
  await workbench.notification(/^silent needs you: /);
  workbench.touch('answer');
  await workbench.command('Interlock: Answer Task');
  await workbench.taskRow(/^silent, completed/).waitFor();
  await expect.poll(() => workbench.taskRow(/^needs you: silent/).count()).toBe(0);
});

test('an agent that waits for work is woken', async () => {
  const { page, folder, stateDir } = workbench;
  const env = { INTERLOCK_STATE_DIR: stateDir };
  startCli(['claim', '--as', 'claude-1', '--wait'], folder, env);
  await workbench.taskRow(/^agent, claude-1, idle/).waitFor();
  await workbench.command('Interlock: Wake Agent');
  await choice(workbench, 'claude-1').click();
  const said = page.locator('.statusbar-item', { hasText: 'claude-1 hears again of what' });
  await said.waitFor();
  const { out } = await cli(['export', '--json'], folder, env);
  expect(out).toContain('"wakesForgotten"');
});

test('a picture is exported by its command, and is an SVG file', async () => {
  const { page } = workbench;
  await workbench.command('Interlock: Show Graph');
  await new PictureTab(workbench).task(/^silent, completed/).waitFor();
  await workbench.command('Interlock: Export as SVG…');
  const box = '.quick-input-widget .quick-input-box input';
  await page.waitForFunction(`document.querySelector('${box}')?.value.endsWith('.svg')`);
  await page.locator(box).press('Enter');
  await workbench.notification(/The picture is in .*\.svg/);
  const name = readdirSync(workbench.folder).find((file) => file.endsWith('.svg')) ?? '';
  const found = await page.evaluate(
    `(() => {
      const text = ${JSON.stringify(workbench.read(name))};
      const root = new DOMParser().parseFromString(text, 'image/svg+xml').documentElement;
      return [root.namespaceURI, root.tagName, root.textContent.includes('review')];
    })()`,
  );
  expect(found).toEqual(['http://www.w3.org/2000/svg', 'svg', true]);
  await workbench.command('View: Close All Editors');
});

test('Show Output and the menu of the view lead to what they name', async () => {
  const { page } = workbench;
  await workbench.command('Interlock: Show Output');
  await page.locator('[id="workbench.panel.output"] .view-line').first().waitFor();
  await workbench.command('View: Hide Panel');
  await openTitleMenu('More Actions...');
  await choose('Show Timeline');
  await choice(workbench, 'interlock.yaml').first().click();
  await new PictureTab(workbench).task(/^/).first().waitFor();
  await expect.poll(() => page.locator('.tab.active').textContent()).toContain('Timeline');
  await workbench.command('View: Close All Editors');
});

test('each way to put the rows together is chosen at the view, and kept', async () => {
  const { page } = workbench;
  const description = page.locator('.pane-header', { hasText: 'Tasks' }).locator('.description');
  await stopMessages();
  for (const way of ['By State', 'By Dependency', 'By Run', 'By Plan']) {
    await openTitleMenu('Group By');
    await choose(way);
    await description.filter({ hasText: way.toLowerCase() }).waitFor();
  }
  await workbench.screenshot('row-commands-by-plan');
  await reloadWindow(workbench);
  await workbench.command('Interlock: Focus on Tasks View');
  await workbench.taskRow('interlock.yaml, 7 tasks').waitFor();
  await expect.poll(() => description.textContent()).toBe('by plan');
});

async function stopMessages(): Promise<void> {
  await openMenu(/^bad, failed/);
  await choose('Retry Task');
  await workbench.notification('bad failed in interlock.yaml; 0 completed.');
  const { page } = workbench;
  const message = page.locator('.notifications-center .notification-list-item', {
    hasText: 'bad failed in',
  });
  await message.first().hover();
  await message.getByRole('button', { name: 'Do Not Show Again' }).first().click();
  await message.first().waitFor({ state: 'detached' });
}

test('a message that was not to be shown again does not come again, in the next window neither', async () => {
  await openMenu(/^worse, failed/);
  await choose('Retry Task');
  // What is said of a run is said a second later: by the time another one has ended it would be there.
  await openMenu(/^three, /);
  await choose('Run');
  await workbench.taskRow(/^three, completed/).waitFor();
  await workbench.command('Notifications: Show Notifications');
  expect((await messages()).filter((text) => text.includes('failed'))).toEqual([]);
});
