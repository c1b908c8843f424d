import { appendFileSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { errLine } from './say.ts';
import type { Terminal } from './terminal.ts';

/** A line for whoever reads the log of a task. */
export function noteInLog(file: string, message: string, terminal: Pick<Terminal, 'err'>): void {
  try {
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    appendFileSync(file, `${message}\n`, { mode: 0o600 });
  } catch (error) {
    // That it has ended is more important than what is said of it.
    errLine(terminal, `The message could not be written to ${file}: ${String(error)}`);
  }
}
