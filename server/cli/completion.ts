import type { CommandDefinition } from './command-definition.ts';
import { SHARED_OPTIONS } from './command-definition.ts';
import { EXIT, type ExitCode } from './exit-code.ts';
import { sayJson, sayRefused } from './say.ts';
import type { Arguments, Terminal } from './terminal.ts';

type Table = ReadonlyMap<string, CommandDefinition>;

/** A script for a shell, made from the table of commands. */
export function completion(table: Table, args: Arguments, terminal: Terminal): ExitCode {
  const [shell = ''] = args.words;
  const script = SCRIPTS.get(shell)?.(table);
  if (script === undefined) {
    const message = `There are scripts for ${[...SCRIPTS.keys()].join(', ')}, not for "${shell}".`;
    return sayRefused(args, terminal, { kind: 'refused', why: 'usage', message, code: EXIT.usage });
  }
  if (args.isJson) sayJson(terminal, { shell, script });
  else terminal.out(script);
  return EXIT.done;
}

const SCRIPTS: ReadonlyMap<string, (table: Table) => string> = new Map([
  ['bash', bashScript],
  ['zsh', (table) => `autoload -U +X bashcompinit && bashcompinit\n${bashScript(table)}`],
  ['fish', fishScript],
]);

/** What is no option is completed as the name of a file, because plans are files. */
function bashScript(table: Table): string {
  const cases = [...table].map(([name, command]) => {
    const options = Object.keys(optionsOf(command)).map((option) => `--${option}`);
    return `    ${name}) words="${options.join(' ')}" ;;\n`;
  });
  return `_interlock() {
  local words=""
  case "\${COMP_WORDS[1]}" in
${cases.join('')}  esac
  if [ "$COMP_CWORD" -eq 1 ]; then words="${[...table.keys(), 'help'].join(' ')}"; fi
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _interlock interlock
`;
}

function fishScript(table: Table): string {
  const lines = [...table].flatMap(([name, command]) => [
    `-n __fish_use_subcommand -f -a ${name} -d ${quoted(command.does)}`,
    ...Object.entries(optionsOf(command)).map(([option, { value, does }]) => {
      const isFollowed = value === undefined ? '' : ' -r';
      return `-n '__fish_seen_subcommand_from ${name}' -l ${option}${isFollowed} -d ${quoted(does)}`;
    }),
  ]);
  return lines.map((line) => `complete -c interlock ${line}\n`).join('');
}

function optionsOf({ options = {} }: CommandDefinition): NonNullable<CommandDefinition['options']> {
  return { ...options, ...SHARED_OPTIONS };
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`\'`)}'`;
}
