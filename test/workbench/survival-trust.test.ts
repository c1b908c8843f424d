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

test('trust that is granted while tasks run finds them, and keeps them when their starter dies', async () => {
  const { page, folder, stateDir } = workbench;
  await workbench.taskRow(/^build, not run yet/).waitFor();
  const run = startCli(['run'], folder, { INTERLOCK_STATE_DIR: stateDir });
  await run.says('index: running');
  await workbench.taskRow(/^build, running/).waitFor();
  await workbench.command('Workspaces: Manage Workspace Trust');
  const trust = page.locator('.workspace-trust-editor .monaco-button', { hasText: /^Trust/ });
  await trust.first().click();
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
  expect(await workbench.taskRows()).toHaveLength(2);
});
