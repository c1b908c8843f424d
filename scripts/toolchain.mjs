// Brings a fresh clone to the state in which the other scripts can work. Runs on Node 20 and needs
// nothing that is installed.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('..', import.meta.url));
const STAMP = path.join(ROOT, 'node_modules', '.interlock-installed');
const WANTED_NODE_MAJOR = 24;

/**
 * Installs the packages if the lockfile has changed since, and goes on with Node 24, which the
 * packages bring along on Linux and Windows. The calling script starts again under it.
 *
 * @param {string} script the calling script's `import.meta.url`
 */
export function useToolchain(script) {
  if (!isInstalled()) {
    step('Installing packages');
    run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error']);
    writeFileSync(STAMP, lockHash());
  }
  const tools = path.join(ROOT, 'node_modules', '.bin');
  process.env.PATH = `${tools}${path.delimiter}${process.env.PATH ?? ''}`;
  if (majorOf(process.versions.node) >= WANTED_NODE_MAJOR) return;
  const bundled = path.join(
    ROOT,
    'node_modules',
    '.bin',
    process.platform === 'win32' ? 'node.cmd' : 'node',
  );
  if (!existsSync(bundled))
    fail(
      `Node ${process.versions.node} runs this script, and Node ${WANTED_NODE_MAJOR} is needed. ` +
        'On Linux and Windows "npm ci" brings it along, unless optional packages are left out. ' +
        'Elsewhere, install Node 24 first.',
    );
  const again = spawnSync(bundled, [fileURLToPath(script), ...process.argv.slice(2)], {
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  process.exit(again.status ?? 1);
}

/** @param {string} what */
export function step(what) {
  process.stdout.write(`• ${what}\n`);
}

/**
 * @param {string} sentence
 * @returns {never}
 */
export function fail(sentence) {
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
}

/**
 * Runs a program to its end with our own input and output; ours ends when it fails.
 *
 * @param {string} file
 * @param {readonly string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv }} [options]
 */
export function run(file, args, { cwd = ROOT, env = process.env } = {}) {
  const { status, error } = spawnSync(file, [...args], {
    cwd,
    env,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  if (status !== 0)
    fail(`"${file} ${args.join(' ')}" failed${error ? ` (${error.message})` : ''}.`);
}

/** @param {string} name of a program that the packages bring along */
export function bin(name) {
  return path.join(ROOT, 'node_modules', '.bin', name);
}

function isInstalled() {
  return existsSync(STAMP) && readFileSync(STAMP, 'utf8') === lockHash();
}

function lockHash() {
  return createHash('sha256')
    .update(readFileSync(path.join(ROOT, 'package-lock.json')))
    .digest('hex');
}

/** @param {string} version */
function majorOf(version) {
  return Number(version.split('.')[0]);
}
