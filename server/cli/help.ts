import {
  type CommandDefinition,
  type OptionDefinition,
  SHARED_OPTIONS,
} from './command-definition.ts';
import { COMMANDS } from './commands.ts';
import { EXIT } from './exit-code.ts';

export function helpText(): string {
  const rows = [...COMMANDS.values()].map(({ usage, does }) => `  ${usage}\n      ${does}\n`);
  return (
    `interlock COMMAND [--board DIR] [--json] [--help] [--version]\n\n${rows.join('')}\n` +
    '"interlock help COMMAND" explains options and exit codes, "interlock help words" the words.\n' +
    'Where several plans have a task, PLAN:TASK names it as well as --plan does.\n' +
    'Exit codes: 0 done, 1 a task failed or problems were found, 2 wrong usage or plan,\n' +
    '3 nothing can proceed, 4 refused, 5 coordinator or store unavailable, 130 interrupted.\n'
  );
}

export function helpOf({
  usage,
  does,
  options = {},
  examples,
  exits = {},
}: CommandDefinition): string {
  const rows = Object.entries({ ...options, ...SHARED_OPTIONS }).map(optionRow);
  const width = Math.max(...rows.map(([name]) => name.length));
  const meanings = Object.entries({ ...SHARED_EXITS, ...exits });
  return [
    `interlock ${usage}`,
    `  ${does}`,
    '',
    ...rows.map(([name, meaning]) => `  ${name.padEnd(width)}  ${meaning}`),
    '',
    ...examples.map((line) => `Example: interlock ${line}`),
    `Exit codes: ${meanings.map(([code, meaning]) => `${code} ${meaning}`).join('; ')}`,
    '',
  ].join('\n');
}

const SHARED_EXITS = {
  [EXIT.done]: 'done',
  [EXIT.usage]: 'wrong usage',
  [EXIT.unavailable]: 'the store does not work here, or nobody answers',
};

function optionRow([name, { short, value, does }]: [string, OptionDefinition]): [string, string] {
  const letter = short === undefined ? '    ' : `-${short}, `;
  return [`${letter}--${name}${value === undefined ? '' : ` ${value}`}`, does];
}

/** What the other texts take for known. */
export const WORDS = `plan      interlock.yaml or *.interlock.yaml: which tasks there are
task      something to be done, by a command, an agent or a person
run       tasks that somebody asked for together; it ends when all of them have ended
board     all unfinished runs of a repository, with all its working trees
claim     somebody has a task and works on it; nobody else may
term      the number of a claim. Each claim gets a higher one: who comes with an old term
          has lost the task, and what it says is refused
lease     how long a claim lives unless it is renewed. When it is over, somebody else may
          have the task. Commands that Interlock starts are renewed by themselves
hazard    two tasks without an order between them use the same files, and at least one writes
deciding  one process decides for a repository: an editor window, "interlock run" or
          "interlock serve". The others ask it, and another takes over when it goes
attention a task that needs a person: "interlock why TASK" says what for
`;
