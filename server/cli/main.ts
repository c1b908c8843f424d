import process from 'node:process';
import { sentenceOf } from '../board/board.ts';
import { runCommandLine } from './command-line.ts';
import { EXIT } from './exit-code.ts';
import { attachedCommands, realWorld } from '../world.ts';
import type { Screen } from './terminal.ts';

const { argv, env, stdin, stdout, stderr } = process;

// A mistake of ours must not look like a task that failed.
main().catch((error: unknown) => {
  stderr.write(`${sentenceOf(error)}\n${error instanceof Error ? error.stack : ''}\n`);
  process.exitCode = EXIT.unavailable;
});

async function main(): Promise<void> {
  const unread: (() => void)[] = [];
  // Whoever reads the output may leave early; a command that has more to do goes on to its end.
  for (const stream of [stdout, stderr]) stream.on('error', () => {});
  stdout.on('error', () => {
    for (const tell of unread) tell();
  });
  process.exitCode = await runCommandLine(argv.slice(2), {
    world: (command) => realWorld(`"interlock ${command}" (process ${process.pid})`, env),
    env,
    cwd: process.cwd(),
    screen: stdout.isTTY ? screenOf(env) : undefined,
    isAttended: stdin.isTTY && stdout.isTTY,
    out: (text) => stdout.write(text),
    err: (text) => stderr.write(text),
    onInterrupt: (interrupt) => {
      for (const signal of ['SIGINT', 'SIGTERM'] as const)
        process.on(signal, () => interrupt('wanted', signal));
      process.on('SIGHUP', () => interrupt('alone', 'SIGHUP'));
    },
    onUnread: (tell) => unread.push(tell),
    attach: attachedCommands(env),
    keyPressed,
    abort: (code) => process.exit(code),
  });
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
