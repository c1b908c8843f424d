import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { vsixPath } from '../../scripts/package.mjs';
import { pictureFailures } from '../support/failure-screenshot.ts';
import { Workbench } from '../support/workbench.ts';

const PLAN = `version: 1
tasks:
  api:
    run: echo api >> runs.txt
    priority: hihg
    writes: [src/api/**, src/shared/**]
  docs:
    run: echo docs >> runs.txt
    writes: [src/shared/types.ts]
  review:
    role: human
    after: [docs]
`;

let workbench: Workbench;

pictureFailures(() => workbench);

beforeAll(async () => {
  workbench = await Workbench.launch({ fixture: 'test/fixtures/slice', vsix: vsixPath() });
  workbench.write('interlock.yaml', PLAN);
  await workbench.openFile('interlock.yaml');
});

afterAll(async () => {
  await workbench.close();
});

function line(text: string): Locator {
  return workbench.page.locator('.view-lines .view-line').filter({ hasText: text }).first();
}

test('each task has its lenses and its state', async () => {
  const { page } = workbench;
  const lenses = page.locator('.codelens-decoration');
  await lenses.filter({ hasText: '1 blocker' }).waitFor();
  await line('api:').filter({ hasText: '⊘ cannot start' }).waitFor();
  await workbench.screenshot('language-lenses');
  await expect
    .poll(() => lenses.allTextContents())
    .toEqual([expect.stringMatching(/^Why.*1 blocker$/), 'Run', 'Run']);
});

test('a hazard is mended by an order', async () => {
  const { page } = workbench;
  await line('src/shared/types.ts').getByText('types').click();
  await page.keyboard.press('Control+.');
  const fix = page.locator('.action-widget').getByText('Start "docs" after "api"');
  await fix.waitFor();
  await workbench.screenshot('language-fixes');
  await fix.click();
  await line('after: [api]').waitFor();
  await page.locator('.squiggly-warning').first().waitFor({ state: 'detached' });
  await expect.poll(() => line('writes: [src/shared/types.ts]').count()).toBe(1);
});

test('keys and values are completed while they are typed', async () => {
  const { page } = workbench;
  await line('after: [docs]').click();
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await page.keyboard.type('prio');
  const rows = page.locator('.suggest-widget.visible .monaco-list-row');
  await rows.filter({ hasText: 'priority' }).waitFor();
  await workbench.screenshot('language-completion');
  await page.keyboard.press('Enter');
  await line('role: human').waitFor();
  await page.keyboard.press('Control+Space');
  await rows.filter({ hasText: 'critical' }).first().waitFor();
  await expect.poll(() => rows.first().textContent()).toContain('critical');
});

test('Enter begins a new line where an id is typed to its end, in brackets or without them', async () => {
  const { page } = workbench;
  const rows = page.locator('.suggest-widget.visible .monaco-list-row');
  for (const [typed, word] of [
    ['before_a: { run: x, depends_on: [docs', 'docs'],
    ['before_b: { run: x, after: docs', 'docs'],
  ] as const) {
    await line('tasks:').click();
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await page.keyboard.type(typed, { delay: 50 });
    await rows.filter({ hasText: word }).first().waitFor();
    const before = await page.locator('.view-line').count();
    await page.keyboard.press('Enter');
    await expect.poll(() => page.locator('.view-line').count()).toBe(before + 1);
    await page.keyboard.press('Control+Z');
  }
});

test('what is hovered is explained', async () => {
  const hover = workbench.page.locator('.monaco-hover:visible');
  await line('priority:').getByText('priority').hover();
  await hover.filter({ hasText: 'Which class the task is served in' }).first().waitFor();
  await workbench.screenshot('language-hover');
  await expect.poll(() => hover.first().textContent()).toContain('Left out: normal');
});
