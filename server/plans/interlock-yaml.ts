import { isMap, type Pair, type YAMLMap } from 'yaml';
import { foldTaskId, parseTaskId, type TaskId } from '../domain/ids.ts';
import { parsePattern } from '../domain/paths/path-set.ts';
import { refusePath } from '../domain/paths/relative-path.ts';
import type { Command } from '../domain/task.ts';
import { didYouMean } from './closest.ts';
import { PARALLEL_LIMIT_KEY, PLAN_KEYS, TASK_KEYS } from './keys.ts';
import type { Mention, ParsedPlan, PlanTask } from './plan.ts';
import { keyText, readCount, readList, readText, readTextMap } from './yaml-values.ts';
import { ProblemList, rangeOf, readYamlMap } from './yaml-document.ts';

const PLAN_NAME = /^(?:interlock|.+\.interlock)\.ya?ml$/;
const ENV_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;
const TASK_LIMIT = 20_000;
const PARALLEL_LIMIT = 10_000;
const TEXT_LIMIT_BYTES = 256 * 1024;

/** Whether a file of this name is a plan of the kind that this module reads. */
export function isPlanFileName(fileName: string): boolean {
  return PLAN_NAME.test(fileName);
}

/** Text to a plan. Never throws: what cannot be read is a problem, and the rest is read all the same. */
export function parseInterlockYaml(text: string): ParsedPlan {
  const problems = new ProblemList();
  const map = readYamlMap(text, problems);
  let [name, parallel]: [string | undefined, number | undefined] = [undefined, undefined];
  const tasks = new Map<string, PlanTask>();
  for (const pair of map?.items ?? []) {
    switch (readKey(pair, { keys: PLAN_KEYS, of: 'a plan' }, problems)) {
      case 'version':
        checkVersion(pair, problems);
        break;
      case 'name':
        name = readText(pair.value, 'name', problems);
        break;
      case 'limits':
        parallel = readParallel(pair, problems);
        break;
      case 'tasks':
        readTasks(pair, tasks, problems);
        break;
      default:
    }
  }
  return { name, parallel, tasks: [...tasks.values()], problems: problems.all };
}

interface KeyTable {
  readonly keys: ReadonlyMap<string, 'now' | 'later'>;
  readonly of: string;
}

/** The key of a pair when this version acts on it; reports the ones that it does not. */
function readKey(pair: Pair, table: KeyTable, problems: ProblemList): string | undefined {
  const key = keyText(pair);
  const support = table.keys.get(key);
  if (support === 'now') return key;
  if (support === 'later')
    problems.warning('not-yet', rangeOf(pair.key), `This version does not act on "${key}" yet.`);
  else {
    const hint = didYouMean(key, table.keys.keys());
    problems.warning(
      'unknown-key',
      rangeOf(pair.key),
      `"${key}" is not a key of ${table.of}.${hint}`,
    );
  }
  return undefined;
}

function checkVersion(pair: Pair, problems: ProblemList): void {
  const version = readCount(pair.value, 'version', problems);
  if (version !== undefined && version !== 1)
    problems.error('wrong-type', rangeOf(pair.value), 'This is read as version 1: "version: 1".');
}

function readParallel(pair: Pair, problems: ProblemList): number | undefined {
  if (!isMap(pair.value)) {
    problems.error(
      'wrong-type',
      rangeOf(pair.key),
      '"limits" holds names and numbers: { parallel: 4 }.',
    );
    return undefined;
  }
  let parallel: number | undefined;
  for (const item of pair.value.items) {
    const key = keyText(item);
    if (key === PARALLEL_LIMIT_KEY) parallel = readPlaces(item, problems);
    else
      problems.warning(
        'not-yet',
        rangeOf(item.key),
        `This version does not act on the limit "${key}" yet.`,
      );
  }
  return parallel;
}

function readPlaces(pair: Pair, problems: ProblemList): number | undefined {
  const places = readCount(pair.value, PARALLEL_LIMIT_KEY, problems);
  if (places === undefined || (places >= 1 && places <= PARALLEL_LIMIT)) return places;
  const rule = `"parallel" is a number from 1 to ${PARALLEL_LIMIT}.`;
  problems.error('wrong-type', rangeOf(pair.value), rule);
  return undefined;
}

/** Adds to `tasks`, where each stands at its folded id. */
function readTasks(pair: Pair, tasks: Map<string, PlanTask>, problems: ProblemList): void {
  if (!isMap(pair.value)) {
    problems.error(
      'wrong-type',
      rangeOf(pair.key),
      '"tasks" holds one entry for each task: its id, then its keys.',
    );
    return;
  }
  if (pair.value.items.length > TASK_LIMIT)
    problems.error(
      'too-large',
      rangeOf(pair.key),
      `A plan has at most ${TASK_LIMIT} tasks; the rest is left out.`,
    );
  for (const item of pair.value.items.slice(0, TASK_LIMIT)) {
    const task = readTask(item, problems);
    if (task === undefined) continue;
    const same = tasks.get(foldTaskId(task.id))?.id;
    if (same === undefined) tasks.set(foldTaskId(task.id), task);
    // The very same key twice has been reported already, as in any other mapping.
    else if (same !== task.id) {
      const message = `"${same}" has this id already; ids differ in more than case.`;
      problems.error('duplicate-id', task.idRange, message);
    }
  }
}

