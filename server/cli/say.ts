import { displayLine } from '../domain/display-text.ts';
import type { ExitCode } from './exit-code.ts';
import type { Arguments, Terminal } from './terminal.ts';

/** Why a command did not do what was asked. The message is a sentence for the user. */
export interface Refused {
  readonly kind: 'refused';
  readonly why: string;
  readonly message: string;
  readonly code: ExitCode;
  /** Mistakes in plans that are in the way, for programs. */
  readonly problems?: readonly object[];
}

/**
 * What people read is printed by these two, line by line: a name in it cannot break the line or reach
 * the terminal as an escape sequence. Lines with colors of ours escape their parts themselves.
 */
export function outLine(terminal: Pick<Terminal, 'out'>, line: string): void {
  terminal.out(`${displayLine(line)}\n`);
}

export function errLine(terminal: Pick<Terminal, 'err'>, line: string): void {
  terminal.err(`${displayLine(line)}\n`);
}

export function sayJson(terminal: Pick<Terminal, 'out'>, document: unknown): void {
  terminal.out(jsonLine(document));
}

/** JSON itself escapes only the control characters of ASCII, without DEL. */
export function jsonLine(document: unknown): string {
  const text = JSON.stringify(document).replaceAll(/[\u007F-\u009F\p{Cf}\p{Zl}\p{Zp}]/gu, (part) =>
    // Half of a pair at a time, as JSON counts.
    Array.from({ length: part.length }, (_, at) => part.charCodeAt(at))
      .map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`)
      .join(''),
  );
  return `${text}\n`;
}

/** Says it to people and, where that was asked for, to programs. */
export function sayRefused(
  { isJson }: Pick<Arguments, 'isJson'>,
  terminal: Pick<Terminal, 'out' | 'err'>,
  { why, message, code, problems }: Refused,
): ExitCode {
  if (isJson) sayJson(terminal, { refused: { why, message, problems } });
  errLine(terminal, message);
  return code;
}
