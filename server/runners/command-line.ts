import type { Command } from '../domain/task.ts';

interface CommandLine {
  readonly file: string;
  readonly args: readonly string[];
  readonly isVerbatim: boolean;
}

/** What the system is told to start for a command, where no slot does it. */
export function commandLine(command: Command): CommandLine {
  if (command.kind === 'program') return { ...command, isVerbatim: false };
  return process.platform === 'win32'
    ? { file: 'cmd.exe', args: ['/d', '/s', '/c', `"${command.script}"`], isVerbatim: true }
    : { file: 'sh', args: ['-c', command.script], isVerbatim: false };
}
