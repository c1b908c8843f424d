import { cpSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { vsixPath } from '../../scripts/package.mjs';
import { pictureFailures } from '../support/failure-screenshot.ts';
import { Workbench } from '../support/workbench.ts';

let workbench: Workbench;
/** Puts back what SQLite is loaded from. */
let mend: () => void;

pictureFailures(() => workbench);

beforeAll(async () => {
  workbench = await Workbench.launch({
    fixture: 'test/fixtures/plan',
    vsix: vsixPath(),
    afterInstall: (extension) => {
      const prebuilds = path.join(extension, 'prebuilds');
      const kept = `${prebuilds}-kept`;
      cpSync(prebuilds, kept, { recursive: true });
      mend = () => cpSync(kept, prebuilds, { recursive: true });
      for (const file of readdirSync(prebuilds))
        writeFileSync(path.join(prebuilds, file), 'broken');
    },
  });
});

afterAll(async () => {
  await workbench.close();
});

test('where SQLite does not load, one sentence says so and the plan is still there', async () => {
  const { page } = workbench;
  const sentence = /^Interlock cannot keep its state on this machine, because SQLite does not load/;
  await workbench.command('Interlock: Focus on Tasks View');
  await workbench.taskRow('schema, not run yet').waitFor();
  await page
    .locator('.tree-explorer-viewlet-tree-view .message, .customview-tree .message')
    .filter({ hasText: sentence })
    .waitFor();
  await workbench.command('Interlock: Run All');
  await workbench.notification(sentence);
  await workbench.screenshot('native-store');
  await expect
    .poll(() => workbench.taskRows())
    .toEqual(['schema, not run yet', 'api, not run yet', 'docs, not run yet']);
});

/** What stands above the rows of the Tasks view. */
function message(): Locator {
  return workbench.page.locator(
    '.tree-explorer-viewlet-tree-view .message, .customview-tree .message',
  );
}

test('a state folder that cannot be used is said, too, and Restart Server goes on once it can be', async () => {
  mend();
  rmSync(workbench.stateDir, { recursive: true, force: true });
  writeFileSync(workbench.stateDir, 'a file in the place of the folder');
  await workbench.command('Interlock: Restart Server');
  await workbench.command('Interlock: Focus on Tasks View');
  await message().filter({ hasText: workbench.stateDir }).waitFor();
  await workbench.screenshot('native-store-no-state');
  await workbench.taskRow('schema, not run yet').waitFor();
  rmSync(workbench.stateDir);
  await workbench.command('Interlock: Restart Server');
  await workbench.command('Interlock: Focus on Tasks View');
  await message().filter({ hasText: workbench.stateDir }).waitFor({ state: 'hidden' });
  await workbench.taskRow('schema, not run yet').waitFor();
  await workbench.command('Interlock: Run All');
  await workbench.taskRow(/^api, completed/).waitFor();
  await expect.poll(() => message().filter({ hasText: /\S/ }).count()).toBe(0);
});
