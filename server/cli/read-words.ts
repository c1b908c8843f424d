import { parseArgs } from 'node:util';
import { didYouMean } from '../plans/closest.ts';
import type { OptionDefinition } from './command-definition.ts';
import type { Arguments } from './terminal.ts';

type OptionTable = Readonly<Record<string, OptionDefinition>>;

interface ReadWords {
  readonly kind: 'read';
  readonly values: Arguments['options'];
  readonly words: readonly string[];
}

interface WrongWords {
  readonly kind: 'wrong';
  readonly message: string;
}

/** What stands behind `interlock`: options may stand before the name of the command, too. */
export function splitCommand(argv: readonly string[]): {
  readonly name: string | undefined;
  readonly rest: readonly string[];
} {
  let at = 0;
  while (argv[at]?.startsWith('-') === true) at += argv[at] === '--board' ? 2 : 1;
  return { name: argv[at], rest: [...argv.slice(0, at), ...argv.slice(at + 1)] };
}

/** Words and options apart; a sentence where there is a mistake. */
export function readWords(argv: readonly string[], options: OptionTable): ReadWords | WrongWords {
  const args = [...argv];
  const { tokens } = parseArgs({
    args,
    options,
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  const values: Record<string, string | boolean> = {};
  const words: string[] = [];
  for (const token of tokens) {
    if (token.kind === 'positional') words.push(token.value);
    if (token.kind !== 'option') continue;
    const { rawName, value, inlineValue = false } = token;
    const name = rawName === '-V' ? 'version' : token.name;
    const option = Object.hasOwn(options, name) ? options[name] : undefined;
    const mistake =
      option === undefined
        ? unknownOption(rawName, options)
        : valueMistake({ rawName, value, inlineValue }, option.type === 'string');
    if (mistake !== undefined) return { kind: 'wrong', message: mistake };
    values[name] = value ?? true;
  }
  return { kind: 'read', values, words };
}

function unknownOption(rawName: string, options: OptionTable): string {
  const names = Object.keys(options).map((name) => `--${name}`);
  return `There is no option "${rawName}".${didYouMean(rawName, names)}`;
}

interface Given {
  readonly rawName: string;
  readonly value: string | undefined;
  readonly inlineValue: boolean;
}

function valueMistake(
  { rawName, value, inlineValue }: Given,
  isWanted: boolean,
): string | undefined {
  if (!isWanted) return value === undefined ? undefined : `${rawName} takes no value.`;
  // The next option is hardly what was meant.
  const isMissing = value === undefined || (!inlineValue && /^--?[a-z]/i.test(value));
  return isMissing ? `${rawName} needs a value behind it.` : undefined;
}
