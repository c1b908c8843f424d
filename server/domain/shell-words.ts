/** One word of a POSIX shell that stands for exactly this text, which has no NUL. */
export function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/**
 * Whether a shell would only split it into words and run the first of them. Whoever is a shell
 * already may then run it as it is and save starting another.
 */
export function isPlainCommand(script: string): boolean {
  if (!PLAIN.test(script)) return false;
  const [first = ''] = script.split(' ', 1);
  return !first.includes('=') && !SPECIAL.has(first);
}

const PLAIN = /^[\w@%+:,./-][\w@%+=:,./-]*(?: [\w@%+=:,./-]+)*$/;

/** What a shell does not look up as a command, or what changes the shell itself. */
const SPECIAL = new Set(
  [
    'case coproc do done elif else esac fi for function if in namespace select then time until while',
    '. : break continue eval exec exit export readonly return set shift source times trap unset',
    'alias unalias enable builtin',
  ].flatMap((words) => words.split(' ')),
);

/** Whether `export` takes it as a name, and the shell has no idea of its own what it means. */
export function isPlainVariable(name: string): boolean {
  return /^[A-Za-z_]\w*$/.test(name) && !OF_THE_SHELL.test(name);
}

const OF_THE_SHELL =
  /^(?:_|IFS|OPTIND|OPTARG|OPTERR|PPID|U?ID|EUID|GROUPS|LINENO|RANDOM|SECONDS|SHLVL|PWD|OLDPWD|PS\d|MAIL|MAILCHECK|MAILPATH|HISTSIZE|ENV|SHELLOPTS|DIRSTACK|FUNCNAME|HISTCMD|HOSTTYPE|MACHTYPE|OSTYPE|POSIXLY_CORRECT|FUNCNEST|BASH.*)$/;
