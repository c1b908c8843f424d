import './runtime-guard.ts';
import { createRequire } from 'node:module';
import process from 'node:process';
import { keepCompiled } from './system/keep-compiled.ts';

keepCompiled(process.env);
createRequire(__filename)('./language-server.js');
