import { cpSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { vsixPath } from '../../scripts/package.mjs';
import { pictureFailures } from '../support/failure-screenshot.ts';
import { otherFolder, WORKSPACE, writeFolders } from '../support/folders-of-workspace.ts';
import { runEditorTask } from '../support/terminals.ts';
import { PictureTab } from '../support/pictures.ts';
import { choice } from '../support/workbench-parts.ts';
import { Workbench } from '../support/workbench.ts';

const FIXTURE = 'test/fixtures/workers';

let workbench: Workbench;

pictureFailures(() => workbench);

beforeAll(async () => {
  workbench = await Workbench.launch({ fixture: FIXTURE, vsix: vsixPath() });
  cpSync(FIXTURE, otherFolder(workbench), { recursive: true });
  writeFolders(workbench, '.', '../other');
  await workbench.openWorkspace(WORKSPACE);
  await workbench.command('Interlock: Focus on Tasks View');
  await workbench.taskRow(/^Not run yet: project · interlock\.yaml/).waitFor();
  await workbench.taskRow(/^Not run yet: other · interlock\.yaml/).waitFor();
});

afterAll(async () => {
  await workbench.close();
});

/** The rows of the Tasks view that folders are named in, from above. */
async function folderRows(): Promise<readonly string[]> {
  const labels = await workbench.page
    .locator('[role=tree][aria-label=Tasks] [role=treeitem][aria-expanded]')
    .evaluateAll((rows) => rows.map((row) => row.getAttribute('aria-label') ?? ''));
  return labels.map((label) => /(project|other|more) · /.exec(label)?.[1] ?? label);
}

/** VS Code does not see what is written before it watches the file: then it is written again. */
async function reorder(...folders: readonly string[]): Promise<void> {
  const names = folders.map((each) => (each === '.' ? 'project' : path.basename(each)));
  const look = async (): Promise<readonly string[]> => {
    writeFolders(workbench, ...folders);
    return await folderRows();
  };
  await expect.poll(look, { timeout: 30_000, interval: 1000 }).toEqual(names);
}

/** What the rows of a pick say, once one of them says this. */
async function choices(text: string | RegExp): Promise<readonly string[]> {
  await choice(workbench, text).first().waitFor();
  // Rows are used again for other lists, and what they say to a screen reader changes a little later.
  return await workbench.page
    .locator('.quick-input-widget:visible .quick-input-list .monaco-list-row')
    .allTextContents();
}

async function pick(text: string | RegExp): Promise<void> {
  await choice(workbench, text).first().click();
}

/** Whatever takes the focus from a pick closes it; somebody who saw that would ask again. */
async function pickOf(command: string, text: string | RegExp): Promise<void> {
  await workbench.command(command);
  await choice(workbench, text)
    .first()
    .click({ timeout: 5000 })
    .catch(async () => {
      await workbench.command(command);
      await pick(text);
    });
}

test('folders come as the workspace has them, and as the user puts them', async () => {
  await expect.poll(folderRows).toEqual(['project', 'other']);
  cpSync(FIXTURE, otherFolder(workbench, '..', 'more'), { recursive: true });
  await reorder('.', '../other', '../more');
  // With another folder in the first place VS Code would begin anew.
  await reorder('.', '../more', '../other');
  await workbench.screenshot('folders-in-another-order');
  await reorder('.', '../other');
});

test('one of two tasks of the same name is run, by the folder that its row says', async () => {
  await workbench.command('Interlock: Run Task…');
  await expect
    .poll(async () => (await choices('create')).filter((row) => row.includes('create')))
    .toEqual([
      expect.stringContaining('project · interlock.yaml'),
      expect.stringContaining('other · interlock.yaml'),
    ]);
  await workbench.screenshot('folders-run-task');
  await pick(/create.*other · interlock.yaml/);
  await workbench.taskRow(/^other · interlock\.yaml, run at .*, running/).waitFor();
  await workbench.taskRow(/^create, Lay out the tables, running/).waitFor();
  await expect
    .poll(() => workbench.taskRow(/^create, Lay out the tables, running/).count())
    .toBe(1);
});

test('each folder has its own workers, and what one is drained of the other does', async () => {
  await workbench.command('Interlock: Focus on Workers View');
  await workbench.taskRow(/^runner, This machine, busy, 1 of 2 places/).waitFor();
  await workbench.taskRow(/^runner, This machine, idle/).waitFor();
  await workbench.screenshot('folders-workers');
  await workbench.command('Interlock: Drain Worker');
  await choices('This machine');
  await workbench.screenshot('folders-drain');
  await pick(/This machine.*project/);
  await workbench.taskRow(/^runner, This machine, drained, 0 of 2/).waitFor();
  await workbench.taskRow(/^runner, This machine, busy, 1 of 2 places/).waitFor();
  await pickOf('Interlock: Undrain Worker', /This machine.*project/);
  await workbench.taskRow(/^runner, This machine, idle/).waitFor();
  await expect.poll(() => workbench.taskRow(/drained/).count()).toBe(0);
});

test('Why, Claim, Graph, Timeline and Open Plan ask which folder, and go to that', async () => {
  await workbench.command('Interlock: Run All');
  await expect
    .poll(async () => workbench.taskRow(/^create, Lay out the tables, running/).count(), {
      timeout: 20_000,
    })
    .toBe(2);
  await workbench.screenshot('folders-tasks');
  await pickOf(
    'Interlock: Why Is This Not Running?',
    /load.*waits for db.*project · interlock\.yaml/,
  );
  await choice(workbench, 'Show create').first().waitFor();
  await workbench.screenshot('folders-why');
  await workbench.page.keyboard.press('Escape');
  await pickOf('Interlock: Claim Task…', /review.*project · interlock\.yaml/);
  await workbench.command('Interlock: Focus on Workers View');
  await workbench.taskRow(/^task, review, until released/).waitFor();
  await workbench.screenshot('folders-claimed');
  await pickOf('Interlock: Release Task', 'review');
  await workbench.taskRow(/^task, review/).waitFor({ state: 'detached' });
  await pickOf('Interlock: Open Plan…', 'other · interlock.yaml');
  // The folder, and later the plan, which is called so too.
  await workbench.page.locator('.breadcrumbs-control').getByText('other').first().waitFor();
  await pickOf('Interlock: Show Graph', 'other · interlock.yaml');
  await workbench.page.locator('.tab.active', { hasText: /interlock\.yaml/ }).waitFor();
  await workbench.command('Interlock: Show Timeline');
  await choice(workbench, 'other · interlock.yaml').first().waitFor();
  await choice(workbench, 'project · interlock.yaml').waitFor();
  // The page of the graph is there only now, and leaves the focus where it is.
  await new PictureTab(workbench).task(/^create/).waitFor();
  await expect.poll(() => choice(workbench, 'project · interlock.yaml').isVisible()).toBe(true);
  await workbench.screenshot('folders-timeline');
  await workbench.page.keyboard.press('Escape');
});

test('one of several runs is stopped, and Stop ends all of them', async () => {
  await pickOf('Interlock: Stop Run', 'other · interlock.yaml');
  await workbench.command('Interlock: Focus on Tasks View');
  await workbench.taskRow(/^create, Lay out the tables, cancelled/).waitFor();
  await workbench.taskRow(/^create, Lay out the tables, running/).waitFor();
  await workbench.command('Interlock: Stop');
  await expect
    .poll(async () => workbench.taskRow(/^create, Lay out the tables, cancelled/).count(), {
      timeout: 20_000,
    })
    .toBe(2);
  await workbench.screenshot('folders-stopped');
});

test('a task of the editor is that of the folder which is chosen', async () => {
  writeFileSync(otherFolder(workbench, 'go'), '');
  await runEditorTask(workbench.page, 'interlock');
  await choices('create');
  await workbench.screenshot('folders-tasks-of-editor');
  await pick(/create.*other/);
  await workbench.taskRow(/^create, Lay out the tables, completed/).waitFor();
  await expect
    .poll(() => workbench.taskRow(/^create, Lay out the tables, completed/).count())
    .toBe(1);
});
