import type { OpenTerminal } from '../protocol/terminals.ts';

/** What a terminal is opened with, beside how it looks. */
export interface TerminalLaunch {
  readonly name: string;
  readonly shellPath: string;
  readonly shellArgs: string[];
  readonly env: Record<string, string>;
}

export interface CommandLine {
  /** The program that runs this process. */
  readonly program: string;
  /** The command line of Interlock, as a script for it. */
  readonly script: string;
  /** Where boards are, if not where they are by default. */
  readonly stateDir: string | undefined;
}

/** The command line is started as it is, without a shell: no word of a plan is read by one. */
export function terminalLaunch(
  task: OpenTerminal,
  { program, script, stateDir }: CommandLine,
): TerminalLaunch {
  const { id, board, plan, run, attempt, as } = task;
  return {
    name: id,
    shellPath: program,
    shellArgs: [
      script,
      'terminal',
      id,
      `--board=${board}`,
      `--plan=${plan}`,
      `--run=${run}`,
      `--attempt=${attempt}`,
      `--as=${as}`,
      '--stay',
    ],
    env: {
      // In an editor that brings its own program along, it would be the editor.
      ELECTRON_RUN_AS_NODE: '1',
      ...(stateDir !== undefined && { INTERLOCK_STATE_DIR: stateDir }),
    },
  };
}
