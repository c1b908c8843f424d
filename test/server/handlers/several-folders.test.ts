import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { realWorld } from '../../../server/world.ts';
import { clientInMemory, type LanguageClient } from '../../support/language-client.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** One window on several folders of one repository, each with a plan. */
class Window {
  readonly root = temporaryFolder();
  readonly client: LanguageClient;

  constructor(plans: Readonly<Record<string, string>>) {
    mkdirSync(path.join(this.root, '.git'));
    for (const [file, tasks] of Object.entries(plans)) {
      const whole = path.join(this.root, file);
      mkdirSync(path.dirname(whole), { recursive: true });
      writeFileSync(whole, `tasks:\n${tasks}`);
    }
    const env = { ...process.env, INTERLOCK_STATE_DIR: temporaryFolder() };
    this.client = clientInMemory(realWorld('a window', env));
  }

  async open(...folders: readonly string[]): Promise<void> {
    const workspaceFolders = folders.map((name) => ({ uri: this.uri(name), name }));
    const capabilities = { workspace: { workspaceFolders: true } };
    await this.client.start(this.root, { workspaceFolders, capabilities });
  }

  async change(added: readonly string[], removed: readonly string[]): Promise<void> {
    const folders = (names: readonly string[]): readonly object[] =>
      names.map((name) => ({ uri: this.uri(name), name }));
    const event = { added: folders(added), removed: folders(removed) };
    await this.client.connection.sendNotification('workspace/didChangeWorkspaceFolders', { event });
  }

  async until(file: string, message: string | undefined): Promise<void> {
    await this.client.until(() => this.said(file)?.[0] === message);
  }

  said(file: string): readonly unknown[] | undefined {
    return this.client.diagnostics.get(this.uri(file))?.map((each) => each.message);
  }

  uri(file: string): string {
    return pathToFileURL(path.join(this.root, file)).href;
  }

  elsewhere(plan: string, folder: string): string {
    const place = path.join(this.root, folder);
    return `Plan "${plan}" lies in another workspace folder (${place}), and a task can wait only for tasks of plans in its own. Open the folder that holds both instead.`;
  }
}

const TASK = '  a: { run: x }\n';

test('a plan of another workspace folder cannot be named, and that is said as long as it is open', async () => {
  const waits = '  b: { run: x, after: [data/a] }\n';
  const window = new Window({ 'data/interlock.yaml': TASK, 'web/interlock.yaml': waits });
  await window.open('web', 'data');
  await window.until('web/interlock.yaml', window.elsewhere('data', 'data'));
  await window.change([], ['data']);
  await window.until('web/interlock.yaml', 'There is no plan "data" in this folder.');
  await window.change(['data'], []);
  await window.until('web/interlock.yaml', window.elsewhere('data', 'data'));
  await window.client.connection.sendNotification('textDocument/didOpen', {
    textDocument: {
      uri: window.uri('data/interlock.yaml'),
      languageId: 'interlock',
      version: 1,
      text: `name: db\ntasks:\n${TASK}`,
    },
  });
  await window.until('web/interlock.yaml', 'There is no plan "data" in this folder.');
});

test('of folders that lie in each other, the inner one says what is wrong in its plans', async () => {
  const waits = '  b: { run: x, after: [top/a] }\n';
  const window = new Window({ 'top.interlock.yaml': TASK, 'web/interlock.yaml': waits });
  await window.open('.', 'web');
  await window.until('web/interlock.yaml', window.elsewhere('top', ''));
  await window.change([], ['web']);
  await window.until('web/interlock.yaml', undefined);
  expect(window.said('web/interlock.yaml')).toEqual([]);
});

test('a folder that is added while others are still being read is read, too', async () => {
  const plans = Array.from({ length: 60 }, (_, index) => [`web/p${index}/interlock.yaml`, TASK]);
  const window = new Window({
    ...Object.fromEntries(plans),
    'data/interlock.yaml': '  a: { run: x, after: [b] }\n',
  });
  await window.open('web');
  await window.change(['data'], []);
  await window.until('data/interlock.yaml', 'There is no task "b" in this plan.');
});

test('what is open and not saved counts before, while and after its folder is one of the window', async () => {
  const data = '  d: { run: x }\n';
  const window = new Window({ 'web/interlock.yaml': TASK, 'data/interlock.yaml': data });
  await window.open('web');
  const text = `tasks:\n  d: { run: x, after: [b] }\n`;
  const uri = window.uri('data/interlock.yaml');
  await window.client.connection.sendNotification('textDocument/didOpen', {
    textDocument: { uri, languageId: 'interlock', version: 1, text },
  });
  const message = 'There is no task "b" in this plan.';
  await window.until('data/interlock.yaml', message);
  await window.change(['data'], []);
  await window.client.until(() => window.client.view('d')?.state === 'blocked');
  await window.until('data/interlock.yaml', message);
  await window.change([], ['data']);
  await window.client.until(() => window.client.view('d') === undefined);
  await window.until('data/interlock.yaml', message);
});

test('a plan whose name begins with two dots is one of its folder', async () => {
  const window = new Window({ 'web/..odd.interlock.yaml': TASK });
  await window.open('web');
  const uri = window.uri('web/..odd.interlock.yaml');
  await window.client.until(() => window.client.states !== '');
  const lenses = await window.client.connection.sendRequest('textDocument/codeLens', {
    textDocument: { uri },
  });
  expect(lenses).toMatchObject([{ command: { title: 'Run' } }]);
});
