import { COMMANDS } from './commands.ts';
import { runAsProcess } from './run-as-process.ts';
import type { FoundByHook } from './terminal.ts';

export function start(hook?: FoundByHook): void {
  runAsProcess(COMMANDS, hook);
}
