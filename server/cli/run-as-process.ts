import process from 'node:process';
import { sentenceOf } from '../board/board.ts';
import { attachedCommands, callersOfThisProcess, handOverTerminal, realWorld } from '../world.ts';
import type { CommandDefinition } from './command-definition.ts';
import { runCommandLine } from './command-line.ts';
import { EXIT } from './exit-code.ts';
import type { Screen, Terminal } from './terminal.ts';

const { argv, env, stdin, stdout, stderr } = process;

/** This process is one command of these, and ends with its exit code. */
export function runAsProcess(commands: ReadonlyMap<string, CommandDefinition>): void {
  // A mistake of ours must not look like a task that failed.
  perform(commands).catch((error: unknown) => {
    stderr.write(`${sentenceOf(error)}\n${error instanceof Error ? error.stack : ''}\n`);
    process.exitCode = EXIT.unavailable;
  });
}

async function perform(commands: ReadonlyMap<string, CommandDefinition>): Promise<void> {
  // A process with nothing left to wait for ends, whatever it was asked for.
  process.exitCode = EXIT.unavailable;
  const unread: (() => void)[] = [];
  // Whoever reads the output may leave early; a command that has more to do goes on to its end.
  for (const stream of [stdout, stderr]) stream.on('error', () => {});
  stdout.on('error', () => {
    for (const tell of unread) tell();
  });
  const terminal = {
    world: (command: string) => realWorld(`"interlock ${command}" (process ${process.pid})`, env),
    env,
    cwd: process.cwd(),
    screen: stdout.isTTY ? screenOf(env) : undefined,
    isAttended: stdin.isTTY && stdout.isTTY,
    input: stdin,
    callers: callersOfThisProcess,
    out: (text: string | Uint8Array) => stdout.write(text),
    err: (text: string) => stderr.write(text),
    onInterrupt: (interrupt: Parameters<Terminal['onInterrupt']>[0]) => {
      for (const signal of ['SIGINT', 'SIGTERM'] as const)
        process.on(signal, () => interrupt('wanted', signal));
      process.on('SIGHUP', () => interrupt('alone', 'SIGHUP'));
    },
    onUnread: (tell: () => void) => unread.push(tell),
    attach: attachedCommands(env),
    handOver: handOverTerminal(env),
    keyPressed,
    abort: (code: number) => process.exit(code),
  };
  process.exitCode = await runCommandLine(argv.slice(2), terminal, commands);
}

async function keyPressed(): Promise<void> {
  if (!stdin.isTTY) return;
  try {
    stdin.setRawMode(true);
  } catch {
    // The terminal has gone, and with it whoever could press one.
    return;
  }
  await new Promise<void>((resolve) => {
    stdin.once('data', () => resolve());
    stdin.once('end', () => resolve());
    stdin.once('error', () => resolve());
    stdin.resume();
  });
  stdin.pause();
}

/** https://no-color.org: any value but the empty one takes the colours away. */
function screenOf({ NO_COLOR: noColour, TERM: kind }: NodeJS.ProcessEnv): Screen {
  return {
    // Some terminals do not know how large they are.
    size: () => ({ columns: stdout.columns || 80, rows: stdout.rows || 24 }),
    hasColours: !noColour && kind !== 'dumb',
  };
}
