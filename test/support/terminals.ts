import type { Locator, Page } from 'playwright-core';

/** Terminals draw their text so that it can be read; for a test that looks at them. */
export const READABLE_TERMINALS = { 'terminal.integrated.gpuAcceleration': 'off' };

/** The lines of the terminal that is shown. */
export function terminalLine(page: Page, text: string | RegExp): Locator {
  return page.locator('.terminal-wrapper.active .xterm-rows > div').filter({ hasText: text });
}

/** All that the terminal that is shown has on its screen. */
export async function terminalText(page: Page): Promise<string> {
  const rows = page.locator('.terminal-wrapper.active .xterm-rows > div');
  const texts = await rows.allTextContents();
  return texts
    .map((text) => text.replaceAll('\u00A0', ' ').trimEnd())
    .join('\n')
    .trim();
}

/** Types a key into the terminal that is shown. */
export async function pressInTerminal(page: Page, key: string): Promise<void> {
  await page.locator('.terminal-wrapper.active .xterm-screen').click();
  await page.keyboard.press(key);
}

/** Runs a task as one of the editor's own, as from `Tasks: Run Task`. */
export async function runEditorTask(page: Page, label: string): Promise<void> {
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+P');
  await page.locator('.quick-input-widget:visible .quick-input-box input').fill(`task ${label}`);
  await page
    .locator('.quick-input-list .monaco-list-row.focused')
    .filter({ hasText: label })
    .waitFor();
  await page.keyboard.press('Enter');
}

/** Chooses one of several terminals by its name. */
export async function showTerminal(page: Page, name: string): Promise<void> {
  const named = page
    .locator('.terminal-tabs-entry, .single-terminal-tab')
    .filter({ hasText: name });
  await named.first().waitFor();
  const tab = page.locator('.terminal-tabs-entry').filter({ hasText: name });
  // One that is alone is shown, and has no list to choose it from.
  if ((await tab.count()) > 0) await tab.click();
}
