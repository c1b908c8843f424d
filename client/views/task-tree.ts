import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { DESCRIBE_TASK, type DescribeReply } from '../../protocol/tasks.ts';
import { viewCommands } from '../commands/view-commands.ts';
import { DrawLimit } from '../draw-limit.ts';
import { showInformation } from '../show-message.ts';
import { needsUser } from '../needs-user.ts';
import { keyOf, namesOf } from '../task-list.ts';
import { eachSecond } from '../time.ts';
import type { Part, Window } from '../window.ts';
import { RunProgress } from './run-progress.ts';
import { iconOf, PlanOpener } from './tree-items.ts';
import { type Redraw, TaskForest, together, type TreeNode } from './task-forest.ts';
import { type Grouping, GROUPINGS } from './task-groups.ts';
import { isTimed, taskRow } from './task-tree-model.ts';
import { ViewHeader } from './task-view-header.ts';

/** Where the choice of rows is kept, for each workspace. */
const CHOICE = 'interlock.tasks.grouping';
const DRAW_MS = 250;

export const taskTree: Part = (window) => {
  const tree = new TaskTree(window);
  window.context.subscriptions.push(tree, new RunProgress(window, () => tree.isVisible));
  return viewCommands({
    choose: (grouping) => tree.groupBy(grouping),
    current: () => tree.grouping,
    showNeeds: async () => tree.showNeeds(),
  });
};

/** The Tasks view: turns nodes into tree items, and draws no more often than anybody can see. */
class TaskTree implements vscode.TreeDataProvider<TreeNode>, vscode.Disposable {
  readonly #window: Window;
  readonly #forest: TaskForest;
  readonly #changed = new vscode.EventEmitter<TreeNode[] | undefined>();
  readonly #view: vscode.TreeView<TreeNode>;
  readonly #limit: DrawLimit;
  readonly #changedTasks = new Set<string>();
  readonly #changedRuns = new Set<string>();
  readonly #timed = new Set<string>();
  readonly #opener = new PlanOpener();
  /** The tasks that the user has. */
  #own: readonly string[] = [];
  #clock: Disposable | undefined;

  readonly onDidChangeTreeData = this.#changed.event;

