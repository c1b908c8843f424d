import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { TaskKey } from '../../protocol/tasks.ts';
import { keyOf, type TaskList } from '../task-list.ts';
import { eachSecond } from '../time.ts';
import type { Part, Window } from '../window.ts';
import type { WorkerList } from '../worker-list.ts';
import { inFolder } from '../folder-name.ts';
import { iconOf, PlanOpener } from './tree-items.ts';
import {
  boardText,
  childNodes,
  hasTimes,
  holdKeyOf,
  holdRow,
  hostsOf,
  hostsRow,
  rootNodes,
  type WorkerNode,
  type WorkerRow,
  workerRow,
} from './workers-model.ts';

export const workersView: Part = (window) => {
  window.context.subscriptions.push(new WorkersView(window));
  return {};
};

/** The Workers view: turns nodes into tree items, and lets the leases run while somebody looks. */
class WorkersView implements vscode.TreeDataProvider<WorkerNode>, vscode.Disposable {
  readonly #workers: WorkerList;
  readonly #tasks: TaskList;
  readonly #changed = new vscode.EventEmitter<WorkerNode | undefined>();
  readonly #view: vscode.TreeView<WorkerNode>;
  readonly #nodes = new Map<string, WorkerNode>();
  readonly #opener = new PlanOpener();
  #roots = '';
  #clock: Disposable | undefined;

  readonly onDidChangeTreeData = this.#changed.event;

  constructor({ workers, tasks }: Window) {
    this.#workers = workers;
    this.#tasks = tasks;
    this.#view = vscode.window.createTreeView('interlock.workers', { treeDataProvider: this });
    this.#view.onDidChangeVisibility(() => {
      this.#tick();
      this.#tickWhileSeen();
    });
    workers.onChange((keys) => this.#refresh(keys));
  }

  getChildren(node?: WorkerNode): WorkerNode[] {
    const children =
      node === undefined ? rootNodes(this.#workers) : childNodes(node, this.#workers);
    return children.map((child) => this.#sameNode(child));
  }

  getTreeItem(node: WorkerNode): vscode.TreeItem {
    const { now, boards } = this.#workers;
    switch (node.kind) {
      case 'folder': {
        const board = boards.find(({ folderUri }) => folderUri === node.folderUri);
        const state = vscode.TreeItemCollapsibleState.Expanded;
        const item = new vscode.TreeItem(inFolder(node.folderUri, ''), state);
        item.iconPath = vscode.ThemeIcon.Folder;
        item.description = board === undefined ? '' : boardText(board);
        return item;
      }
      case 'hosts': {
        const state = vscode.TreeItemCollapsibleState.Expanded;
        return itemOf(hostsRow(hostsOf(this.#workers, node)), { state, id: node.key });
      }
      case 'worker': {
        const view = this.#workers.get(node.key);
        // Asked for a row that has gone since: VS Code asks for the tree again right after.
        if (view === undefined) return new vscode.TreeItem('');
        const state =
          view.holds.length === 0
            ? vscode.TreeItemCollapsibleState.None
            : vscode.TreeItemCollapsibleState.Expanded;
        // VS Code remembers by the id that a row without children is closed: with children it is another.
        const id = view.holds.length === 0 ? node.key : `${node.key}\nopen`;
        const board = boards.find(({ folderUri }) => folderUri === view.folderUri);
        return itemOf(workerRow(view, now, board), { state, id });
      }
      case 'hold': {
        const hold = this.#workers.hold(node.worker, holdKeyOf(node));
        if (hold === undefined) return new vscode.TreeItem('');
        const state = vscode.TreeItemCollapsibleState.None;
        const item = itemOf(holdRow(hold, now, this.#workers.get(node.worker)), {
          state,
          id: node.key,
        });
        if (hold.task !== undefined) item.command = this.#openCommand(hold.task);
        return item;
      }
      default:
        return node satisfies never;
    }
  }

  dispose(): void {
    this.#clock?.[Symbol.dispose]();
    this.#view.dispose();
    this.#changed.dispose();
  }

  #openCommand(key: TaskKey): vscode.Command {
    const task = this.#tasks.get(keyOf(key));
    if (task === undefined)
      return { command: 'interlock.tasks.focus', title: l10n.t('Show Tasks') };
    return this.#opener.at(task);
  }

  /** VS Code knows a row by its object, so a row that stays keeps it. */
  #sameNode(node: WorkerNode): WorkerNode {
    const known = this.#nodes.get(node.key) ?? node;
    this.#nodes.set(node.key, known);
    return known;
  }

  /** Workers that changed are drawn again with what they have; the whole tree only when some come or go. */
  #refresh(keys: readonly string[]): void {
    // A row that gets its first child, or loses its last one, is another row to VS Code.
    const parents = this.#workers.all.map(({ holds }) => holds.length > 0);
    const { boards } = this.#workers;
    const texts = boards.map(boardText);
    // What stands beside the name of a folder is drawn with the folder.
    const hosts = this.#workers.all.flatMap(({ kind, id, host }) =>
      kind === 'host' ? [[id, host?.state]] : [],
    );
    const roots = JSON.stringify([rootNodes(this.#workers), parents, texts, hosts]);
    const isSameShape = roots === this.#roots;
    this.#roots = roots;
    this.#view.description = texts.length === 1 ? texts.join() : '';
    if (isSameShape)
      for (const key of keys) {
        const node = this.#nodes.get(key);
        if (node !== undefined) this.#changed.fire(node);
      }
    else {
      this.#nodes.clear();
      this.#changed.fire(undefined);
    }
    this.#tickWhileSeen();
  }

  #tickWhileSeen(): void {
    if (this.#view.visible && hasTimes(this.#workers)) {
      this.#clock ??= eachSecond(
        () => this.#workers.now,
        () => this.#tick(),
      );
      return;
    }
    this.#clock?.[Symbol.dispose]();
    this.#clock = undefined;
  }

  #tick(): void {
    for (const node of this.#nodes.values())
      if (node.kind === 'hold' && this.#hasLease(node)) this.#changed.fire(node);
  }

  #hasLease(node: Extract<WorkerNode, { kind: 'hold' }>): boolean {
    return this.#workers.hold(node.worker, holdKeyOf(node))?.expiresAt !== undefined;
  }
}

function itemOf(
  row: WorkerRow,
  { state, id }: { readonly state: vscode.TreeItemCollapsibleState; readonly id: string },
): vscode.TreeItem {
  const item = new vscode.TreeItem(row.label, state);
  item.id = id;
  item.description = row.description;
  item.iconPath = iconOf(row);
  item.contextValue = row.context;
  item.accessibilityInformation = { label: row.spoken };
  item.tooltip = new vscode.MarkdownString(row.tooltip);
  return item;
}
