// From a fresh clone to a VS Code with the extension and the sample project open.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { packageExtension } from './package.mjs';
import { fail, ROOT, run, step, useToolchain } from './toolchain.mjs';
import { ensureVsCodeServer, installVsix, serveVsCode } from './vscode-server.mjs';

const EDITORS = ['code', 'codium', 'cursor', 'windsurf', 'code-insiders', 'code-oss'];
const EXAMPLES = path.join(ROOT, 'examples');
const PROFILE = path.join(ROOT, '.vscode-test', 'start');
/** Always the same where it is free, so that the browser keeps what it remembers of this VS Code. */
const USUAL_PORT = 8737;

useToolchain(import.meta.url);
const vsix = packageExtension();
const editor = EDITORS.find(isOnPath);
if (editor === undefined) await startInBrowser();
else {
  step(`Installing the extension into ${editor} and opening examples/`);
  run(editor, ['--install-extension', vsix, '--force']);
  run(editor, [EXAMPLES]);
}

async function startInBrowser() {
  step(`No VS Code on PATH (looked for ${EDITORS.join(', ')}): using one in the browser`);
  ensureVsCodeServer();
  const profile = {
    data: path.join(PROFILE, 'data'),
    extensions: path.join(PROFILE, 'extensions'),
  };
  quietSettings(profile);
  step('Installing the extension');
  await installVsix(profile, vsix);
  const server = await serve(profile);
  let isStopping = false;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(signal, () => {
      isStopping = true;
      void server.stop();
    });
  server.url.searchParams.set('folder', EXAMPLES);
  const plan = `vscode-remote://${server.url.host}${path.join(EXAMPLES, 'interlock.yaml')}`;
  server.url.searchParams.set('payload', JSON.stringify([['openFile', plan]]));
  process.stdout.write(
    `\nOpen ${server.url.href}\nTrust the folder ("Manage" in its banner), then press Run All in the Interlock view.\nCtrl-C stops it.\n`,
  );
  await server.ended;
  await server.stop();
  if (!isStopping) fail(`VS Code ended by itself:\n${server.output()}`);
}

/**
 * The first look is at the plan, not at what this VS Code wants to tell of itself.
 *
 * @param {import('./vscode-server.mjs').Profile} profile
 */
function quietSettings({ data }) {
  const file = path.join(data, 'data', 'Machine', 'settings.json');
  if (existsSync(file)) return;
  mkdirSync(path.dirname(file), { recursive: true });
  const settings = {
    'workbench.startupEditor': 'none',
    'workbench.secondarySideBar.defaultVisibility': 'hidden',
    'chat.disableAIFeatures': true,
    'git.openRepositoryInParentFolders': 'never',
  };
  writeFileSync(file, JSON.stringify(settings, null, 2));
}

/** @param {import('./vscode-server.mjs').Profile} profile */
async function serve(profile) {
  const wanted = process.env.INTERLOCK_PORT;
  if (wanted !== undefined && !/^\d{1,5}$/.test(wanted))
    fail(`INTERLOCK_PORT is a port, not "${wanted}".`);
  const port = wanted === undefined ? USUAL_PORT : Number(wanted);
  try {
    return await serveVsCode({ ...profile, port });
  } catch (error) {
    if (!String(error).includes('EADDRINUSE')) throw error;
    if (wanted !== undefined) fail(`Port ${wanted} is in use. Choose another with INTERLOCK_PORT.`);
    return await serveVsCode({ ...profile, port: 0 });
  }
}

/** @param {string} name */
function isOnPath(name) {
  const extensions = process.platform === 'win32' ? ['.cmd', '.exe'] : [''];
  const folders = (process.env.PATH ?? '').split(path.delimiter);
  const isThere = folders.some((folder) =>
    extensions.some((end) => existsSync(path.join(folder, name + end))),
  );
  return (
    isThere && spawnSync(name, ['--version'], { shell: process.platform === 'win32' }).status === 0
  );
}
