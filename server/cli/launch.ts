#!/usr/bin/env node
import '../runtime-guard.ts';
import { existsSync } from 'node:fs';
import { createRequire, enableCompileCache } from 'node:module';
import path from 'node:path';
import process from 'node:process';
import { stateHome } from '../system/state-home.ts';

// Compiling takes longer than most commands. What was compiled is kept where only this user writes,
// and only where something is kept anyway.
const home = stateHome(process.env);
if (existsSync(home)) enableCompileCache(path.join(home, 'compiled'));
createRequire(__filename)('./command-line.js');
