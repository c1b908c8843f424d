import { displayLine } from '../domain/display-text.ts';
import type { TaskId } from '../domain/ids.ts';
import type { PathRules } from '../domain/paths/overlap.ts';
import { overlap } from '../domain/paths/overlap.ts';
import { exactPath, parsePathSet } from '../domain/paths/path-set.ts';
import type { Mention, PlanTask, Problem, TextRange } from '../plans/plan.ts';
import type { Observed } from '../scheduler/model/observed.ts';
import type { LoadedPlan } from './plan-set.ts';
import { authorsIn, pathsIn, tasksIn, workersIn } from './observed-text.ts';
import { fileOf } from '../plans/plan-source.ts';

/** What tasks really wrote, at what their plans say, and in the files. */
export interface ObservedProblems {
  /** By the file of the plan, by its path in the folder. */
  readonly inPlans: ReadonlyMap<string, readonly ObservedProblem[]>;
  /** By the path from the top of the working tree. */
  readonly inFiles: ReadonlyMap<string, readonly FileProblem[]>;
}

export interface ObservedProblem extends Pick<Problem, 'severity' | 'message' | 'range'> {
  readonly code: 'undeclared-write' | 'stale-input' | 'shell-write';
  readonly plan: string;
  readonly task: TaskId;
  /** From the top of the working tree. */
  readonly paths: readonly string[];
}

export interface FileProblem {
  readonly message: string;
  /** The task that it is about, the first of several. */
  readonly plan: string;
  readonly task: TaskId;
  /** What the plan says of the task, or of each of those that it may have been. */
  readonly plans: { readonly file: string; readonly range: TextRange }[];
}

/** A task of a plan, with what was seen of it in its newest run. */
interface SeenTask {
  readonly plan: LoadedPlan;
  readonly task: PlanTask;
  readonly observed: Observed | undefined;
}

/** A problem names so many files, and only they have one of their own; of more, the plan alone says it. */
const FILES = 3;
/** Of one task, so many files are looked for on the disk. */
const LOOKED_FOR = 100;

interface Surroundings {
  /** Where the workspace folder lies in its working tree. */
  readonly folder: string;
  readonly rules: PathRules;
  /** Whether there is a file, by its path from the top of the working tree. */
  readonly isThere: (path: string) => boolean;
}

export function observedProblems(tasks: readonly SeenTask[], at: Surroundings): ObservedProblems {
  const inPlans = new Map<string, ObservedProblem[]>();
  const inFiles = new Map<string, FileProblem[]>();
  for (const { plan, task, observed } of tasks) {
    if (observed === undefined) continue;
    const open = seenOf(task, observed, at);
    const writes = rangeOf(task.writeMentions) ?? task.idRange;
    const reads = rangeOf(task.readMentions) ?? task.idRange;
    for (const problem of problemsOf(task, open, { writes, reads }))
      append(inPlans, fileOf(problem.range, plan), { ...problem, plan: plan.path });
    const mention = { file: fileOf(writes, plan), range: writes };
    for (const [path, message] of filesOf(task, open)) {
      const known = inFiles.get(path)?.find((one) => one.message === message);
      if (known === undefined)
        append(inFiles, path, { message, plans: [mention], task: task.id, plan: plan.path });
      else known.plans.push(mention);
    }
  }
  return { inPlans, inFiles };
}

/** What of it is still open, and which of the undeclared paths the task reads. */
interface Seen extends Observed {
  /** It may have written these, or somebody else may, with a program that nobody knows. */
  readonly doubtful: ReadonlySet<string>;
}

