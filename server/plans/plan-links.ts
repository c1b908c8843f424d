import type { GraphNode } from '../domain/graph/graph.ts';
import { parseTaskReference, splitReference, type TaskId } from '../domain/ids.ts';
import { closest, didYouMean } from './closest.ts';
import type { Mention, ParsedPlan, PlanTask, Problem, TaskOfPlan } from './plan.ts';
import type { NamedPlan, PlanNames } from './plan-names.ts';

/** A hint compares a word with every id, so only the first few unknown ids of a plan get one. */
const HINT_LIMIT = 20;

/** The ids of one plan. Each has a key that no task of another plan of the folder has. */
export interface PlanIds {
  readonly named: NamedPlan;
  readonly keyOf: ReadonlyMap<string, TaskId>;
  readonly byId: ReadonlyMap<string, PlanTask>;
}

/** The plans of a folder, for whoever looks up what a task waits for. */
export interface PlanDirectory {
  readonly names: PlanNames;
  plan(path: string): PlanIds | undefined;
  /** Why a plan of another open folder cannot be meant; nothing where none has this name. */
  elsewhere(name: string): string | undefined;
}

/** What the tasks of one plan wait for, by keys. */
export interface PlanLinks {
  /** Of each task, in their order. What does not exist is left out. */
  readonly nodes: readonly GraphNode[];
  readonly references: ReadonlyMap<string, TaskOfPlan>;
  /** All plans that are mentioned, found or not: their ids and names matter here. */
  readonly mentioned: ReadonlySet<string>;
  readonly namesPlans: boolean;
  readonly problems: readonly Problem[];
}

/** Looks up what each task waits for, in its own plan and in the others. */
export function linkPlan(ids: PlanIds, tasks: ParsedPlan['tasks'], at: PlanDirectory): PlanLinks {
  const looked = new Lookup(ids, at);
  const nodes = tasks.map((task): GraphNode => {
    const id = ids.keyOf.get(task.id)!;
    // What is done waits for nobody.
    if (task.doneAs !== undefined) return { id, dependsOn: [], after: [] };
    return {
      id,
      dependsOn: task.dependsOnMentions.flatMap((mention) => looked.find(mention) ?? []),
      after: task.afterMentions.flatMap((mention) => looked.find(mention) ?? []),
    };
  });
  const { references, mentioned, problems, namesPlans } = looked;
  return { nodes, references, mentioned, problems, namesPlans };
}

class Lookup {
  readonly references = new Map<string, TaskOfPlan>();
  readonly mentioned = new Set<string>();
  readonly problems: Problem[] = [];
  namesPlans = false;
  readonly #own: PlanIds;
  readonly #at: PlanDirectory;

  constructor(own: PlanIds, at: PlanDirectory) {
    this.#own = own;
    this.#at = at;
  }

  /** Nothing, too, for a task that is done: nobody has to wait for it. */
  find(mention: Mention): TaskId | undefined {
    const { plan, task } = splitReference(mention.text);
    if (plan !== undefined) return this.#findOutside(mention, { plan, task });
    const key = this.#own.keyOf.get(task);
    if (key !== undefined) return isDone(task, this.#own) ? undefined : key;
    const message = `There is no task "${task}" in this plan.${this.#hint(task, this.#own)}`;
    return this.#report('unknown-task', mention, message);
  }

  #findOutside(
    mention: Mention,
    { plan: name, task }: { readonly plan: string; readonly task: string },
  ): TaskId | undefined {
    this.namesPlans = true;
    const found = this.#at.names.find(name);
    if (found.kind === 'unknown') {
      const { hint } = found;
      const advice = hint === undefined ? '' : ` Did you mean "${hint}/${task}"?`;
      const other = this.#at.elsewhere(name);
      const message = other ?? `There is no plan "${name}" in this folder.${advice}`;
      return this.#report('unknown-plan', mention, message);
    }
    if (found.kind === 'several') {
      for (const { path } of found.plans) this.mentioned.add(path);
      return this.#report('ambiguous-plan', mention, severalPlans(name, task, found.plans));
    }
    this.mentioned.add(found.path);
    const other = this.#at.plan(found.path);
    const key = other?.keyOf.get(task);
    const id = other?.byId.get(task)?.id;
    if (key !== undefined && id !== undefined) {
      this.references.set(mention.text, { plan: found.path, task: id });
      return isDone(task, other) ? undefined : key;
    }
    const hint =
      other === undefined || this.#isTired ? undefined : closest(task, other.byId.keys());
    const advice = hint === undefined ? '' : ` Did you mean "${name}/${hint}"?`;
    const message = `There is no task "${task}" in plan "${name}" (${found.path}).${advice}`;
    return this.#report('unknown-task', mention, message);
  }

  get #isTired(): boolean {
    return this.problems.length >= HINT_LIMIT;
  }

  #hint(task: string, { byId }: PlanIds): string {
    return this.#isTired ? '' : didYouMean(task, byId.keys());
  }

  #report(code: Problem['code'], { range }: Mention, message: string): undefined {
    this.problems.push({ code, severity: 'error', message, range, related: [] });
  }
}

function isDone(task: string, plan: PlanIds | undefined): boolean {
  return plan?.byId.get(task)?.doneAs !== undefined;
}

function severalPlans(name: string, task: string, plans: readonly NamedPlan[]): string {
  const paths = plans.map(({ path }) => path);
  const list = `${paths.slice(0, -1).join(', ')} and ${paths.at(-1)}`;
  const example = plans.find(({ shortPath }) => shortPath !== name)?.shortPath;
  const advice =
    example === undefined
      ? 'Give them different names'
      : `Write the path of the one that is meant, for instance "${example}/${task}", or give them different names`;
  return `${plans.length} plans are called "${name}": ${list}. ${advice}.`;
}

/** The keys of the tasks of a plan, by their ids; those of before where the ids are the same. */
export function keysOf(
  { tasks }: ParsedPlan,
  { number, before }: { readonly number: number; readonly before: PlanIds | undefined },
): ReadonlyMap<string, TaskId> {
  const known = before?.keyOf;
  const isSame = known?.size === tasks.length && hasInOrder(known, tasks);
  if (known !== undefined && isSame) return known;
  return new Map(
    tasks.map(({ id }) => [id, known?.get(id) ?? parseTaskReference(`${number}/${id}`)!]),
  );
}

function hasInOrder(known: ReadonlyMap<string, TaskId>, tasks: readonly PlanTask[]): boolean {
  let next = 0;
  for (const id of known.keys()) if (tasks[next++]?.id !== id) return false;
  return true;
}

/** Of a key, the number of its plan and the id there. */
export function readKeyOf(key: TaskId): { readonly number: number; readonly id: string } {
  const { plan, task } = splitReference(key);
  return { number: Number(plan), id: task };
}
