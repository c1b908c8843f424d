#!/usr/bin/env node
import '../runtime-guard.ts';
import { createRequire } from 'node:module';
import process from 'node:process';
import { keepCompiled } from '../system/keep-compiled.ts';

keepCompiled(process.env);
// The one for agents has every command, and what only they need: nobody else waits for that to load.
const program = process.argv.includes('mcp') ? './agent-command-line.js' : './command-line.js';
createRequire(__filename)(program);
