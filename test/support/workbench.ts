import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';
import { installVsix, type Profile, serveVsCode } from '../../scripts/vscode-server.mjs';
import { launchBrowser } from './browser.ts';

const SCREENSHOTS = path.resolve('test-results');
const RESTORE_TIMEOUT_MS = 60_000;
const FOLDER_TIMEOUT_MS = 10_000;
const PALETTE_ATTEMPTS = 5;
const ROW_ATTEMPTS = 5;
const VIEWPORT = { width: 1400, height: 900 };
/** As on a desktop; in a browser VS Code would save what a test types, whenever it gets to it. */
const SETTINGS = {
  'files.autoSave': 'off',
  'workbench.startupEditor': 'none',
  'chat.disableAIFeatures': true,
};

export interface WorkbenchOptions {
  /** Copied, so that a test may change it. */
  readonly fixture: string;
  readonly vsix?: string;
  /** Opens the fixture itself, not a copy. */
  readonly isInPlace?: boolean;
  readonly isTrusted?: boolean;
  /** Changes the installed extension before VS Code starts. */
  readonly afterInstall?: (extension: string) => void;
  readonly settings?: Readonly<Record<string, unknown>>;
  /** What VS Code's web page is started with, for example an extension under development. */
  readonly payload?: (authority: string) => readonly (readonly [string, string])[];
  /** What VS Code speaks, as if its language pack were installed; without one it speaks English itself. */
  readonly language?: string;
  /** Functions that the page may call. */
  readonly exposed?: Readonly<Record<string, (...args: unknown[]) => void>>;
}

/** A real VS Code in a headless browser, with everything of its own in one temporary folder. */
export class Workbench {
  readonly page: Page;
  /** The workspace folder that is open. */
  readonly folder: string;
  readonly stateDir: string;
  readonly #browser: Browser;
  readonly #server: Awaited<ReturnType<typeof serveVsCode>>;
  readonly #home: string;

  private constructor(parts: {
    page: Page;
    folder: string;
    stateDir: string;
    browser: Browser;
    server: Awaited<ReturnType<typeof serveVsCode>>;
    home: string;
  }) {
    this.page = parts.page;
    this.folder = parts.folder;
    this.stateDir = parts.stateDir;
    this.#browser = parts.browser;
    this.#server = parts.server;
    this.#home = parts.home;
  }

  static async launch(options: WorkbenchOptions): Promise<Workbench> {
    const home = mkdtempSync(path.join(os.tmpdir(), 'interlock-workbench-'));
    const folder = options.isInPlace === true ? options.fixture : path.join(home, 'project');
    if (options.isInPlace !== true) cpSync(options.fixture, folder, { recursive: true });
    const profile = profileIn(home);
    writeSettings(profile, options.settings ?? {});
    if (options.vsix !== undefined) await installVsix(profile, options.vsix);
    options.afterInstall?.(path.join(profile.extensions, installedName(profile.extensions)));
    const stateDir = path.join(home, 'state');
    const args = ['--without-connection-token', '--enable-smoke-test-driver'];
    if (options.isTrusted !== false) args.push('--disable-workspace-trust');
    const server = await serveVsCode({ ...profile, args, env: { INTERLOCK_STATE_DIR: stateDir } });
    const browser = await launchBrowser();
    const page = await browser.newPage({ viewport: VIEWPORT });
    for (const [name, call] of Object.entries(options.exposed ?? {}))
      await page.exposeFunction(name, call);
    if (options.language !== undefined)
      await page.addInitScript(`globalThis._VSCODE_NLS_LANGUAGE = '${options.language}'`);
    const url = new URL(server.url);
    url.searchParams.set('folder', folder);
    const payload = [
      ['skipWelcome', 'true'],
      ['skipReleaseNotes', 'true'],
      ...(options.payload?.(url.host) ?? []),
    ];
    url.searchParams.set('payload', JSON.stringify(payload));
    const workbench = new Workbench({ page, folder, stateDir, browser, server, home });
    await page.goto(url.href);
    await workbench.#restored();
    return workbench;
  }

