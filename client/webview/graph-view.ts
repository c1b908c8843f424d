import * as l10n from '@vscode/l10n';
import { displayName } from '../../picture/display-text.ts';
import { graphFile } from '../../picture/graph-file.ts';
import { edgeShapes, type NodeState, nodeShape, nodeWords } from '../../picture/graph-picture.ts';
import { shape } from '../../picture/shape.ts';
import type { Graph, GraphNode } from '../../protocol/graph.ts';
import { tasksText } from '../../picture/tasks-text.ts';
import { button, elementOf, html } from './dom.ts';
import { graphLegend } from './graph-legend.ts';
import {
  type Camera,
  type Direction,
  findNodes,
  firstLook,
  fitted,
  following,
  scaledAt,
  stepFrom,
} from './graph-walk-model.ts';
import { Hint, takeTitles } from './hint.ts';
import type { NodeStates, TaskAction } from './messages.ts';
import {
  actOnKey,
  keyWords,
  menuContext,
  type Page,
  type PictureView,
  resolvedPalette,
  Toolbar,
  ZOOM,
  zoomButtons,
} from './page.ts';

/** Below it titles are too small to be read, and below the next one names are. */
const FAR = 0.5;
const FARTHER = 0.25;
const DRAG_LEAST = 4;

/** The order of a plan. It is drawn once; what changes later are the nodes whose state is another one. */
export class GraphView implements PictureView {
  readonly elements: readonly HTMLElement[];
  readonly #page: Page;
  readonly #toolbar: Toolbar;
  readonly #area = html('div', { class: 'picture drawn-freely', role: 'listbox', tabindex: '0' });
  readonly #svg = elementOf(shape('svg', { width: '100%', height: '100%' }));
  readonly #world = elementOf(shape('g'));
  readonly #ring = elementOf(shape('rect', { class: 'ring', rx: 6, visibility: 'hidden' }));
  readonly #all: HTMLButtonElement;
  readonly #states = new Map<string, NodeState>();
  readonly #nodes = new Map<string, SVGElement>();
  #graph: Graph | undefined;
  #camera: Camera = { x: 0, y: 0, scale: 1 };
  /** The user has moved it: it does not jump when something changes. */
  #isMoved = false;
  #active: string | undefined;
  #wasDragged = false;

