import { isScalar, isSeq, type Pair, type YAMLMap } from 'yaml';
import { parsePattern } from '../domain/paths/path-set.ts';
import type { Command } from '../domain/task.ts';
import { isSharedKey, TASK_KEYS } from './keys.ts';
import type { Mention } from './plan.ts';
import { readSharedKey, type SharedFields } from './shared-keys.ts';
import { keyText, readKey, readList, readText } from './yaml-values.ts';
import { type ProblemList, rangeOf, scalarText } from './yaml-document.ts';

const TEXT_LIMIT_BYTES = 256 * 1024;

/** What one task says; what could not be read is left out. */
export interface WrittenTask {
  title: string | undefined;
  command: Command | undefined;
  dependsOn: readonly Mention[];
  after: readonly Mention[];
  reads: readonly Mention[];
  writes: readonly Mention[];
  readonly fields: SharedFields;
  /** Everything that is written, right or wrong, at its key. */
  readonly pairs: ReadonlyMap<string, Pair>;
}

export function readTaskFields(map: YAMLMap, problems: ProblemList): WrittenTask {
  const task: WrittenTask = {
    title: undefined,
    command: undefined,
    dependsOn: [],
    after: [],
    reads: [],
    writes: [],
    fields: {},
    pairs: new Map(map.items.map((pair) => [keyText(pair), pair])),
  };
  for (const pair of map.items) {
    if (keyText(pair) === 'prompt') checkLength(pair, 'A prompt', problems);
    const key = readKey(pair, TASK_KEYS, problems) ?? '';
    if (isSharedKey(key)) readSharedKey(key, { pair, fields: task.fields }, problems);
    else readOwnKey(key, { pair, task }, problems);
  }
  return task;
}

function readOwnKey(
  key: string,
  { pair, task }: { readonly pair: Pair; readonly task: WrittenTask },
  problems: ProblemList,
): void {
  switch (key) {
    case 'title':
      task.title = readText(pair.value, key, problems);
      break;
    case 'description':
      readText(pair.value, key, problems);
      checkLength(pair, 'A description', problems);
      break;
    case 'run':
      task.command = readCommand(pair, problems);
      break;
    case 'depends_on':
      task.dependsOn = readList(pair, 'task ids', problems);
      break;
    case 'after':
      task.after = readList(pair, 'task ids', problems);
      break;
    case 'reads':
      task.reads = readPatterns(pair, problems);
      break;
    case 'writes':
      task.writes = readPatterns(pair, problems);
      break;
    default:
  }
}

function checkLength({ key, value }: Pair, what: string, problems: ProblemList): void {
  const text = isScalar(value) ? scalarText(value) : '';
  if (Buffer.byteLength(text) > TEXT_LIMIT_BYTES)
    problems.error('too-large', rangeOf(key), `${what} has at most 256 KiB.`);
}

function readCommand(pair: Pair, problems: ProblemList): Command | undefined {
  if (isSeq(pair.value)) {
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

function readPatterns(pair: Pair, problems: ProblemList): readonly Mention[] {
  return readList(pair, 'path patterns', problems).filter(({ text, range }) => {
    const parsed = parsePattern(text);
    if (parsed.kind === 'refused') problems.error('invalid-path', range, parsed.message);
    return parsed.kind === 'glob';
  });
}
