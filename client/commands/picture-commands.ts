import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { GRAPH_CHANGED, type GraphKey } from '../../protocol/graph.ts';
import type { TaskView } from '../../protocol/tasks.ts';
import {
  type RunSummary,
  TIMELINE_CHANGED,
  TIMELINE_RUNS,
  type TimelineChanged,
} from '../../protocol/timeline.ts';
import { panelTitle, planRows, readState, runRow } from '../pictures/picture-model.ts';
import { PicturePanel, VIEW_TYPES } from '../pictures/picture-panel.ts';
import { foldersOf } from '../folder-name.ts';
import type { PictureState } from '../webview/messages.ts';
import type { Part, Window } from '../window.ts';
import { isCalledFor, isGroup, planOf, runOf, taskOf } from './called-for.ts';
import { pickTask } from './choose-task.ts';
import { sayGone } from './say-gone.ts';
import { showInformation } from '../show-message.ts';

export const pictureCommands: Part = (window) => {
  const pictures = new Pictures(window);
  return {
    'interlock.run.showTimeline': async (argument) => pictures.showTimeline(argument),
    'interlock.plan.showGraph': async (argument) => pictures.showGraph(argument),
    'interlock.picture.exportSvg': () => pictures.exportSvg(),
  };
};

/** The pictures that are open, and how new ones come to be. */
class Pictures {
  readonly #window: Window;
  readonly #panels = new Set<PicturePanel>();

