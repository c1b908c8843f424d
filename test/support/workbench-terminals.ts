import { expect } from 'vitest';
import type { Workbench } from './workbench.ts';

const ACTIVE = '#terminal .terminal-wrapper.active';

/** What the terminal that is shown says. */
async function shownText({ page }: Workbench): Promise<string> {
  try {
    const lines: readonly string[] = await page.evaluate(
      `globalThis.driver.getTerminalBuffer(${JSON.stringify(ACTIVE)})`,
    );
    return lines.join('\n');
  } catch {
    // No terminal is shown yet.
    return '';
  }
}

/** Waits until the terminal that is shown says something. */
export async function terminalSays(workbench: Workbench, text: string | RegExp): Promise<void> {
  const pattern =
    typeof text === 'string' ? expect.stringContaining(text) : expect.stringMatching(text);
  await expect.poll(async () => shownText(workbench), { timeout: 20_000 }).toEqual(pattern);
}

/** Types into the terminal that is shown. */
export async function typeInTerminal({ page }: Workbench, text: string): Promise<void> {
  await page.evaluate(
    `globalThis.driver.writeInTerminal(${JSON.stringify(ACTIVE)}, ${JSON.stringify(text)})`,
  );
}

/**
 * "Developer: Reload Window" itself. A page that is loaded anew in some other way is a window that is
 * closed, and another one: VS Code keeps terminals only where it is asked to reload.
 */
export async function reloadWindow(workbench: Workbench): Promise<void> {
  const { page } = workbench;
  await Promise.all([page.waitForEvent('load'), workbench.command('Developer: Reload Window')]);
  await page.waitForSelector('.monaco-workbench .statusbar');
  await page.waitForFunction('globalThis.driver !== undefined');
  await page.evaluate('globalThis.driver.whenWorkbenchRestored()');
}

const ATTEMPTS = 5;

/**
 * A command and the task it asks for, by the palette, as somebody does who has no mouse. Something that
 * has just opened may take the focus away, and the question with it.
 */
export async function chooseTask(
  workbench: Workbench,
  command: string,
  task: string,
): Promise<void> {
  const { page } = workbench;
  for (let attempt = 1; ; attempt += 1)
    try {
      await workbench.command(command);
      await page
        .locator('.quick-input-widget:visible .quick-input-box input')
        .fill(task, { timeout: 5000 });
      await page
        .locator('.quick-input-list .monaco-list-row.focused')
        .filter({ hasText: task })
        .waitFor({ timeout: 5000 });
      await page.keyboard.press('Enter');
      return;
    } catch (error) {
      if (attempt === ATTEMPTS) throw error;
    }
}
