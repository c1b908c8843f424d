// The programs that the tests drive and that npm cannot bring along.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fail, run, step } from './toolchain.mjs';

/** @typedef {{ packageName: string, brewName: string, isThere: () => boolean }} Needed */

/** Only Linux has networks of their own for processes. @type {readonly Needed[]} */
const FOR_NETWORKS = [
  { packageName: 'iproute2', brewName: '', isThere: () => isOnPath('ip') },
  { packageName: 'nftables', brewName: '', isThere: () => isOnPath('nft') },
];

/** @type {readonly Needed[]} */
const NEEDED = [
  { packageName: 'chromium', brewName: '--cask chromium', isThere: hasBrowser },
  { packageName: 'git', brewName: 'git', isThere: () => isOnPath('git') },
  { packageName: 'tmux', brewName: 'tmux', isThere: () => isOnPath('tmux') },
  { packageName: 'openssh-server', brewName: 'openssh', isThere: () => isOnPath('sshd') },
  // Login shells of hosts.
  { packageName: 'tcsh', brewName: 'tcsh', isThere: () => isOnPath('tcsh') },
  { packageName: 'zsh', brewName: 'zsh', isThere: () => isOnPath('zsh') },
  { packageName: 'fish', brewName: 'fish', isThere: () => isOnPath('fish') },
  ...(process.platform === 'linux' ? FOR_NETWORKS : []),
];

/** Installs what is missing where that needs no question; otherwise says the exact line to type. */
export function ensureSystemPackages() {
  const missing = NEEDED.filter(({ isThere }) => !isThere());
  if (missing.length === 0) return;
  const names = missing.map(({ packageName }) => packageName);
  const isRoot = process.getuid?.() === 0;
  if (!isOnPath('apt-get'))
    fail(
      `Missing: ${names.join(', ')}. Install them first; on macOS type: brew install ${missing.map(({ brewName }) => brewName).join(' ')}`,
    );
  if (!isRoot)
    fail(
      `Missing: ${names.join(', ')}. Type: sudo apt-get update && sudo apt-get install -y ${names.join(' ')}`,
    );
  step(`Installing ${names.join(', ')}`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  run('apt-get', ['update', '-qq'], { env });
  run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...names], { env });
}

function hasBrowser() {
  if (process.env.CHROMIUM !== undefined) return existsSync(process.env.CHROMIUM);
  const chrome = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome';
  return ['chromium', 'chromium-browser', 'google-chrome'].some(isOnPath) || existsSync(chrome);
}

/** @param {string} name */
function isOnPath(name) {
  const folders = [...(process.env.PATH ?? '').split(path.delimiter), '/usr/sbin'];
  return folders.some((folder) => existsSync(path.join(folder, name)));
}
