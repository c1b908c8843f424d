import { readdirSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { vsixPath } from '../../scripts/package.mjs';
import { pictureFailures } from '../support/failure-screenshot.ts';
import { PictureTab } from '../support/pictures.ts';
import { Workbench } from '../support/workbench.ts';

let workbench: Workbench;
let picture: PictureTab;

pictureFailures(() => workbench);

beforeAll(async () => {
  workbench = await Workbench.launch({ fixture: 'test/fixtures/pictures', vsix: vsixPath() });
  picture = new PictureTab(workbench);
  await workbench.command('Interlock: Focus on Tasks View');
  await workbench.taskRow(/^schema/).waitFor();
});

afterAll(async () => {
  await workbench.close();
});

test('the graph shows each task with its state and what it comes after, and titles as text', async () => {
  await workbench.command('Interlock: Show Graph');
  await picture
    .task(/^release, Release it, not run yet. comes after api, web, seed, lint$/)
    .waitFor();
  await picture.task(/^schema, Generate <\/title><script>/).waitFor();
  await expect.poll(() => picture.frame.locator('.picture .edge.collides').count()).toBe(1);
  expect(await picture.frame.locator('body').evaluate(() => 'hacked' in globalThis)).toBe(false);
  await workbench.screenshot('pictures-graph');
});

test('arrow keys walk along the lines, and Enter opens the task in its plan', async () => {
  await picture.press('ArrowRight', 'ArrowRight', 'ArrowRight');
  await expect.poll(() => picture.chosen()).toMatch(/^release/);
  await picture.press('ArrowLeft', 'ArrowLeft');
  await expect.poll(() => picture.chosen()).toMatch(/^schema/);
  await picture.press('f');
  await picture.button('All Tasks').waitFor();
  await picture.press('Escape');
  await picture.button('All Tasks').waitFor({ state: 'hidden' });
  await picture.press('Enter');
  await workbench.page.locator('.tab.active[data-resource-name="interlock.yaml"]').waitFor();
});

test('the graph is coloured while tasks run, and stays where it is', async () => {
  await workbench.command('Interlock: Run All');
  await picture.task(/^schema, .*, running/).waitFor();
  await picture.task(/^api, .*, waiting, waits for schema/).waitFor();
  await picture.task(/^docs, failed, exit code 3/).waitFor();
  await workbench.screenshot('pictures-graph-running');
  await expect.poll(() => picture.chosen()).toMatch(/^schema/);
});

test('the timeline shows what waits for what, and goes on with the run', async () => {
  await workbench.command('View: Close All Editors');
  await workbench.command('Interlock: Show Timeline');
  await picture.task(/^schema\..*running, attempt 1 on runner\/local/).waitFor();
  await picture.task(/^api\..*waits for schema/).waitFor();
  await workbench.screenshot('pictures-timeline-running');
  workbench.touch('go');
  await picture.task(/^release\..*completed, attempt 1/).waitFor();
  await picture.task(/^docs\..*failed, exit code 3/).waitFor();
  await picture.frame.getByText('interlock.yaml: failed').waitFor();
  await workbench.screenshot('pictures-timeline');
  await expect.poll(() => picture.frame.getByRole('option').count()).toBe(8);
});

test('the row of a run has its timeline and its graph in its menu', async () => {
  const { page } = workbench;
  for (const [title, shown] of [
    ['Show Graph', /8 tasks/],
    ['Show Timeline', /interlock\.yaml: failed/],
  ] as const) {
    await workbench.command('View: Close All Editors');
    await page
      .getByRole('treeitem', { name: /^interlock\.yaml, run at/ })
      .click({ button: 'right' });
    await page.getByRole('menuitem', { name: title }).hover();
    await page.keyboard.press('Enter');
    await picture.frame.getByText(shown).waitFor();
  }
  await expect.poll(() => picture.frame.getByRole('option').count()).toBe(8);
});

test('the timeline is zoomed, filtered and grouped by keys', async () => {
  await picture.press('+', '+', 'g');
  await picture.task(/^runner\/local/).waitFor();
  await workbench.screenshot('pictures-timeline-workers');
  await picture.press('g', '0', '/');
  await workbench.page.keyboard.type('api');
  await picture.task(/^schema/).waitFor({ state: 'detached' });
  await workbench.page.keyboard.press('Control+A');
  await workbench.page.keyboard.press('Delete');
  await picture.task(/^schema/).waitFor();
  await expect.poll(() => picture.button('By Worker').getAttribute('aria-pressed')).toBe('false');
});

test('a picture is saved as a file that needs no other', async () => {
  const { page } = workbench;
  await page.getByRole('button', { name: 'Export as SVG…' }).click();
  const box = '.quick-input-widget .quick-input-box input';
  // The dialog is ready once it offers a name.
  await page.waitForFunction(`document.querySelector('${box}')?.value.endsWith('.svg')`);
  await page.locator(box).press('Enter');
  await workbench.notification(/The picture is in timeline-.*\.svg/);
  const name = readdirSync(workbench.folder).find((file) => file.endsWith('.svg')) ?? '';
  const svg = workbench.read(name);
  expect(svg).toMatch(/^<\?xml version="1.0" encoding="UTF-8"\?>\n<svg /);
  expect(svg).toContain('&lt;script&gt;');
  expect(svg).not.toMatch(/<script|var\(/);
});

test('Reload Window brings the picture back', async () => {
  // As people do it: what the editor keeps of its tabs is written before the page goes.
  const loaded = workbench.page.waitForEvent('domcontentloaded');
  await workbench.command('Developer: Reload Window');
  await loaded;
  await picture.task(/^release\..*completed, attempt 1/).waitFor();
  await workbench.screenshot('pictures-reloaded');
  await expect.poll(() => picture.frame.getByRole('listbox').count()).toBe(1);
});