  constructor(page: Page) {
    this.#page = page;
    const { post } = page;
    this.#all = button(l10n.t('All Tasks'), {
      hint: l10n.t('Show all of the plan again (Escape)'),
      act: () => post({ kind: 'around' }),
    });
    this.#toolbar = new Toolbar({
      label: l10n.t('Graph'),
      search: l10n.t('Find tasks'),
      buttons: [
        this.#all,
        button(l10n.t('Around'), {
          hint: l10n.t('Show only the chosen task and what is near it (F)'),
          act: () => this.#around(),
        }),
        ...zoomButtons((factor) => this.#zoom(factor)),
        button(l10n.t('Fit'), { hint: l10n.t('Show all of it (0)'), act: () => this.#fit() }),
      ],
    });
    const more = l10n.t('F shows only what is near, R runs the task, W says why it waits.');
    this.#area.setAttribute('aria-label', `${l10n.t('Graph')}. ${keyWords()} ${more}`);
    this.#svg.append(this.#world);
    this.#area.append(this.#svg);
    const hint = new Hint(this.#area);
    this.elements = [this.#toolbar.element, this.#area, graphLegend(), hint.element];
    this.#listen();
  }

  show(
    graph: Graph,
    { states, select }: { states: NodeStates; select?: string | undefined },
  ): void {
    const isSame = this.#graph?.plan === graph.plan && this.#graph.around === graph.around;
    this.#graph = graph;
    this.#states.clear();
    for (const [id, state] of states) this.#states.set(id, state);
    this.#all.hidden = graph.around === undefined;
    this.#drawAll(graph);
    if (!isSame || !this.#isMoved) this.#begin();
    const wanted = select ?? graph.around ?? this.#active;
    this.#select(graph.nodes.some(({ id }) => id === wanted) ? wanted : undefined, !isSame);
    this.#say(graph);
  }

  change(states: NodeStates): void {
    for (const [id, state] of states) {
      this.#states.set(id, state);
      const node = this.#graph?.nodes.find((each) => each.id === id);
      const before = this.#nodes.get(id);
      if (node === undefined || before === undefined) continue;
      const element = this.#elementOf(node);
      element.classList.toggle('is-dim', before.classList.contains('is-dim'));
      before.replaceWith(element);
      this.#nodes.set(id, element);
    }
    if (this.#graph !== undefined) this.#say(this.#graph);
  }

  focus(): void {
    this.#area.focus();
  }

  file(): { readonly name: string; readonly svg: string } {
    if (this.#graph === undefined) return { name: 'graph', svg: '' };
    const colours = { palette: resolvedPalette() };
    const svg = graphFile(this.#graph, { states: this.#states, colours });
    return { name: `graph-${this.#graph.plan.replaceAll(/[^\w.-]+/g, '-')}`, svg };
  }

  #say({ plan, around, nodes, hiddenCount, hiddenHazardCount, edges }: Graph): void {
    const count = nodes.filter(({ kind }) => kind === 'task').length;
    const hazards = edges.filter(({ kind }) => kind === 'collides').length + hiddenHazardCount;
    const parts = [tasksText(count)];
    if (hiddenCount > 0) parts.push(l10n.t('{0} others not shown', hiddenCount));
    if (hazards > 0)
      parts.push(hazards === 1 ? l10n.t('1 hazard') : l10n.t('{0} hazards', hazards));
    if (hiddenHazardCount > 0) parts.push(l10n.t('{0} of them not drawn', hiddenHazardCount));
    const name = displayName(plan);
    this.#toolbar.say(around === undefined ? name : `${name}: ${around}`, parts.join(', '));
  }

  #drawAll(graph: Graph): void {
    const lines = graph.edges.map((edge) => {
      const element = elementOf(edgeShapes(edge));
      element.setAttribute('data-from', edge.from);
      element.setAttribute('data-to', edge.to);
      takeTitles(element);
      return element;
    });
    this.#nodes.clear();
    for (const node of graph.nodes) this.#nodes.set(node.id, this.#elementOf(node));
    this.#world.replaceChildren(...lines, ...this.#nodes.values(), this.#ring);
    this.#search();
  }

  #elementOf(node: GraphNode): SVGElement {
    const { nodes = [], folderUri = '' } = this.#graph ?? {};
    const element = elementOf(nodeShape(node, this.#states.get(node.id)));
    takeTitles(element);
    element.setAttribute('role', 'option');
    element.setAttribute('id', `node-${nodes.indexOf(node)}`);
    element.setAttribute('aria-label', this.#wordsOf(node));
    element.setAttribute('aria-selected', String(node.id === this.#active));
    element.setAttribute('data-node', node.id);
    if (node.task !== undefined)
      element.setAttribute('data-vscode-context', menuContext({ folderUri, ...node.task }));
    return element;
  }

  #wordsOf(node: GraphNode): string {
    const { edges = [] } = this.#graph ?? {};
    const before = edges.flatMap(({ kind, from, to }) =>
      kind !== 'collides' && to === node.id ? [from] : [],
    );
    const behind = edges.filter(({ kind, from }) => kind !== 'collides' && from === node.id);
    const words = [nodeWords(node, this.#states.get(node.id))];
    if (before.length > 0) words.push(l10n.t('comes after {0}', before.join(', ')));
    if (behind.length > 0) words.push(l10n.t('{0} wait for it', behind.length));
    return words.join('. ');
  }

  #listen(): void {
    const area = this.#area;
    area.addEventListener('keydown', (event) => this.#press(event));
    area.addEventListener('wheel', (event) => this.#turn(event), { passive: false });
    area.addEventListener('pointerdown', (event) => this.#drag(event));
    area.addEventListener('click', ({ target }) => {
      if (!(target instanceof Element) || this.#wasDragged) return;
      const id = target.closest('[data-node]')?.getAttribute('data-node');
      if (id === null || id === undefined) return;
      this.#select(id, false);
      this.#act('open');
    });
    area.addEventListener('focus', () => this.#select(this.#active, false));
    area.addEventListener('blur', () => this.#ring.setAttribute('visibility', 'hidden'));
    new ResizeObserver(() => {
      if (!this.#isMoved) this.#begin();
    }).observe(area);
    const { filter } = this.#toolbar;
    filter.addEventListener('input', () => this.#search());
    filter.addEventListener('keydown', (event) => {
      if (event.key === 'Enter') this.#findNext(event.shiftKey ? -1 : 1);
      if (event.key === 'ArrowDown') this.focus();
    });
  }

  #search(): void {
    const words = this.#toolbar.filter.value;
    const found = new Set(this.#graph === undefined ? [] : findNodes(this.#graph, words));
    for (const [id, element] of this.#nodes)
      element.classList.toggle('is-dim', words.trim() !== '' && !found.has(id));
  }

  #findNext(by: number): void {
    if (this.#graph === undefined) return;
    const found = findNodes(this.#graph, this.#toolbar.filter.value);
    const at = this.#active === undefined ? -1 : found.indexOf(this.#active);
    const next = found.at((at + by + found.length) % Math.max(1, found.length));
    if (next !== undefined) this.#select(next, true);
  }

  #press(event: KeyboardEvent): void {
    const step = (direction: Direction) => () => {
      const next = this.#graph && stepFrom(this.#graph, this.#active, direction);
      if (next !== undefined) this.#select(next, true);
    };
    actOnKey(event, {
      ArrowLeft: step('left'),
      ArrowRight: step('right'),
      ArrowUp: step('up'),
      ArrowDown: step('down'),
      '+': () => this.#zoom(ZOOM),
      '=': () => this.#zoom(ZOOM),
      '-': () => this.#zoom(1 / ZOOM),
      '0': () => this.#fit(),
      '/': () => this.#toolbar.filter.focus(),
      f: () => this.#around(),
      Escape: () => this.#page.post({ kind: 'around' }),
      Enter: () => this.#act('open-and-focus'),
      l: () => this.#act('log'),
      r: () => this.#act('run'),
      w: () => this.#act('why'),
    });
  }

  #act(action: TaskAction): void {
    const task = this.#graph?.nodes.find(({ id }) => id === this.#active)?.task;
    if (task !== undefined) this.#page.post({ kind: 'task', action, ...task });
  }

  #around(): void {
    const node = this.#graph?.nodes.find(({ id }) => id === this.#active);
    if (node?.kind === 'task') this.#page.post({ kind: 'around', id: node.id });
  }

  #select(id: string | undefined, follows: boolean): void {
    const before = this.#active;
    this.#active = id;
    const node = this.#graph?.nodes.find((each) => each.id === id);
    if (before !== undefined) this.#nodes.get(before)?.setAttribute('aria-selected', 'false');
    for (const line of this.#world.querySelectorAll('.line'))
      line.classList.toggle(
        'is-near',
        id !== undefined &&
          (line.getAttribute('data-from') === id || line.getAttribute('data-to') === id),
      );
    if (node === undefined) {
      this.#ring.setAttribute('visibility', 'hidden');
      this.#area.removeAttribute('aria-activedescendant');
      return;
    }
    const element = this.#nodes.get(node.id);
    element?.setAttribute('aria-selected', 'true');
    this.#area.setAttribute('aria-activedescendant', element?.id ?? '');
    const box = { x: node.x - 3, y: node.y - 3, width: node.width + 6, height: node.height + 6 };
    for (const [name, value] of Object.entries(box)) this.#ring.setAttribute(name, String(value));
    this.#ring.setAttribute('visibility', 'visible');
    if (follows) this.#look(following(this.#camera, node, this.#size));
  }

  get #size(): { readonly width: number; readonly height: number } {
    return { width: this.#area.clientWidth, height: this.#area.clientHeight };
  }

  #drag(start: PointerEvent): void {
    if (start.button !== 0) return;
    const { x, y } = this.#camera;
    this.#wasDragged = false;
    const move = ({ clientX, clientY }: PointerEvent): void => {
      const [across, down] = [clientX - start.clientX, clientY - start.clientY];
      this.#wasDragged ||= Math.hypot(across, down) > DRAG_LEAST;
      if (!this.#wasDragged) return;
      this.#area.classList.add('is-dragged');
      this.#isMoved = true;
      this.#look({ ...this.#camera, x: x + across, y: y + down });
    };
    const end = (): void => {
      this.#area.classList.remove('is-dragged');
      window.removeEventListener('pointermove', move);
    };
    window.addEventListener('pointermove', move);
    window.addEventListener('pointerup', end, { once: true });
    window.addEventListener('pointercancel', end, { once: true });
  }

  #turn(event: WheelEvent): void {
    event.preventDefault();
    this.#isMoved = true;
    const { x, y } = this.#area.getBoundingClientRect();
    const at = { x: event.clientX - x, y: event.clientY - y };
    if (event.ctrlKey || event.metaKey)
      this.#look(scaledAt(this.#camera, { factor: event.deltaY < 0 ? ZOOM : 1 / ZOOM, ...at }));
    else {
      const [across, down] = event.shiftKey ? [event.deltaY, 0] : [event.deltaX, event.deltaY];
      this.#look({ ...this.#camera, x: this.#camera.x - across, y: this.#camera.y - down });
    }
  }

  #zoom(factor: number): void {
    const { width, height } = this.#size;
    this.#isMoved = true;
    this.#look(scaledAt(this.#camera, { factor, x: width / 2, y: height / 2 }));
  }

  /** Until the user looks elsewhere. */
  #begin(): void {
    if (this.#graph === undefined || this.#size.width === 0) return;
    this.#isMoved = false;
    this.#look(firstLook(this.#graph, this.#size));
  }

  #fit(): void {
    if (this.#graph === undefined || this.#size.width === 0) return;
    this.#isMoved = true;
    this.#look(fitted(this.#graph, this.#size));
  }

  #look(camera: Camera): void {
    this.#camera = camera;
    const { x, y, scale } = camera;
    this.#world.setAttribute('transform', `translate(${x} ${y}) scale(${scale})`);
    this.#world.setAttribute(
      'class',
      [scale < FAR ? 'is-far' : '', scale < FARTHER ? 'is-farther' : ''].join(' '),
    );
  }
}
