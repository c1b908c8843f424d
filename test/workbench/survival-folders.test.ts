import { mkdirSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { vsixPath } from '../../scripts/package.mjs';
import { pictureFailures } from '../support/failure-screenshot.ts';
import { otherFolder, WORKSPACE, writeFolders } from '../support/folders-of-workspace.ts';
import { Workbench } from '../support/workbench.ts';

const OTHER = `tasks:
  paper:
    run: until [ -e go ]; do sleep 0.05; done; echo > printed
    writes: [printed]
`;

let workbench: Workbench;

pictureFailures(() => workbench);

beforeAll(async () => {
  workbench = await Workbench.launch({ fixture: 'test/fixtures/long', vsix: vsixPath() });
  mkdirSync(otherFolder(workbench));
  writeFileSync(otherFolder(workbench, 'interlock.yaml'), OTHER);
  writeFolders(workbench, '.', '../other');
  await workbench.openWorkspace(WORKSPACE);
  await workbench.command('Interlock: Focus on Tasks View');
});

afterAll(async () => {
  await workbench.close();
});

test('a folder that is removed during a run goes on without the window, and is found when it comes back', async () => {
  await workbench.taskRow(/^build, not run yet/).waitFor();
  // The plans of each folder come by themselves.
  await workbench.taskRow(/^paper, not run yet/).waitFor();
  await workbench.command('Interlock: Run All');
  await workbench.taskRow(/^paper, running/).waitFor();
  await workbench.taskRow(/^build, running/).waitFor();
  await workbench.screenshot('survival-two-folders');
  writeFolders(workbench, '.');
  await workbench.taskRow(/^paper/).waitFor({ state: 'detached' });
  await workbench.taskRow(/^build, running/).waitFor();
  writeFolders(workbench, '.', '../other');
  await workbench.taskRow(/^paper, running/).waitFor();
  writeFileSync(otherFolder(workbench, 'go'), '');
  await workbench.taskRow(/^paper, completed/).waitFor();
  await workbench.screenshot('survival-folder-back');
  workbench.touch('go');
  await workbench.taskRow(/^build, completed/).waitFor();
  // Each of them looks for the file by itself.
  await workbench.taskRow(/^index, completed/).waitFor();
  await expect
    .poll(async () => (await workbench.taskRows()).filter((row) => row.includes('running')))
    .toEqual([]);
});
