import { parseArgs } from 'node:util';
import { didYouMean } from '../plans/closest.ts';
import { RequestFailure } from '../coordinator/client-wire.ts';
import { EndpointError } from '../coordinator/endpoint.ts';
import { StoreError } from '../engine/store-error.ts';
import { BoardClosed } from '../keeper/keeper.ts';
import { LinkLost } from '../keeper/links.ts';
import { type CommandDefinition, COMMANDS } from './commands.ts';
import { EXIT, type ExitCode } from './exit-code.ts';
import { NobodyAnswers } from './patience.ts';
import { sayJson, sayRefused } from './say.ts';
import type { Arguments, Terminal } from './terminal.ts';

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
  if (name === undefined) {
    terminal.err(helpText());
    return EXIT.usage;
  }
  if (name === 'help' || name === '--help' || name === '-h') {
    const command = COMMANDS.get(rest[0] ?? '');
    terminal.out(command === undefined ? helpText() : helpOf(command));
    return EXIT.done;
  }
  if (name === '--version') return sayVersion(terminal);
  const command = COMMANDS.get(name);
  if (command === undefined) return sayUnknown(name, rest, terminal);
  const options = readOptions(command, rest);
  if (typeof options === 'string') return sayUsage(rest.includes('--json'), terminal, options);
  const { values, positionals } = options;
  if (values['version'] === true) return sayVersion(terminal);
  if (values['help'] === true) {
    terminal.out(helpOf(command));
    return EXIT.done;
  }
  const problem = findWordProblem(command, positionals);
  const isJson = values['json'] === true;
  if (problem !== undefined) return sayUsage(isJson, terminal, problem);
  const wanted = values['board'] ?? boardOfTask(command, positionals, terminal) ?? terminal.cwd;
  const folder = terminal.world(name).realFolder(String(wanted));
  if (folder === undefined)
    return sayUsage(isJson, terminal, `There is no folder "${String(wanted)}".`);
  return await perform(command, { words: positionals, options: values, folder, isJson }, terminal);
}

/** What is said inside a task of that task is about its board, wherever it is said. */
function boardOfTask(
  { isInsideTask = false }: CommandDefinition,
  [task]: readonly string[],
  { env }: Terminal,
): string | undefined {
  const isMeant = isInsideTask && (task === undefined || task === env['INTERLOCK_TASK']);
  return isMeant ? env['INTERLOCK_BOARD'] : undefined;
}

async function perform(
  command: CommandDefinition,
  args: Arguments,
  terminal: Terminal,
): Promise<ExitCode> {
  const said = new Set<string>();
  const err = (text: string): void => {
    said.add(text);
    terminal.err(text);
  };
  try {
    return await command.perform(args, { ...terminal, err });
  } catch (error) {
    if (!WORLD_ERRORS.some((kind) => error instanceof kind)) throw error;
    const message = error instanceof Error ? error.message : '';
    if (args.isJson) sayJson(terminal, { refused: { why: 'unavailable', message } });
    // The board may have told of it already.
    if (!said.has(`${message}\n`)) terminal.err(`${message}\n`);
    return EXIT.unavailable;
  }
}

/** What the world does to us, however well the program is; their messages are for the user. */
const WORLD_ERRORS = [
  StoreError,
  LinkLost,
  BoardClosed,
  RequestFailure,
  EndpointError,
  NobodyAnswers,
];

/** A sentence where they are wrong. */
function readOptions(
  command: CommandDefinition,
  words: readonly string[],
): { readonly values: Arguments['options']; readonly positionals: readonly string[] } | string {
  try {
    const options = { ...command.options, ...COMMON };
    const { values, positionals } = parseArgs({
      args: [...words],
      options,
      allowPositionals: true,
    });
    return { values, positionals };
  } catch (error) {
    const firstSentence = String(error instanceof Error ? error.message : error).split('. ')[0];
    return `${firstSentence}. Usage: interlock ${command.usage}`;
  }
}

function findWordProblem(
  { usage, wordLimit = Infinity, wordMinimum = 0 }: CommandDefinition,
  words: readonly string[],
): string | undefined {
  if (words.length < wordMinimum) return `Name one task: interlock ${usage}`;
  if (words.length <= wordLimit) return undefined;
  return `"${words[wordLimit]}" is one word too many. Usage: interlock ${usage}`;
}

function sayVersion(terminal: Terminal): ExitCode {
  terminal.out(`${__INTERLOCK_VERSION__}\n`);
  return EXIT.done;
}

function sayUnknown(name: string, rest: readonly string[], terminal: Terminal): ExitCode {
  const advice = didYouMean(name, COMMANDS.keys());
  const message = `There is no command "${name}".${advice} "interlock --help" lists them.`;
  return sayUsage(rest.includes('--json'), terminal, message);
}

function sayUsage(isJson: boolean, terminal: Terminal, message: string): ExitCode {
  return sayRefused({ isJson }, terminal, {
    kind: 'refused',
    why: 'usage',
    message,
    code: EXIT.usage,
  });
}

function helpOf({ usage, does }: CommandDefinition): string {
  return `interlock ${usage} [--board DIR] [--json]\n  ${does}\n`;
}

function helpText(): string {
  const rows = [...COMMANDS.values()].map(({ usage, does }) => `  ${usage}\n      ${does}\n`);
  return (
    `interlock COMMAND [--board DIR] [--json] [--help]\n\n${rows.join('')}\n` +
    'Where several plans have a task, PLAN:TASK names it as well as --plan does.\n' +
    'Exit codes: 0 done, 1 a task failed or problems were found, 2 wrong usage or plan,\n' +
    '3 nothing can proceed, 4 refused, 5 coordinator or store unavailable, 130 interrupted.\n'
  );
}
