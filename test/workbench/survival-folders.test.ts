import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { vsixPath } from '../../scripts/package.mjs';
import { pictureFailures } from '../support/failure-screenshot.ts';
import { Workbench } from '../support/workbench.ts';

const WORKSPACE = 'two.code-workspace';
const OTHER = `tasks:
  paper:
    run: until [ -e go ]; do sleep 0.05; done; echo > printed
    writes: [printed]
`;

let workbench: Workbench;

pictureFailures(() => workbench);

beforeAll(async () => {
  workbench = await Workbench.launch({ fixture: 'test/fixtures/long', vsix: vsixPath() });
  mkdirSync(other());
  writeFileSync(other('interlock.yaml'), OTHER);
  writeFolders('.', '../other');
  await workbench.openWorkspace(WORKSPACE);
  await workbench.command('Interlock: Focus on Tasks View');
});

afterAll(async () => {
  await workbench.close();
});

/** The second folder, or a file of it. */
function other(...names: readonly string[]): string {
  return path.join(workbench.folder, '..', 'other', ...names);
}

function writeFolders(...folders: readonly string[]): void {
  workbench.write(WORKSPACE, JSON.stringify({ folders: folders.map((each) => ({ path: each })) }));
}

test('a folder that is removed during a run goes on without the window, and is found when it comes back', async () => {
  await workbench.taskRow(/^build, not run yet/).waitFor();
  await workbench.command('Interlock: Run All');
  await workbench.taskRow(/^paper, running/).waitFor();
  await workbench.taskRow(/^build, running/).waitFor();
  await workbench.screenshot('survival-two-folders');
  writeFolders('.');
  await workbench.taskRow(/^paper/).waitFor({ state: 'detached' });
  await workbench.taskRow(/^build, running/).waitFor();
  writeFolders('.', '../other');
  await workbench.taskRow(/^paper, running/).waitFor();
  writeFileSync(other('go'), '');
  await workbench.taskRow(/^paper, completed/).waitFor();
  await workbench.screenshot('survival-folder-back');
  workbench.touch('go');
  await workbench.taskRow(/^build, completed/).waitFor();
  const rows = await workbench.taskRows();
  expect(rows.filter((row) => row.includes('running'))).toEqual([]);
});
