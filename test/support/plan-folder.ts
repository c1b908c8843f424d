import { FolderAnalysis, type FolderOptions } from '../../server/plans/folder-analysis.ts';
import type { AnalyzedPlan } from '../../server/plans/plan.ts';
import type { PlanSource } from '../../server/plans/plan-source.ts';
import type { ReadPlan } from '../../server/plans/plan-part.ts';
import { PlanMemory, readPlan } from '../../server/plans/read-plan.ts';

/** Plans of a folder called `shop`, and what is said of them while they are edited. */
export class PlanFolder {
  readonly #analysis: FolderAnalysis;
  readonly #read = new Map<string, ReadPlan & { readonly text: string }>();
  /** Of each plan what was read of it before, as for whoever types into it. */
  readonly #memories = new Map<string, PlanMemory>();
  plans: ReadonlyMap<string, AnalyzedPlan> = new Map();

  constructor(
    texts: Readonly<Record<string, string>>,
    { elsewhere }: Pick<FolderOptions, 'elsewhere'> = {},
  ) {
    const rules = { foldCase: false };
    this.#analysis = new FolderAnalysis({ rules, name: 'shop', ...(elsewhere && { elsewhere }) });
    this.edit(texts);
  }

  /** These have other texts now; nothing is one that is gone. */
  edit(texts: Readonly<Record<string, string | undefined>>): void {
    for (const [path, text] of Object.entries(texts)) {
      if (text === undefined) this.#read.delete(path);
      else if (this.#read.get(path)?.text !== text) this.#read.set(path, this.#reading(path, text));
    }
    const inOrder = [...this.#read].toSorted(([a], [b]) => (a < b ? -1 : 1));
    this.plans = this.#analysis.update(inOrder.map(([, each]) => each));
  }

  #reading(path: string, text: string): ReadPlan & { readonly text: string } {
    const source: PlanSource = { path, kind: 'interlock', files: [path] };
    const memory = this.#memories.get(path) ?? new PlanMemory();
    this.#memories.set(path, memory);
    return { source, text, parsed: readPlan(source, new Map([[path, text]]), memory) };
  }

  plan(path: string): AnalyzedPlan {
    const plan = this.plans.get(path);
    if (plan === undefined) throw new Error(`There is no plan ${path}.`);
    return plan;
  }

  /** `path: severity code: message`, in the order of the paths and of the texts. */
  get said(): readonly string[] {
    return [...this.plans].flatMap(([path, { problems }]) =>
      problems
        .toSorted((a, b) => a.range.start - b.range.start || b.range.end - a.range.end)
        .map(({ severity, code, message }) => `${path}: ${severity} ${code}: ${message}`),
    );
  }

  /** `path: task: why`. */
  get obstacles(): readonly string[] {
    return [...this.plans].flatMap(([path, { obstacles }]) =>
      [...obstacles].map(([task, why]) => `${path}: ${task}: ${why}`),
    );
  }
}
