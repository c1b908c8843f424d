#!/usr/bin/env node
import '../runtime-guard.ts';
import { createRequire } from 'node:module';
import path from 'node:path';
import process from 'node:process';
import { keepCompiled, loadProgram } from '../system/keep-compiled.ts';

interface Program {
  readonly start: () => void;
}

interface HookProgram {
  readonly start: (keep: () => void) => void;
}

if (process.argv[2] === 'hook') startHook();
else {
  keepCompiled(process.env);
  const { start }: Program = createRequire(__filename)(programFor(process.argv));
  start();
}

/** An agent waits for its hook each time it writes a file. */
function startHook(): void {
  const { program, keep } = loadProgram(path.join(__dirname, 'hook.js'), process.env);
  const { start }: HookProgram = program;
  start(keep);
}

function programFor(argv: readonly string[]): string {
  // The one for agents has every command, and what only they need: nobody else waits for that to load.
  return argv.includes('mcp') ? './agent-command-line.js' : './command-line.js';
}
