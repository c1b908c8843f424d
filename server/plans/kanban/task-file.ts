import { isScalar, type Pair, Scalar, type YAMLMap } from 'yaml';
import { didYouMean } from '../closest.ts';
import type { Mention, PlanTask, Problem, TextRange } from '../plan.ts';
import { readList, readText } from '../yaml-values.ts';
import { keyText, ProblemList, rangeOf, readYamlMap, scalarText } from '../yaml-document.ts';
import { findFrontmatter, type Frontmatter, opensFrontmatter } from './frontmatter.ts';
import { goBoolean, goInteger } from './go-values.ts';
import { inFile, placedProblem, placedTask } from './placed.ts';
import { isTaskKey, readTaskKeys, TASK_KEYS } from './task-keys.ts';
import { isDay, parseTime } from './times.ts';

const FILE_LIMIT_BYTES = 1024 * 1024;
const BODY_LIMIT_BYTES = 256 * 1024;
const NUMBER_IN_NAME = /(?:^|\/)0*([1-9]\d{0,14})-[^/]*$/;

/** The keys of kanban-md, in the order in which it writes them. */
export const BOARD_KEYS = [
  'id',
  'title',
  'status',
  'priority',
  'created',
  'updated',
  'started',
  'completed',
  'assignee',
  'tags',
  'due',
  'estimate',
  'parent',
  'depends_on',
  'blocked',
  'block_reason',
  'claimed_by',
  'claimed_at',
  'class',
] as const;

export type BoardKey = (typeof BOARD_KEYS)[number];

/** What one task file says, whatever its board says of it. */
export interface TaskFile {
  readonly file: string;
  /** Its number; absent when nobody can tell which task it is. */
  readonly id: number | undefined;
  /** Absent when it has no number that can be read. */
  readonly task: PlanTask | undefined;
  readonly title: string;
  readonly status: Mention | undefined;
  readonly priority: Mention | undefined;
  readonly className: Mention | undefined;
  readonly parent: { readonly id: number; readonly range: TextRange } | undefined;
  readonly isBlocked: boolean;
  readonly blockReason: string;
  readonly claimedBy: string;
  /** Milliseconds since 1970. */
  readonly claimedAt: number | undefined;
  readonly hasStarted: boolean;
  readonly hasCompleted: boolean;
  readonly problems: readonly Problem[];
}

/** Never throws: what kanban-md would not read is a problem at its place. */
export function readTaskFile(file: string, text: string): TaskFile {
  return new TaskFileReader(file, text).read();
}

