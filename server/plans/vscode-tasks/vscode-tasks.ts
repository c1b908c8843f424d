import type { TaskId } from '../../domain/ids.ts';
import type { Command } from '../../domain/task.ts';
import { didYouMean } from '../closest.ts';
import type { Mention, ParsedPlan, PlanTask, TextRange } from '../plan.ts';
import { ProblemList } from '../yaml-document.ts';
import type { EditorTask } from './editor-task.ts';
import { readEditorTasks } from './editor-tasks.ts';
import { type Sequence, pairsInOrder } from './in-order.ts';
import { pathInFolder } from './path-in-folder.ts';
import { fillWithValues, quotingOf, shellLine } from './shell-line.ts';
import type { Surroundings } from './surroundings.ts';
import { idsOfLabels } from './task-ids.ts';

/** A hint compares a word with every label, so only the first few unknown ones of a plan get one. */
const HINT_LIMIT = 20;
const TEXT_LIMIT_BYTES = 256 * 1024;

/**
 * A `.vscode/tasks.json` as a plan that is read and never written. Never throws: what cannot be read is a
 * problem, and the rest is read all the same.
 *
 * What only an editor can do is no mistake, and keeps its task from starting here.
 */
export function parseVsCodeTasks(source: string, surroundings: Surroundings): ParsedPlan {
  const problems = new ProblemList();
  const { tasks: found, ofAll } = readEditorTasks(source, surroundings, problems);
  const reader = new PlanTaskReader(found, { surroundings, problems, ofAll });
  const own = found.filter(isOurs);
  const tasks = own.map((task) => reader.read(task));
  const orders = pairsInOrder(tasks, reader.sequences, problems);
  const byDefault = own.filter(({ isDefaultBuild }) => isDefaultBuild);
  return {
    name: 'tasks.json',
    parallel: undefined,
    limits: {},
    hazards: {},
    tasks: tasks.map((task) => {
      const inOrder = orders.get(task.id);
      const range = inside(task.range, source);
      return { ...task, range, ...(inOrder !== undefined && { inOrder }) };
    }),
    problems: problems.all.map((problem) => ({ ...problem, range: inside(problem.range, source) })),
    byDefault: byDefault.flatMap(({ label }) => reader.idOf(label) ?? []),
  };
}

/** Behind a comment without an end the parser goes past the text. */
function inside({ start, end }: TextRange, { length }: string): TextRange {
  return { start: Math.min(start, length), end: Math.min(end, length) };
}

/** Whether it can be run without an editor, as far as its kind goes. */
function isOurs({ contributed, isBackground }: EditorTask): boolean {
  return contributed === undefined && !isBackground;
}

interface Setting {
  readonly surroundings: Surroundings;
  readonly problems: ProblemList;
  readonly ofAll: readonly TextRange[];
}

class PlanTaskReader {
  /** Of the tasks that were read. */
  readonly sequences: Sequence[] = [];
  readonly #byLabel: ReadonlyMap<string, EditorTask>;
  readonly #ids: ReadonlyMap<string, TaskId>;
  readonly #setting: Setting;
  #hints = 0;

  constructor(all: readonly EditorTask[], setting: Setting) {
    this.#byLabel = new Map(all.map((task) => [task.label, task]));
    this.#ids = idsOfLabels(this.#byLabel.keys());
    this.#setting = setting;
  }

  idOf(label: string): TaskId | undefined {
    return this.#ids.get(label);
  }

