import { followTask } from '../board/follow-task.ts';
import { Poke } from '../board/poke.ts';
import type { OpenBoard } from '../board/ports.ts';
import { LogText } from '../domain/log-text.ts';
import { EXIT, type ExitCode } from './exit-code.ts';
import type { TriedTask } from './find-attempt.ts';
import type { Terminal } from './terminal.ts';
import { WithoutMark } from './without-mark.ts';

interface Parts {
  readonly open: OpenBoard;
  readonly terminal: Terminal;
  /** Tells from now on that something has happened on the board. */
  readonly listen: (changed: () => void) => void;
}

/** Prints what a task writes until the task has ended, attempt after attempt. */
export async function followLog(parts: Parts, tried: TriedTask): Promise<ExitCode> {
  const { terminal, listen, open } = parts;
  const poke = new Poke();
  let stopped: ExitCode | undefined;
  const stop = (code: ExitCode): void => {
    stopped = code;
    poke.now();
  };
  listen(() => poke.now());
  terminal.onInterrupt(() => stop(EXIT.interrupted));
  terminal.onUnread(() => stop(EXIT.done));
  const print = printerOn(terminal);
  for await (const part of followTask(open, tried, poke)) {
    if (part.kind === 'bytes') print.next(part.bytes);
    if (part.kind === 'attempt' || part.kind === 'ended') print.end();
    if (stopped !== undefined) return stopped;
  }
  return EXIT.done;
}

/** To a file or a program byte for byte. */
function printerOn(terminal: Terminal): { next: (bytes: Uint8Array) => void; end: () => void } {
  if (terminal.screen === undefined) {
    const bytesOf = new WithoutMark();
    return {
      next: (bytes) => terminal.out(bytesOf.take(bytes)),
      end: () => terminal.out(bytesOf.end()),
    };
  }
  let text = new LogText();
  return {
    next: (bytes) => terminal.out(text.take(bytes)),
    end: () => {
      terminal.out(text.end());
      text = new LogText();
    },
  };
}
