import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import {
  type GraphParams,
  type GraphReply,
  LEAVE_GRAPH,
  SHOW_GRAPH,
} from '../../protocol/graph.ts';
import type { TaskKey } from '../../protocol/tasks.ts';
import {
  FOLLOW_TIMELINE,
  LEAVE_TIMELINE,
  type TimelineChanged,
  type TimelineReply,
} from '../../protocol/timeline.ts';
import { sayFailure } from '../commands/say-failure.ts';
import { keyOf } from '../task-list.ts';
import type { FromPage, PictureState, TaskAction, ToPage } from '../webview/messages.ts';
import type { Window } from '../window.ts';
import { pageText } from './page-text.ts';
import { panelTitle, statesOf } from './picture-model.ts';
import { showBriefly, showInformation } from '../show-message.ts';

export const VIEW_TYPES = { timeline: 'interlock.timeline', graph: 'interlock.graph' } as const;

const ACTION_COMMANDS: Readonly<Record<Exclude<TaskAction, 'open' | 'open-and-focus'>, string>> = {
  log: 'interlock.task.showLog',
  run: 'interlock.task.runThis',
  why: 'interlock.task.why',
};

export interface PanelOptions {
  readonly window: Window;
  readonly panel: vscode.WebviewPanel;
  readonly state: PictureState;
  /** A task that is chosen at once. */
  readonly select?: string | undefined;
  /** Asks the user for another run, or for a task of a plan that is too large. */
  readonly choose: (state: PictureState) => Promise<PictureState | undefined>;
  readonly closed: (panel: PicturePanel) => void;
}

/** One picture in an editor tab. What it shows comes from the server whenever its page is loaded. */
export class PicturePanel {
  readonly panel: vscode.WebviewPanel;
  readonly #options: PanelOptions;
  #state: PictureState;
  #select: string | undefined;
  #isRefused = false;
  /** Nobody sees it otherwise: VS Code loads the page of a tab anew whenever it is shown. */
  #isLoaded = false;