  read(task: EditorTask): PlanTask {
    const { label, labelRange: idRange, range, options, fillings, sequence } = task;
    const id = this.#ids.get(label)!;
    const env = [...(options.env ?? [])].map(
      ([name, { text }]) => [name, fillings.plain(text)] as const,
    );
    const { problems, surroundings, ofAll: inherited } = this.#setting;
    const dependsOnMentions = task.dependsOn.flatMap((mention) => this.#mention(mention) ?? []);
    if (sequence !== undefined) this.sequences.push({ task: id, range: sequence });
    const command = commandOf(task, this.#setting);
    checkSize(task, command, problems);
    return {
      id,
      label,
      idRange,
      range,
      title: label === id ? '' : label,
      command,
      cwd: folderOf(task, surroundings, problems),
      env: Object.fromEntries(env),
      dependsOn: dependsOnMentions.map(({ text }) => this.#ids.get(text)!),
      dependsOnMentions: dependsOnMentions.map(({ text, range: place }) => ({
        text: this.#ids.get(text)!,
        range: place,
      })),
      after: [],
      afterMentions: [],
      reads: [],
      readMentions: [],
      writes: [],
      writeMentions: [],
      asks: {},
      inherited,
    };
  }

  /** Nothing of what cannot be waited for here; then the task that wants to cannot start. */
  #mention({ text, range }: Mention): Mention | undefined {
    const { problems } = this.#setting;
    const found = this.#byLabel.get(text);
    if (found !== undefined && isOurs(found)) return { text, range };
    if (found !== undefined || EXTENSION_LABEL.test(text)) {
      const message = `Only the editor can run "${text}", so only the editor can run what depends on it.`;
      problems.add({ code: 'editor-only', severity: 'hint', message, range, related: [] });
      return undefined;
    }
    const hint = this.#hints < HINT_LIMIT ? didYouMean(text, this.#byLabel.keys()) : '';
    this.#hints += 1;
    problems.error('unknown-task', range, `No task of this file has the label "${text}".${hint}`);
    return undefined;
  }
}

/** How extensions name the tasks that they find by themselves: "npm: build". */
const EXTENSION_LABEL = /^[a-z][\w-]*: ./i;

function commandOf(task: EditorTask, { surroundings, problems }: Setting): Command {
  const { kind, command, args, options, fillings } = task;
  if (command === undefined) return NOTHING_TO_DO;
  if (kind === 'process') {
    const file = fillings.plain(command.text);
    if (file === '') problems.error('wrong-type', task.range, '"command" names no program.');
    return { kind: 'program', file, args: args.map(({ text }) => fillings.plain(text)) };
  }
  const { platform } = surroundings;
  const { shell } = options;
  const executable = shell?.executable && fillings.plain(shell.executable.text);
  const rules = shell?.quoting ?? quotingOf(executable, platform);
  const { line, refused } = fillWithValues(
    shellLine({ command, args }, rules, fillings),
    fillings,
    platform,
  );
  for (const { name, range } of refused) problems.error('invalid-path', range, unsafe(name));
  if (line.trim() === '') problems.error('wrong-type', task.range, '"command" has no command.');
  const words = shell?.args?.map(({ text }) => fillings.plain(text));
  return inShell(line, { executable, args: words });
}

function unsafe(name: string): string {
  return `What "${name}" stands for here has characters that a shell would not take as they are. Put it into quotes if they are spaces, or use the type "process".`;
}

/** As an editor starts it: where the task names a shell, that is trusted to know its own arguments. */
export function inShell(
  line: string,
  shell: { readonly executable: string | undefined; readonly args: readonly string[] | undefined },
): Command {
  const { executable, args = [] } = shell;
  if (executable !== undefined) return { kind: 'program', file: executable, args: [...args, line] };
  if (shell.args === undefined) return { kind: 'shell', script: line };
  const all = args.includes('-c') ? args : [...args, '-c'];
  return { kind: 'program', file: 'sh', args: [...all, line] };
}

/** A task that only has others run does nothing itself; every shell knows how. */
export const NOTHING_TO_DO: Command = { kind: 'shell', script: 'exit 0' };

function checkSize({ range }: EditorTask, command: Command, problems: ProblemList): void {
  const text = command.kind === 'shell' ? command.script : command.args.join(' ');
  if (Buffer.byteLength(text) > TEXT_LIMIT_BYTES)
    problems.error('too-large', range, 'A command has at most 256 KiB.');
}

/** In the workspace folder, where an editor runs what does not say. */
function folderOf(
  { command, options: { cwd }, fillings }: EditorTask,
  surroundings: Surroundings,
  problems: ProblemList,
): string {
  if (cwd === undefined || command === undefined) return '';
  const found = pathInFolder(fillings.plain(cwd.text), surroundings);
  if (found.kind === 'inside') return found.path;
  problems.error('invalid-path', cwd.range, found.message);
  return '';
}
