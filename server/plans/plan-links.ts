import { areEqual } from '../domain/equal-lists.ts';
import type { GraphNode } from '../domain/graph/graph.ts';
import { parseTaskReference, splitReference, type TaskId } from '../domain/ids.ts';
import { closest, didYouMean } from './closest.ts';
import type { Mention, ParsedPlan, PlanTask, Problem, TaskOfPlan } from './plan.ts';
import type { NamedPlan, PlanNames } from './plan-names.ts';

/** A hint compares a word with every id, so only the first few unknown ids of a plan get one. */
const HINT_LIMIT = 20;

/** One id of a plan: its key, which no task of another plan of the folder has, and which task it is. */
interface TaskEntry {
  readonly key: TaskId;
  readonly index: number;
}

export type TaskEntries = ReadonlyMap<string, TaskEntry>;

/** The tasks of one plan, to be found by their ids. */
export interface PlanIds {
  readonly named: NamedPlan;
  readonly tasks: readonly PlanTask[];
  readonly entries: TaskEntries;
}

export function taskIn({ tasks, entries }: PlanIds, id: string): PlanTask | undefined {
  return tasks[entries.get(id)?.index ?? -1];
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
  /** Which of them have to be looked up again: they name other plans, or what does not exist. */
  readonly open: ReadonlySet<number>;
  readonly references: ReadonlyMap<string, TaskOfPlan>;
  /** All plans that are mentioned, found or not: their ids and names matter here. */
  readonly mentioned: ReadonlySet<string>;
  readonly namesPlans: boolean;
  readonly problems: readonly Problem[];
}

/** The same tasks and what was found of them, as far as the ids of their own plan are what they were. */
interface KnownLinks {
  readonly tasks: readonly PlanTask[];
  readonly links: PlanLinks;
}

/** Looks up what each task waits for, in its own plan and in the others. */
export function linkPlan(ids: PlanIds, at: PlanDirectory, known?: KnownLinks): PlanLinks {
  const looked = new Lookup(ids, at);
  const open = new Set<number>();
  let isSame = known?.links.nodes.length === ids.tasks.length;
  const nodes = ids.tasks.map((task, index): GraphNode => {
    const before = known && nodeBefore(task, index, known);
    if (before !== undefined) return before;
    const [node, isSettled] = looked.nodeOf(task);
    if (!isSettled) open.add(index);
    const last = known?.links.nodes[index];
    if (last !== undefined && isSameNode(last, node)) return last;
    isSame = false;
    return node;
  });
  const { references, mentioned, problems, namesPlans } = looked;
  const kept = isSame && known !== undefined ? known.links.nodes : nodes;
  return { nodes: kept, open, references, mentioned, problems, namesPlans };
}

/** What was found of a task that says what it said, where that cannot be anything else now. */
function nodeBefore(task: PlanTask, index: number, known: KnownLinks): GraphNode | undefined {
  const said = known.tasks[index]?.said;
  const isSettled = said !== undefined && said === task.said && !known.links.open.has(index);
  return isSettled ? known.links.nodes[index] : undefined;
}

function isSameNode(a: GraphNode, b: GraphNode): boolean {
  return a.id === b.id && areEqual(a.dependsOn, b.dependsOn) && areEqual(a.after, b.after);
}

class Lookup {
  readonly references = new Map<string, TaskOfPlan>();
  readonly mentioned = new Set<string>();
  readonly problems: Problem[] = [];
  namesPlans = false;
  #isSettled = true;
  readonly #own: PlanIds;
  readonly #at: PlanDirectory;

  constructor(own: PlanIds, at: PlanDirectory) {
    this.#own = own;
    this.#at = at;
  }

  /** What a task waits for, and whether nothing but the ids of its own plan can change that. */
  nodeOf(task: PlanTask): readonly [node: GraphNode, isSettled: boolean] {
    const id = this.#own.entries.get(task.id)!.key;
    // What is done waits for nobody.
    if (task.doneAs !== undefined) return [{ id, dependsOn: [], after: [] }, true];
    this.#isSettled = true;
    const dependsOn = task.dependsOnMentions.flatMap((mention) => this.#find(mention) ?? []);
    const after = task.afterMentions.flatMap((mention) => this.#find(mention) ?? []);
    return [{ id, dependsOn, after }, this.#isSettled];
  }

  /** Nothing, too, for a task that is done: nobody has to wait for it. */
  #find(mention: Mention): TaskId | undefined {
    const { plan, task } = splitReference(mention.text);
    if (plan !== undefined) return this.#findOutside(mention, { plan, task });
    const key = this.#own.entries.get(task)?.key;
    if (key !== undefined) return isDone(task, this.#own) ? undefined : key;
    const message = `There is no task "${task}" in this plan.${this.#hint(task, this.#own)}`;
    return this.#report('unknown-task', mention, message);
  }

  #findOutside(
    mention: Mention,
    { plan: name, task }: { readonly plan: string; readonly task: string },
  ): TaskId | undefined {
    this.namesPlans = true;
    this.#isSettled = false;
    const found = this.#at.names.find(name);
    if (found.kind === 'unknown') {
      const hint = this.#isTired ? undefined : this.#at.names.closestTo(name);
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
    const key = other?.entries.get(task)?.key;
    const id = other && taskIn(other, task)?.id;
    if (key !== undefined && id !== undefined) {
      this.references.set(mention.text, { plan: found.path, task: id });
      return isDone(task, other) ? undefined : key;
    }
    const hint =
      other === undefined || this.#isTired ? undefined : closest(task, other.entries.keys());
    const advice = hint === undefined ? '' : ` Did you mean "${name}/${hint}"?`;
    const message = `There is no task "${task}" in plan "${name}" (${found.path}).${advice}`;
    return this.#report('unknown-task', mention, message);
  }

  get #isTired(): boolean {
    return this.problems.length >= HINT_LIMIT;
  }

  #hint(task: string, { entries }: PlanIds): string {
    return this.#isTired ? '' : didYouMean(task, entries.keys());
  }

  #report(code: Problem['code'], { range }: Mention, message: string): undefined {
    this.#isSettled = false;
    this.problems.push({ code, severity: 'error', message, range, related: [] });
  }
}

function isDone(task: string, plan: PlanIds | undefined): boolean {
  return plan !== undefined && taskIn(plan, task)?.doneAs !== undefined;
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

/** The tasks of a plan by their ids; those of before where the ids are the same. */
export function entriesOf(
  { tasks }: ParsedPlan,
  { number, before }: { readonly number: number; readonly before: TaskEntries | undefined },
): TaskEntries {
  if (before !== undefined && before.size === tasks.length && hasInOrder(before, tasks))
    return before;
  return new Map(
    tasks.map(({ id }, index) => {
      const key = before?.get(id)?.key ?? parseTaskReference(`${number}/${id}`)!;
      return [id, { key, index }];
    }),
  );
}

function hasInOrder(known: TaskEntries, tasks: readonly PlanTask[]): boolean {
  let next = 0;
  for (const id of known.keys()) if (tasks[next++]?.id !== id) return false;
  return true;
}

/** Of a key, the number of its plan and the id there. */
export function readKeyOf(key: TaskId): { readonly number: number; readonly id: string } {
  const { plan, task } = splitReference(key);
  return { number: Number(plan), id: task };
}
