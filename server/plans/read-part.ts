import { isMap, type Node, type Pair } from 'yaml';
import type { HazardPolicy } from '../domain/run.ts';
import { type Defaults, readDefaults } from './defaults.ts';
import { readHazards } from './hazards.ts';
import { type Limits, readLimits } from './limits.ts';
import { type OwnTask, readTask } from './own-task.ts';
import type { Mention, Problem, TextRange } from './plan.ts';
import { pairsIn, readKey, readNamed, readValue } from './read-value.ts';
import { AGENTS, PLAN } from './schema/plan.ts';
import {
  isPlain,
  keyMention,
  keyText,
  depthProblem,
  parsingYaml,
  plainMap,
  ProblemList,
  rangeOf,
  sizeProblem,
} from './yaml-document.ts';

/** One entry of a plan, or of its `tasks`, and what it says. */
export interface Entry {
  /** Absent where the key is no plain word. */
  readonly key: Mention | undefined;
  readonly says: Saying;
}

type Saying =
  | { readonly kind: 'name'; readonly name: string | undefined }
  | { readonly kind: 'limits'; readonly limits: Limits }
  | { readonly kind: 'hazards'; readonly hazards: Partial<HazardPolicy> }
  | { readonly kind: 'defaults'; readonly defaults: Defaults }
  | { readonly kind: 'agents'; readonly agents: readonly Mention[] }
  /** What comes next, up to another key of the plan, are tasks. */
  | { readonly kind: 'tasks' }
  | { readonly kind: 'task'; readonly task: OwnTask | undefined }
  | { readonly kind: 'nothing' };

/** What a stretch of a plan's text says; places count from where the text begins that was read. */
export interface Part {
  readonly entries: readonly Entry[];
  /** Where it is no YAML. */
  readonly slips: readonly Problem[];
  readonly problems: readonly Problem[];
}

/** A whole plan in one part, in slices. */
export function* readingWhole(text: string): Generator<void, Part> {
  const refusal = sizeProblem(text);
  const parsed = refusal === undefined ? yield* parsingYaml(text) : undefined;
  if (parsed === undefined)
    return { entries: [], slips: [], problems: [refusal ?? depthProblem(text)] };
  const problems = new ProblemList();
  const { contents, slips } = parsed;
  const map = plainMap(contents, apartIn(contents), problems);
  const entries: Entry[] = [];
  for (const pair of map?.items ?? []) entries.push(...(yield* readingEntry(pair, problems)));
  return { entries, slips, problems: problems.all };
}

/** The plan and its `tasks` may be read in several parts, so whoever has all of them compares keys. */
function apartIn(contents: Node | null): ReadonlySet<unknown> {
  if (!isMap(contents)) return new Set();
  const tasks = contents.items.filter((pair) => keyText(pair) === 'tasks');
  return new Set<unknown>([contents, ...tasks.map(({ value }) => value)]);
}

/** How a stretch of the text stands to the rest of it. */
export interface Stretch {
  readonly text: string;
  /** What is put before it so that it means the same alone as in its place. */
  readonly prefix: string;
  /** How deep the entries lie that are its own: those of the plan, or those of `tasks`. */
  readonly level: 'plan' | 'tasks';
  /** It is a bare `tasks:`, and the tasks follow. */
  readonly opensTasks: boolean;
}

/** Nothing where it may mean something else in its place than it means alone. */
export function* readingStretch({
  text,
  prefix,
  level,
  opensTasks,
}: Stretch): Generator<void, Part | undefined> {
  const parsed = yield* parsingYaml(prefix + text);
  const { contents } = parsed ?? {};
  if (parsed === undefined || !isMap(contents)) return undefined;
  const problems = new ProblemList();
  if (!isPlain(contents, apartIn(contents), problems)) return undefined;
  const [first] = contents.items;
  if (level === 'tasks' && contents.items.length > 1) return undefined;
  const holder = level === 'tasks' ? first?.value : contents;
  if (!isMap(holder)) return undefined;
  const entries: Entry[] = [];
  for (const pair of holder.items)
    if (level === 'tasks') entries.push(taskEntry(pair, problems));
    else if (opensTasks && keyText(pair) === 'tasks') entries.push(tasksEntry(pair));
    else entries.push(...(yield* readingEntry(pair, problems)));
  const within = { start: prefix.length, end: prefix.length + text.length };
  const slips = parsed.slips.map((slip) => {
    const inside = clamped(slip, prefix.length);
    return level === 'tasks' ? { ...inside, within } : inside;
  });
  return { entries, slips, problems: problems.all };
}

/** A word where a key should be: nothing below it, as far as `within`, can be read before it has its colon. */
export function readBareWord({ text, range }: Mention, within: TextRange | undefined): Part {
  const message = `A key is followed by a colon: "${text}:".`;
  const slip: Problem = { code: 'syntax', severity: 'error', message, range, related: [] };
  return { entries: [], slips: [within ? { ...slip, within } : slip], problems: [] };
}

function clamped(problem: Problem, from: number): Problem {
  const { start, end } = problem.range;
  if (start >= from) return problem;
  return { ...problem, range: { start: from, end: Math.max(from, end) } };
}

function tasksEntry(pair: Pair): Entry {
  return { key: keyMention(pair)[0], says: { kind: 'tasks' } };
}

function taskEntry(pair: Pair, problems: ProblemList): Entry {
  return { key: keyMention(pair)[0], says: { kind: 'task', task: readTask(pair, problems) } };
}

const TASKS_IN_SLICE = 100;

/** The entry of one key of a plan; behind `tasks` those of its tasks. */
function* readingEntry(pair: Pair, problems: ProblemList): Generator<void, readonly Entry[]> {
  const key = readKey(pair, { schema: PLAN, of: 'a plan' }, problems)?.key;
  if (key !== 'tasks') return [{ key: keyMention(pair)[0], says: readSaying(key, pair, problems) }];
  const entry = tasksEntry(pair);
  if (isMap(pair.value)) {
    const entries = [entry];
    for (const task of pair.value.items) {
      if (entries.length % TASKS_IN_SLICE === 0) yield;
      entries.push(taskEntry(task, problems));
    }
    return entries;
  }
  const rule = '"tasks" holds one entry for each task: its id, then its keys.';
  problems.error('wrong-type', rangeOf(pair.key), rule);
  return [entry];
}

function readSaying(key: string | undefined, pair: Pair, problems: ProblemList): Saying {
  switch (key) {
    case 'version':
      readValue(pair, PLAN.shape.version, problems);
      return { kind: 'nothing' };
    case 'name':
      return { kind: 'name', name: readValue(pair, PLAN.shape.name, problems) };
    case 'limits':
      return { kind: 'limits', limits: readLimits(pair, problems) };
    case 'hazards':
      return { kind: 'hazards', hazards: readHazards(pair, problems) };
    case 'defaults':
      return { kind: 'defaults', defaults: readDefaults(pair, problems) };
    case 'agents':
      return { kind: 'agents', agents: readAgents(pair, problems) };
    default:
      return { kind: 'nothing' };
  }
}

/** One that is described wrong is there all the same. */
function readAgents(pair: Pair, problems: ProblemList): readonly Mention[] {
  const pairs = pairsIn(pair, AGENTS, problems);
  readNamed(pairs, AGENTS, problems);
  return pairs.flatMap(keyMention);
}