  constructor(window: Window) {
    this.#window = window;
    const { tasks, runs, workers, context } = window;
    const kept = context.workspaceState.get<Grouping>(CHOICE);
    const grouping = GROUPINGS.find((one) => one === kept) ?? 'run';
    this.#forest = new TaskForest(tasks, runs, grouping);
    this.#view = vscode.window.createTreeView('interlock.tasks', {
      treeDataProvider: this,
      canSelectMany: true,
      showCollapseAll: true,
    });
    const header = new ViewHeader(this.#view, window);
    this.#limit = new DrawLimit(
      () => {
        this.#draw();
        header.draw();
      },
      () => DRAW_MS + this.#forest.largest / 10,
    );
    tasks.onChange((keys) => this.#heed(keys));
    runs.onChange((keys) => {
      for (const key of keys) this.#changedRuns.add(key);
      this.#limit.ask();
    });
    workers.onChange(() => this.#heedOwn());
    this.#view.onDidChangeVisibility(() => this.#setClock());
    this.#showGrouping();
  }

  get grouping(): Grouping {
    return this.#forest.grouping;
  }

  get isVisible(): boolean {
    return this.#view.visible;
  }

  groupBy(grouping: Grouping): void {
    void this.#window.context.workspaceState.update(CHOICE, grouping);
    this.#fire(this.#forest.groupBy(grouping));
    this.#showGrouping();
  }

  /** Goes to the first task that needs the user. */
  async showNeeds(): Promise<void> {
    const first = this.#window.tasks.all.find(needsUser);
    if (first === undefined) void showInformation(l10n.t('Nothing needs you now.'));
    await vscode.commands.executeCommand('interlock.tasks.focus');
    const node = first && this.#forest.nodeOf(keyOf(first));
    if (node !== undefined) await this.#view.reveal(node, { select: true, focus: true });
  }

  getChildren(node?: TreeNode): TreeNode[] {
    return [...this.#forest.children(node)];
  }

  getParent(node: TreeNode): TreeNode | undefined {
    return node.parent;
  }

  getTreeItem(node: TreeNode): vscode.TreeItem {
    return node.kind === 'group' ? this.#groupItem(node) : this.#taskItem(node);
  }

  /** What it takes to say more than its row does is asked for when somebody points at it. */
  async resolveTreeItem(item: vscode.TreeItem, node: TreeNode): Promise<vscode.TreeItem> {
    const view = node.kind === 'task' ? this.#window.tasks.get(node.key) : undefined;
    // Without one the editor would say for ever that it is being loaded.
    item.tooltip = item.accessibilityInformation?.label ?? '';
    if (view === undefined) return item;
    try {
      const { markdown } = await this.#window.server.ask<DescribeReply>(
        DESCRIBE_TASK,
        namesOf(view),
      );
      if (markdown !== undefined) item.tooltip = new vscode.MarkdownString(markdown);
    } catch (error) {
      // A server that is going away answers nothing, and the row says what it said before.
      this.#window.log.debug(String(error));
    }
    return item;
  }

  dispose(): void {
    this.#clock?.[Symbol.dispose]();
    this.#limit[Symbol.dispose]();
    this.#view.dispose();
    this.#changed.dispose();
  }

  #heed(keys: readonly string[]): void {
    for (const key of keys) {
      this.#changedTasks.add(key);
      const view = this.#window.tasks.get(key);
      if (view !== undefined && isTimed(view.state)) this.#timed.add(key);
      else this.#timed.delete(key);
    }
    this.#setClock();
    this.#limit.ask();
  }

  /** The menus of these rows are others than before. */
  #heedOwn(): void {
    const own = [...this.#window.workers.ownTasks.keys()];
    if (own.join() === this.#own.join()) return;
    for (const key of [...this.#own, ...own]) this.#changedTasks.add(key);
    this.#own = own;
    this.#limit.ask();
  }

  #draw(): void {
    const [tasks, runs] = [[...this.#changedTasks], [...this.#changedRuns]];
    this.#changedTasks.clear();
    this.#changedRuns.clear();
    const redraws = [this.#forest.update(tasks), this.#forest.updateRuns(runs)];
    this.#describe();
    this.#fire(together(redraws));
  }

  #fire({ isAll, nodes }: Redraw): void {
    if (isAll) this.#changed.fire(undefined);
    else if (nodes.length > 0) this.#changed.fire([...nodes]);
  }

  /** The time of what runs goes on, as long as somebody can see it. */
  #setClock(): void {
    const isNeeded = this.#view.visible && this.#timed.size > 0;
    if (!isNeeded) {
      this.#clock?.[Symbol.dispose]();
      this.#clock = undefined;
      return;
    }
    this.#clock ??= eachSecond(
      () => this.#window.workers.now,
      () => {
        for (const key of this.#timed) this.#changedTasks.add(key);
        this.#limit.ask();
      },
    );
  }

  #showGrouping(): void {
    const { grouping } = this.#forest;
    void vscode.commands.executeCommand('setContext', CHOICE, grouping);
    this.#describe();
  }

  /** Where there are no rows, nobody asks how they are put together. */
  #describe(): void {
    const names: Readonly<Record<Grouping, string>> = {
      run: l10n.t('by run'),
      state: l10n.t('by state'),
      plan: l10n.t('by plan'),
      dependency: l10n.t('by dependency'),
    };
    const text = this.#forest.children(undefined).length === 0 ? '' : names[this.#forest.grouping];
    if (this.#view.description !== text) this.#view.description = text;
  }

  #groupItem(node: TreeNode): vscode.TreeItem {
    const row = this.#forest.group(node);
    if (row === undefined) return new vscode.TreeItem('');
    const { Expanded, Collapsed } = vscode.TreeItemCollapsibleState;
    const item = new vscode.TreeItem(row.label, row.isOpen ? Expanded : Collapsed);
    item.id = node.id;
    item.description = row.description;
    item.iconPath = iconOf(row);
    item.contextValue = row.context;
    item.accessibilityInformation = { label: row.spoken };
    item.tooltip = row.spoken;
    return item;
  }

  #taskItem(node: Extract<TreeNode, { kind: 'task' }>): vscode.TreeItem {
    const view = this.#forest.viewOf(node.key);
    // Asked for a row that has gone since: VS Code asks for the tree again right after.
    if (view === undefined) return new vscode.TreeItem('');
    const row = taskRow(view, this.#window.workers.now, this.#own.includes(node.key));
    const { None, Collapsed } = vscode.TreeItemCollapsibleState;
    const item = new vscode.TreeItem(row.label, this.#forest.hasChildren(node) ? Collapsed : None);
    item.id = node.id;
    item.description = row.description;
    item.iconPath = iconOf(row);
    item.contextValue = row.context;
    const label = node.isShortcut ? l10n.t('needs you: {0}', row.spoken) : row.spoken;
    item.accessibilityInformation = { label };
    item.command = this.#opener.at(view);
    return item;
  }
}
