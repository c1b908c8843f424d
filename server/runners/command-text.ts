import type { Command } from '../domain/task.ts';
import { isPlainCommand, isPlainVariable, quote } from '../domain/shell-words.ts';

export type Variables = readonly (readonly [name: string, value: string])[];

/** The words with which a shell becomes a command where it can: one process less to start. */
export function commandText(command: Command, environment: Variables): string {
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

/** What is wrong with it, as the system calls it; nothing where it can be run. */
export function faultOf(command: Command, environment: Variables): 'E2BIG' | 'NUL' | undefined {
  const words = [...commandWords(command), ...environment.map(([name, value]) => name + value)];
  if (words.some((word) => word.includes('\0'))) return 'NUL';
  const characters = words.reduce((sum, word) => sum + word.length + WORD_COST_BYTES, 0);
  if (characters * CHARACTER_LIMIT_BYTES < WORD_LIMIT_BYTES) return undefined;
  const sizes = words.map((word) => Buffer.byteLength(word) + WORD_COST_BYTES);
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const isTooLong = total > TOTAL_LIMIT_BYTES || sizes.some((size) => size > WORD_LIMIT_BYTES);
  return isTooLong ? 'E2BIG' : undefined;
}
