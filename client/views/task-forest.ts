import type { RunView } from '../../protocol/runs.ts';
import type { TaskView } from '../../protocol/tasks.ts';
import { needsUser } from '../needs-user.ts';
import { keyOf, type TaskList } from '../task-list.ts';
import { type RunList, runKeyOf } from '../run-list.ts';
import {
  ATTENTION,
  type Grouping,
  type GroupName,
  groupOf,
  type GroupRow,
  groupRow,
  groupsInOrder,
  hasShortcuts,
  type PlanNames,
} from './task-groups.ts';

/** A row of the Tasks view. A task that needs the user has two: at the top, and among the others. */
export type TreeNode =
  /** With the names of its plan and its run, for commands. */
  | ({
      readonly kind: 'group';
      readonly id: string;
      readonly parent: undefined;
    } & Partial<PlanNames>)
  | {
      readonly kind: 'task';
      /** Of the row. */
      readonly id: string;
      /** Of the task. */
      readonly key: string;
      readonly parent: TreeNode | undefined;
      readonly isShortcut: boolean;
    };

type TaskNode = Extract<TreeNode, { kind: 'task' }>;

/** What has to be drawn again. Of a group that is drawn again, so is all below it. */
export interface Redraw {
  readonly isAll: boolean;
  readonly nodes: readonly TreeNode[];
}

interface Group {
  readonly name: GroupName;
  readonly node: TreeNode;
  readonly members: Set<string>;
  sorted: readonly string[] | undefined;
}

/** Of a run with more tasks, the row says what it says of the whole of it less often. */
const SMALL_GROUP = 100;

/**
 * The rows of the Tasks view in their order, whichever way they are grouped.
 *
 * VS Code asks for the text of each row some time after it was told to draw it again, and the lists may have
 * changed by then. Rows are made from copies of the views, taken when the lists were last looked at.
 *
 * Invariant: all rows show tasks and runs of the same moment.
 * Invariant: a task that changes and stays in its group has its own rows drawn again, and no others.
 */
export class TaskForest {
  readonly #tasks: TaskList;
  readonly #runs: RunList;
  #grouping: Grouping;
  #shape = -1;
  readonly #groups = new Map<string, Group>();
  readonly #groupOf = new Map<string, GroupName>();
  /** The tasks as they were when they were put into their groups. */
  readonly #views = new Map<string, TaskView>();
  /** The runs as they were at that time. */
  readonly #runViews = new Map<string, RunView>();
  readonly #nodes = new Map<string, TreeNode>();
  readonly #nodesOf = new Map<string, TaskNode[]>();
  /** By dependency: those for which nobody waits. */
  #goals: readonly string[] = [];
  /** What the rows of runs say, as they were last shown. */
  readonly #rows = new Map<string, string>();
  #isFlat = false;
  /** Of the groups, as they were last shown. */
  #order: string | undefined;

  constructor(tasks: TaskList, runs: RunList, grouping: Grouping) {
    this.#tasks = tasks;
    this.#runs = runs;
    this.#grouping = grouping;
  }

  get grouping(): Grouping {
    return this.#grouping;
  }

