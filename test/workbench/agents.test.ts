import { afterAll, beforeAll, expect, test } from 'vitest';
import { vsixPath } from '../../scripts/package.mjs';
import { pictureFailures } from '../support/failure-screenshot.ts';
import { Workbench } from '../support/workbench.ts';

let workbench: Workbench;

pictureFailures(() => workbench);

beforeAll(async () => {
  workbench = await Workbench.launch({
    fixture: 'test/fixtures/live',
    vsix: vsixPath(),
    settings: { 'chat.disableAIFeatures': false },
  });
  await workbench.command('Interlock: Focus on Tasks View');
  await workbench.taskRow('api, Add the users endpoint, not run yet').waitFor();
});

afterAll(async () => {
  await workbench.close();
});

test('the tools of the board are offered to the agents of the editor, and start', async () => {
  const { page } = workbench;
  await workbench.command('MCP: List Servers');
  const row = page.locator('.quick-input-list .monaco-list-row').filter({ hasText: 'Interlock: ' });
  await row.first().waitFor();
  await workbench.screenshot('agents-servers');
  await row.first().click();
  const start = page
    .locator('.quick-input-list .monaco-list-row')
    .filter({ hasText: 'Start Server' });
  await start.first().waitFor();
  await workbench.screenshot('agents-server-actions');
  await start.first().click();
  const output = page.locator('[id="workbench.panel.output"] .view-line');
  const found = output.filter({ hasText: /Discovered.\d+.tools/ });
  await found.waitFor();
  await expect.poll(() => found.textContent()).toContain('13');
  await workbench.screenshot('agents-server-running');
});