/** The number that the name of a file begins with. */
export function numberInName(file: string): number | undefined {
  const digits = NUMBER_IN_NAME.exec(file)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

class TaskFileReader {
  readonly #file: string;
  readonly #text: string;
  readonly #problems = new ProblemList();
  readonly #pairs = new Map<string, Pair>();

  constructor(file: string, text: string) {
    this.#file = file;
    this.#text = text;
  }

  read(): TaskFile {
    const parts = this.#frontmatter();
    const map = parts && this.#map(parts);
    for (const pair of map?.items ?? [])
      if (!this.#pairs.has(keyText(pair))) this.#pairs.set(keyText(pair), pair);
    if (map !== undefined) this.#checkKeys();
    const id = this.#id(map);
    const title = this.#required('title', map);
    const status = this.#required('status', map);
    const task = this.#task({ id, map, parts, title: title?.text ?? '' });
    const [parent, parentId] = [this.#value('parent'), goInteger(this.#value('parent'))];
    const said = {
      title: title?.text ?? '',
      status,
      priority: this.#mention('priority'),
      className: this.#mention('class'),
      parent:
        parentId === undefined ? undefined : { id: parentId, range: this.#place(rangeOf(parent)) },
      isBlocked: goBoolean(this.#value('blocked')) === true,
      blockReason: this.#mention('block_reason')?.text ?? '',
      claimedBy: this.#mention('claimed_by')?.text ?? '',
      claimedAt: this.#time('claimed_at'),
      hasStarted: this.#time('started') !== undefined,
      hasCompleted: this.#time('completed') !== undefined,
    };
    const problems = this.#problems.all.map((problem) => placedProblem(problem, this.#file));
    return { file: this.#file, id: id?.number, task, ...said, problems };
  }

  #frontmatter(): Frontmatter | undefined {
    const text = this.#text;
    if (Buffer.byteLength(text) > FILE_LIMIT_BYTES) {
      this.#problems.error('too-large', firstLine(text), 'A task file has at most 1 MiB.');
      return undefined;
    }
    const parts = findFrontmatter(text);
    if (parts === undefined) {
      const isOpen = opensFrontmatter(text);
      const rule = isOpen
        ? 'This frontmatter never ends. Write a line "---" below it.'
        : 'A task file begins with its keys (id, title, status), between two lines "---".';
      // Somebody may keep notes beside the tasks.
      if (isOpen || numberInName(this.#file) !== undefined)
        this.#problems.error('syntax', firstLine(text), rule);
      else
        this.#problems.warning('syntax', firstLine(text), `This is not taken for a task. ${rule}`);
    } else if (Buffer.byteLength(text.slice(parts.bodyStart)) > BODY_LIMIT_BYTES) {
      const range = {
        start: parts.bodyStart,
        end: parts.bodyStart + firstLine(text.slice(parts.bodyStart)).end,
      };
      this.#problems.error('too-large', range, 'A description has at most 256 KiB.');
    }
    return parts;
  }

  #map({ end }: Frontmatter): YAMLMap | undefined {
    const found = new ProblemList();
    const map = readYamlMap(this.#text.slice(0, end), found);
    const isNoMap = map === undefined && found.all.some(({ code }) => code === 'wrong-type');
    if (isNoMap) {
      const rule = 'A frontmatter has keys: "id: 1", "title: …", "status: …".';
      this.#problems.error('wrong-type', found.all[0]?.range ?? firstLine(this.#text), rule);
    } else for (const problem of found.all) this.#problems.add(problem);
    if (map === undefined && found.all.length === 0)
      this.#problems.error(
        'missing-key',
        firstLine(this.#text),
        'A task has "id", "title" and "status".',
      );
    return map;
  }

  /** Of a file that cannot be read its name says which task it is, so that it is not simply gone. */
  #id(
    map: YAMLMap | undefined,
  ): { readonly number: number; readonly range: TextRange } | undefined {
    const pair = this.#pairs.get('id');
    const number = pair && goInteger(pair.value);
    if (number !== undefined && number >= 1) return { number, range: rangeOf(pair?.value) };
    const range = pair === undefined ? firstLine(this.#text) : rangeOf(pair.value);
    if (map !== undefined) {
      const code = pair === undefined ? 'missing-key' : 'invalid-id';
      this.#problems.error(code, range, 'A task of a board has a number: "id: 1".');
    }
    const named = numberInName(this.#file);
    const isRefused = this.#problems.all.some(({ severity }) => severity === 'error');
    return named === undefined || !isRefused ? undefined : { number: named, range };
  }

  #task({
    id,
    map,
    parts,
    title,
  }: {
    readonly id: { readonly number: number; readonly range: TextRange } | undefined;
    readonly map: YAMLMap | undefined;
    readonly parts: Frontmatter | undefined;
    readonly title: string;
  }): PlanTask | undefined {
    if (id === undefined) return undefined;
    const { number, range } = id;
    const scalar = new Scalar(String(number));
    scalar.range = [range.start, range.end, range.end];
    const task = readTaskKeys(scalar, map, this.#problems);
    if (task === undefined) return undefined;
    const description = parts === undefined ? '' : this.#text.slice(parts.bodyStart).trimEnd();
    // Whatever is wrong in the file is wrong with its task.
    const whole = { start: 0, end: this.#text.length };
    return placedTask({ ...task, title, description, range: whole }, this.#file);
  }

  #checkKeys(): void {
    const known = [...BOARD_KEYS, ...TASK_KEYS];
    for (const [key, pair] of this.#pairs) {
      if (isBoardKey(key)) this.#checkValue(key, pair);
      else if (!isTaskKey(key)) {
        // Others keep keys of their own here; only a slip is worth a word.
        const hint = key.length < 4 ? '' : didYouMean(key, known);
        if (hint !== '')
          this.#problems.warning(
            'unknown-key',
            rangeOf(pair.key),
            `"${key}" is not a key of a task.${hint}`,
          );
      }
    }
  }

  /** kanban-md leaves a file out as soon as one value is of another type. */
  #checkValue(key: BoardKey, pair: Pair): void {
    const { value } = pair;
    if (isScalar(value) && value.value === null) return;
    const wrong = (rule: string): void =>
      this.#problems.error('wrong-type', rangeOf(value), `"${key}" is ${rule}.`);
    switch (key) {
      case 'id':
      case 'depends_on':
        return;
      case 'created':
      case 'updated':
      case 'started':
      case 'completed':
      case 'claimed_at':
        if (this.#time(key) === undefined) wrong('a time: 2026-02-07T10:30:00Z');
        return;
      case 'due':
        if (!isScalar(value) || !isDay(scalarText(value))) wrong('a day: 2026-02-07');
        return;
      case 'parent':
        if (goInteger(value) === undefined) wrong('the number of a task');
        return;
      case 'blocked':
        if (goBoolean(value) === undefined) wrong('true or false');
        return;
      case 'tags':
        readList(pair, 'words', this.#problems);
        return;
      default:
        readText(value, key, this.#problems);
    }
  }

  #required(key: 'title' | 'status', map: YAMLMap | undefined): Mention | undefined {
    const mention = this.#mention(key);
    if (mention !== undefined && mention.text.trim() !== '') return mention;
    const pair = this.#pairs.get(key);
    if (map !== undefined && (mention !== undefined || pair === undefined || isEmpty(pair)))
      this.#problems.error(
        'missing-key',
        rangeOf(pair?.value ?? this.#pairs.get('id')?.value),
        `A task has a "${key}".`,
      );
    return undefined;
  }

  #mention(key: BoardKey): Mention | undefined {
    const value = this.#value(key);
    if (!isScalar(value) || value.value === null) return undefined;
    return { text: scalarText(value), range: this.#place(rangeOf(value)) };
  }

  #time(key: BoardKey): number | undefined {
    const value = this.#value(key);
    return isScalar(value) ? parseTime(scalarText(value)) : undefined;
  }

  #value(key: BoardKey): unknown {
    return this.#pairs.get(key)?.value;
  }

  #place(range: TextRange): TextRange {
    return inFile(range, this.#file);
  }
}

function isBoardKey(key: string): key is BoardKey {
  return BOARD_KEYS.some((each) => each === key);
}

function isEmpty({ value }: Pair): boolean {
  return isScalar(value) && value.value === null;
}

function firstLine(text: string): TextRange {
  return { start: 0, end: Math.max(0, text.search(/\r?\n|$/)) };
}
