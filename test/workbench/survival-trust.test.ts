import { afterAll, beforeAll, expect, test } from 'vitest';
import { vsixPath } from '../../scripts/package.mjs';
import { startCli } from '../support/command.ts';
import { pictureFailures } from '../support/failure-screenshot.ts';
import { Workbench } from '../support/workbench.ts';

let workbench: Workbench;

pictureFailures(() => workbench);

beforeAll(async () => {
  workbench = await Workbench.launch({
    fixture: 'test/fixtures/long',
    vsix: vsixPath(),
    isTrusted: false,
  });
  await workbench.command('Interlock: Focus on Tasks View');
});

afterAll(async () => {
  await workbench.close();
});

/** Presses a button where trust is given and taken. */
async function answer(button: RegExp): Promise<void> {
  await workbench.command('Workspaces: Manage Workspace Trust');
  const { page } = workbench;
  await page.locator('.workspace-trust-editor .monaco-button', { hasText: button }).first().click();
}

test('trust that is granted while tasks run finds them, and keeps them when their starter dies', async () => {
  const { page, folder, stateDir } = workbench;
  await workbench.taskRow(/^build, not run yet/).waitFor();
  const run = startCli(['run'], folder, { INTERLOCK_STATE_DIR: stateDir });
  await run.says('index: running');
  await workbench.taskRow(/^build, running/).waitFor();
  await answer(/^Trust/);
  await page
    .locator('.statusbar-item')
    .filter({ hasText: 'Re-attached to 2 running tasks, 0 lost' })
    .waitFor();
  await workbench.screenshot('survival-trusted');
  run.child.kill('SIGKILL');
  await run.ended;
  await workbench.command('Interlock: Focus on Tasks View');
  workbench.touch('go');
  await workbench.taskRow(/^build, completed/).waitFor();
  await workbench.taskRow(/^index, completed/).waitFor();
  await expect.poll(() => workbench.taskRows()).toHaveLength(2);
});

test('trust that is taken away during a run leaves what runs alone, and offers to run nothing', async () => {
  const { page } = workbench;
  workbench.remove('go');
  await workbench.command('Interlock: Run All');
  await workbench.taskRow(/^build, running/).waitFor();
  await workbench.command('Workspaces: Manage Workspace Trust');
  const trusted = page.locator('.workspace-trust-editor .monaco-list-row').first();
  await trusted.hover();
  await trusted.locator('.action-label[aria-label^="Delete"]').click();
  await page.getByText('until you trust this folder').waitFor();
  await workbench.screenshot('survival-trust-taken');
  await workbench.command('Interlock: Focus on Tasks View');
  await workbench.taskRow(/^build, running/).waitFor();
  const rows = await workbench.paletteRows('Interlock: ');
  expect(rows.filter((row) => /: (Run|Retry|Claim|Resume)/.test(row))).toEqual([]);
  workbench.touch('go');
  await answer(/^Trust/);
  await workbench.command('Interlock: Focus on Tasks View');
  await workbench.taskRow(/^build, completed/).waitFor();
  await workbench.taskRow(/^index, completed/).waitFor();
});
