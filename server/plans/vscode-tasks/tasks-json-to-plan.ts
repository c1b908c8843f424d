import { Document, Scalar, YAMLMap, YAMLSeq } from 'yaml';
import { displayText, inShort } from '../../domain/display-text.ts';
import type { TaskId } from '../../domain/ids.ts';
import type { Problem } from '../plan.ts';
import { ProblemList } from '../yaml-document.ts';
import { commandText, type CommandText } from './command-text.ts';
import type { Contributed, EditorTask } from './editor-task.ts';
import { type EditorTasks, readEditorTasks } from './editor-tasks.ts';
import { pairsInOrder } from './in-order.ts';
import { pathInFolder } from './path-in-folder.ts';
import type { EditorPlatform, Surroundings } from './surroundings.ts';
import { idsOfLabels } from './task-ids.ts';

/** Only to recognise what lies in the folder: values are looked up when a task runs. */
const SOME_FOLDER = '/the-workspace-folder-of-a-tasks.json';

const HEAD = [
  'Say what each task reads and writes, so that two that touch the same files do not run at once:',
  '  reads: [src/**]',
  '  writes: [dist/**]',
];
const LEFT_TO_A_PERSON = 'This could not be taken over. Write a command in place of "role: human".';
const OTHER_PACKAGE_MANAGER = 'The editor may use another package manager than npm.';

const SYSTEMS: Readonly<Record<EditorPlatform, string>> = {
  linux: 'Linux',
  osx: 'macOS',
  windows: 'Windows',
};

/**
 * An interlock.yaml that does what a tasks.json says on one system, with a comment at whatever could not be
 * taken over. What only an editor can run is left to a person, so that what depends on it waits all the
 * same. Never throws.
 */
export function tasksJsonToPlan(source: string, platform: EditorPlatform): string {
  const surroundings: Surroundings = {
    platform,
    workspaceFolder: SOME_FOLDER,
    userHome: '',
    environment: {},
  };
  const problems = new ProblemList();
  const found = readEditorTasks(source, surroundings, problems);
  const ids = idsIn(found);
  const byLabel = new Map(found.tasks.map((task) => [task.label, task]));
  const tasks = [...ids].map(([label, id]): NewTask => {
    const task = byLabel.get(label);
    const frame = { id, label, dependsOn: task?.dependsOn.map(({ text }) => ids.get(text)!) ?? [] };
    if (task === undefined) return { ...frame, ...bodyOfUnknown(label) };
    return {
      ...frame,
      ...bodyOf(task, { surroundings, reasons: reasonsOf(task, found, problems) }),
    };
  });
  const order = orderOf(found, tasks, problems);
  const document = new Document(planNode(tasks, order));
  const first = `Taken over from .vscode/tasks.json, with what it says for ${SYSTEMS[platform]}.`;
  document.commentBefore = commentOf([first, ...HEAD, ...problemsElsewhere(problems, found)]);
  return document.toString({ lineWidth: 0, flowCollectionPadding: false });
}

/** What a task does, whatever it is called. */
interface Body {
  readonly comments: readonly string[];
  /** Absent: nobody could say. */
  readonly run: CommandText | undefined;
  readonly env: ReadonlyMap<string, string>;
  readonly cwd: string;
}

interface NewTask extends Body {
  readonly id: TaskId;
  readonly label: string;
  readonly dependsOn: readonly TaskId[];
}

/** Also of those that are depended on and that the file does not have. */
function idsIn({ tasks }: EditorTasks): ReadonlyMap<string, TaskId> {
  const mentioned = tasks.flatMap(({ dependsOn }) => dependsOn.map(({ text }) => text));
  return idsOfLabels([...tasks.map(({ label }) => label), ...mentioned]);
}

function bodyOf(
  task: EditorTask,
  {
    surroundings,
    reasons,
  }: { readonly surroundings: Surroundings; readonly reasons: readonly string[] },
): Body {
  const { contributed, command, options, fillings } = task;
  const npm = contributed?.type === 'npm' ? bodyOfNpm(contributed, surroundings) : undefined;
  if (npm !== undefined) return npm;
  const cwd = command && options.cwd;
  const folder = pathInFolder(cwd === undefined ? '' : fillings.plain(cwd.text), surroundings);
  const isElsewhere =
    folder.kind === 'refused' ||
    (cwd !== undefined && fillings.in(cwd.text).some(({ expression }) => !isOfFolder(expression)));
  if (isElsewhere) return unwritten([...reasons, 'It runs outside of the workspace folder.']);
  if (reasons.length > 0) return unwritten(reasons);
  const written = commandText(task, surroundings.platform);
  if ('why' in written) return unwritten([written.why]);
  return { ...written, cwd: folder.path, comments: [] };
}

function isOfFolder(expression: string): boolean {
  return expression === '${INTERLOCK_BOARD}' || !expression.startsWith('$');
}

