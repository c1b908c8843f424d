import type { FrameLocator, Locator } from 'playwright-core';
import type { Workbench } from './workbench.ts';

/** A timeline or a graph that is open in a workbench, as a screen reader and a keyboard meet it. */
export class PictureTab {
  readonly #workbench: Workbench;

  constructor(workbench: Workbench) {
    this.#workbench = workbench;
  }

  get frame(): FrameLocator {
    const page = this.#workbench.page;
    return page.frameLocator('iframe.webview.ready').frameLocator('#active-frame');
  }

  /** A task of it, by what is said of it. */
  task(spoken: string | RegExp): Locator {
    return this.frame.getByRole('option', { name: spoken });
  }

  button(name: string): Locator {
    return this.frame.getByRole('button', { name, exact: true });
  }

  /** The focus goes to the picture, and these keys are pressed one after the other. */
  async press(...keys: readonly string[]): Promise<void> {
    const area = this.frame.getByRole('listbox');
    for (const key of keys) await area.press(key);
  }

  /** What the keyboard has come to. */
  async chosen(): Promise<string> {
    const area = this.frame.getByRole('listbox');
    const id = await area.getAttribute('aria-activedescendant');
    return (await this.frame.locator(`#${id ?? 'none'}`).getAttribute('aria-label')) ?? '';
  }
}
