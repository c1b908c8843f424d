#!/usr/bin/env node
import '../runtime-guard.ts';
import process from 'node:process';
import { runCommandLine } from './command-line.ts';
import { realWorld } from '../world.ts';

const { argv, env, stdout, stderr } = process;

void main();

// Whoever reads the output may leave early; the command goes on to its end.
for (const stream of [stdout, stderr]) stream.on('error', () => {});

async function main(): Promise<void> {
  process.exitCode = await runCommandLine(argv.slice(2), {
    world: (command) => realWorld(`"interlock ${command}" (process ${process.pid})`, env),
    env,
    cwd: process.cwd(),
    out: (text) => stdout.write(text),
    err: (text) => stderr.write(text),
    onInterrupt: (interrupt) => {
      for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, interrupt);
    },
  });
}
