import { COMMANDS } from '../cli/commands.ts';
import { runAsProcess } from '../cli/run-as-process.ts';
import { serveMcp } from './serve-mcp.ts';

export function start(): void {
  const mcp = COMMANDS.get('mcp');
  runAsProcess(
    mcp === undefined ? COMMANDS : new Map([...COMMANDS, ['mcp', { ...mcp, perform: serveMcp }]]),
  );
}
