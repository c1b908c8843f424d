import process from 'node:process';
import { sentenceOf } from '../board/board.ts';
import { StoreError } from '../engine/store-error.ts';
import { attachedCommands, callersOfThisProcess, handOverTerminal, realWorld } from '../world.ts';
import type { CommandDefinition } from './command-definition.ts';
import { runCommandLine, worldMessage } from './command-line.ts';
import { EXIT } from './exit-code.ts';
import { errLine } from './say.ts';
import type { FoundByHook, Screen, Terminal } from './terminal.ts';

const { argv, env, stdin, stdout, stderr, ppid: starter } = process;

/** This process is one command of these, and ends with its exit code. */
export function runAsProcess(
  commands: ReadonlyMap<string, CommandDefinition>,
  hook?: FoundByHook,
): void {
  // A mistake of ours must not look like a task that failed.
  perform(commands, hook).catch((error: unknown) => {
    const stack = error instanceof Error ? (error.stack ?? '').split('\n') : [];
    const message = worldMessage(error);
    const lines = message === undefined ? [sentenceOf(error), ...stack] : [message];
    for (const line of lines) errLine({ err: (text) => stderr.write(text) }, line);
    process.exitCode = EXIT.unavailable;
  });
}

async function perform(
  commands: ReadonlyMap<string, CommandDefinition>,
  hook: FoundByHook | undefined,
): Promise<void> {
  // A process with nothing left to wait for ends, whatever it was asked for.
  process.exitCode = EXIT.unavailable;
  const unread: (() => void)[] = [];
  // Whoever reads the output may leave early; a command that has more to do goes on to its end.
  for (const stream of [stdout, stderr]) stream.on('error', () => {});
  stdout.on('error', () => {
    for (const tell of unread) tell();
  });
  const terminal = {
    world: (command: string) =>
      realWorld(
        `"interlock ${command}" (process ${process.pid})`,
        env,
        command === 'mcp' ? 'agent' : 'command',
      ),
    env,
    cwd: currentFolder(),
    screen: stdout.isTTY ? screenOf(env) : undefined,
    isAttended: stdin.isTTY && stdout.isTTY,
    input: stdin,
    hook,
    callers: callersOfThisProcess,
    starterHasEnded: () => process.ppid !== starter,
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

function currentFolder(): string {
  try {
    return process.cwd();
  } catch (cause) {
    const message =
      'The folder that this command was started in is not there any more. Change to one that is, and try again.';
    throw new StoreError('gone', message, { cause });
  }
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
