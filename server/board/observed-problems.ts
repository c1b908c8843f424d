import { displayText } from '../domain/display-text.ts';
import type { TaskId } from '../domain/ids.ts';
import type { PathRules } from '../domain/paths/overlap.ts';
import { overlap } from '../domain/paths/overlap.ts';
import { exactPath, parsePathSet } from '../domain/paths/path-set.ts';
import type { Mention, PlanTask, Problem, TextRange } from '../plans/plan.ts';
import type { Observed } from '../scheduler/model/observed.ts';
import type { LoadedPlan } from './plan-set.ts';
import { authorsIn, pathsIn, tasksIn } from './observed-text.ts';
import { fileOf } from '../plans/plan-source.ts';

/** What tasks really wrote, at what their plans say, and in the files. */
export interface ObservedProblems {
  /** By the file of the plan, by its path in the folder. */
  readonly inPlans: ReadonlyMap<string, readonly ObservedProblem[]>;
  /** By the path from the top of the working tree. */
  readonly inFiles: ReadonlyMap<string, readonly FileProblem[]>;
}

export interface ObservedProblem extends Pick<Problem, 'severity' | 'message' | 'range'> {
  readonly code: 'undeclared-write' | 'stale-input';
  readonly task: TaskId;
  /** From the top of the working tree. */
  readonly paths: readonly string[];
}

export interface FileProblem {
  readonly message: string;
  /** What the plan says of the task, or of each of those that it may have been. */
  readonly plans: { readonly file: string; readonly range: TextRange }[];
}

/** A task of a plan, with what was seen of it in its newest run. */
interface SeenTask {
  readonly plan: LoadedPlan;
  readonly task: PlanTask;
  readonly observed: Observed | undefined;
}

/** So many files of one task get a problem of their own. */
const FILES = 100;

/** `folder`: where the workspace folder lies in its working tree. */
export function observedProblems(
  tasks: readonly SeenTask[],
  { folder, rules }: { readonly folder: string; readonly rules: PathRules },
): ObservedProblems {
  const inPlans = new Map<string, ObservedProblem[]>();
  const inFiles = new Map<string, FileProblem[]>();
  for (const { plan, task, observed } of tasks) {
    if (observed === undefined) continue;
    const open = seenOf(task, observed, { folder, rules });
    const writes = rangeOf(task.writeMentions) ?? task.idRange;
    const reads = rangeOf(task.readMentions) ?? task.idRange;
    for (const problem of problemsOf(task, open, { writes, reads }))
      append(inPlans, fileOf(problem.range, plan), problem);
    const at = { file: fileOf(writes, plan), range: writes };
    for (const [path, message] of filesOf(task, open)) {
      const known = inFiles.get(path)?.find((one) => one.message === message);
      if (known === undefined) append(inFiles, path, { message, plans: [at] });
      else known.plans.push(at);
    }
  }
  return { inPlans, inFiles };
}

/** What of it is still open, and which of the undeclared paths the task reads. */
interface Seen extends Observed {
  /** It may have written these, or somebody else may, with a program that nobody knows. */
  readonly doubtful: ReadonlySet<string>;
}

/** Whoever has put it right in the plan since then is told no more. */
function seenOf(
  { writes, reads }: PlanTask,
  { undeclared, unclear, stale }: Observed,
  { folder, rules }: { readonly folder: string; readonly rules: PathRules },
): Seen {
  const [written, read] = [parsePathSet(writes, folder), parsePathSet(reads, folder)];
  const isIn = (set: typeof written, path: string): boolean =>
    overlap(exactPath(path), set, rules).kind !== 'disjoint';
  const found = [...undeclared].filter((path) => !isIn(written, path));
  return {
    undeclared: new Set(found.filter((path) => !isIn(read, path))),
    doubtful: new Set(found.filter((path) => isIn(read, path))),
    unclear: new Map([...unclear].filter(([path]) => !isIn(written, path))),
    stale: new Map([...stale].filter(([path]) => isIn(read, path))),
  };
}

function* problemsOf(
  { id, writes: patterns }: PlanTask,
  { undeclared, doubtful, unclear, stale }: Seen,
  { writes, reads }: { readonly writes: TextRange; readonly reads: TextRange },
): Generator<ObservedProblem, void> {
  if (undeclared.size > 0)
    yield {
      code: 'undeclared-write',
      task: id,
      severity: 'error',
      message: displayText(
        `While "${id}" was at work, and no other task here, ${pathsIn(undeclared)} ` +
          `${undeclared.size === 1 ? 'was' : 'were'} written. ${remedy(patterns)}`,
      ),
      range: writes,
      paths: [...undeclared],
    };
  if (doubtful.size > 0)
    yield {
      code: 'undeclared-write',
      task: id,
      severity: 'warning',
      message: displayText(
        `While "${id}" was at work, and no other task here, ${pathsIn(doubtful)} ` +
          `${doubtful.size === 1 ? 'was' : 'were'} written, which it reads: either "${id}" wrote it without having ` +
          'declared that, or its input is stale. Add it to "writes", or run it again.',
      ),
      range: reads,
      paths: [...doubtful],
    };
  for (const [by, paths] of grouped(unclear, tasksIn))
    yield {
      code: 'undeclared-write',
      task: id,
      severity: 'warning',
      message: displayText(
        `One of ${by} wrote ${pathsIn(paths)}, and none of them has it in its "writes". ` +
          'Nobody knows which: they were at work at the same time.',
      ),
      range: writes,
      paths,
    };
  for (const [by, paths] of grouped(stale, authorsIn))
    yield {
      code: 'stale-input',
      task: id,
      severity: 'warning',
      message: displayText(
        `${pathsIn(paths)} changed after "${id}" had begun, by ${by}: "${id}" may have read what it was before. ` +
          'Run it again, or say with "depends_on" or "after" which goes first.',
      ),
      range: reads,
      paths,
    };
}

function remedy(patterns: readonly string[]): string {
  return patterns.length === 0
    ? 'Say so with "writes", so that others wait for it.'
    : 'Its "writes" leaves that out: add it there, so that others wait for it.';
}

function* filesOf(
  { id }: PlanTask,
  { undeclared, doubtful, unclear }: Seen,
): Generator<readonly [string, string], void> {
  for (const path of [...undeclared].slice(0, FILES))
    yield [
      path,
      `This file was written while "${id}" was at work, and no other task here. Its "writes" leaves it out.`,
    ];
  for (const path of [...doubtful].slice(0, FILES))
    yield [
      path,
      `This file was written while "${id}" was at work, which reads it, and no other task here. ` +
        `Either "${id}" wrote it without having declared that, or its input is stale.`,
    ];
  for (const [path, by] of [...unclear].slice(0, FILES))
    yield [path, `One of ${tasksIn(by)} wrote this file, and none of them has declared it.`];
}

/** The paths that have the same to be said of them. */
function grouped<T>(
  paths: ReadonlyMap<string, T>,
  nameOf: (value: T) => string,
): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, string[]>();
  for (const [path, value] of paths) append(groups, nameOf(value), path);
  return groups;
}

function rangeOf(mentions: readonly Mention[]): TextRange | undefined {
  const [first, last] = [mentions[0]?.range, mentions.at(-1)?.range];
  if (first === undefined || last === undefined) return undefined;
  return first.file === last.file ? { ...first, end: Math.max(first.end, last.end) } : first;
}

function append<Key, T>(map: Map<Key, T[]>, key: Key, value: T): void {
  const known = map.get(key);
  if (known === undefined) map.set(key, [value]);
  else known.push(value);
}