  /** How many of the rows would be drawn again for a change of the largest group. */
  get largest(): number {
    return Math.max(0, ...[...this.#groups.values()].map(({ members }) => members.size));
  }

  groupBy(grouping: Grouping): Redraw {
    this.#grouping = grouping;
    return this.#plantAnew();
  }

  /** These tasks have changed, come or gone. */
  update(keys: Iterable<string>): Redraw {
    if (this.#shape !== this.#tasks.shape) return this.#plantAnew();
    const nodes: TreeNode[] = [];
    const moved = new Set<Group>();
    const before = this.#groups.size;
    for (const key of keys) {
      const changed = [...this.#place(key)];
      for (const group of changed) moved.add(group);
      nodes.push(...(this.#nodesOf.get(key) ?? []));
    }
    const wasFlat = this.#isFlat;
    const isEmptied = [...moved].some(({ members }) => members.size === 0);
    for (const { name, members } of moved) if (members.size === 0) this.#groups.delete(name.key);
    this.#isFlat = this.#isOneList();
    // None of them is a row any more: they have others above them, or no longer.
    if (wasFlat !== this.#isFlat) for (const map of [this.#nodes, this.#nodesOf]) map.clear();
    if (
      this.#groups.size !== before ||
      isEmptied ||
      wasFlat !== this.#isFlat ||
      (wasFlat && moved.size > 0)
    )
      return { isAll: true, nodes: [] };
    const groups = [...moved].map(({ node }) => node);
    return { isAll: false, nodes: [...groups, ...nodes.filter((node) => !isBelow(node, moved))] };
  }

  /** These runs have changed. */
  updateRuns(keys: readonly string[]): Redraw {
    for (const key of keys) this.#keepRun(key);
    const isOutOfOrder = this.#order !== undefined && this.#inOrder().join() !== this.#order;
    // When one of them was asked for is known only now.
    if (keys.length > 0 && isOutOfOrder && !this.#isFlat) return { isAll: true, nodes: [] };
    const nodes = keys.flatMap((key) => {
      const group = this.#groups.get(`run\n${key}`);
      if (group === undefined || this.#isFlat) return [];
      const shown = this.#rows.get(group.name.key);
      // Whoever draws it again asks for all below it, too.
      if (shown === undefined || shown === JSON.stringify(this.#rowOf(group))) return [];
      this.#rows.delete(group.name.key);
      return [group.node];
    });
    return { isAll: false, nodes };
  }

  children(node: TreeNode | undefined): readonly TreeNode[] {
    if (node === undefined) return this.#roots();
    if (node.kind === 'group') return this.#membersOf(node);
    if (this.#grouping !== 'dependency' || node.isShortcut) return [];
    return this.#needsOf(node.key)
      .filter((key) => !isAbove(key, node))
      .map((key) => this.#taskNode(key, node));
  }

  hasChildren(node: TreeNode): boolean {
    if (node.kind === 'group') return true;
    if (this.#grouping !== 'dependency' || node.isShortcut) return false;
    return this.#needsOf(node.key).length > 0;
  }

  group(node: TreeNode): GroupRow | undefined {
    const group = this.#groups.get(node.id);
    const row = group && this.#rowOf(group);
    if (group?.name.kind === 'run') this.#rows.set(node.id, JSON.stringify(row));
    return row;
  }

  /** The row of a task that is easiest to find. */
  nodeOf(key: string): TreeNode | undefined {
    if (this.#groups.get(ATTENTION.key)?.members.has(key) === true)
      return this.#membersOf(this.#groups.get(ATTENTION.key)!.node).find(
        (node) => node.kind === 'task' && node.key === key,
      );
    const group = this.#groupOf.get(key);
    const parent = group && !this.#isFlat ? this.#groups.get(group.key)?.node : undefined;
    return this.#tasks.get(key) === undefined ? undefined : this.#taskNode(key, parent);
  }

  /** A task as its group has it: what came since is drawn when it is in its new group. */
  viewOf(key: string): TaskView | undefined {
    return this.#views.get(key) ?? this.#tasks.get(key);
  }

  #plantAnew(): Redraw {
    this.#shape = this.#tasks.shape;
    for (const map of [
      this.#groups,
      this.#groupOf,
      this.#views,
      this.#runViews,
      this.#nodes,
      this.#nodesOf,
      this.#rows,
    ])
      map.clear();
    for (const run of this.#runs.all) this.#keepRun(runKeyOf(run));
    for (const view of this.#tasks.all) for (const _ of this.#place(keyOf(view))) continue;
    const keys = this.#grouping === 'dependency' ? [...this.#views.keys()] : [];
    const needed = new Set(keys.flatMap((key) => this.#needsOf(key)));
    const goals = keys.filter((key) => !needed.has(key));
    this.#goals = goals.length > 0 ? goals : keys;
    this.#isFlat = this.#isOneList();
    return { isAll: true, nodes: [] };
  }

  /** Puts a task where it belongs now; answers with the groups that it left and came to. */
  *#place(key: string): Generator<Group, void> {
    const view = this.#tasks.get(key);
    if (view === undefined) return;
    this.#views.set(key, view);
    const [was, is] = [this.#groupOf.get(key), groupOf(view, this.#grouping)];
    if (was?.key !== is?.key) {
      if (was !== undefined) yield* this.#leave(was, key);
      if (is !== undefined) yield this.#join(is, key);
      if (is !== undefined) this.#groupOf.set(key, is);
    }
    if (!hasShortcuts(this.#grouping)) return;
    const isUp = this.#groups.get(ATTENTION.key)?.members.has(key) === true;
    if (isUp && !needsUser(view)) yield* this.#leave(ATTENTION, key);
    if (!isUp && needsUser(view)) yield this.#join(ATTENTION, key);
  }

  #join(name: GroupName, key: string): Group {
    const node: TreeNode = { kind: 'group', id: name.key, parent: undefined, ...name.of };
    const group = this.#groups.get(name.key) ?? {
      name,
      node,
      members: new Set(),
      sorted: undefined,
    };
    group.members.add(key);
    group.sorted = undefined;
    this.#groups.set(name.key, group);
    return group;
  }

  *#leave(name: GroupName, key: string): Generator<Group, void> {
    const group = this.#groups.get(name.key);
    if (group === undefined) return;
    group.members.delete(key);
    group.sorted = undefined;
    const node = this.#nodes.get(`${name.key}>${key}`);
    this.#nodes.delete(`${name.key}>${key}`);
    const left = this.#nodesOf.get(key)?.filter((one) => one !== node) ?? [];
    this.#nodesOf.set(key, left);
    yield group;
  }

  /** Nothing has run, and there is one plan: its tasks need no row above them. */
  #isOneList(): boolean {
    const [group, ...others] = this.#groups.values();
    if (group === undefined || others.length > 0) return false;
    return group.name.kind === 'unrun' || group.name.kind === 'plan';
  }

  #roots(): readonly TreeNode[] {
    if (this.#isFlat) {
      const [group] = this.#groups.values();
      return group === undefined ? [] : this.#sorted(group).map((key) => this.#taskNode(key));
    }
    const ids = this.#inOrder();
    this.#order = ids.join();
    return [
      ...ids.flatMap((id) => this.#groups.get(id)?.node ?? []),
      ...this.#goals.map((key) => this.#taskNode(key)),
    ];
  }

  /** The groups, by their ids. */
  #inOrder(): readonly string[] {
    const named = [...this.#groups.values()].map((group) => ({
      ...group,
      place: this.#tasks.placeOf(this.#sorted(group)[0] ?? ''),
    }));
    const startOf = ({ name }: { readonly name: GroupName }): number =>
      this.#runOf(name)?.requestedAt ?? 0;
    return groupsInOrder(named, startOf).map(({ node }) => node.id);
  }

  #membersOf(node: TreeNode): readonly TreeNode[] {
    const group = this.#groups.get(node.id);
    return group === undefined ? [] : this.#sorted(group).map((key) => this.#taskNode(key, node));
  }

  #sorted(group: Group): readonly string[] {
    group.sorted ??= [...group.members].toSorted(
      (a, b) => this.#tasks.placeOf(a) - this.#tasks.placeOf(b),
    );
    return group.sorted;
  }

  /** VS Code knows a row by its object, so a row that stays keeps it. */
  #taskNode(key: string, parent?: TreeNode): TreeNode {
    const id = `${parent?.id ?? ''}>${key}`;
    const known = this.#nodes.get(id);
    if (known !== undefined) return known;
    const isShortcut = parent?.id === ATTENTION.key && hasShortcuts(this.#grouping);
    const node: TaskNode = { kind: 'task', id, key, parent, isShortcut };
    this.#nodes.set(id, node);
    this.#nodesOf.set(key, [...(this.#nodesOf.get(key) ?? []), node]);
    return node;
  }

  /** Of its own plan; what is in others is not shown below it. */
  #needsOf(key: string): readonly string[] {
    const view = this.#views.get(key);
    if (view === undefined) return [];
    return view.dependsOn
      .map((id) => keyOf({ ...view, id }))
      .filter((need) => this.#views.has(need));
  }

  /** Nothing where its tasks have gone, and it is about to go with them. */
  #rowOf(group: Group): GroupRow | undefined {
    const { name, members } = group;
    const first = this.#views.get(this.#sorted(group)[0] ?? '');
    const run = this.#runOf(name);
    if (first === undefined) return undefined;
    const hasManyFolders = new Set(this.#folders()).size > 1;
    const size = members.size;
    const isSmall = size <= SMALL_GROUP;
    return groupRow(name, { first, size, run, isSmall, hasManyFolders });
  }

  *#folders(): Generator<string> {
    for (const { name } of this.#groups.values())
      if (name.of !== undefined) yield name.of.folderUri;
  }

  #runOf({ of }: GroupName): RunView | undefined {
    if (of?.run === undefined) return undefined;
    const { folderUri, run } = of;
    return this.#runViews.get(runKeyOf({ folderUri, run }));
  }

  #keepRun(key: string): void {
    const view = this.#runs.get(key);
    if (view === undefined) this.#runViews.delete(key);
    else this.#runViews.set(key, view);
  }
}

/** A row is not named where one above it is. */
export function together(redraws: readonly Redraw[]): Redraw {
  const nodes = new Set(redraws.flatMap((redraw) => redraw.nodes));
  return {
    isAll: redraws.some(({ isAll }) => isAll),
    nodes: [...nodes].filter(({ parent }) => parent === undefined || !nodes.has(parent)),
  };
}

function isAbove(key: string, node: TreeNode | undefined): boolean {
  if (node?.kind !== 'task') return false;
  return node.key === key || isAbove(key, node.parent);
}

function isBelow(node: TreeNode, groups: ReadonlySet<Group>): boolean {
  return [...groups].some((group) => group.node === node.parent);
}