function readTask(pair: Pair, problems: ProblemList): PlanTask | undefined {
  const text = keyText(pair);
  const id = parseTaskId(text);
  if (id === undefined) {
    const rule =
      'An id starts with a letter or digit and has at most 64 of: letters, digits, "." "_" "-".';
    problems.error('invalid-id', rangeOf(pair.key), rule);
    return undefined;
  }
  if (!isMap(pair.value)) {
    problems.error(
      'wrong-type',
      rangeOf(pair.key),
      `Task "${id}" has no keys. Give it a command: "run: …".`,
    );
    return undefined;
  }
  const fields = readTaskFields(pair.value, problems);
  const dependsOn = fields.dependsOn ?? [];
  const after = fields.after ?? [];
  return {
    id,
    idRange: rangeOf(pair.key),
    range: { start: rangeOf(pair.key).start, end: rangeOf(pair.value).end },
    title: fields.title ?? '',
    command: fields.command,
    cwd: fields.cwd ?? '',
    env: fields.env ?? {},
    dependsOn: taskIds(dependsOn),
    dependsOnMentions: dependsOn,
    after: taskIds(after),
    afterMentions: after,
    reads: (fields.reads ?? []).map((mention) => mention.text),
    readMentions: fields.reads ?? [],
    writes: (fields.writes ?? []).map((mention) => mention.text),
    writeMentions: fields.writes ?? [],
  };
}

interface TaskFields {
  title?: string | undefined;
  command?: Command | undefined;
  cwd?: string | undefined;
  env?: Readonly<Record<string, string>> | undefined;
  dependsOn?: readonly Mention[];
  after?: readonly Mention[];
  reads?: readonly Mention[];
  writes?: readonly Mention[];
}

function readTaskFields(map: YAMLMap, problems: ProblemList): TaskFields {
  const fields: TaskFields = {};
  for (const pair of map.items) {
    const key = readKey(pair, { keys: TASK_KEYS, of: 'a task' }, problems);
    switch (key) {
      case 'title':
        fields.title = readText(pair.value, key, problems);
        break;
      case 'description':
        checkLength(pair, problems);
        break;
      case 'run':
        fields.command = readCommand(pair, problems);
        break;
      case 'cwd':
        fields.cwd = readFolder(pair, problems);
        break;
      case 'env':
        fields.env = readEnvironment(pair, problems);
        break;
      case 'depends_on':
        fields.dependsOn = readList(pair, 'task ids', problems);
        break;
      case 'after':
        fields.after = readList(pair, 'task ids', problems);
        break;
      case 'reads':
        fields.reads = readPatterns(pair, problems);
        break;
      case 'writes':
        fields.writes = readPatterns(pair, problems);
        break;
      default:
    }
  }
  return fields;
}

/** Mentions that are no ids stay out; `analyze` reports them, because no task has such an id. */
function taskIds(mentions: readonly Mention[]): readonly TaskId[] {
  return mentions.flatMap(({ text }) => parseTaskId(text) ?? []);
}

function checkLength(pair: Pair, problems: ProblemList): void {
  const text = readText(pair.value, 'description', problems) ?? '';
  if (Buffer.byteLength(text) > TEXT_LIMIT_BYTES)
    problems.error('too-large', rangeOf(pair.key), 'A description has at most 256 KiB.');
}

function readCommand(pair: Pair, problems: ProblemList): Command | undefined {
  if (
    pair.value !== null &&
    typeof pair.value === 'object' &&
    'items' in pair.value &&
    !isMap(pair.value)
  ) {
    const [file, ...args] = readList(pair, 'a program and its arguments', problems);
    if (file !== undefined && file.text !== '')
      return { kind: 'program', file: file.text, args: args.map((arg) => arg.text) };
    problems.error('wrong-type', rangeOf(pair.key), '"run" names no program.');
    return undefined;
  }
  const script = readText(pair.value, 'run', problems);
  if (script === undefined) return undefined;
  if (script.trim() !== '') return { kind: 'shell', script };
  problems.error('wrong-type', rangeOf(pair.key), '"run" has no command.');
  return undefined;
}

function readFolder(pair: Pair, problems: ProblemList): string | undefined {
  const text = readText(pair.value, 'cwd', problems);
  if (text === undefined || text === '.') return undefined;
  const refusal = refusePath(text);
  if (refusal !== undefined) problems.error('invalid-path', rangeOf(pair.value), refusal);
  return text;
}

function readPatterns(pair: Pair, problems: ProblemList): readonly Mention[] {
  return readList(pair, 'path patterns', problems).filter(({ text, range }) => {
    const parsed = parsePattern(text);
    if (parsed.kind === 'refused') problems.error('invalid-path', range, parsed.message);
    return parsed.kind === 'glob';
  });
}

function readEnvironment(pair: Pair, problems: ProblemList): Readonly<Record<string, string>> {
  const env: [string, string][] = [];
  for (const { name, value } of readTextMap(pair, 'env', problems)) {
    if (!ENV_NAME.test(name.text))
      problems.error(
        'wrong-type',
        name.range,
        'A variable name has letters, digits and "_", and no digit first.',
      );
    else if (name.text.startsWith('INTERLOCK_'))
      problems.error(
        'wrong-type',
        name.range,
        'Names that start with INTERLOCK_ are set by Interlock itself.',
      );
    else env.push([name.text, value]);
  }
  // An assignment would lose the name `__proto__`.
  return Object.fromEntries(env);
}
