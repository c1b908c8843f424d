// Starts in the page of a picture: asks what it is to show, shows it, and keeps it up to date.
import * as l10n from '@vscode/l10n';
import type { Graph } from '../../protocol/graph.ts';
import { button, html } from './dom.ts';
import { GraphView } from './graph-view.ts';
import type { FromPage, PictureState, ToPage } from './messages.ts';
import type { Page, PictureView } from './page.ts';
import { TimelineView } from './timeline-view.ts';

interface Editor {
  postMessage(message: FromPage): void;
  setState(state: PictureState): void;
}

declare function acquireVsCodeApi(): Editor;

const editor = acquireVsCodeApi();
const told = html('div', { class: 'unseen', 'aria-live': 'polite' });
const page: Page = {
  post: (message) => editor.postMessage(message),
  remember: (state) => editor.setState(state),
  announce: (words) => {
    told.textContent = words;
  },
};
let timeline: TimelineView | undefined;
let graph: GraphView | undefined;
let state: PictureState | undefined;
let isRefused = false;
let refusal: string | undefined;

/** The editor alone speaks to this page. */
window.addEventListener('message', ({ data }: MessageEvent<ToPage>) => hear(data));
page.post({ kind: 'ready' });

function hear(message: ToPage): void {
  switch (message.kind) {
    case 'begin':
      if (message.words !== undefined) l10n.config({ contents: { ...message.words } });
      state = message.state;
      editor.setState(state);
      begin(state);
      return;
    case 'timeline':
      see(timeline);
      timeline?.show(message.timeline, message.select);
      return;
    case 'timeline-changed':
      timeline?.change(message.change);
      return;
    case 'graph':
      see(graph);
      graph?.show(message.graph, message);
      page.remember(stateOf(message.graph));
      return;
    case 'states':
      graph?.change(message.states);
      return;
    case 'refused':
      refuse(message.message, message.choice);
      return;
    case 'export': {
      const view = timeline ?? graph;
      if (view !== undefined) page.post({ kind: 'svg', ...view.file() });
      return;
    }
    default:
      message satisfies never;
  }
}

function stateOf({ folderUri, plan, around }: Graph): PictureState {
  return { kind: 'graph', folderUri, plan, ...(around !== undefined && { around }) };
}

function begin(of: PictureState): void {
  if (of.kind === 'timeline') {
    timeline = new TimelineView(page, of);
    graph = undefined;
  } else {
    graph = new GraphView(page);
    timeline = undefined;
  }
  isRefused = true;
  see(timeline ?? graph);
}

/** What was refused may be there now. */
function see(view: PictureView | undefined): void {
  if (!isRefused || view === undefined) return;
  isRefused = false;
  refusal = undefined;
  document.body.replaceChildren(...view.elements, told);
  // Taking the focus would close what has been opened meanwhile: a list to choose from, for example.
  if (document.hasFocus()) view.focus();
  else globalThis.addEventListener('focus', () => (timeline ?? graph)?.focus(), { once: true });
}

/** The same one again leaves the focus where it is. */
function refuse(message: string, choice: string | undefined): void {
  if (message === refusal) return;
  isRefused = true;
  refusal = message;
  const buttons = choice === undefined ? [] : [button(choice, { hint: choice, act: choose })];
  document.body.replaceChildren(
    html('div', { class: 'empty', role: 'status' }, [html('p', {}, [message]), ...buttons]),
    told,
  );
}

function choose(): void {
  page.post({ kind: 'choose' });
}
