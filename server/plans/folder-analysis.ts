import { displayLine, displayText } from '../domain/display-text.ts';
import type { TaskId } from '../domain/ids.ts';
import type { Hazard } from '../domain/paths/hazard.ts';
import type { PathRules } from '../domain/paths/overlap.ts';
import { FolderHazards, SHOWN_LIMIT } from './folder-hazards.ts';
import { CollidingMentions } from './hazard-problems.ts';
import { HeldTasks } from './held-tasks.ts';
import { ownObstacles } from './obstacles.ts';
import type { AnalyzedPlan, ParsedPlan, Problem } from './plan.ts';
import { linkPlan, readKeyOf } from './plan-links.ts';
import { PlanNames } from './plan-names.ts';
import { isSameResult, offersTheSame, type Part, type ReadPlan, takePart } from './plan-part.ts';
import { PlanView } from './plan-view.ts';
import { runAll } from './slices.ts';
import { clustersOf, type TaskCluster } from './task-clusters.ts';

export interface FolderOptions {
  readonly rules: PathRules;
  /** What the workspace folder is called. */
  readonly name: string;
  /** Why a plan of this name cannot be meant, though it is there; nothing where there is none. */
  readonly elsewhere?: (plan: string) => string | undefined;
}

const PROBLEM_LIMIT = 1000;
const START = { start: 0, end: 0 };

const NO_TASKS: Problem = {
  code: 'no-tasks',
  severity: 'warning',
  message: 'This plan has no tasks yet. Write "tasks:", below it an id, and below that its "run:".',
  range: START,
  related: [],
};

export const MORE_HAZARDS: Problem = {
  code: 'more-problems',
  severity: 'warning',
  message:
    'Too many patterns overlap, or take too long to compare, so some hazards are not marked. ' +
    'Tasks that write the same files wait for each other all the same.',
  range: START,
  related: [],
};

/**
 * Looks at the tasks of all plans of a folder together: what they wait for, in their own plan and in
 * others, cycles, hazards; and says which tasks cannot start because of it. Whatever is wrong with one
 * task stops that task and those that depend on it, never the rest.
 *
 * What cannot have changed is not looked at again: a letter in a title moves places, and nothing else.
 */
export class FolderAnalysis {
  readonly #options: FolderOptions;
  readonly #colliding: CollidingMentions;
  readonly #hazards: FolderHazards;
  readonly #held = new HeldTasks();
  readonly #numbers = new Map<string, number>();
  readonly #byNumber: (Part | undefined)[] = [];
  #parts = new Map<string, Part>();
  #names = new PlanNames([]);
  #clusters: ReadonlyMap<string, TaskCluster> = new Map();
  #isElsewhereNews = false;
  /** The search for hazards, where it has not ended. */
  #finding: Generator<number, ReadonlySet<number>> | undefined;

  constructor(options: FolderOptions) {
    this.#options = options;
    this.#colliding = new CollidingMentions(options.rules);
    this.#hazards = new FolderHazards(options.rules);
  }

  /** Which plans there are now, by their paths. A plan for which nothing has changed is the object of before. */
  update(plans: readonly ReadPlan[]): ReadonlyMap<string, AnalyzedPlan> {
    return runAll(this.updating(plans));
  }

