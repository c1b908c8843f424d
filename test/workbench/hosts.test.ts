import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { vsixPath } from '../../scripts/package.mjs';
import { pictureFailures } from '../support/failure-screenshot.ts';
import { sshOfUser } from '../support/ssh-of-user.ts';
import { Sshd } from '../support/sshd.ts';
import { choice } from '../support/workbench-parts.ts';
import { terminalSays, typeInTerminal } from '../support/workbench-terminals.ts';
import { untilFile } from '../support/until-file.ts';
import { Workbench } from '../support/workbench.ts';

const LOOP = 'while [ ! -e go ]; do sleep 0.1; done';
const PLAN = `tasks:
  api: { on: box, in: tmux, run: 'echo api is at work; ${LOOP}' }
  ui: { on: gone, run: 'true' }
`;
/** The tasks of one plan are one run. */
const DOCS = `tasks:
  docs: { run: 'pwd > where' }
`;
const THEMES = [
  ['Default Light Modern', 'light', 'vs'],
  ['Default Dark Modern', 'dark', 'vs-dark'],
] as const;

let sshd: Sshd;
let workbench: Workbench;
let folder: string;
const { PATH, XDG_CONFIG_HOME } = process.env;

pictureFailures(() => workbench);

beforeAll(async () => {
  sshd = await Sshd.start({ loginShell: { program: '/bin/sh' } });
  folder = mkdtempSync(path.join(os.tmpdir(), 'interlock-hosts-'));
  // What the repository is called there.
  mkdirSync(path.join(folder, 'project'));
  process.env['PATH'] = `${sshOfUser(folder, sshd.configFile)}:${PATH}`;
  const host = { folder, sync: 'none' };
  const hosts = { box: host, gone: { ...host, ssh: 'gone.invalid' }, spare: { ...host, slots: 2 } };
  // The settings of a user of VS Code in a browser are out of reach for a test.
  const config = path.join(folder, '.config', 'interlock');
  mkdirSync(config, { recursive: true });
  writeFileSync(path.join(config, 'hosts.json'), JSON.stringify(hosts));
  process.env['XDG_CONFIG_HOME'] = path.dirname(config);
  // Else VS Code asks a login shell what the path is.
  process.env['VSCODE_CLI'] = '1';
  workbench = await Workbench.launch({ fixture: 'test/fixtures/empty', vsix: vsixPath() });
  workbench.write('interlock.yaml', PLAN);
  workbench.write('docs.interlock.yaml', DOCS);
  mkdirSync(path.join(workbench.folder, '.vscode'));
  await workbench.command('Interlock: Focus on Tasks View');
  await workbench.taskRow('api, not run yet').waitFor();
});

afterAll(async () => {
  writeFileSync(path.join(folder, 'project', 'go'), '');
  await workbench.close();
  await sshd.stop();
  process.env['PATH'] = PATH;
  delete process.env['VSCODE_CLI'];
  if (XDG_CONFIG_HOME === undefined) delete process.env['XDG_CONFIG_HOME'];
  else process.env['XDG_CONFIG_HOME'] = XDG_CONFIG_HOME;
  rmSync(folder, { recursive: true, force: true });
});

/** What is kept of what a task has printed. */
function logOf(task: string): string {
  const files = readdirSync(workbench.stateDir, { recursive: true, encoding: 'utf8' });
  const log = files.find((file) => path.basename(file) === `${task}.1.1.log`) ?? '';
  return readFileSync(path.join(workbench.stateDir, log), 'utf8');
}

async function pictures(name: string): Promise<void> {
  for (const [theme, word, mark] of THEMES) {
    workbench.write('.vscode/settings.json', JSON.stringify({ 'workbench.colorTheme': theme }));
    await workbench.page.locator(`.monaco-workbench.${mark}`).waitFor();
    await workbench.screenshot(`${name}-${word}`);
  }
}

