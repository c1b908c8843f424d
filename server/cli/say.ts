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

export function sayJson(terminal: Pick<Terminal, 'out'>, document: unknown): void {
  terminal.out(`${JSON.stringify(document)}\n`);
}

/** Says it to people and, where that was asked for, to programs. */
export function sayRefused(
  { isJson }: Pick<Arguments, 'isJson'>,
  terminal: Pick<Terminal, 'out' | 'err'>,
  { why, message, code, problems }: Refused,
): ExitCode {
  if (isJson) sayJson(terminal, { refused: { why, message, problems } });
  terminal.err(`${message}\n`);
  return code;
}
