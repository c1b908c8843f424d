import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { TaskView } from '../../protocol/tasks.ts';
import type { TaskList } from '../task-list.ts';
import type { Part, Window } from '../window.ts';
import {
  attentionCount,
  childNodes,
  rootNodes,
  taskRow,
  type TreeNode,
} from './task-tree-model.ts';

export const taskTree: Part = (window) => {
  window.context.subscriptions.push(new TaskTree(window));
  return {};
};

/** The Tasks view: turns nodes into tree items, nothing more. */
class TaskTree implements vscode.TreeDataProvider<TreeNode>, vscode.Disposable {
  readonly #tasks: TaskList;
  readonly #changed = new vscode.EventEmitter<TreeNode | undefined>();
  readonly #view: vscode.TreeView<TreeNode>;
  readonly #nodes = new Map<string, TreeNode>();
  #rootKeys = '';

  readonly onDidChangeTreeData = this.#changed.event;

  constructor({ tasks, trouble }: Window) {
    this.#tasks = tasks;
    this.#view = vscode.window.createTreeView('interlock.tasks', { treeDataProvider: this });
    tasks.onChange((keys) => this.#refresh(keys));
    const showTrouble = (): void => {
      this.#view.message = trouble.sentence ?? '';
    };
    trouble.onChange(showTrouble);
    showTrouble();
  }

  getChildren(node?: TreeNode): TreeNode[] {
    const views = this.#tasks.all;
    const children = node === undefined ? rootNodes(views) : childNodes(node, views);
    return children.map((child) => this.#sameNode(child));
  }

  getTreeItem(node: TreeNode): vscode.TreeItem {
    if (node.kind === 'task') return taskItem(this.#tasks.get(node.key));
    const item = new vscode.TreeItem(node.label, vscode.TreeItemCollapsibleState.Expanded);
    item.id = node.key;
    item.iconPath = new vscode.ThemeIcon('list-tree');
    item.contextValue = 'plan';
    item.accessibilityInformation = { label: node.label };
    return item;
  }

  dispose(): void {
    this.#view.dispose();
    this.#changed.dispose();
  }

  /** VS Code knows a row by its object, so a row that stays keeps it. */
  #sameNode(node: TreeNode): TreeNode {
    const known = this.#nodes.get(node.key) ?? node;
    this.#nodes.set(node.key, known);
    return known;
  }

  /** Rows whose task changed are drawn again; the whole tree only when rows come or go. */
  #refresh(keys: readonly string[]): void {
    const views = this.#tasks.all;
    const rootKeys = JSON.stringify(views.map(({ plan, planUri, id }) => [plan, planUri, id]));
    const isSameShape = rootKeys === this.#rootKeys;
    this.#rootKeys = rootKeys;
    if (!isSameShape) {
      this.#nodes.clear();
      this.#changed.fire(undefined);
    } else
      for (const key of keys) {
        const node = this.#nodes.get(key);
        if (node !== undefined) this.#changed.fire(node);
      }
    const count = attentionCount(views);
    const tooltip = views.some(({ state }) => state === 'attention')
      ? l10n.t('{0} failed or need attention', count)
      : l10n.t('{0} failed', count);
    this.#view.badge = count === 0 ? undefined : { value: count, tooltip };
  }
}

function taskItem(view: TaskView | undefined): vscode.TreeItem {
  // Asked for a row that has gone since: VS Code asks for the tree again right after.
  if (view === undefined) return new vscode.TreeItem('');
  const row = taskRow(view);
  const item = new vscode.TreeItem(row.label, vscode.TreeItemCollapsibleState.None);
  item.id = `${view.planUri}#${view.id}`;
  item.description = row.description;
  item.iconPath = new vscode.ThemeIcon(
    row.icon,
    row.color === undefined ? undefined : new vscode.ThemeColor(row.color),
  );
  item.contextValue = row.context;
  item.accessibilityInformation = { label: row.spoken };
  item.tooltip = row.tooltip;
  const start = new vscode.Position(view.line, view.character);
  item.command = {
    command: 'vscode.open',
    title: l10n.t('Open in plan'),
    arguments: [vscode.Uri.parse(view.planUri), { selection: new vscode.Range(start, start) }],
  };
  return item;
}