  constructor(window: Window) {
    this.#window = window;
    const { server, tasks, context } = window;
    const restoring: vscode.WebviewPanelSerializer = {
      deserializeWebviewPanel: async (panel, value: unknown) => {
        const state = readState(value);
        if (state === undefined) panel.dispose();
        else this.#adopt(panel, state);
      },
    };
    for (const type of Object.values(VIEW_TYPES))
      context.subscriptions.push(vscode.window.registerWebviewPanelSerializer(type, restoring));
    server.on<TimelineChanged>(TIMELINE_CHANGED, (change) => {
      for (const panel of this.#panels) panel.changeTimeline(change);
    });
    server.on<GraphKey>(GRAPH_CHANGED, ({ folderUri, plan }) => {
      for (const panel of this.#panels) {
        const { state } = panel;
        if (state.kind === 'graph' && state.folderUri === folderUri && state.plan === plan)
          void panel.load();
      }
    });
    // Another server knows nothing of what was shown.
    server.onStarted(() => {
      for (const panel of this.#panels) void panel.load();
    });
    tasks.onChange((keys) => {
      for (const panel of this.#panels) panel.changeTasks(keys);
    });
  }

  async showTimeline(argument: unknown): Promise<void> {
    const { tasks } = this.#window;
    const task = taskOf(tasks, argument);
    if (task !== undefined && task.run === undefined) {
      void showInformation(l10n.t('"{0}" has not been run yet.', task.id));
      return;
    }
    const called = runOf(tasks, argument);
    if (called === undefined && isCalledFor(argument) && !isGroup(argument)) return sayGone();
    const key = called ?? (await this.#pickRun());
    if (key === undefined) return;
    const { folderUri, run } = key;
    await this.#show({ kind: 'timeline', folderUri, run }, task?.id);
  }

  async showGraph(argument: unknown): Promise<void> {
    const { tasks } = this.#window;
    const task = taskOf(tasks, argument);
    const called = planOf(tasks, argument);
    const isThere = tasks.all.some(
      ({ folderUri, plan }) => folderUri === called?.folderUri && plan === called.plan,
    );
    if (isCalledFor(argument) && !isThere && !isGroup(argument)) return sayGone();
    const key = isThere ? called : await pickPlan(tasks.all);
    if (key === undefined) return;
    const { folderUri, plan } = key;
    await this.#show({ kind: 'graph', folderUri, plan }, task?.id);
  }

  exportSvg(): void {
    const active = [...this.#panels].find(({ panel }) => panel.active);
    if (active !== undefined) active.exportSvg();
    else void showInformation(l10n.t('Show a timeline or a graph first: it is what is exported.'));
  }

  /** One tab for each plan, and one for all runs: whoever wants two of them has windows. */
  async #show(state: PictureState, select?: string): Promise<void> {
    const known = [...this.#panels].find((panel) => isSamePicture(panel.state, state));
    if (known !== undefined) {
      known.panel.reveal();
      await known.show(state, select);
      return;
    }
    const title = panelTitle(state);
    const column = (await this.#takeTab(state)) ?? vscode.ViewColumn.Active;
    const panel = vscode.window.createWebviewPanel(VIEW_TYPES[state.kind], title, column);
    this.#adopt(panel, state, select);
  }

  /**
   * After a reload VS Code makes the panel of a tab only when the tab is shown: until then it is known
   * by its title alone, and cannot be shown by us. A new one takes its place.
   */
  async #takeTab(state: PictureState): Promise<vscode.ViewColumn | undefined> {
    const type = VIEW_TYPES[state.kind];
    const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
    const tab = tabs.find(
      ({ input, label }) =>
        input instanceof vscode.TabInputWebview &&
        input.viewType.endsWith(type) &&
        label === panelTitle(state),
    );
    if (tab === undefined) return undefined;
    const column = tab.group.viewColumn;
    await vscode.window.tabGroups.close(tab, true);
    return column;
  }

  #adopt(panel: vscode.WebviewPanel, state: PictureState, select?: string): void {
    const adopted = new PicturePanel({
      window: this.#window,
      panel,
      state,
      select,
      choose: async (before) => this.#choose(before),
      closed: (closed) => this.#panels.delete(closed),
    });
    this.#panels.add(adopted);
  }

  async #choose(state: PictureState): Promise<PictureState | undefined> {
    const { tasks } = this.#window;
    const { folderUri } = state;
    if (state.kind === 'timeline') {
      const run = await this.#pickRun({ isAlways: true });
      return run === undefined ? undefined : { ...state, folderUri: run.folderUri, run: run.run };
    }
    const { plan } = state;
    const views = tasks.all.filter((view) => view.folderUri === folderUri && view.plan === plan);
    const task = await pickTask(views, l10n.t('Show what is around which task?'));
    return task === undefined ? undefined : { kind: 'graph', folderUri, plan, around: task.id };
  }

  /** The newest is chosen already. */
  async #pickRun({ isAlways = false } = {}): Promise<RunSummary | undefined> {
    const runs = await this.#window.server.ask<readonly RunSummary[]>(TIMELINE_RUNS, {});
    if (runs.length === 0) void showInformation(l10n.t('There has been no run yet.'));
    if (runs.length === 0 || (runs.length === 1 && !isAlways)) return runs[0];
    const placeHolder = l10n.t('Select a run to show. The newest is first.');
    const inFolder = foldersOf(runs);
    const rows = runs.map((run) => runRow(run, inFolder(run, run.plan)));
    const picked = await vscode.window.showQuickPick(rows, {
      placeHolder,
      matchOnDescription: true,
      matchOnDetail: true,
    });
    return picked?.summary;
  }
}

function isSamePicture(some: PictureState, other: PictureState): boolean {
  if (some.kind !== 'graph' || other.kind !== 'graph') return some.kind === other.kind;
  return some.folderUri === other.folderUri && some.plan === other.plan;
}

async function pickPlan(views: readonly TaskView[]): Promise<GraphKey | undefined> {
  const rows = planRows(views);
  if (rows.length === 0)
    void showInformation(l10n.t('There is no task to show. Write a plan first.'));
  if (rows.length <= 1) return rows[0];
  const placeHolder = l10n.t('Show the graph of which plan?');
  return await vscode.window.showQuickPick(rows, { placeHolder });
}
