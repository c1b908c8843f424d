#!/usr/bin/env node
import '../runtime-guard.ts';
import { createRequire } from 'node:module';
import process from 'node:process';
import { keepCompiled } from '../system/keep-compiled.ts';

interface Program {
  readonly start: () => void;
}

keepCompiled(process.env);
const { start }: Program = createRequire(__filename)(programFor(process.argv));
start();

function programFor(argv: readonly string[]): string {
  // An agent waits for its hook each time it writes a file.
  if (argv[2] === 'hook') return './hook.js';
  // The one for agents has every command, and what only they need: nobody else waits for that to load.
  return argv.includes('mcp') ? './agent-command-line.js' : './command-line.js';
}
