import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Command } from './measured-command.ts';

/** What ships, unless another build is to be compared. */
const CLI = path.resolve(process.env.INTERLOCK_BENCH_CLI ?? 'dist/cli.js');

export function ourCommandMissing(): string | undefined {
  return existsSync(CLI) ? undefined : `there is no ${CLI}: type "npm run build"`;
}

/** `interlock …` in a folder, with all of its state in there too. */
export function ourCommand(args: readonly string[], folder: string): Command {
  const env = { INTERLOCK_STATE_DIR: ourState(folder) };
  return { file: process.execPath, args: [CLI, ...args], folder, env };
}

export function ourState(folder: string): string {
  return path.join(folder, 'interlock-state');
}
