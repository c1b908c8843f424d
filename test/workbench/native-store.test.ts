import { readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
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
    afterInstall: (extension) => {
      const prebuilds = path.join(extension, 'prebuilds');
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
  expect(await workbench.taskRows()).toEqual([
    'schema, not run yet',
    'api, not run yet',
    'docs, not run yet',
  ]);
});
