// The programs that the tests drive and that npm cannot bring along.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fail, step } from './toolchain.mjs';

/** @typedef {{ packageName: string, brewName: string, isThere: () => boolean }} Needed */

/** @type {readonly Needed[]} */
const NEEDED = [
  { packageName: 'chromium', brewName: '--cask chromium', isThere: hasBrowser },
  { packageName: 'git', brewName: 'git', isThere: () => isOnPath('git') },
  { packageName: 'tmux', brewName: 'tmux', isThere: () => isOnPath('tmux') },
  { packageName: 'openssh-server', brewName: 'openssh', isThere: () => isOnPath('sshd') },
];

/** Where one of these cannot be had, the tests that need it are left out and say so. @type {readonly Needed[]} */
const WANTED = [
  { packageName: 'rsync', brewName: 'rsync', isThere: () => isOnPath('rsync') },
  // Login shells of hosts.
  ...['tcsh', 'zsh', 'fish'].map((name) => ({
    packageName: name,
    brewName: name,
    isThere: () => isOnPath(name),
  })),
  // Only Linux has networks of their own for processes.
  {
    packageName: 'iproute2',
    brewName: '',
    isThere: () => process.platform !== 'linux' || isOnPath('ip'),
  },
  {
    packageName: 'nftables',
    brewName: '',
    isThere: () => process.platform !== 'linux' || isOnPath('nft'),
  },
];

/** Installs what is missing where that needs no question; otherwise says the exact line to type. */
export function ensureSystemPackages() {
  const missing = NEEDED.filter(({ isThere }) => !isThere());
  const wanted = WANTED.filter(({ isThere }) => !isThere());
  const canInstall = isOnPath('apt-get') && process.getuid?.() === 0;
  if (missing.length > 0 && !canInstall)
    fail(`Missing: ${namesOf(missing).join(', ')}. ${lineToType(missing)}`);
  if (canInstall && missing.length + wanted.length > 0) {
    step(`Installing ${namesOf([...missing, ...wanted]).join(', ')}`);
    const hasLists = install(['update', '-qq']);
    const isDone = hasLists && install(INSTALL.concat(namesOf([...missing, ...wanted])));
    if (!isDone && missing.length > 0 && !install(INSTALL.concat(namesOf(missing))))
      fail(`Missing: ${namesOf(missing).join(', ')}. apt-get could not install them.`);
  }
  const without = WANTED.filter(({ isThere }) => !isThere());
  if (without.length > 0)
    step(`Without ${namesOf(without).join(', ')} some tests are left out. ${lineToType(without)}`);
}

const INSTALL = ['install', '-y', '-qq', '--no-install-recommends'];

/** @param {readonly Needed[]} packages */
function namesOf(packages) {
  return packages.map(({ packageName }) => packageName);
}

/** @param {readonly Needed[]} packages */
function lineToType(packages) {
  if (isOnPath('apt-get'))
    return `Type: sudo apt-get update && sudo apt-get install -y ${namesOf(packages).join(' ')}`;
  const brewNames = packages.flatMap(({ brewName }) => (brewName === '' ? [] : [brewName]));
  return `Install them first; on macOS type: brew install ${brewNames.join(' ')}`;
}

/** Answers whether it was done. @param {readonly string[]} args */
function install(args) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  return spawnSync('apt-get', args, { env, stdio: 'inherit' }).status === 0;
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