function bodyOfNpm(
  { script, path = '' }: Contributed,
  surroundings: Surroundings,
): Body | undefined {
  const folder = pathInFolder(path, surroundings);
  if (script === undefined || folder.kind === 'refused') return undefined;
  const run = npmCommand(script);
  return { run, env: new Map(), cwd: folder.path, comments: [OTHER_PACKAGE_MANAGER] };
}

function npmCommand(script: string): CommandText {
  return script === 'install' ? ['npm', 'install'] : ['npm', 'run', script];
}

/** The editor finds scripts of npm by itself and calls them so. */
function bodyOfUnknown(label: string): Body {
  const script = /^npm: ([\w:.-]+)$/.exec(label)?.[1];
  if (script === undefined) return unwritten([`No task of the file has the label "${label}".`]);
  return { run: npmCommand(script), env: new Map(), cwd: '', comments: [OTHER_PACKAGE_MANAGER] };
}

function unwritten(reasons: readonly string[]): Body {
  return { run: undefined, env: new Map(), cwd: '', comments: [LEFT_TO_A_PERSON, ...reasons] };
}

function reasonsOf(
  { range }: EditorTask,
  { ofAll }: EditorTasks,
  { all }: ProblemList,
): readonly string[] {
  const places = [range, ...ofAll];
  return all
    .filter(({ severity, code }) => severity === 'error' || code === 'editor-only')
    .filter((problem) => places.some((place) => isIn(problem, place)))
    .map(({ message }) => message);
}

function problemsElsewhere({ all }: ProblemList, { tasks }: EditorTasks): readonly string[] {
  return all
    .filter((problem) => !tasks.some(({ range }) => isIn(problem, range)))
    .map(({ message }) => `Not taken over: ${message}`);
}

function isIn(
  { range }: Problem,
  place: { readonly start: number; readonly end: number },
): boolean {
  return place.start <= range.start && range.end <= place.end;
}

/** Who waits for whom because some task wants it so: in a plan that counts in every run. */
function orderOf(
  { tasks: found }: EditorTasks,
  tasks: readonly NewTask[],
  problems: ProblemList,
): ReadonlyMap<TaskId, ReadonlyMap<TaskId, string>> {
  const byLabel = new Map(tasks.map((task) => [task.label, task]));
  const sequences = found.flatMap(({ label, sequence }) => {
    const task = byLabel.get(label);
    return task === undefined || sequence === undefined ? [] : [{ task: task.id, range: sequence }];
  });
  const labels = new Map(tasks.map(({ id, label }) => [id, label]));
  const order = new Map<TaskId, Map<TaskId, string>>();
  for (const [owner, pairs] of pairsInOrder(tasks, sequences, problems))
    for (const { task, dependsOn } of pairs) {
      const waitsFor = order.get(task) ?? new Map<TaskId, string>();
      order.set(task, waitsFor.set(dependsOn, labels.get(owner) ?? owner));
    }
  return order;
}

function planNode(
  tasks: readonly NewTask[],
  order: ReadonlyMap<TaskId, ReadonlyMap<TaskId, string>>,
): YAMLMap {
  const inPlan = new YAMLMap();
  inPlan.flow = tasks.length === 0;
  for (const task of tasks) {
    const waitsFor = order.get(task.id) ?? new Map<TaskId, string>();
    const key = new Scalar(task.id);
    const orders = [...waitsFor].map(
      ([id, owner]) =>
        `It waits for ${id} because "${owner}" wants them one after the other; in tasks.json, only when that runs.`,
    );
    key.commentBefore = commentOf([...task.comments, ...orders]);
    inPlan.set(key, taskNode(task, [...waitsFor.keys()]));
  }
  const plan = new YAMLMap();
  plan.set('version', 1);
  plan.set('tasks', inPlan);
  return plan;
}

function taskNode(task: NewTask, waitsFor: readonly TaskId[]): YAMLMap {
  const { id, label, run, env, cwd } = task;
  const dependsOn = [...new Set([...task.dependsOn, ...waitsFor])];
  const node = new YAMLMap();
  if (label !== id) node.set('title', scalar(displayText(label) || id));
  if (dependsOn.length > 0) node.set('depends_on', flowList(dependsOn));
  if (run === undefined) node.set('role', 'human');
  else node.set('run', typeof run === 'string' ? scalar(run) : flowList(run));
  if (cwd !== '') node.set('cwd', scalar(cwd));
  if (env.size === 0) return node;
  const inEnv = new YAMLMap();
  for (const [name, value] of env) inEnv.set(scalar(name), scalar(value));
  node.set('env', inEnv);
  return node;
}

function flowList(texts: readonly string[]): YAMLSeq {
  const list = new YAMLSeq();
  list.flow = true;
  for (const each of texts) list.add(scalar(each));
  return list;
}

function scalar(value: string): Scalar<string> {
  return new Scalar(value);
}

function commentOf(lines: readonly string[]): string | null {
  if (lines.length === 0) return null;
  return lines.map((line) => ` ${inShort(line.replaceAll(/\p{Cc}|\p{Cf}/gu, ' '))}`).join('\n');
}