  /**
   * The same in slices, each of which is short: paths are cheap to write and can be dear to compare.
   * After the first one, all is known but hazards, which are those of before until the last one. An
   * update that is not needed any more is left where it is.
   */
  *updating(
    plans: readonly ReadPlan[],
  ): Generator<ReadonlyMap<string, AnalyzedPlan>, ReadonlyMap<string, AnalyzedPlan>> {
    const before = this.#parts;
    this.#take(plans);
    const touched = new Set<string>();
    for (const [path, { parsed }] of this.#parts)
      if (before.get(path)?.parsed !== parsed) touched.add(path);
    const affected = new Set(touched);
    this.#link(before, affected);
    this.#relate(before, affected);
    if (this.#isFinding(affected)) {
      yield this.#say(touched, affected);
      affected.clear();
      touched.clear();
      while (this.#isFinding(affected)) yield this.#results;
    }
    return this.#say(touched, affected);
  }

  /** Looks for hazards for one more slice. At the end, adds the plans that have others than before. */
  #isFinding(affected: Set<string>): boolean {
    const slice = this.#finding?.next();
    if (slice === undefined || slice.done !== true) return slice !== undefined;
    this.#finding = undefined;
    for (const [path, { number }] of this.#parts) if (slice.value.has(number)) affected.add(path);
    return false;
  }

  #say(touched: ReadonlySet<string>, affected: Set<string>): ReadonlyMap<string, AnalyzedPlan> {
    for (const path of touched) this.#addRelated(path, affected);
    for (const path of affected) this.#sayProblems(path);
    const files = new Set([...touched].flatMap((path) => this.#parts.get(path)!.source.files));
    for (const cluster of new Set([...affected].map((path) => this.#clusters.get(path)!)))
      this.#conclude(cluster, files);
    return this.#results;
  }

  get #results(): ReadonlyMap<string, AnalyzedPlan> {
    return new Map([...this.#parts].map(([path, { result }]) => [path, result!]));
  }

  /** What `elsewhere` says is not what it said; the next update asks it again. */
  forgetElsewhere(): void {
    this.#isElsewhereNews = true;
  }

  #take(plans: readonly ReadPlan[]): void {
    const parts = new Map<string, Part>();
    this.#byNumber.fill(undefined);
    for (const plan of plans) {
      const { path } = plan.source;
      const number = this.#numbers.get(path) ?? this.#numbers.size;
      this.#numbers.set(path, number);
      const part = takePart(plan, {
        number,
        folder: this.#options.name,
        before: this.#parts.get(path),
      });
      parts.set(path, part);
      this.#byNumber[number] = part;
    }
    this.#parts = parts;
  }

  /** Looks up references, where they may lead elsewhere than before. */
  #link(before: ReadonlyMap<string, Part>, affected: Set<string>): void {
    const isRenamed =
      before.size !== this.#parts.size ||
      [...this.#parts].some(([path, { named }]) => before.get(path)?.named !== named);
    if (isRenamed) this.#names = new PlanNames([...this.#parts.values()].map(({ named }) => named));
    const known = new Map(
      [...before].filter(([path, part]) => offersTheSame(part, this.#parts.get(path))),
    );
    const hasNewIds = [...affected].filter((path) => !known.has(path));
    const isNews = this.#isElsewhereNews;
    this.#isElsewhereNews = false;
    // A new name may make another one unclear, and problems name plans.
    for (const [path, { links }] of this.#parts)
      if (
        isRenamed ||
        (isNews && links.namesPlans) ||
        hasNewIds.some((other) => links.mentioned.has(other))
      )
        affected.add(path);
    for (const path of affected) {
      const part = this.#parts.get(path)!;
      const directory = {
        names: this.#names,
        plan: (other: string) => this.#parts.get(other),
        elsewhere: (name: string) => this.#options.elsewhere?.(name),
      };
      part.links = linkPlan(part, directory, known.get(path));
    }
  }

  /** What follows from what all tasks wait for, read and write. Adds the plans for which it is news. */
  #relate(before: ReadonlyMap<string, Part>, affected: Set<string>): void {
    const members = [...this.#parts.values()].map(({ source: { path }, links }) => {
      const reaches = new Set([...links.references.values()].map(({ plan }) => plan));
      return { path, nodes: links.nodes, reaches };
    });
    const clusters = clustersOf(members, this.#clusters);
    const gone = [...before].filter(([path]) => !this.#parts.has(path));
    let isNews = gone.some(([, { paths }]) => paths.length > 0);
    for (const [path, cluster] of clusters) {
      if (this.#clusters.get(path) === cluster) continue;
      isNews = true;
      affected.add(path);
    }
    this.#clusters = clusters;
    for (const [path, { paths }] of this.#parts) isNews ||= before.get(path)?.paths !== paths;
    if (!isNews) return;
    const tasks = [...this.#parts.values()].flatMap(({ paths }) => paths);
    const graphs = new Set([...clusters.values()].map(({ graph }) => graph));
    this.#finding = this.#hazards.finding(tasks, [...graphs], (hazard, plan) =>
      this.#spell(hazard, plan),
    );
  }

  /** What takes long to say of a hazard is remembered from now on. */
  #spell(hazard: Hazard, number: number): number {
    const part = this.#byNumber[number];
    const before = this.#colliding.stepsTaken;
    if (part !== undefined) this.#viewOf(part).hazardProblems(hazard, this.#colliding);
    return this.#colliding.stepsTaken - before;
  }

  /** Plans that show places of this one. */
  #addRelated(path: string, affected: Set<string>): void {
    const cluster = this.#clusters.get(path);
    if (cluster !== undefined && cluster.cycles.length > 0)
      for (const other of cluster.paths) affected.add(other);
    const { number } = this.#parts.get(path)!;
    for (const { first, second } of this.#hazards.ofPlan(number))
      for (const key of [first, second]) {
        const other = this.#byNumber[readKeyOf(key).number];
        if (other !== undefined) affected.add(other.source.path);
      }
  }

  #sayProblems(path: string): void {
    const part = this.#parts.get(path)!;
    const { parsed, links, number, paths } = part;
    const view = this.#viewOf(part);
    const cycles = this.#clusters.get(path)?.cycles ?? [];
    const isIncomplete = !this.#hazards.isComplete && paths.length > 0;
    const hazards = this.#hazards.ofPlan(number);
    part.unspelled = Math.max(0, hazards.length - SHOWN_LIMIT);
    part.problems = [
      ...parsed.problems,
      ...(parsed.tasks.length === 0 && parsed.problems.length === 0 && !isOfEditor(parsed)
        ? [NO_TASKS]
        : []),
      ...links.problems,
      ...cycles.flatMap((cycle) => view.cycleProblems(cycle)),
      ...hazards
        .slice(0, SHOWN_LIMIT)
        .flatMap((hazard) => view.hazardProblems(hazard, this.#colliding)),
      ...(isIncomplete ? [MORE_HAZARDS] : []),
    ].map((problem) => ({ ...problem, message: displayLine(problem.message) }));
    part.obstacles = ownObstacles(parsed.tasks, part.problems);
  }

  /** Says of the plans of a cluster which of their tasks cannot start. Lines of these files may have moved. */
  #conclude(cluster: TaskCluster, moved: ReadonlySet<string>): void {
    const parts = cluster.paths.map((path) => this.#parts.get(path)!);
    const obstructed = parts.flatMap(({ obstacles, entries }) =>
      Array.from(obstacles.keys(), (id) => entries.get(id)!.key),
    );
    const held = this.#held.of(cluster, obstructed);
    for (const part of parts) {
      const view = this.#viewOf(part);
      const obstacles = new Map<TaskId, string>();
      const behind = new Map<TaskId, string>();
      for (const { id, cause } of held.get(part.number) ?? []) {
        const why = part.obstacles.get(id);
        const sentence = why ?? behind.get(cause) ?? behindText(view.nameOf(cause));
        if (why === undefined) behind.set(cause, sentence);
        obstacles.set(id, sentence);
      }
      const result: AnalyzedPlan = {
        ...part.parsed,
        knownAs: part.named.knownAs,
        references: part.links.references,
        problems: limited(part),
        obstacles,
      };
      if (!isSameResult(part, result) || pointsInto(result, moved)) part.result = result;
      part.resultOf = part.parsed;
    }
  }

  #viewOf(part: Part): PlanView {
    const numbered = (number: number): Part | undefined => this.#byNumber[number];
    return new PlanView(part, { names: this.#names, numbered });
  }
}

/** Such a file is not there for our sake. */
function isOfEditor({ byDefault }: ParsedPlan): boolean {
  return byDefault !== undefined;
}

function behindText(name: string): string {
  return `It waits for "${displayText(name)}", which cannot start.`;
}

function pointsInto({ problems }: AnalyzedPlan, files: ReadonlySet<string>): boolean {
  return problems.some(({ related }) =>
    related.some(({ range }) => range.file !== undefined && files.has(range.file)),
  );
}

function limited({ problems, unspelled }: Part): readonly Problem[] {
  const left = unspelled + problems.length - PROBLEM_LIMIT;
  if (left <= 0) return problems;
  const message = `${left} more problems are not shown.`;
  return [
    ...problems.slice(0, PROBLEM_LIMIT),
    { code: 'more-problems', severity: 'warning', message, range: START, related: [] },
  ];
}
