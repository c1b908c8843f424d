import type { Locator } from 'playwright-core';
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
