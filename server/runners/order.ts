import type { Command } from '../domain/task.ts';
import type { Launch } from '../engine/ports.ts';
import { taskEnvironment } from './environment.ts';
import { isPlainCommand, isPlainVariable, quote } from './shell-words.ts';

/** What a slot is told of a command, beside what it is. */
export interface OrderPlace {
  readonly fenceFile: string;
  /** The first line of the fence. */
  readonly fenceText: string;
  readonly cwd: string;
  readonly logFile: string;
}

export type OrderResult =
  | { readonly kind: 'order'; readonly text: string }
  /** What is wrong with it, as the system calls it. */
  | { readonly kind: 'refused'; readonly code: 'E2BIG' | 'NUL' };

/**
 * What a slot reads once, before its first order. The signal that ends a command goes to its whole
 * group and must not end the slot: a trap that does something is not inherited, an ignored signal is.
 */
export const SLOT_BEGINNING =
  'set -C; trap : TERM; m=$(umask); umask 077; unset INTERLOCK_SLOT OLDPWD\n';

/**
 * One order: a single compound command, so that half of one is never carried out.
 *
 * The fence is made by whoever comes first and never twice. Its block on the disk is there before the
 * command begins, so the line with the end fits when the disk is full by then. `begun` is said by the
 * process of the command, which by then ends when it is asked to. At last the slot asks what the
 * command has left behind in its group to end; what left the group on purpose stays.
 *
 * Instead of a status: `fenced`, the fence was there already or could not be written; `log`, the log
 * could not be opened. Nothing was run then. A slot that could not write what it had to goes, so that
 * nobody takes what it does next for this command.
 */
export function orderFor(launch: Launch, command: Command, place: OrderPlace): OrderResult {
  const { term } = launch;
  const environment = Object.entries(taskEnvironment(launch));
  if (isTooLong(command, environment)) return { kind: 'refused', code: 'E2BIG' };
  const log = quote(place.logFile);
  const fence = quote(place.fenceFile);
  const line = commandLine(command, environment);
  const text = `s=fenced r=exit; { printf '%s\\n' ${quote(place.fenceText)} >&9 && { s=log; {
(echo begun >&9; exec 9>&-; umask "$m" && cd -- ${quote(place.cwd)} && unset OLDPWD && ${line}) 2>&1
s=$?; } </dev/null >>${log}; echo "ended $s" >&9 && r=; }; } 9>${fence}
kill -TERM 0; echo "${term} $s $r"; $r
`;
  return text.includes('\0') ? { kind: 'refused', code: 'NUL' } : { kind: 'order', text };
}

type Variables = readonly (readonly [name: string, value: string])[];

/** The shell that reads it becomes the command where it can: one process less to start. */
function commandLine(command: Command, environment: Variables): string {
  const assign = ([name, value]: Variables[number]): string => `${name}=${quote(value)}`;
  const plain = environment.filter(([name]) => isPlainVariable(name)).map(assign);
  const other = environment.filter(([name]) => !isPlainVariable(name));
  const exported = `export ${plain.join(' ')} && `;
  if (other.length === 0 && command.kind === 'shell' && isPlainCommand(command.script))
    return `${exported}\n${command.script}`;
  const words = commandWords(command).map(quote);
  // The only way to name a variable that the shell does not know as one, or knows too well.
  const odd = other.map(([name, value]) => quote(`${name}=${value}`));
  const isOption = words[0]?.startsWith("'-") === true;
  const prefix = odd.length > 0 || isOption ? `env -- ${odd.join(' ')} ` : '';
  return `${exported}exec ${prefix}${words.join(' ')}`;
}

function commandWords(command: Command): readonly string[] {
  return command.kind === 'program'
    ? [command.file, ...command.args]
    : ['/bin/sh', '-c', '--', command.script, 'sh'];
}

/** Linux takes 128 KiB for one word or variable; the least that others take for all of them is 1 MiB. */
const WORD_LIMIT_BYTES = 128 * 1024 - 1;
const TOTAL_LIMIT_BYTES = 1000 * 1024;
/** What the system needs to find a word, and the end of it. */
const WORD_COST_BYTES = 9;
/** Of one character of JavaScript, in UTF-8. */
const CHARACTER_LIMIT_BYTES = 3;

function isTooLong(command: Command, environment: Variables): boolean {
  const words = [...commandWords(command), ...environment.map(([name, value]) => name + value)];
  const characters = words.reduce((sum, word) => sum + word.length + WORD_COST_BYTES, 0);
  if (characters * CHARACTER_LIMIT_BYTES < WORD_LIMIT_BYTES) return false;
  const sizes = words.map((word) => Buffer.byteLength(word) + WORD_COST_BYTES);
  const total = sizes.reduce((sum, size) => sum + size, 0);
  return total > TOTAL_LIMIT_BYTES || sizes.some((size) => size > WORD_LIMIT_BYTES);
}
