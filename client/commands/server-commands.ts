import type * as vscode from 'vscode';
import type { ServerProcess } from '../server-process.ts';
import type { CommandHandler } from './registry.ts';

export function serverCommands(
  server: ServerProcess,
  log: vscode.LogOutputChannel,
): Readonly<Record<string, CommandHandler>> {
  return {
    'interlock.server.restart': async () => server.restart(),
    'interlock.server.showOutput': () => log.show(),
  };
}