  constructor(options: PanelOptions) {
    const { panel, window, state } = options;
    this.panel = panel;
    this.#options = options;
    this.#state = state;
    this.#select = options.select;
    const media = vscode.Uri.joinPath(window.context.extensionUri, 'dist');
    panel.webview.options = { enableScripts: true, localResourceRoots: [media] };
    panel.webview.onDidReceiveMessage((message: FromPage) => this.#hear(message));
    panel.onDidChangeViewState(() => {
      if (!panel.visible) this.#isLoaded = false;
    });
    panel.onDidDispose(() => {
      this.#isLoaded = false;
      this.#leave();
      options.closed(this);
    });
    const script = panel.webview.asWebviewUri(vscode.Uri.joinPath(media, 'picture.js')).toString();
    const nonce = crypto.randomUUID();
    panel.webview.html = pageText({ nonce, script, language: vscode.env.language });
    this.#name();
  }

  get state(): PictureState {
    return this.#state;
  }

  /** Another run, or another part of the graph; a task of it may be chosen at once. */
  async show(state: PictureState, select?: string): Promise<void> {
    this.#leave();
    this.#state = state;
    this.#select = select;
    this.#name();
    await this.load();
  }

  /** Asks the server for all of it; of a page that is loaded later, it is asked for then. */
  async load(): Promise<void> {
    if (!this.#isLoaded) return;
    const asked = this.#state;
    const reply = await this.#ask(asked);
    if (asked !== this.#state || !this.#isLoaded) return;
    this.#isRefused = reply.kind === 'refused';
    // Once: what the user chooses then stays, however often it is loaded.
    const select = this.#select === undefined ? {} : { select: this.#select };
    if (!this.#isRefused) this.#select = undefined;
    if (reply.kind === 'timeline') this.#post({ ...reply, ...select });
    else if (reply.kind === 'graph') {
      const states = statesOf(this.#options.window.tasks.all, reply.graph);
      this.#post({ ...reply, states, ...select });
    } else this.#post({ ...reply, choice: this.#choice });
  }

  exportSvg(): void {
    this.#post({ kind: 'export' });
  }

  changeTimeline(change: TimelineChanged): void {
    const state = this.#state;
    if (state.kind !== 'timeline' || state.run !== change.run) return;
    if (state.folderUri === change.folderUri) this.#post({ kind: 'timeline-changed', change });
  }

  /** These tasks are others now. What could not be shown may be there as well. */
  changeTasks(keys: readonly string[]): void {
    if (this.#isRefused) void this.load();
    if (this.#state.kind !== 'graph') return;
    const { tasks } = this.#options.window;
    const views = keys.flatMap((key) => tasks.get(key) ?? []);
    const states = statesOf(views, this.#state);
    if (states.length > 0) this.#post({ kind: 'states', states });
  }

  async #ask(state: PictureState): Promise<TimelineReply | GraphReply> {
    const { server } = this.#options.window;
    try {
      if (state.kind === 'graph') {
        const { kind: _, ...params } = state;
        const asked: GraphParams = params;
        return await server.ask<GraphReply>(SHOW_GRAPH, asked);
      }
      const { folderUri, run } = state;
      return await server.ask<TimelineReply>(FOLLOW_TIMELINE, { folderUri, run });
    } catch {
      return { kind: 'refused', message: l10n.t('The language server is not there.') };
    }
  }

  get #choice(): string {
    return this.#state.kind === 'graph' ? l10n.t('Choose a Task…') : l10n.t('Choose a Run…');
  }

  #leave(): void {
    const { server } = this.#options.window;
    if (!server.isRunning) return;
    const method = this.#state.kind === 'graph' ? LEAVE_GRAPH : LEAVE_TIMELINE;
    server.ask(method, this.#state).catch(() => {});
  }

  #name(): void {
    this.panel.title = panelTitle(this.#state);
  }

  #post(message: ToPage): void {
    if (!this.#isLoaded) return;
    void this.panel.webview.postMessage(message);
  }

  #hear(message: FromPage): void {
    this.#answer(message).catch(sayFailure);
  }

  async #answer(message: FromPage): Promise<void> {
    const state = this.#state;
    switch (message.kind) {
      case 'ready': {
        this.#isLoaded = true;
        this.#post({ kind: 'begin', state, words: vscode.l10n.bundle });
        await this.load();
        return;
      }
      case 'task': {
        const { action, plan, id } = message;
        await this.#act(action, { folderUri: state.folderUri, plan, id });
        return;
      }
      case 'around':
        if (state.kind !== 'graph') return;
        await this.show({
          kind: 'graph',
          folderUri: state.folderUri,
          plan: state.plan,
          ...(message.id !== undefined && { around: message.id }),
        });
        return;
      case 'choose': {
        const chosen = await this.#options.choose(state);
        if (chosen !== undefined) await this.show(chosen);
        return;
      }
      case 'svg':
        await save(message, state.folderUri);
        return;
      default:
        message satisfies never;
    }
  }

  async #act(action: TaskAction, key: TaskKey): Promise<void> {
    if (action === 'open' || action === 'open-and-focus') await this.#open(key, action === 'open');
    else await vscode.commands.executeCommand(ACTION_COMMANDS[action], key);
  }

  /** Beside the picture, so that both are seen. */
  async #open(key: TaskKey, preserveFocus: boolean): Promise<void> {
    const view = this.#options.window.tasks.get(keyOf(key));
    if (view === undefined) {
      showBriefly(l10n.t('"{0}" is not in the plan any more.', key.id));
      return;
    }
    const at = new vscode.Position(view.line, view.character);
    await vscode.window.showTextDocument(vscode.Uri.parse(view.planUri), {
      viewColumn: vscode.ViewColumn.Beside,
      preserveFocus,
      preview: true,
      selection: new vscode.Range(at, at),
    });
  }
}

/** Where the user wants it. */
async function save(
  { name, svg }: Extract<FromPage, { kind: 'svg' }>,
  folderUri: string,
): Promise<void> {
  if (svg === '') return;
  const target = await vscode.window.showSaveDialog({
    defaultUri: vscode.Uri.joinPath(vscode.Uri.parse(folderUri), `${name}.svg`),
    filters: { SVG: ['svg'] },
    title: l10n.t('Export as SVG'),
  });
  if (target === undefined) return;
  await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(svg));
  const open = l10n.t('Open');
  const chosen = await showInformation(
    l10n.t('The picture is in {0}.', vscode.workspace.asRelativePath(target)),
    open,
  );
  if (chosen === open) await vscode.commands.executeCommand('vscode.open', target);
}
