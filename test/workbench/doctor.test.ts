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
    settings: { 'workbench.colorTheme': 'Default High Contrast' },
  });
});

afterAll(async () => {
  await workbench.close();
});

test('Doctor shows a report that can be read, and offers to copy it', async () => {
  const { page } = workbench;
  await workbench.command('Interlock: Doctor');
  const report = page.frameLocator('iframe.webview.ready').frameLocator('#active-frame');
  await report.getByRole('heading', { name: 'Interlock: Doctor' }).waitFor();
  await report.getByText(/An editor window \(process \d+\) decides and answers/).waitFor();
  await workbench.notification(/^Interlock: Everything /);
  await workbench.screenshot('doctor');
  const button = page.locator('.notifications-center').getByText('Copy for a Bug Report');
  await button.click();
  await button.waitFor({ state: 'detached' });
  await expect
    .poll(() => report.getByRole('row', { name: /^✓ editor Interlock \d/ }).count())
    .toBe(1);
});

test('the report is there after the window was reloaded', async () => {
  const { page } = workbench;
  // As people do it: what the editor keeps of its tabs is written before the page goes.
  const loaded = page.waitForEvent('domcontentloaded');
  await workbench.command('Developer: Reload Window');
  await loaded;
  const report = page.frameLocator('iframe.webview.ready').frameLocator('#active-frame');
  await report.getByRole('heading', { name: 'Interlock: Doctor' }).waitFor();
  await report.getByText(/An editor window \(process \d+\) decides and answers/).waitFor();
  await report.getByText('before this window was loaded').waitFor();
  await workbench.screenshot('doctor-reloaded');
  await expect
    .poll(() => report.getByRole('row', { name: /^✓ editor Interlock \d/ }).count())
    .toBe(1);
});
