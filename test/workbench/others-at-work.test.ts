import { afterAll, beforeAll, expect, test } from 'vitest';
import { vsixPath } from '../../scripts/package.mjs';
import { cli } from '../support/command.ts';
import { pictureFailures } from '../support/failure-screenshot.ts';
import { choice } from '../support/workbench-parts.ts';
import { Workbench } from '../support/workbench.ts';

let workbench: Workbench;

pictureFailures(() => workbench);

beforeAll(async () => {
  workbench = await Workbench.launch({ fixture: 'test/fixtures/workers', vsix: vsixPath() });
  workbench.write('interlock.yaml', PLAN);
  await workbench.command('Interlock: Focus on Tasks View');
  await workbench.taskRow(/^users/).waitFor();
});

afterAll(async () => {
  await workbench.close();
});

const PLAN = `version: 1
tasks:
  users: { writes: [src/users/**] }
  first: { run: "until [ -e go ]; do sleep 0.05; done" }
  orders: { after: [first], run: "true", writes: [src/users/list.ts] }
`;

/** As another worker does it on the command line. */
async function interlock(...args: readonly string[]): Promise<string> {
  const { folder, stateDir } = workbench;
  const { out, err, code } = await cli([...args], folder, { INTERLOCK_STATE_DIR: stateDir });
  expect({ code, err }).toEqual({ code: 0, err: '' });
  return out;
}

const HELD = /held by claude-1 until \d\d:\d\d/;

test('a task that an agent has says so, and so does one that waits for its files', async () => {
  await workbench.command('Interlock: Run All');
  await workbench.taskRow(/^users, ready/).waitFor();
  await interlock('claim', 'users', '--as', 'claude-1', '--lease', '10m');
  await workbench.taskRow(new RegExp(`^users, ${HELD.source}`)).waitFor();
  workbench.touch('go');
  await workbench.taskRow(new RegExp(`^orders, .*${HELD.source}`)).waitFor();
  await workbench.taskRow(/^agent, claude-1, busy, users/).waitFor();
  await workbench.screenshot('others-held');
  await workbench.taskRow(/^task, users, lease ends in \d+ min \d+ s/).waitFor();
  await expect.poll(() => workbench.taskRow(HELD).count()).toBe(2);
});

test('two windows on a folder show the same workers, with what each of them holds', async () => {
  const second = await workbench.another();
  await second.command('Interlock: Focus on Workers View');
  await second.taskRow(/^agent, claude-1, busy, users/).waitFor();
  await second.taskRow(/^task, users, lease ends in \d+ min/).waitFor();
  await second.taskRow(/^orders, .*held by claude-1/).waitFor();
  await expect
    .poll(() => second.taskRow(/^agent/).count())
    .toBe(await workbench.taskRow(/^agent/).count());
  await second.page.close();
});

test('what an agent has is taken away after a question, and what waited for it goes on', async () => {
  const { page } = workbench;
  await workbench.command('Interlock: Take Away From Worker…');
  await choice(workbench, 'users').click();
  const dialog = page.locator('.monaco-dialog-box');
  await dialog.getByText('Take "users" from claude-1?').waitFor();
  await workbench.screenshot('others-take-away');
  await dialog.getByRole('button', { name: 'Take Away' }).click();
  await workbench.taskRow(/^orders, .*completed/).waitFor();
  expect(await page.locator('.notification-toast', { hasText: 'Interlock: ' }).count()).toBe(0);
});

test('a task that the person has and cannot do fails with their reason', async () => {
  const { page } = workbench;
  await workbench.command('Interlock: Claim Task…');
  await choice(workbench, 'users').click();
  await workbench.taskRow(/^person, .* \(you\), busy, users/).waitFor();
  await workbench.command('Interlock: Fail Task…');
  const input = page.locator('.quick-input-widget:visible .quick-input-box input');
  await choice(workbench, 'users').click();
  await page.getByText('Why can "users" not be done?').waitFor();
  await input.fill('nobody knows the password');
  await page.keyboard.press('Enter');
  await workbench.taskRow(/^users, failed.*nobody knows the password/).waitFor();
  await workbench.notification(/users failed/);
  await workbench.screenshot('others-failed');
  await expect.poll(() => workbench.taskRow(/^needs you: users, failed/).count()).toBe(1);
});
