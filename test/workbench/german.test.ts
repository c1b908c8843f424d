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
    language: 'de',
    settings: { 'workbench.colorTheme': 'Default Dark Modern' },
  });
});

afterAll(async () => {
  await workbench.close();
});

test('where VS Code speaks German, so do commands, views and reports', async () => {
  const { page } = workbench;
  await workbench.command('Interlock: Diagnose');
  const report = page.frameLocator('iframe.webview.ready').frameLocator('#active-frame');
  await report.getByRole('heading', { name: 'Interlock: Diagnose' }).waitFor();
  await report.getByText('was zu tun ist').waitFor();
  await workbench.command('Focus on Aufgaben View');
  await workbench.taskRow(/^schema/).waitFor();
  await workbench.screenshot('german');
  await expect.poll(() => page.locator('.pane-header', { hasText: 'Aufgaben' }).count()).toBe(1);
});
