import type { TaskId } from '../domain/ids.ts';
import type { PathRules } from '../domain/paths/overlap.ts';
import { analyzePlan } from '../plans/analyze.ts';
import { parseInterlockYaml } from '../plans/interlock-yaml.ts';
import type { AnalyzedPlan, PlanTask } from '../plans/plan.ts';
import type { PlanFiles } from './ports.ts';

/** A plan file with its text as the user sees it: an open buffer hides the file on disk. */
export interface LoadedPlan {
  readonly path: string;
  readonly text: string;
  readonly plan: AnalyzedPlan;
}

/** The plans of one folder. Each is parsed again only when its text has changed. */
export class PlanSet {
  readonly #root: string;
  readonly #files: PlanFiles;
  readonly #rules: PathRules;
  readonly #buffers = new Map<string, string>();
  #plans = new Map<string, LoadedPlan>();

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

  /** Looks which plan files there are now, and reads them again. */
  reload(): void {
    const plans = new Map<string, LoadedPlan>();
    for (const path of this.#files.list(this.#root)) {
      const loaded = this.#load(path);
      if (loaded !== undefined) plans.set(path, loaded);
    }
    this.#plans = plans;
  }

  /** The text of an open buffer, or nothing when it is closed and the file on disk counts again. */
  setBuffer(path: string, text: string | undefined): void {
    if (text === undefined) this.#buffers.delete(path);
    else this.#buffers.set(path, text);
    const loaded = this.#plans.has(path) ? this.#load(path) : undefined;
    if (loaded !== undefined) this.#plans.set(path, loaded);
    // A file that is new, or gone: only what is found on disk is a plan of this folder.
    else this.reload();
  }

  #load(path: string): LoadedPlan | undefined {
    const text = this.#buffers.get(path) ?? this.#files.read(this.#root, path);
    if (text === undefined) return undefined;
    const known = this.#plans.get(path);
    if (known?.text === text) return known;
    return { path, text, plan: analyzePlan(parseInterlockYaml(text), this.#rules) };
  }
}

/** The tasks that a run of some ids needs: the ids and, transitively, what they depend on. */
export function selectTasks(plan: AnalyzedPlan, ids: readonly TaskId[]): readonly PlanTask[] {
  if (ids.length === 0) return plan.tasks;
  const byId = new Map(plan.tasks.map((task) => [task.id, task]));
  const wanted = new Set<TaskId>(ids);
  for (const id of wanted) for (const before of byId.get(id)?.dependsOn ?? []) wanted.add(before);
  return plan.tasks.filter(({ id }) => wanted.has(id));
}
