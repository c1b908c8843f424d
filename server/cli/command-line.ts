import { parseArgs, type ParseArgsConfig } from 'node:util';
import { sentenceOf } from '../board/board.ts';
import { StoreError } from '../engine/store-error.ts';
import { check } from './check.ts';
import { EXIT, type ExitCode } from './exit-code.ts';
import { log } from './log.ts';
import { run } from './run.ts';
import { status } from './status.ts';
import type { Arguments, Terminal } from './terminal.ts';
import { where } from './where.ts';

interface CommandDefinition {
  readonly usage: string;
  readonly does: string;
  readonly options?: NonNullable<ParseArgsConfig['options']>;
  /** How many words it takes beside its options; absent: any number. */
  readonly wordLimit?: number;
  readonly perform: (args: Arguments, terminal: Terminal) => Promise<ExitCode> | ExitCode;
}

const COMMANDS: ReadonlyMap<string, CommandDefinition> = new Map<string, CommandDefinition>([
  [
    'check',
    {
      usage: 'check [FILE…]',
      does: 'Shows the problems of plans as file:line:col severity code message.',
      perform: check,
    },
  ],
  [
    'run',
    {
      usage: 'run [TASK…] [--plan FILE] [--parallel N] [--keep-going | --fail-fast] [--new]',
      does: 'Runs tasks and what they need, or all of them. Ctrl-C stops cleanly.',
      options: {
        plan: { type: 'string' },
        parallel: { type: 'string' },
        'fail-fast': { type: 'boolean' },
        'keep-going': { type: 'boolean' },
        new: { type: 'boolean' },
      },
      perform: run,
    },
  ],
  [
    'status',
    { wordLimit: 0, usage: 'status', does: 'Shows every task and its state.', perform: status },
  ],
  [
    'log',
    {
      usage: 'log TASK [--plan FILE]',
      wordLimit: 1,
      does: 'Prints what the newest attempt at a task has written.',
      options: { plan: { type: 'string' } },
      perform: log,
    },
  ],
  [
    'where',
    {
      usage: 'where',
      wordLimit: 0,
      does: 'Prints where the state of this repository is kept.',
      perform: where,
    },
  ],
]);

const COMMON = {
  board: { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean' },
} as const;

/** Arguments to exit code. Every way to go wrong ends in a sentence on the error output. */
export async function runCommandLine(
  argv: readonly string[],
  terminal: Terminal,
): Promise<ExitCode> {
  const [name, ...rest] = argv;
  if (name === undefined || name === 'help' || name === '--help' || name === '-h') {
    if (name !== undefined) terminal.out(helpText());
    else terminal.err(helpText());
    return name === undefined ? EXIT.usage : EXIT.done;
  }
  if (name === '--version') {
    terminal.out(`${__INTERLOCK_VERSION__}\n`);
    return EXIT.done;
  }
  const command = COMMANDS.get(name);
  if (command === undefined) {
    terminal.err(`There is no command "${name}". "interlock --help" lists them.\n`);
    return EXIT.usage;
  }
  const args = readArguments(command, rest, terminal);
  if (args === undefined) return EXIT.usage;
  if (args.options.version === true) {
    terminal.out(`${__INTERLOCK_VERSION__}\n`);
    return EXIT.done;
  }
  if (args.words.length > (command.wordLimit ?? Infinity)) {
    const surplus = args.words[command.wordLimit ?? 0];
    terminal.err(`"${surplus}" is one word too many. Usage: interlock ${command.usage}\n`);
    return EXIT.usage;
  }
  if (args.options.help === true) {
    terminal.out(`interlock ${command.usage}\n  ${command.does}\n`);
    return EXIT.done;
  }
  try {
    return await command.perform(args, terminal);
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    terminal.err(`${sentenceOf(error)}\n`);
    return EXIT.unavailable;
  }
}

function readArguments(
  command: CommandDefinition,
  words: readonly string[],
  terminal: Terminal,
): Arguments | undefined {
  try {
    const options = { ...COMMON, ...command.options };
    const { values, positionals } = parseArgs({
      args: [...words],
      options,
      allowPositionals: true,
    });
    const folder = terminal.world('').realFolder(values.board ?? terminal.cwd);
    if (folder !== undefined)
      return { words: positionals, options: values, folder, isJson: values.json === true };
    terminal.err(`There is no folder "${values.board}".\n`);
  } catch (error) {
    const firstSentence = String(error instanceof Error ? error.message : error).split('. ')[0];
    terminal.err(`${firstSentence}. Usage: interlock ${command.usage}\n`);
  }
  return undefined;
}

function helpText(): string {
  const rows = [...COMMANDS.values()].map(({ usage, does }) => `  ${usage}\n      ${does}\n`);
  return (
    `interlock COMMAND [--board DIR] [--json]\n\n${rows.join('')}\n` +
    'Exit codes: 0 done, 1 a task failed or problems were found, 2 wrong usage or plan,\n' +
    '4 refused, 5 store unavailable, 130 interrupted.\n'
  );
}
