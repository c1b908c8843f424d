// A real VS Code without a desktop: the server that code-server publishes, as a package of its own.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ROOT, run, step } from './toolchain.mjs';

const PACKAGE = path.join(ROOT, 'scripts', 'vscode-server');
const CODE = path.join(PACKAGE, 'node_modules', 'code-server', 'lib', 'vscode');
const STAMP = path.join(PACKAGE, 'node_modules', '.ready');
const START_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 5000;

/** Fetches VS Code once, from the npm registry. */
export function ensureVsCodeServer() {
  const lock = readFileSync(path.join(PACKAGE, 'package-lock.json'), 'utf8');
  if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === lock) return;
  step('Fetching VS Code (about 600 MB on disk, once)');
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];
  run('npm', ['ci', '--ignore-scripts', ...quiet], { cwd: PACKAGE });
  // Its shrinkwrap lacks the packages of other platforms, which `npm ci` refuses.
  run('npm', ['install', '--omit=dev', '--ignore-scripts', ...quiet], { cwd: CODE });
  // The one native part without a prebuilt file; only the Output view needs it.
  const rebuild = ['rebuild', '@vscode/spdlog', '--ignore-scripts=false', '--loglevel=silent'];
  const { status } = spawnSync('npm', rebuild, { cwd: CODE, shell: process.platform === 'win32' });
  if (status !== 0) step('No C++ compiler here: the Output view of this VS Code stays empty');
  // Telemetry is off and the gallery is not asked, so this VS Code looks up no outside host.
  const product = path.join(CODE, 'product.json');
  const settings = JSON.parse(readFileSync(product, 'utf8'));
  writeFileSync(product, JSON.stringify({ ...settings, enableTelemetry: false }, null, 1));
  writeFileSync(STAMP, lock);
}

/**
 * Where one VS Code keeps its settings and extensions.
 *
 * @typedef {{ data: string, extensions: string }} Profile
 */

/** @param {Profile} profile */
function profileArgs({ data, extensions }) {
  mkdirSync(data, { recursive: true });
  mkdirSync(extensions, { recursive: true });
  const args = ['--server-data-dir', data, '--extensions-dir', extensions];
  return ['--accept-server-license-terms', '--disable-telemetry', ...args];
}

/** @param {NodeJS.ProcessEnv} [env] */
function serverEnv(env) {
  return { ...process.env, EXTENSIONS_GALLERY: '{"serviceUrl":""}', ...env };
}

/**
 * @param {Profile} profile
 * @param {string} vsix
 */
export async function installVsix(profile, vsix) {
  const args = [path.join(CODE, 'out', 'server-main.js'), ...profileArgs(profile)];
  const child = spawn(process.execPath, [...args, '--install-extension', vsix, '--force'], {
    env: serverEnv(),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text));
  const status = await new Promise((resolve) => child.once('close', resolve));
  if (status !== 0) throw new Error(`VS Code could not install ${vsix}:\n${output}`);
}

/**
 * Serves the workbench on loopback. Resolves when it can be opened.
 *
 * @param {Profile & { port?: number, args?: readonly string[], env?: NodeJS.ProcessEnv }} options
 * @returns {Promise<{ url: URL, ended: Promise<void>, stop: () => Promise<void>, output: () => string }>}
 */
export async function serveVsCode({ port = 0, args = [], env, ...profile }) {
  const server = spawn(
    process.execPath,
    [
      path.join(CODE, 'out', 'server-main.js'),
      ...profileArgs(profile),
      '--host',
      '127.0.0.1',
      '--port',
      String(port),
      ...args,
    ],
    // A group of its own: the terminals and extension hosts that it starts end with it.
    { env: serverEnv(env), stdio: ['ignore', 'pipe', 'pipe'], detached: true },
  );
  let output = '';
  const ended = new Promise((resolve) => server.once('close', () => resolve(undefined)));
  const stop = async () => stopGroup(server.pid);
  const url = await new Promise((resolve, reject) => {
    const giveUp = (/** @type {string} */ why) => {
      clearTimeout(timer);
      void stop().then(() => reject(new Error(`${why}:\n${output}`)));
    };
    const timer = setTimeout(() => giveUp('VS Code did not start'), START_TIMEOUT_MS);
    const see = (/** @type {Buffer} */ text) => {
      output += text;
      const found = /Web UI available at (\S+)/.exec(output)?.[1];
      // VS Code writes this down and lives on without listening anywhere.
      if (output.includes('EADDRINUSE')) giveUp('VS Code could not listen');
      if (found === undefined) return;
      clearTimeout(timer);
      resolve(new URL(found.replace('//localhost', '//127.0.0.1')));
    };
    server.stdout.on('data', see);
    server.stderr.on('data', see);
    server.once('exit', (code) => giveUp(`VS Code ended with ${code}`));
  });
  return { url, ended, stop, output: () => output };
}

/** @param {number | undefined} pid */
async function stopGroup(pid) {
  if (pid === undefined) return;
  const signal = (/** @type {NodeJS.Signals | 0} */ name) => {
    try {
      process.kill(-pid, name);
      return true;
    } catch {
      return false;
    }
  };
  signal('SIGTERM');
  for (let waited = 0; waited < STOP_TIMEOUT_MS && signal(0); waited += 50) await delay(50);
  signal('SIGKILL');
}
