import { displayLine } from '../domain/display-text.ts';
import { didYouMean } from '../plans/closest.ts';
import { RequestFailure } from '../coordinator/client-wire.ts';
import { EndpointError } from '../coordinator/endpoint.ts';
import { StoreError } from '../engine/store-error.ts';
import { systemFailure } from '../engine/system-failure.ts';
import { BoardClosed } from '../keeper/keeper.ts';
import { LinkLost } from '../keeper/links.ts';
import { type CommandDefinition, SHARED_OPTIONS } from './command-definition.ts';
import { COMMANDS } from './commands.ts';
import { EXIT, type ExitCode } from './exit-code.ts';
import { findFolder } from './find-folder.ts';
import { helpOf, helpText, WORDS } from './help.ts';
import { NobodyAnswers } from './patience.ts';
import { readWords, splitCommand } from './read-words.ts';
import { errLine, sayJson, sayRefused } from './say.ts';
import type { Arguments, Terminal } from './terminal.ts';

/** Arguments to exit code. Every way to go wrong ends in a sentence on the error output. */
export async function runCommandLine(
  argv: readonly string[],
  terminal: Terminal,
  commands: ReadonlyMap<string, CommandDefinition> = COMMANDS,
): Promise<ExitCode> {
  const { name, rest } = splitCommand(argv);
  const isJson = rest.includes('--json');
  if (name === undefined || name === 'help') return tellAbout(name, rest, terminal);
  const command = commands.get(name);
  if (command === undefined) return sayUnknown(name, isJson, terminal);
  const read = readWords(rest, { ...command.options, ...SHARED_OPTIONS });
  if (read.kind === 'wrong')
    return sayUsage(isJson, terminal, `${read.message} Usage: interlock ${command.usage}`);
  const { values, words } = read;
  if (values['version'] === true) return sayVersion(isJson, terminal);
  if (values['help'] === true) return sayHelp(isJson, terminal, helpOf(command));
  const problem = findWordProblem(command, words);
  if (problem !== undefined) return sayUsage(isJson, terminal, problem);
  const named = values['board'] ?? boardOfTask(command, words, terminal);
  const wanted = String(named ?? terminal.cwd);
  const world = terminal.world(name);
  const start = world.realFolder(wanted);
  if (start === undefined) return sayUsage(isJson, terminal, `There is no folder "${wanted}".`);
  const isSearched = named === undefined && command.isHere !== true;
  const folder = isSearched
    ? findFolder(start, world.foldersUpFrom(start), () => world.files.list(start).length > 0)
    : start;
  if (folder !== start && !isJson) errLine(terminal, `In ${folder}, where the plan is:`);
  return await perform(command, { words, options: values, folder, isJson }, terminal);
}

/** Nothing is to be done but to tell what there is. */
function tellAbout(
  name: 'help' | undefined,
  rest: readonly string[],
  terminal: Terminal,
): ExitCode {
  const isJson = rest.includes('--json');
  const read = readWords(rest, SHARED_OPTIONS);
  if (read.kind === 'wrong')
    return sayUsage(isJson, terminal, `${read.message} ${LIST_OF_COMMANDS}`);
  const { values, words } = read;
  if (values['version'] === true) return sayVersion(isJson, terminal);
  if (name === 'help' || values['help'] === true) {
    const [word] = words;
    if (word === 'words') return sayHelp(isJson, terminal, WORDS);
    const command = COMMANDS.get(word ?? '');
    if (word !== undefined && command === undefined) return sayUnknown(word, isJson, terminal);
    return sayHelp(isJson, terminal, command === undefined ? helpText() : helpOf(command));
  }
  if (rest.length > 0) return sayUsage(isJson, terminal, `Name a command. ${LIST_OF_COMMANDS}`);
  terminal.err(helpText());
  return EXIT.usage;
}

const LIST_OF_COMMANDS = '"interlock --help" lists them.';

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
    const message = worldMessage(error);
    if (message === undefined) throw error;
    if (args.isJson) sayJson(terminal, { refused: { why: 'unavailable', message } });
    // The board may have told of it already.
    if (!said.has(`${displayLine(message)}\n`)) errLine(terminal, message);
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

/** Undefined for mistakes of ours. */
export function worldMessage(error: unknown): string | undefined {
  const isKnown = error instanceof Error && WORLD_ERRORS.some((kind) => error instanceof kind);
  return isKnown ? error.message : systemFailure(error);
}

function findWordProblem(
  { usage, wordLimit = Infinity, wordMinimum = 0 }: CommandDefinition,
  words: readonly string[],
): string | undefined {
  if (words.length < wordMinimum) {
    const what = usage.includes('TASK') ? 'Name one task' : 'Something is missing';
    return `${what}: interlock ${usage}`;
  }
  if (words.length <= wordLimit) return undefined;
  return `"${words[wordLimit]}" is one word too many. Usage: interlock ${usage}`;
}

function sayVersion(isJson: boolean, terminal: Terminal): ExitCode {
  if (isJson) sayJson(terminal, { version: __INTERLOCK_VERSION__ });
  else terminal.out(`${__INTERLOCK_VERSION__}\n`);
  return EXIT.done;
}

function sayHelp(isJson: boolean, terminal: Terminal, help: string): ExitCode {
  if (isJson) sayJson(terminal, { help });
  else terminal.out(help);
  return EXIT.done;
}

function sayUnknown(name: string, isJson: boolean, terminal: Terminal): ExitCode {
  const advice = didYouMean(name, COMMANDS.keys());
  const message = `There is no command "${name}".${advice} ${LIST_OF_COMMANDS}`;
  return sayUsage(isJson, terminal, message);
}

function sayUsage(isJson: boolean, terminal: Terminal, message: string): ExitCode {
  return sayRefused({ isJson }, terminal, {
    kind: 'refused',
    why: 'usage',
    message,
    code: EXIT.usage,
  });
}
