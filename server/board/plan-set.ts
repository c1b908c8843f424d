import type { TaskId } from '../domain/ids.ts';
import type { PathRules } from '../domain/paths/overlap.ts';
import { analyzePlan } from '../plans/analyze.ts';
import type { AnalyzedPlan, PlanTask, TextRange } from '../plans/plan.ts';
import type { PlanSource } from '../plans/plan-source.ts';
import { type PlanTexts, readPlan } from '../plans/read-plan.ts';
import type { PlanFiles } from './ports.ts';

/** A plan with its texts as the user sees them: an open buffer hides the file on disk. */
export interface LoadedPlan extends PlanSource {
  readonly texts: PlanTexts;
  readonly plan: AnalyzedPlan;
}

/** The plans of one folder. Each is read again only when one of its texts has changed. */
export class PlanSet {
  readonly #root: string;
  readonly #files: PlanFiles;
  readonly #rules: PathRules;
  readonly #buffers = new Map<string, string>();
  #plans = new Map<string, LoadedPlan>();
  /** The plan that a file is part of. */
  #owners = new Map<string, LoadedPlan>();

  constructor(root: string, files: PlanFiles, rules: PathRules) {
    this.#root = root;
    this.#files = files;
    this.#rules = rules;
  }

  /** In the order of their paths. */
  get all(): readonly LoadedPlan[] {
    return [...this.#plans.values()];
  }

  get(path: string): LoadedPlan | undefined {
    return this.#plans.get(path);
  }

  /** The plan that is written in this file, all of it or in part. */
  planOf(file: string): LoadedPlan | undefined {
    return this.#owners.get(file);
  }

  /** What the user sees in a file of some plan. */
  textOf(file: string): string | undefined {
    return this.#owners.get(file)?.texts.get(file);
  }

  /** Looks which plan files there are now, and reads them again. */
  reload(): void {
    const plans = new Map<string, LoadedPlan>();
    for (const source of this.#files.list(this.#root)) {
      const loaded = this.#load(source);
      if (loaded !== undefined) plans.set(source.path, loaded);
    }
    this.#plans = plans;
    this.#owners = new Map();
    for (const loaded of plans.values()) this.#own(loaded);
  }

  /** The text of an open buffer, or nothing when it is closed and the file on disk counts again. */
  setBuffer(file: string, text: string | undefined): void {
    if (text === undefined) this.#buffers.delete(file);
    else this.#buffers.set(file, text);
    const owner = this.#owners.get(file);
    const loaded = owner && this.#load(owner);
    // A file that is new, or gone: only what is found on disk is a plan of this folder.
    if (loaded === undefined) return this.reload();
    this.#plans.set(loaded.path, loaded);
    return this.#own(loaded);
  }

  #own(loaded: LoadedPlan): void {
    for (const file of loaded.files) this.#owners.set(file, loaded);
  }

  #load({ path, kind, files }: PlanSource): LoadedPlan | undefined {
    const texts = new Map<string, string>();
    for (const file of files) {
      const text = this.#buffers.get(file) ?? this.#files.read(this.#root, file);
      if (text !== undefined) texts.set(file, text);
    }
    if (!texts.has(path)) return undefined;
    const known = this.#plans.get(path);
    if (known !== undefined && areEqual(known.texts, texts)) return known;
    const source = { path, kind, files };
    return { ...source, texts, plan: analyzePlan(readPlan(source, texts), this.#rules) };
  }
}

/** A plan that lies in no folder. */
export function loosePlan(path: string, text: string, rules: PathRules): LoadedPlan {
  const source: PlanSource = { path, kind: 'interlock', files: [path] };
  const texts = new Map([[path, text]]);
  return { ...source, texts, plan: analyzePlan(readPlan(source, texts), rules) };
}

function areEqual(some: PlanTexts, others: PlanTexts): boolean {
  if (some.size !== others.size) return false;
  for (const [file, text] of some) if (others.get(file) !== text) return false;
  return true;
}

/** The file that a place of a plan is in. */
export function fileOf({ file }: TextRange, { path }: PlanSource): string {
  return file ?? path;
}

/** The tasks that a run of some ids needs: the ids and, transitively, what they depend on. */
export function selectTasks(plan: AnalyzedPlan, ids: readonly TaskId[]): readonly PlanTask[] {
  if (ids.length === 0) return plan.tasks;
  const byId = new Map(plan.tasks.map((task) => [task.id, task]));
  const wanted = new Set<TaskId>(ids);
  for (const id of wanted) for (const before of byId.get(id)?.dependsOn ?? []) wanted.add(before);
  return plan.tasks.filter(({ id }) => wanted.has(id));
}
