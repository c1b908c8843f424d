import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { vsixPath } from '../../scripts/package.mjs';
import { pictureFailures } from '../support/failure-screenshot.ts';
import { Workbench } from '../support/workbench.ts';

let workbench: Workbench;

pictureFailures(() => workbench);

beforeAll(async () => {
  workbench = await Workbench.launch({ fixture: 'test/fixtures/workers', vsix: vsixPath() });
  await workbench.command('Interlock: Focus on Workers View');
  await workbench.taskRow(/^runner, This machine, idle/).waitFor();
});

afterAll(async () => {
  await workbench.close();
});

/** Changes how everything looks, as the user does it in the settings. */
function useTheme(theme: string): void {
  const settings = path.join(workbench.folder, '.vscode', 'settings.json');
  writeFileSync(settings, JSON.stringify({ 'workbench.colorTheme': theme }));
}

async function pictures(name: string): Promise<void> {
  for (const [theme, word, mark] of THEMES) {
    useTheme(theme);
    await workbench.page.locator(`.monaco-workbench.${mark}`).waitFor();
    await workbench.screenshot(`${name}-${word}`);
  }
}

/** With the keyboard, what the cursor is on. */
async function choose(text: string): Promise<void> {
  const { page } = workbench;
  await page
    .locator('.quick-input-widget:visible .quick-input-list .monaco-list-row.focused')
    .filter({ hasText: text })
    .waitFor();
  await page.keyboard.press('Enter');
}

/** What stands behind the name of a file or folder in the Explorer. */
async function badgeOf(name: string): Promise<string> {
  const row = workbench.page.getByRole('treeitem', { name: new RegExp(`^${name}`) }).first();
  const label = row.locator('.monaco-icon-label').first();
  return await label.evaluate((element) => {
    const page = element.ownerDocument.defaultView;
    return page?.getComputedStyle(element, '::after').content ?? '';
  });
}

async function untilMarked(name: string, badge: string): Promise<void> {
  await expect.poll(async () => await badgeOf(name), { timeout: 20_000 }).toContain(badge);
}

const THEMES = [
  ['Default Light Modern', 'light', 'vs'],
  ['Default High Contrast', 'contrast', 'hc-black'],
  ['Default Dark Modern', 'dark', 'vs-dark'],
] as const;

test('this machine, with what it runs, and the person are in the Workers view', async () => {
  await workbench.command('Interlock: Run All');
  await workbench.taskRow(/^runner, This machine, busy, 1 of 2 places, 1 of 1 db/).waitFor();
  await workbench.taskRow(/^task, create, for \d+ s/).waitFor();
  await workbench.taskRow(/^person, .* \(you\), idle/).waitFor();
  expect(await workbench.taskRow(/^agent/).count()).toBe(0);
});

test('what a task writes is marked in the Explorer, files that are closed and whole folders', async () => {
  const { page } = workbench;
  await workbench.command('File: Focus on Files Explorer');
  await untilMarked('src', '•');
  await page.getByRole('treeitem', { name: /^src/ }).click();
  await untilMarked('schema', '✎');
  await pictures('owner-badges');
  expect(await badgeOf('docs')).toBe('none');
});

test('why a task waits is listed, with one thing to do about each reason', async () => {
  const { page } = workbench;
  await workbench.command('Interlock: Why Is This Not Running?');
  const rows = page.locator('.quick-input-widget:visible .quick-input-list .monaco-list-row');
  await rows.filter({ hasText: 'load' }).first().click();
  const reason = rows.filter({ hasText: 'Waits for db' });
  await reason.waitFor();
  await rows.filter({ hasText: 'Show create' }).first().waitFor();
  await pictures('why');
  await page.keyboard.press('Enter');
  await rows.filter({ hasText: 'It is being worked on now' }).waitFor();
  await rows.filter({ hasText: 'Show Log' }).waitFor();
  await expect.poll(() => rows.count()).toBe(2);
  await page.keyboard.press('Escape');
});

test('a task for people is claimed, and released, by the keyboard alone', async () => {
  const { page } = workbench;
  const input = page.locator('.quick-input-widget:visible .quick-input-box input');
  const rows = page.locator('.quick-input-widget:visible .quick-input-list .monaco-list-row');
  await workbench.command('Interlock: Claim Task…');
  await rows.filter({ hasText: 'can be claimed now' }).first().waitFor();
  await workbench.screenshot('claim-pick');
  await input.fill('review');
  await choose('review');
  await workbench.command('Interlock: Focus on Workers View');
  await workbench.taskRow(/^person, .* \(you\), busy, review/).waitFor();
  await workbench.taskRow(/^task, review, until released/).waitFor();
  await pictures('workers');
  await workbench.command('Interlock: Release Task');
  await choose('review');
  await workbench.taskRow(/^person, .* \(you\), idle/).waitFor();
  await expect.poll(() => workbench.taskRow(/^task, review/).count()).toBe(0);
});

test('a task of the user is completed from its row among the tasks, and nothing says that it is theirs', async () => {
  const { page } = workbench;
  await workbench.command('Interlock: Claim Task…');
  await choose('review');
  const said = { hasText: '"review" is yours until you release it.' };
  await page.locator('.statusbar-item', said).waitFor();
  const row = workbench.taskRow(/^review, .*held by/);
  await workbench.pressInRow(row, 'Complete Task');
  await workbench.taskRow(/^review.*, completed/).waitFor();
  await workbench.taskRow(/^person, .* \(you\), idle/).waitFor();
  await expect.poll(() => workbench.taskRow(/^review.*, held by/).count()).toBe(0);
  await workbench.command('Notifications: Show Notifications');
  await page.locator('.notifications-center').waitFor();
  expect(await page.locator('.notification-list-item', said).count()).toBe(0);
  await page.keyboard.press('Escape');
});

test('a machine that is drained starts nothing more, and goes on when it is undrained', async () => {
  await workbench.command('Interlock: Drain Worker');
  await choose('This machine');
  await workbench.taskRow(/^runner, This machine, drained, 1 of 2 places/).waitFor();
  await workbench.screenshot('workers-drained');
  workbench.touch('go');
  await workbench.taskRow(/^runner, This machine, drained, 0 of 2 places/).waitFor();
  await workbench.taskRow(/^load.*this machine is drained/).waitFor();
  await workbench.command('Interlock: Undrain Worker');
  await choose('This machine');
  await workbench.taskRow(/^load.*, completed/).waitFor();
  expect(await workbench.page.locator('.monaco-dialog-box').count()).toBe(0);
});
