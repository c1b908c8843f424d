import type { EditorTask } from './editor-task.ts';
import { fillWithExpressions, quotingOf, shellLine } from './shell-line.ts';
import type { EditorPlatform } from './surroundings.ts';
import { inShell, NOTHING_TO_DO } from './vscode-tasks.ts';

/** What `run:` says: a script, or a program with its arguments. */
export type CommandText = string | readonly string[];

interface Written {
  readonly run: CommandText;
  readonly env: ReadonlyMap<string, string>;
}

/** A command whose variables are looked up when it runs, so that it is the same wherever the folder lies. */
export function commandText(
  task: EditorTask,
  platform: EditorPlatform,
): Written | { readonly why: string } {
  const { fillings, options } = task;
  const all = [...(options.env ?? [])];
  const looksUp = ([, { text }]: (typeof all)[number]): boolean => fillings.isIn(text);
  const env = new Map(
    all.filter((each) => !looksUp(each)).map(([name, { text }]) => [name, text] as const),
  );
  const exported = all.filter(looksUp).map(([name, { text }]) => ({ name, text }));
  const words = [
    task.command,
    ...task.args,
    options.shell?.executable,
    ...(options.shell?.args ?? []),
  ];
  const isAny = exported.length > 0 || words.some((word) => word && fillings.isIn(word.text));
  if (isAny && platform === 'windows')
    return { why: 'Its variables are looked up by a POSIX shell, which Windows does not have.' };
  const run = runText(task, exported, platform);
  return run === undefined
    ? { why: 'Its variables stand where no shell looks them up.' }
    : { run, env };
}

function runText(
  task: EditorTask,
  exported: readonly Assignment[],
  platform: EditorPlatform,
): CommandText | undefined {
  const { command, args, kind, fillings, options } = task;
  if (command === undefined) return scriptOf(NOTHING_TO_DO);
  if (kind === 'process') {
    const words = [command, ...args].map(({ text }) => text);
    if (exported.length === 0 && !words.some((word) => fillings.isIn(word))) return words;
    return filled(withExports(words.map(quoted).join(' '), exported), task);
  }
  const { shell } = options;
  const ofShell = [shell?.executable, ...(shell?.args ?? [])];
  if (ofShell.some((word) => word !== undefined && fillings.isIn(word.text))) return undefined;
  const rules = shell?.quoting ?? quotingOf(shell?.executable?.text, platform);
  const line = filled(withExports(shellLine({ command, args }, rules, fillings), exported), task);
  if (line === undefined) return undefined;
  const inside = inShell(line, {
    executable: shell?.executable?.text,
    args: shell?.args?.map(({ text }) => text),
  });
  return inside.kind === 'program' ? [inside.file, ...inside.args] : inside.script;
}

function scriptOf(command: typeof NOTHING_TO_DO): CommandText {
  return command.kind === 'shell' ? command.script : [command.file, ...command.args];
}

interface Assignment {
  readonly name: string;
  readonly text: string;
}

/** `env` of a plan is taken as it is written, so what has to be looked up goes into the script. */
function withExports(line: string, exported: readonly Assignment[]): string {
  return [...exported.map(({ name, text }) => `export ${name}=${quoted(text)}`), line].join('\n');
}

function filled(line: string, { fillings }: EditorTask): string | undefined {
  const { line: text, refused } = fillWithExpressions(line, fillings);
  return refused.length > 0 ? undefined : text;
}

/** One word of a POSIX shell. */
function quoted(text: string): string {
  if (/^[\w@%+=:,./\uE000-\uF8FF-]+$/.test(text)) return text;
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