test('one row of the Workers view stands for all hosts, and says how many can be reached', async () => {
  await workbench.command('Interlock: Run All');
  await workbench.command('Interlock: Focus on Workers View');
  await workbench.taskRow(/^Hosts, 1 of 2 reachable, 1 not in use/).waitFor({ timeout: 15_000 });
  await workbench.taskRow(/^host, box, busy, 1 of \d+ places/).waitFor();
  await workbench.taskRow(/^host, gone, unreachable: /).waitFor();
  await workbench.taskRow(/^host, spare, not in use/).waitFor();
  await workbench.taskRow(/^task, api, for \d+ s/).waitFor();
  await expect.poll(() => workbench.taskRow(/^Hosts, /).count()).toBe(1);
  await pictures('hosts');
  await workbench.page.setViewportSize({ width: 620, height: 700 });
  await workbench.screenshot('hosts-narrow');
  await workbench.page.setViewportSize({ width: 1400, height: 900 });
}, 90_000);

test('the session of a task is looked into, and nothing is typed there', async () => {
  await workbench.command('Interlock: Attach to Session');
  await choice(workbench, 'api').click();
  await terminalSays(workbench, 'api is at work');
  await workbench.screenshot('hosts-session');
  await typeInTerminal(workbench, 'typed by mistake\r');
  await workbench.command('Terminal: Kill the Active Terminal Instance');
  await workbench.page.locator('#terminal .terminal-wrapper.active').waitFor({ state: 'detached' });
  expect(logOf('api')).toMatch(/^api is at work\s*$/);
}, 60_000);

test('a host is checked, and the report says of everything what to do', async () => {
  await workbench.command('Interlock: Check Host');
  await choice(workbench, 'box').click();
  const report = workbench.page.frameLocator('iframe.webview').frameLocator('iframe');
  await report.getByText('agrees with this machine').waitFor();
  await workbench.notification(/^box: /);
  await workbench.screenshot('hosts-check');
  await expect.poll(() => report.locator('tr').count()).toBeGreaterThan(12);
  await workbench.command('Interlock: Check Host');
  await choice(workbench, 'gone').click();
  await workbench.notification(/^gone: 1 thing is wrong/);
}, 60_000);

test('a task runs on a host this once', async () => {
  await workbench.command('Interlock: Run on Host…');
  await choice(workbench, 'api').click();
  await workbench.notification('"api" is in a run already.');
  await workbench.command('Interlock: Run on Host…');
  await choice(workbench, 'docs').click();
  await choice(workbench, 'box').click();
  const place = path.join(folder, 'project');
  await untilFile(path.join(place, 'where'), `${place}\n`);
  await expect.poll(() => workbench.taskRow(/^docs, completed/).count()).toBe(1);
}, 60_000);

test('a key that nobody knows is trusted once its fingerprint was seen', async () => {
  sshd.know([]);
  await workbench.command('Interlock: Trust Host Key…');
  await choice(workbench, 'box').click();
  const dialog = workbench.page.locator('.monaco-dialog-box');
  await dialog.getByText(/SHA256:/).waitFor();
  await workbench.screenshot('hosts-trust');
  await dialog.getByRole('button', { name: 'Trust' }).click();
  await workbench.notification(/^The key of box is in /);
  expect(readFileSync(sshd.knownHostsFile, 'utf8').trim()).toBe(sshd.knownLine('ed25519'));
}, 60_000);

test('the report of a host is there after the window was reloaded', async () => {
  const { page } = workbench;
  await workbench.command('Interlock: Check Host');
  await choice(workbench, 'spare').click();
  await workbench.notification(/^spare: /);
  // As people do it: what the editor keeps of its tabs is written before the page goes.
  const loaded = page.waitForEvent('domcontentloaded');
  await workbench.command('Developer: Reload Window');
  await loaded;
  const report = page.frameLocator('iframe.webview.ready').frameLocator('#active-frame');
  await report.getByText('before this window was loaded').waitFor();
  await expect
    .poll(() => report.getByRole('heading', { name: 'Interlock: spare' }).count())
    .toBe(1);
}, 90_000);
