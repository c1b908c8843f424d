import { afterAll, beforeAll, expect, test } from 'vitest';
import { vsixPath } from '../../scripts/package.mjs';
import { pictureFailures } from '../support/failure-screenshot.ts';
import {
  chooseTask,
  reloadWindow,
  terminalSays,
  typeInTerminal,
} from '../support/workbench-terminals.ts';
import { Workbench } from '../support/workbench.ts';

let workbench: Workbench;

pictureFailures(() => workbench);

beforeAll(async () => {
  workbench = await Workbench.launch({ fixture: 'test/fixtures/terminals', vsix: vsixPath() });
  await workbench.command('Interlock: Focus on Tasks View');
  await workbench.taskRow('ask, Ask for a number, not run yet').waitFor();
});

afterAll(async () => {
  await workbench.close();
});

test('a task of "in: terminal" runs where it can be typed to, and its exit code counts', async () => {
  await chooseTask(workbench, 'Interlock: Run Task…', 'ask');
  await terminalSays(workbench, 'Which number?');
  await workbench.taskRow(/^ask.*, running/).waitFor();
  await workbench.screenshot('terminal-asks');
  await typeInTerminal(workbench, '3\r');
  await terminalSays(workbench, /You said 3\.[^]*ask failed with exit code 3 after /);
  await workbench.taskRow(/^ask.*, failed, exit code 3 after /).waitFor();
  await workbench.screenshot('terminal-failed');
  await expect
    .poll(() => workbench.taskRows())
    .toEqual([
      expect.stringMatching(/^ask, Ask for a number, failed, exit code 3/),
      'build, Build, not run yet',
    ]);
});

test('a terminal outlives Reload Window, and is found again by its name', async () => {
  const { page } = workbench;
  await chooseTask(workbench, 'Interlock: Run Task…', 'ask');
  await terminalSays(workbench, /Which number\? *$/m);
  await workbench.taskRow(/^ask.*, running/).waitFor();
  await workbench.taskRow(/^terminal, a terminal of \w+, busy, ask/).waitFor();
  // VS Code writes down which terminals there are half a second after one was opened.
  await workbench.openFile('interlock.yaml');
  await workbench.command('View: Close All Editors');
  await reloadWindow(workbench);
  await workbench.command('Interlock: Focus on Tasks View');
  await workbench.taskRow(/^ask.*, running/).waitFor();
  await workbench.command('View: Toggle Panel Visibility');
  await page.locator('.terminal-outer-container').waitFor({ state: 'hidden' });
  await chooseTask(workbench, 'Interlock: Run in Terminal', 'ask');
  await terminalSays(workbench, 'Which number?');
  const tabs = page.locator('.terminal-tabs-entry, .single-terminal-tab');
  await expect.poll(() => tabs.allTextContents()).toEqual([expect.stringContaining('ask')]);
  await workbench.screenshot('terminal-after-reload');
  await typeInTerminal(workbench, '0\r');
  await workbench.taskRow(/^ask.*, completed, /).waitFor();
  await terminalSays(workbench, 'Press any key to close this terminal.');
});

test('any command runs in a terminal once, and Stop ends it', async () => {
  await chooseTask(workbench, 'Interlock: Run in Terminal', 'build');
  await terminalSays(workbench, 'built in xterm-256color');
  await workbench.taskRow(/^build.*, running/).waitFor();
  await workbench.screenshot('terminal-once');
  await workbench.command('Interlock: Stop');
  await terminalSays(workbench, 'build was ended by SIGTERM');
  await workbench.taskRow(/^build.*, cancelled/).waitFor();
  await expect
    .poll(() => workbench.taskRows())
    .toContainEqual(expect.stringMatching(/^ask.*, completed/));
});

test('closing the terminal ends the task, which has the name that its user was given meanwhile', async () => {
  workbench.configure({ 'interlock.userName': 'robin' });
  await workbench.taskRow(/^person, robin \(you\)/).waitFor();
  await chooseTask(workbench, 'Interlock: Run Task…', 'ask');
  await terminalSays(workbench, /Which number\? *$/m);
  await workbench.taskRow(/^ask.*, running/).waitFor();
  await workbench.taskRow(/^terminal, a terminal of robin, busy, ask/).waitFor();
  await workbench.command('Terminal: Kill the Active Terminal Instance');
  await workbench.taskRow(/^ask.*, failed, ended by SIGHUP after /).waitFor();
  expect(await workbench.paletteRows('Interlock: Run in Terminal')).toContainEqual(
    expect.stringContaining('Run in Terminal'),
  );
});