  /** Another window on the same folder, in a browser profile of its own. */
  async another(): Promise<Workbench> {
    const [browser, server] = [this.#browser, this.#server];
    const page = await browser.newPage({ viewport: VIEWPORT });
    const { folder, stateDir } = this;
    const workbench = new Workbench({ page, folder, stateDir, browser, server, home: this.#home });
    await page.goto(this.page.url());
    await workbench.#restored();
    return workbench;
  }

  /** Opens a workspace file of the folder in the place of the folder. */
  async openWorkspace(name: string): Promise<void> {
    const url = new URL(this.page.url());
    url.searchParams.delete('folder');
    url.searchParams.set('workspace', path.join(this.folder, name));
    await this.page.goto(url.href);
    await this.#restored();
    for (let attempt = 1; !(await this.#hasFolders()); attempt += 1) {
      if (attempt === PALETTE_ATTEMPTS) throw new Error(`VS Code finds no folder in ${name}.`);
      await this.reload();
    }
  }

  /** Now and then VS Code opens a workspace before it can read its file, and leaves it without folders. */
  async #hasFolders(): Promise<boolean> {
    await this.command('View: Show Explorer');
    const folder = this.page.locator('.explorer-folders-view .monaco-list-row').first();
    const empty = this.page.locator('.explorer-empty-view').first();
    // Neither is there where VS Code is still at it: another reload helps that too.
    await folder
      .or(empty)
      .first()
      .waitFor({ timeout: FOLDER_TIMEOUT_MS })
      .catch(() => {});
    return await folder.isVisible();
  }

  /** As the user does it in the settings, of all windows. */
  configure(settings: Readonly<Record<string, unknown>>): void {
    writeSettings(profileIn(this.#home), settings);
  }

  /** As the user does it with "Developer: Reload Window". */
  async reload(): Promise<void> {
    await this.page.reload();
    await this.#restored();
  }

  /** Runs a command by the full name that the palette shows. */
  async command(label: string): Promise<void> {
    await this.#pickFrom('F1', `>${label}`, label);
  }

  async openFile(name: string): Promise<void> {
    await this.#pickFrom('Control+P', name, path.basename(name));
    await this.page.locator(`.tab.active[data-resource-name="${path.basename(name)}"]`).waitFor();
  }

  /** The rows that a name brings up in the palette; none when the command is not enabled. */
  async paletteRows(label: string): Promise<readonly string[]> {
    await this.page.keyboard.press('F1');
    await this.#quickInput().fill(`>${label}`);
    const rows = this.page.locator(
      '.quick-input-widget:visible .quick-input-list .monaco-list-row',
    );
    // Something is always found, so that the list has been filtered by the time it is read.
    await rows.filter({ hasText: label.trim() }).first().waitFor();
    const texts = await rows.allTextContents();
    await this.page.keyboard.press('Escape');
    return texts;
  }

  /** The row of a task in the Tasks view, found by what a screen reader says of it. */
  taskRow(spoken: string | RegExp): Locator {
    return this.page.getByRole('treeitem', { name: spoken });
  }

  /** Presses a button that a row shows while the mouse is over it. Rows move while tasks come and go. */
  async pressInRow(row: Locator, button: string): Promise<void> {
    const action = row.locator(`.action-label[aria-label="${button}"]`);
    for (let attempt = 1; ; attempt += 1)
      try {
        await row.hover();
        await action.click({ timeout: 2000 });
        return;
      } catch (error) {
        if (attempt === ROW_ATTEMPTS) throw error;
      }
  }

  /** What the rows of the tasks in the Tasks view say to a screen reader; those above them are left out. */
  async taskRows(): Promise<readonly string[]> {
    const items = this.page.locator(
      '[role=tree][aria-label=Tasks] [role=treeitem]:not([aria-expanded]):not([aria-label^="needs you: "])',
    );
    const labels = await items.evaluateAll((rows) =>
      rows.map((row) => row.getAttribute('aria-label')),
    );
    return labels.map((label) => label ?? '');
  }

  /** Waits for a notification. The list of them closes when something else takes the focus. */
  async notification(text: string | RegExp): Promise<void> {
    const messages = this.page.locator('.notifications-center .notification-list-item-message');
    for (let attempt = 1; ; attempt += 1)
      try {
        await this.command('Notifications: Show Notifications');
        await messages.filter({ hasText: text }).first().waitFor({ timeout: 5000 });
        return;
      } catch (error) {
        if (attempt === PALETTE_ATTEMPTS) throw error;
      }
  }

  touch(name: string): void {
    this.write(name, '');
  }

  write(name: string, text: string): void {
    writeFileSync(path.join(this.folder, name), text);
  }

  remove(name: string): void {
    rmSync(path.join(this.folder, name), { force: true });
  }

  read(name: string): string {
    return readFileSync(path.join(this.folder, name), 'utf8');
  }

  async screenshot(name: string): Promise<void> {
    mkdirSync(SCREENSHOTS, { recursive: true });
    await this.page.screenshot({ path: path.join(SCREENSHOTS, `${name}.png`) });
  }

  async close(): Promise<void> {
    await this.#browser.close();
    await this.#server.stop();
    rmSync(this.#home, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }

  async #restored(): Promise<void> {
    const options = { timeout: RESTORE_TIMEOUT_MS };
    await this.page.waitForSelector('.monaco-workbench .statusbar', options);
    await this.page.waitForFunction('globalThis.driver !== undefined', undefined, options);
    await this.page.evaluate('globalThis.driver.whenWorkbenchRestored()');
  }

  /** Something that has just opened may take the focus away, so this starts over a few times. */
  async #pickFrom(key: string, text: string, row: string): Promise<void> {
    for (let attempt = 1; ; attempt += 1)
      try {
        await this.page.keyboard.press('Escape');
        await this.page.keyboard.press(key);
        await this.#quickInput().fill(text, { timeout: 3000 });
        await this.page
          .locator('.quick-input-widget:visible .quick-input-list .monaco-list-row.focused')
          .filter({ hasText: row })
          .waitFor({ timeout: 5000 });
        await this.page.keyboard.press('Enter');
        return;
      } catch (error) {
        if (attempt === PALETTE_ATTEMPTS) throw error;
      }
  }

  #quickInput(): Locator {
    return this.page.locator('.quick-input-widget:visible .quick-input-box input');
  }
}

function profileIn(home: string): Profile {
  return { data: path.join(home, 'data'), extensions: path.join(home, 'extensions') };
}

function writeSettings({ data }: Profile, settings: Readonly<Record<string, unknown>>): void {
  const folder = path.join(data, 'data', 'Machine');
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'settings.json'), JSON.stringify({ ...SETTINGS, ...settings }));
}

function installedName(extensions: string): string {
  return readdirSync(extensions).find((name) => name.startsWith('interlock.')) ?? '';
}
