import { afterAll, beforeAll, expect, test } from 'vitest';
import { vsixPath } from '../../scripts/package.mjs';
import { pictureFailures } from '../support/failure-screenshot.ts';
import { Workbench } from '../support/workbench.ts';

let workbench: Workbench;

pictureFailures(() => workbench);

beforeAll(async () => {
  workbench = await Workbench.launch({
    fixture: 'test/fixtures/plan',
    vsix: vsixPath(),
    isTrusted: false,
  });
});

afterAll(async () => {
  await workbench.close();
});

async function runCommands(): Promise<readonly string[]> {
  const rows = await workbench.paletteRows('Interlock: ');
  return rows.filter((row) => /Interlock: Run/.test(row));
}

test('in a folder that is not trusted the tasks are shown, and nothing offers to run them', async () => {
  await workbench.command('Interlock: Focus on Tasks View');
  await workbench.taskRow('schema, not run yet').waitFor();
  await workbench.page.getByText('until you trust this folder').waitFor();
  await workbench.screenshot('trust-restricted');
  expect(await runCommands()).toEqual([]);
});

test('once the folder is trusted the tasks run, without a reload', async () => {
  const { page } = workbench;
  await workbench.command('Workspaces: Manage Workspace Trust');
  await page
    .locator('.workspace-trust-editor .monaco-button', { hasText: /^Trust/ })
    .first()
    .click();
  await workbench.command('Interlock: Focus on Tasks View');
  await workbench.command('Interlock: Run All');
  await workbench.taskRow(/^api, completed/).waitFor();
  expect(workbench.read('api.txt')).toBe('schema\n');
});
