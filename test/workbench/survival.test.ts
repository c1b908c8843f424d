import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { vsixPath } from '../../scripts/package.mjs';
import { pictureFailures } from '../support/failure-screenshot.ts';
import { choice, welcomeText } from '../support/workbench-parts.ts';
import { runEditorTask } from '../support/terminals.ts';
import { killServers } from '../support/server-processes.ts';
import { Workbench } from '../support/workbench.ts';

const CRASHED = 'The language server of Interlock ended unexpectedly and was started again.';
const HOVER_ATTEMPTS = 5;
const GIVEN_UP = 'ended unexpectedly 4 times within 3 minutes';

let workbench: Workbench;

pictureFailures(() => workbench);

beforeAll(async () => {
  workbench = await Workbench.launch({
    fixture: 'test/fixtures/long',
    vsix: vsixPath(),
    settings: settingsOf('kim'),
  });
  await workbench.command('Interlock: Focus on Tasks View');
  await workbench.command('Interlock: Run All');
  await untilRunning();
});

afterAll(async () => {
  await workbench.close();
});

function settingsOf(userName: string): Readonly<Record<string, unknown>> {
  return { 'files.autoSave': 'off', 'interlock.userName': userName };
}

async function untilRunning(window = workbench): Promise<void> {
  await window.taskRow(/^build, running/).waitFor();
  await window.taskRow(/^index, running/).waitFor();
}

/** A hover that is open does not change when something else is said of its line. */
async function untilHover(window: Workbench, text: string): Promise<void> {
  const hover = window.page.locator('.monaco-hover').filter({ hasText: text }).first();
  for (let attempt = 1; ; attempt += 1)
    try {
      await window.command('Show or Focus Hover');
      await hover.waitFor({ timeout: 3000 });
      return;
    } catch (error) {
      if (attempt === HOVER_ATTEMPTS) throw error;
    }
}

/** The log of the window, as it has been since it was loaded. */
let logFile = '';

function newestLog(): string {
  const root = path.join(path.dirname(workbench.folder), 'data', 'data', 'logs');
  const files = globSync('*/exthost*/interlock.interlock/Interlock.log', { cwd: root });
  const [newest = ''] = files.toSorted((a, b) => b.localeCompare(a, 'en', { numeric: true }));
  return path.join(root, newest);
}

function startsLogged(): number {
  return readFileSync(logFile, 'utf8').split('The language server has started.').length - 1;
}

/** Kills the server, and waits until the next one has found what runs. */
async function kill(): Promise<void> {
  const before = startsLogged();
  killServers(path.dirname(workbench.folder));
  await expect.poll(startsLogged, { timeout: 30_000 }).toBe(before + 1);
}

async function notifications(): Promise<readonly string[]> {
  await workbench.command('Notifications: Show Notifications');
  const messages = workbench.page.locator('.notifications-center .notification-list-item-message');
  await messages.first().waitFor();
  return await messages.allTextContents();
}

test('after Reload Window one line says that nothing was lost', async () => {
  await workbench.reload();
  await workbench.page
    .locator('.statusbar-item')
    .filter({ hasText: 'Re-attached to 2 running tasks, 0 lost' })
    .waitFor();
  await workbench.screenshot('survival-reloaded');
  await workbench.command('Interlock: Focus on Tasks View');
  await untilRunning();
  logFile = newestLog();
  await expect.poll(() => workbench.taskRows()).toHaveLength(2);
});

test('two windows on a folder show the same, and a new name of the user is known at once', async () => {
  const other = await workbench.another();
  await other.command('Interlock: Focus on Tasks View');
  await untilRunning(other);
  await expect.poll(() => other.taskRows()).toEqual(await workbench.taskRows());
  await workbench.openFile('users.txt');
  const { page } = workbench;
  await page.locator('.view-line').filter({ hasText: 'one' }).click();
  await page.keyboard.type('x');
  await page.locator('.tab.active.dirty[data-resource-name="users.txt"]').waitFor();
  await other.openFile('users.txt');
  await other.page.locator('.view-overlays .cdr.squiggly-hint').first().waitFor();
  await untilHover(other, 'kim is editing this file in another window');
  workbench.configure(settingsOf('robin'));
  await untilHover(other, 'robin is editing this file in another window');
  await other.screenshot('survival-two-windows');
  await other.page.close();
});

test('a server that is killed comes back by itself, with one message, and the tasks go on', async () => {
  await kill();
  await untilRunning();
  await workbench.notification(CRASHED);
  await workbench.screenshot('survival-killed');
  await expect.poll(notifications).toEqual([`${CRASHED} Re-attached to 2 running tasks, 0 lost.`]);
  await workbench.command('Notifications: Clear All Notifications');
});

test('one that is killed again and again is left alone, until the user starts it', async () => {
  const { page } = workbench;
  await workbench.command('Interlock: Focus on Tasks View');
  for (let death = 2; death <= 3; death += 1) {
    await kill();
    await untilRunning();
  }
  killServers(path.dirname(workbench.folder));
  await workbench.notification(GIVEN_UP);
  await expect
    .poll(async () => (await notifications()).filter((text) => text.includes('ended unexpectedly')))
    .toHaveLength(1);
  await welcomeText(workbench).getByText('is not running').waitFor();
  await workbench.screenshot('survival-given-up');
  // The editor asks for its tasks all the same, and whoever throws then is shown in its output.
  await runEditorTask(page, 'interlock');
  await choice(workbench, /No interlock tasks found/i).waitFor();
  await workbench.screenshot('survival-no-tasks-of-editor');
  await page.keyboard.press('Escape');
  expect(await page.locator('.part.panel .output-view-content').isVisible()).toBe(false);
  await workbench.notification(GIVEN_UP);
  await page.locator('.notifications-center').getByText('Restart Server').click();
  await untilRunning();
  workbench.touch('go');
  await workbench.taskRow(/^build, completed/).waitFor();
  await workbench.taskRow(/^index, completed/).waitFor();
});
