import type { Locator, Page } from 'playwright-core';
import type { Workbench } from './workbench.ts';

/** The text that stands in the Tasks view while it is empty. */
export function welcomeText({ page }: Workbench): Locator {
  return page.locator('.welcome-view-content');
}

/** A button of the text in the Tasks view. */
export function welcomeButton(workbench: Workbench, label: string): Locator {
  return welcomeText(workbench).locator('.monaco-button', { hasText: label });
}

/** The row of a quick pick, once it is there to be chosen. */
export function choice({ page }: Workbench, text: string | RegExp): Locator {
  return page
    .locator('.quick-input-widget:visible .quick-input-list .monaco-list-row')
    .filter({ hasText: text });
}

/** The tab of a file that is shown now. */
export function activeTab({ page }: Workbench, name: string): Locator {
  return page.locator(`.tab.active[data-resource-name="${name}"]`);
}

/** The same window, with no folder open in it. */
export async function closeFolder({ page }: Workbench): Promise<void> {
  const url = new URL(page.url());
  url.searchParams.delete('folder');
  url.searchParams.set('ew', 'true');
  await page.goto(url.href);
  await restored(page);
}

/** Once the editor has shown what it had to show. */
async function restored(page: Page): Promise<void> {
  await page.waitForSelector('.monaco-workbench .statusbar');
  await page.waitForFunction('globalThis.driver !== undefined');
  await page.evaluate('globalThis.driver.whenWorkbenchRestored()');
}
