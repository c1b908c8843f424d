import { closeSync, existsSync, openSync, readSync } from 'node:fs';
import { EXIT, type ExitCode } from './exit-code.ts';
import { lookAtBoard } from './look.ts';
import { tailOf } from './tail.ts';
import type { Arguments, Terminal } from './terminal.ts';

const CHUNK_BYTES = 64 * 1024;
const JSON_TAIL = { lineCount: 10_000, byteCount: 1024 * 1024 };

export async function log(args: Arguments, terminal: Terminal): Promise<ExitCode> {
  const { words, options, isJson } = args;
  const [task] = words;
  if (task === undefined) {
    terminal.err('Name one task: interlock log TASK\n');
    return EXIT.usage;
  }
  const { isKnown, file } = await lookAtBoard(args, terminal, (board) => {
    const plans = board.plans.all.filter(
      ({ path, plan }) =>
        path === (options.plan ?? path) && plan.tasks.some(({ id }) => id === task),
    );
    const files = plans.flatMap(({ path }) => board.logFile(path, task) ?? []);
    return { isKnown: plans.length > 0, file: files[0] };
  });
  if (!isKnown) {
    terminal.err(`There is no task "${task}".\n`);
    return EXIT.usage;
  }
  if (file === undefined || !existsSync(file)) {
    terminal.err(`"${task}" has not run yet.\n`);
    return EXIT.refused;
  }
  if (isJson) terminal.out(`${JSON.stringify({ task, file, text: tailOf(file, JSON_TAIL) })}\n`);
  else copyOut(file, terminal);
  return EXIT.done;
}

/** Byte for byte, and never the whole of it in memory. */
function copyOut(file: string, terminal: Terminal): void {
  const opened = openSync(file, 'r');
  try {
    for (;;) {
      const chunk = Buffer.alloc(CHUNK_BYTES);
      const size = readSync(opened, chunk);
      if (size === 0) return;
      terminal.out(chunk.subarray(0, size));
    }
  } finally {
    closeSync(opened);
  }
}