/** Without what the plan declares by now, and files that are gone. */
function seenOf(
  { writes, reads }: PlanTask,
  { undeclared, unclear, stale, touched }: Observed,
  { folder, rules, isThere }: Surroundings,
): Seen {
  const [written, read] = [parsePathSet(writes, folder), parsePathSet(reads, folder)];
  const isIn = (set: typeof written, path: string): boolean =>
    overlap(exactPath(path), set, rules).kind !== 'disjoint';
  let looks = 0;
  const isOpen = (path: string): boolean =>
    !isIn(written, path) && ((looks += 1) > LOOKED_FOR || isThere(path));
  const found = [...undeclared].filter(isOpen);
  return {
    undeclared: new Set(found.filter((path) => !isIn(read, path))),
    doubtful: new Set(found.filter((path) => isIn(read, path))),
    unclear: new Map([...unclear].filter(([path]) => isOpen(path))),
    stale: new Map([...stale].filter(([path]) => isIn(read, path))),
    touched: new Map([...touched].filter(([path]) => isIn(written, path))),
  };
}

function* problemsOf(
  { id, writes: patterns }: PlanTask,
  { undeclared, doubtful, unclear, stale, touched }: Seen,
  { writes, reads }: { readonly writes: TextRange; readonly reads: TextRange },
): Generator<Omit<ObservedProblem, 'plan'>, void> {
  if (undeclared.size > 0)
    yield {
      code: 'undeclared-write',
      task: id,
      severity: 'warning',
      message: displayLine(
        `${pathsIn(undeclared)} changed while "${id}" was running. ${remedy(patterns)} ` +
          'If you changed it yourself, use the quick fix "It was me".',
      ),
      range: writes,
      paths: [...undeclared],
    };
  if (doubtful.size > 0)
    yield {
      code: 'undeclared-write',
      task: id,
      severity: 'warning',
      message: displayLine(
        `${pathsIn(doubtful)} changed while "${id}" was running, which reads it. If "${id}" wrote it, ` +
          `add it to "writes". Otherwise "${id}" may have read the old text: run it again.`,
      ),
      range: reads,
      paths: [...doubtful],
    };
  for (const [by, paths] of grouped(unclear, tasksIn))
    yield {
      code: 'undeclared-write',
      task: id,
      severity: 'warning',
      message: displayLine(
        `${pathsIn(paths)} changed while ${by} were running, and none of them has that in its "writes".`,
      ),
      range: writes,
      paths,
    };
  for (const [by, paths] of grouped(stale, authorsIn))
    yield {
      code: 'stale-input',
      task: id,
      severity: 'warning',
      message: displayLine(
        `${pathsIn(paths)} changed after "${id}" had begun, by ${by}: "${id}" may have read what it was before. ` +
          'Run it again, or say with "depends_on" or "after" which goes first.',
      ),
      range: reads,
      paths,
    };
  if (touched.size > 0)
    yield {
      code: 'shell-write',
      task: id,
      severity: 'warning',
      message: displayLine(
        `${pathsIn(touched.keys())} changed while "${id}" was running and ${workersIn(touched.values())} ran a shell command. ` +
          `If "${id}" did not make the change, look at the result, and run "${id}" again if need be.`,
      ),
      range: writes,
      paths: [...touched.keys()],
    };
}

function remedy(patterns: readonly string[]): string {
  return patterns.length === 0
    ? 'If the task writes it, say so with "writes", so that other tasks wait for it.'
    : 'If the task writes it, add it to "writes", so that other tasks wait for it.';
}

function* filesOf(
  { id }: PlanTask,
  { undeclared, doubtful, unclear }: Seen,
): Generator<readonly [string, string], void> {
  if (undeclared.size + doubtful.size + unclear.size > FILES) return;
  for (const path of undeclared)
    yield [
      path,
      `This file changed while task "${id}" was running, and its "writes" leaves it out.`,
    ];
  for (const path of doubtful)
    yield [
      path,
      `This file changed while task "${id}" was running, which reads it and does not declare that it writes it.`,
    ];
  for (const [path, by] of unclear)
    yield [
      path,
      `This file changed while ${tasksIn(by)} were running, and none of them has it in its "writes".`,
    ];
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
