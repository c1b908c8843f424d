import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { progress } from './report.ts';

const LISTED = path.resolve('scripts', 'bench-peers');
/** Outside the source tree, so that no checker reads other people's code. */
export const PEERS = path.resolve('node_modules', '.cache', 'interlock-bench', 'peers');
const STAMP = path.join(PEERS, '.ready');

/** Fetches the peers once, from wherever npm is set up to fetch from; or says why they are missing. */
export function peersMissing(): string | undefined {
  const lock = readFileSync(path.join(LISTED, 'package-lock.json'), 'utf8');
  if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === lock) return undefined;
  progress('fetching the peers from the npm registry, once (about 150 MB on disk)');
  mkdirSync(PEERS, { recursive: true });
  for (const file of ['package.json', 'package-lock.json'])
    copyFileSync(path.join(LISTED, file), path.join(PEERS, file));
  const { status, stderr } = spawnSync(
    'npm',
    ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'],
    { cwd: PEERS, encoding: 'utf8', shell: process.platform === 'win32' },
  );
  if (status !== 0) return `npm could not fetch it: ${(stderr ?? '').slice(0, 200)}`;
  writeFileSync(STAMP, lock);
  return undefined;
}

/** The file that a package starts as a program. */
export function peerProgram(packageName: string, file: string): string {
  return path.join(PEERS, 'node_modules', packageName, file);
}
