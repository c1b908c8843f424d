import { cpSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from './command.ts';
import { temporaryFolder } from './temporary-folder.ts';

const LEFT_OUT = new Set([
  '.git',
  'node_modules',
  'dist',
  'prebuilds',
  'test-results',
  '.vscode-test',
]);

/** This repository in another place, with the packages that are installed, so that it can be built there. */
export function projectCopy(): string {
  const copy = temporaryFolder();
  for (const entry of readdirSync(ROOT)) {
    if (LEFT_OUT.has(entry) || entry === 'scripts') continue;
    cpSync(path.join(ROOT, entry), path.join(copy, entry), { recursive: true });
  }
  const server = path.join('scripts', 'vscode-server');
  cpSync(path.join(ROOT, 'scripts'), path.join(copy, 'scripts'), {
    recursive: true,
    filter: (source) => !source.includes('node_modules'),
  });
  mkdirSync(path.join(copy, server), { recursive: true });
  for (const folder of ['.', server])
    symlinkSync(path.join(ROOT, folder, 'node_modules'), path.join(copy, folder, 'node_modules'));
  return copy;
}
