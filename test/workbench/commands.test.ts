import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { vsixPath } from '../../scripts/package.mjs';
import { isEnabled } from '../support/enablement.ts';
import { pictureFailures } from '../support/failure-screenshot.ts';
import { closeFolder, welcomeText } from '../support/workbench-parts.ts';
import { Workbench } from '../support/workbench.ts';

interface Command {
  readonly command: string;
  readonly title: string;
  readonly enablement?: string;
}

const { contributes } = JSON.parse(readFileSync('package.json', 'utf8'));
const titles: Readonly<Record<string, string>> = JSON.parse(
  readFileSync('package.nls.json', 'utf8'),
);
const hidden = new Set<string>(
  contributes.menus.commandPalette.map(({ command }: Command) => command),
);
/** All that the palette may show, by the names it shows. */
const COMMANDS: ReadonlyMap<string, Command> = new Map(
  contributes.commands
    .filter(({ command }: Command) => !hidden.has(command))
    .map((command: Command) => [
      `Interlock: ${titles[command.title.replaceAll('%', '')] ?? ''}`,
      command,
    ]),
);

const PLAN = `tasks:
  build: { run: "true" }
  review: { role: human }
`;

let workbench: Workbench;

pictureFailures(() => workbench);

beforeAll(async () => {
  workbench = await Workbench.launch({
    fixture: 'test/fixtures/empty',
    vsix: vsixPath(),
    isTrusted: false,
  });
  workbench.write('interlock.yaml', PLAN);
  await workbench.command('Interlock: Focus on Tasks View');
});

afterAll(async () => {
  await workbench.close();
});

test('in a folder that is not trusted every command that is there does something, and nothing runs', async () => {
  await workbench.taskRow('build, not run yet').waitFor();
  const facts = { workspaceFolderCount: 1, 'interlock.hasTasks': true, 'interlock.hasPlan': true };
  // Who is at work, and so whom one may drain, is said in trusted folders too.
  await checkCommands(facts);
  await expect
    .poll(() => workbench.taskRows())
    .toEqual(['build, not run yet', 'review, not run yet']);
});

test('in a folder without a plan every command that is there does something', async () => {
  const { page } = workbench;
  workbench.remove('interlock.yaml');
  await workbench.command('Workspaces: Manage Workspace Trust');
  const trust = page.locator('.workspace-trust-editor .monaco-button', { hasText: /^Trust/ });
  // The button goes as soon as it is pressed, which may look like a button that could not be pressed.
  await trust
    .first()
    .click({ timeout: 5000 })
    .catch(() => {});
  await page.getByText('You trust this folder').first().waitFor();
  await workbench.command('Interlock: Focus on Tasks View');
  await welcomeText(workbench).getByText('This folder has no plan yet.').waitFor();
  await checkCommands({ workspaceFolderCount: 1, isWorkspaceTrusted: true });
});

test('in a window without a folder every command that is there does something', async () => {
  await closeFolder(workbench);
  await workbench.command('Interlock: Focus on Tasks View');
  await welcomeText(workbench).getByText('Interlock runs the tasks of a folder').waitFor();
  await checkCommands({ workspaceFolderCount: 0, isWorkspaceTrusted: true });
});

/** The palette has exactly what the manifest enables, and each of it is seen to do something. */
async function checkCommands(facts: Parameters<typeof isEnabled>[1]): Promise<void> {
  const enabled = [...COMMANDS].filter(([, { enablement }]) => isEnabled(enablement, facts));
  const expected = enabled.map(([label]) => label).toSorted();
  await expect.poll(commandsShown, { timeout: 20_000 }).toEqual(expected);
  await workbench.command('View: Close All Editors');
  await notifications();
  // What writes a plan changes what is enabled.
  for (const label of expected.toSorted((a, b) => Number(writes(a)) - Number(writes(b)))) {
    await checkCommand(label);
  }
  await notifications();
}

async function checkCommand(label: string): Promise<void> {
  if ((await seen()).has(SAID)) await notifications();
  const before = await seen();
  await workbench.command(label);
  const isDone = async (): Promise<boolean> => {
    const signs = [...(await seen())].filter((sign) => !before.has(sign));
    // Doctor shows its report, and speaks when it has: whoever did not wait would hear that later.
    return label === DOCTOR ? signs.includes(SAID) : signs.length > 0;
  };
  await expect
    .poll(async () => [label, await isDone()], { timeout: 15_000 })
    .toEqual([label, true]);
  await workbench.page.keyboard.press('Escape');
}

const DOCTOR = 'Interlock: Doctor';
/** The sign of a message that nobody has looked at. */
const SAID = 'message';

function writes(label: string): boolean {
  return label === 'Interlock: New Plan';
}

/** Of so many rows at least. */
const PAGES = 5;

async function commandsShown(): Promise<readonly string[]> {
  const { page } = workbench;
  const found = new Set<string>();
  await page.keyboard.press('Escape');
  await page.keyboard.press('F1');
  await page.locator('.quick-input-widget:visible .quick-input-box input').fill('>Interlock: ');
  const names = page.locator(
    '.quick-input-widget:visible .quick-input-list .monaco-list-row .label-name',
  );
  await names.filter({ hasText: 'Interlock: ' }).first().waitFor();
  // The first key only goes to the last row that is seen.
  for (let pages = 0; pages < PAGES; pages += 1) {
    for (const name of await names.allTextContents()) found.add(name);
    await page.keyboard.press('PageDown');
  }
  await page.keyboard.press('Escape');
  return [...found].filter((name) => COMMANDS.has(name)).toSorted();
}

/** What somebody before the window sees of it, besides the palette itself. */
async function seen(): Promise<ReadonlySet<string>> {
  const signs: readonly string[] = await workbench.page.evaluate(`(() => {
    const texts = (selector, read) => [...document.querySelectorAll(selector)].map(read);
    const input = document.querySelector('.quick-input-widget:not([style*="display: none"]) input');
    return [
      ...texts('.tab.active', (tab) => 'tab ' + tab.getAttribute('aria-label')),
      ...texts('.statusbar-item', (item) => 'status ' + item.id + item.textContent),
      ...texts('[id="status.notifications"] .codicon-bell-dot', () => '${SAID}'),
      ...texts('.part.panel:not(.hidden) .composite.title', (title) => 'panel ' + title.textContent),
      ...texts('.monaco-dialog-box', (box) => 'dialog ' + box.textContent),
      ...(input === null || input.value.startsWith('>') ? [] : ['question ' + input.placeholder]),
    ];
  })()`);
  return new Set(signs);
}

/** What was said, and is let go of: sentences, and none of them a failure. */
async function notifications(): Promise<readonly string[]> {
  const { page } = workbench;
  await workbench.command('Notifications: Show Notifications');
  const items = page.locator('.notifications-center .notification-list-item');
  const texts = await items.locator('.notification-list-item-message').allTextContents();
  expect(texts.filter((text) => !/^[^\n]+[.?]$/.test(text) || /not found/.test(text))).toEqual([]);
  expect(await items.locator('.codicon-error').count()).toBe(0);
  if (texts.length > 0) await workbench.command('Notifications: Clear All Notifications');
  return texts;
}
