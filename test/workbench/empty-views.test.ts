import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { vsixPath } from '../../scripts/package.mjs';
import { pictureFailures } from '../support/failure-screenshot.ts';
import { welcomeButton, welcomeText } from '../support/workbench-parts.ts';
import { Workbench } from '../support/workbench.ts';

let workbench: Workbench;
/** Puts the language server back that does not start. */
let mend: () => void;

pictureFailures(() => workbench);

beforeAll(async () => {
  workbench = await Workbench.launch({
    fixture: 'test/fixtures/empty',
    vsix: vsixPath(),
    isTrusted: false,
    afterInstall: (extension) => {
      const server = path.join(extension, 'dist', 'server.js');
      const text = readFileSync(server, 'utf8');
      mend = () => writeFileSync(server, text);
      writeFileSync(server, 'process.exit(1);\n');
    },
  });
});

afterAll(async () => {
  await workbench.close();
});

test('a language server that does not start is said, with what starts it and what says why', async () => {
  await workbench.command('Interlock: Focus on Tasks View');
  await welcomeText(workbench).getByText('is not running').waitFor();
  await welcomeButton(workbench, 'Restart Server').waitFor();
  await workbench.screenshot('empty-no-server');
  await expect.poll(() => welcomeText(workbench).getByText('Show Output').count()).toBe(1);
});

test('Restart Server starts it once it can start', async () => {
  await welcomeButton(workbench, 'Restart Server').click();
  await workbench.notification(/ended unexpectedly|could not start/);
  await workbench.command('Interlock: Focus on Tasks View');
  await welcomeButton(workbench, 'Restart Server').waitFor();
  mend();
  await welcomeButton(workbench, 'Restart Server').click();
  await welcomeText(workbench).getByText('This folder has no plan yet.').waitFor();
  await expect.poll(() => welcomeText(workbench).getByText('is not running').count()).toBe(0);
});

test('once it starts, the view of a folder that is not trusted leads to where trust is given', async () => {
  const { page } = workbench;
  await workbench.reload();
  await workbench.command('Interlock: Focus on Tasks View');
  await welcomeText(workbench).getByText('This folder has no plan yet.').waitFor();
  await workbench.screenshot('empty-untrusted');
  await welcomeText(workbench).getByText('Manage Workspace Trust').click();
  await page.locator('.workspace-trust-editor').waitFor();
  await expect.poll(() => page.locator('.workspace-trust-editor').count()).toBe(1);
});
