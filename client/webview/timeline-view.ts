import * as l10n from '@vscode/l10n';
import { displayName } from '../../picture/display-text.ts';
import { shape } from '../../picture/shape.ts';
import { endOf, legendItems, timelineFile } from '../../picture/timeline-file.ts';
import {
  AXIS_HEIGHT,
  axisShape,
  labelWidthOf,
  nowShape,
  placeOf,
  ROW_HEIGHT,
  rowShape,
  type View,
} from '../../picture/timeline-picture.ts';
import { type Grouping, pictureRows, type PictureRow } from '../../picture/timeline-rows.ts';
import { lengthWords, runWord, spanWords } from '../../picture/timeline-words.ts';
import type { Timeline, TimelineChanged } from '../../protocol/timeline.ts';
import { tasksText } from '../../picture/tasks-text.ts';
import { button, elementOf, html, onNextFrame } from './dom.ts';
import { Hint, takeTitles } from './hint.ts';
import type { PictureState } from './messages.ts';
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
import { panned, rowsBetween, type Seen, showing, zoomed } from './seen-model.ts';

/** While a run goes on time is drawn anew so often. */
const LIVE_MS = 250;
const FILE_WIDTH = 1400;

type TimelineState = Extract<PictureState, { kind: 'timeline' }>;

/** What ran when. Only the rows that are seen are drawn, so that a thousand cost what forty do. */
export class TimelineView implements PictureView {
  readonly elements: readonly HTMLElement[];
  readonly #page: Page;
  readonly #toolbar: Toolbar;
  readonly #area = html('div', { class: 'picture scrolls', role: 'listbox', tabindex: '0' });
  readonly #spacer = html('div');
  readonly #svg = elementOf(shape('svg', { 'aria-hidden': 'false' }));
  readonly #byWorker: HTMLButtonElement;
  readonly #redraw = onNextFrame(() => this.#draw());
  #state: TimelineState;
  #timeline: Timeline | undefined;
  #rows: readonly PictureRow[] = [];
  #toldAt = 0;
  #drawnAt = 0;
  #isLive = false;
  #active: { row: number; span: number } = { row: 0, span: -1 };

  constructor(page: Page, state: TimelineState) {
    this.#page = page;
    this.#state = state;
    this.#byWorker = button(l10n.t('By Worker'), {
      hint: l10n.t('A row for each worker instead of each task (G)'),
      act: () => this.#group(this.#grouping === 'task' ? 'worker' : 'task'),
    });
    const { post } = page;
    this.#toolbar = new Toolbar({
      label: l10n.t('Timeline'),
      search: l10n.t('Filter tasks'),
      buttons: [
        this.#byWorker,
        ...zoomButtons((factor) => this.#zoom(factor)),
        button(l10n.t('Fit'), { hint: l10n.t('Show all of the time (0)'), act: () => this.#fit() }),
        button(l10n.t('Runs…'), {
          hint: l10n.t('Show another run'),
          act: () => post({ kind: 'choose' }),
        }),
      ],
    });
    this.#area.setAttribute('aria-label', `${l10n.t('Timeline')}. ${keyWords()}`);
    this.#spacer.append(this.#svg);
    this.#area.append(this.#spacer);
    const hint = new Hint(this.#area);
    this.elements = [this.#toolbar.element, this.#area, legend(), hint.element];
    this.#listen();
  }

  show(timeline: Timeline, select?: string): void {
    const { folderUri, run } = timeline;
    // Another run has another time to look at.
    if (run !== this.#state.run)
      this.#remember({ kind: 'timeline', folderUri, run, grouping: this.#grouping });
    this.#timeline = timeline;
    this.#toldAt = performance.now();
    this.#arrange();
    this.#live();
    const row = this.#rows.findIndex(({ key }) => key === select);
    if (row >= 0) this.#select(row, -1);
  }

  change({ run, rows, nowAt, state, finishedAt }: TimelineChanged): void {
    const before = this.#timeline;
    if (before?.run !== run) return;
    const changed = new Map(rows.map((row) => [row.id, row]));
    const known = new Set(before.rows.map(({ id }) => id));
    const all = [
      ...before.rows.map((row) => changed.get(row.id) ?? row),
      ...rows.filter(({ id }) => !known.has(id)),
    ];
    const end = finishedAt === undefined ? {} : { finishedAt };
    this.show({ ...before, nowAt, state, ...end, rows: all });
  }

  focus(): void {
    this.#area.focus();
  }

  file(): { readonly name: string; readonly svg: string } {
    const timeline = this.#timeline;
    if (timeline === undefined) return { name: 'timeline', svg: '' };
    const svg = timelineFile(
      { ...timeline, nowAt: this.#nowAt },
      {
        width: FILE_WIDTH,
        grouping: this.#grouping,
        filter: this.#toolbar.filter.value,
        ...(this.#state.seen !== undefined && { view: this.#state.seen }),
        colours: { palette: resolvedPalette() },
      },
    );
    return { name: `timeline-${timeline.run}`, svg };
  }

  get #grouping(): Grouping {
    return this.#state.grouping ?? 'task';
  }

  /** Time goes on between two messages of a run that does. */
  get #nowAt(): number {
    const { nowAt = 0, finishedAt } = this.#timeline ?? {};
    return finishedAt === undefined ? nowAt + performance.now() - this.#toldAt : nowAt;
  }

  get #whole(): Seen {
    const timeline = this.#timeline;
    if (timeline === undefined) return { from: 0, to: 1 };
    return { from: timeline.requestedAt, to: endOf({ ...timeline, nowAt: this.#nowAt }) };
  }

  get #seen(): Seen {
    return this.#state.seen ?? this.#whole;
  }

  #listen(): void {
    const area = this.#area;
    area.addEventListener('scroll', () => this.#draw());
    area.addEventListener('keydown', (event) => this.#press(event));
    area.addEventListener('wheel', (event) => this.#turn(event), { passive: false });
    area.addEventListener('click', (event) => this.#click(event));
    area.addEventListener('focus', this.#redraw);
    area.addEventListener('blur', this.#redraw);
    this.#toolbar.filter.addEventListener('input', () => this.#arrange());
    this.#toolbar.filter.addEventListener('keydown', ({ key }) => {
      if (key === 'Enter' || key === 'ArrowDown') this.focus();
    });
    new ResizeObserver(this.#redraw).observe(area);
  }

  /** Draws the time that passes, for as long as the run goes on. */
  #live(): void {
    if (this.#isLive) return;
    this.#isLive = true;
    const live = (): void => {
      this.#isLive = this.#timeline !== undefined && this.#timeline.finishedAt === undefined;
      if (!this.#isLive) return;
      if (performance.now() - this.#drawnAt > LIVE_MS) this.#draw();
      requestAnimationFrame(live);
    };
    live();
  }

  /** The rows are others now. */
  #arrange(): void {
    const timeline = this.#timeline;
    if (timeline === undefined) return;
    const filter = this.#toolbar.filter.value;
    this.#rows = pictureRows(timeline.rows, { grouping: this.#grouping, filter });
    this.#active.row = Math.min(this.#active.row, Math.max(0, this.#rows.length - 1));
    this.#byWorker.setAttribute('aria-pressed', String(this.#grouping === 'worker'));
    const { plan, state, requestedAt, finishedAt, taskCount, requestedBy } = timeline;
    const length = finishedAt === undefined ? '' : `, ${lengthWords(finishedAt - requestedAt)}`;
    const when = new Intl.DateTimeFormat(undefined, { dateStyle: 'short', timeStyle: 'medium' });
    this.#toolbar.say(
      `${displayName(plan)}: ${runWord(state)}`,
      l10n.t(
        '{0} by {1}, {2}{3}',
        when.format(requestedAt),
        requestedBy,
        tasksText(taskCount),
        length,
      ),
    );
    this.#draw();
  }

  #draw(): void {
    const timeline = this.#timeline;
    const { clientWidth: width, clientHeight: height, scrollTop } = this.#area;
    if (timeline === undefined || width === 0) return;
    this.#drawnAt = performance.now();
    const rows = this.#rows;
    const body = rows.length * ROW_HEIGHT;
    this.#spacer.style.height = `${Math.max(height - 2, AXIS_HEIGHT + body + 8)}px`;
    const view = this.#viewOf(width, timeline);
    const inner = { x: 0, y: AXIS_HEIGHT, width, height: Math.max(0, height - AXIS_HEIGHT) };
    const { first, last } = rowsBetween(
      { top: scrollTop, height: inner.height },
      { count: rows.length, rowHeight: ROW_HEIGHT },
    );
    const seen = rows.slice(first, last + 1).map((row, at) => {
      const number = first + at;
      const attributes = {
        role: 'option',
        id: `row-${number}`,
        'aria-label': this.#rowWords(row),
        'aria-selected': String(number === this.#active.row),
        'aria-posinset': number + 1,
        'aria-setsize': rows.length,
        'data-row': number,
        transform: `translate(0 ${number * ROW_HEIGHT - scrollTop})`,
      };
      return shape('g', attributes, [rowShape(row, number, view)]);
    });
    const now = timeline.finishedAt === undefined ? [nowShape(view, height)] : [];
    const ring = shape('svg', inner, document.activeElement === this.#area ? this.#ring(view) : []);
    this.#svg.setAttribute('width', String(width));
    this.#svg.setAttribute('height', String(height - 2));
    this.#svg.replaceChildren(
      ...[axisShape(view, height), shape('svg', inner, seen), ...now, ring].map(elementOf),
    );
    this.#finish(timeline);
  }

  #viewOf(width: number, { requestedAt }: Timeline): View {
    const labelWidth = labelWidthOf(this.#rows, width);
    return { ...this.#seen, width, labelWidth, origin: requestedAt, nowAt: this.#nowAt };
  }

  /** What is not drawn, but there for menus, for the pointer, and for screen readers. */
  #finish({ folderUri, plan }: Timeline): void {
    takeTitles(this.#svg);
    for (const element of this.#svg.querySelectorAll('[data-row]')) {
      const row = this.#rows[Number(element.getAttribute('data-row'))];
      if (row !== undefined && this.#grouping === 'task')
        element.setAttribute('data-task', row.key);
    }
    for (const element of this.#svg.querySelectorAll('[data-task]')) {
      const id = element.getAttribute('data-task') ?? '';
      element.setAttribute('data-vscode-context', menuContext({ folderUri, plan, id }));
    }
    this.#area.setAttribute('aria-activedescendant', `row-${this.#active.row}`);
  }

  #ring(view: View): readonly ReturnType<typeof shape>[] {
    const row = this.#rows[this.#active.row];
    if (row === undefined) return [];
    const span = row.spans[this.#active.span];
    const y = this.#active.row * ROW_HEIGHT - this.#area.scrollTop + 1;
    const [left, right] =
      span === undefined
        ? [1, view.width - 1]
        : [placeOf(span.from, view) - 2, placeOf(span.to ?? view.nowAt, view) + 2];
    const x = Math.max(1, left);
    const width = Math.max(8, Math.min(right, view.width - 1) - x);
    return [shape('rect', { class: 'ring', x, y, width, height: ROW_HEIGHT - 2, rx: 3 })];
  }

  #rowWords({ label, title, spans, marks }: PictureRow): string {
    const said = spans.map((span) => spanWords(span, this.#nowAt));
    const count = marks.length === 0 ? [] : [l10n.t('{0} events', marks.length)];
    return [label, title, ...said, ...count].filter((each) => each !== '').join('. ');
  }

  #press(event: KeyboardEvent): void {
    const { shiftKey } = event;
    const { row, span } = this.#active;
    const page = Math.max(1, Math.floor(this.#area.clientHeight / ROW_HEIGHT) - 2);
    const pan = (by: number) => () => this.#look(panned(this.#seen, { by, whole: this.#whole }));
    actOnKey(event, {
      ArrowDown: () => this.#select(row + 1, -1),
      ArrowUp: () => this.#select(row - 1, -1),
      PageDown: () => this.#select(row + page, -1),
      PageUp: () => this.#select(row - page, -1),
      Home: () => this.#select(0, -1),
      End: () => this.#select(this.#rows.length - 1, -1),
      ArrowRight: shiftKey ? pan(0.2) : () => this.#select(row, span + 1),
      ArrowLeft: shiftKey ? pan(-0.2) : () => this.#select(row, Math.max(-1, span - 1)),
      '+': () => this.#zoom(ZOOM),
      '=': () => this.#zoom(ZOOM),
      '-': () => this.#zoom(1 / ZOOM),
      '0': () => this.#fit(),
      g: () => this.#group(this.#grouping === 'task' ? 'worker' : 'task'),
      '/': () => this.#toolbar.filter.focus(),
      Enter: () => this.#open('open-and-focus'),
      l: () => this.#open('log'),
    });
  }

  #select(row: number, span: number): void {
    const chosen = Math.max(0, Math.min(row, this.#rows.length - 1));
    const { spans = [] } = this.#rows[chosen] ?? {};
    this.#active = { row: chosen, span: Math.min(span, spans.length - 1) };
    const top = chosen * ROW_HEIGHT;
    const room = this.#area.clientHeight - AXIS_HEIGHT - ROW_HEIGHT - 4;
    if (top < this.#area.scrollTop) this.#area.scrollTop = top;
    if (top > this.#area.scrollTop + room) this.#area.scrollTop = top - room;
    const part = spans[this.#active.span];
    if (part !== undefined) {
      this.#page.announce(spanWords(part, this.#nowAt));
      const stretch = { from: part.from, to: part.to ?? this.#nowAt };
      if (this.#state.seen !== undefined) this.#look(showing(this.#seen, stretch, this.#whole));
    }
    this.#draw();
  }

  #open(action: 'open' | 'open-and-focus' | 'log'): void {
    const row = this.#rows[this.#active.row];
    const id = row?.spans[this.#active.span]?.task ?? row?.spans[0]?.task ?? row?.key;
    if (id !== undefined && this.#timeline !== undefined)
      this.#page.post({ kind: 'task', action, plan: this.#timeline.plan, id });
  }

  #click({ target }: MouseEvent): void {
    if (!(target instanceof Element)) return;
    const row = target.closest('[data-row]')?.getAttribute('data-row');
    const id = target.closest('[data-task]')?.getAttribute('data-task');
    if (row !== null && row !== undefined) this.#select(Number(row), -1);
    if (id !== null && id !== undefined && this.#timeline !== undefined)
      this.#page.post({ kind: 'task', action: 'open', plan: this.#timeline.plan, id });
  }

  #turn(event: WheelEvent): void {
    const across = event.shiftKey ? event.deltaY : event.deltaX;
    if (this.#timeline === undefined) return;
    if (event.ctrlKey || event.metaKey) {
      const view = this.#viewOf(this.#area.clientWidth, this.#timeline);
      const room = Math.max(1, view.width - view.labelWidth);
      const part = Math.max(0, event.offsetX - view.labelWidth) / room;
      const at = view.from + part * (view.to - view.from);
      this.#zoom(event.deltaY < 0 ? ZOOM : 1 / ZOOM, at);
    } else if (across !== 0)
      this.#look(panned(this.#seen, { by: across / this.#area.clientWidth, whole: this.#whole }));
    else return;
    event.preventDefault();
  }

  #zoom(factor: number, at = (this.#seen.from + this.#seen.to) / 2): void {
    this.#look(zoomed(this.#seen, { factor, at, whole: this.#whole }));
  }

  #look(seen: Seen): void {
    this.#remember({ ...this.#state, seen });
  }

  /** And on from now, while the run goes on. */
  #fit(): void {
    const { seen: _, ...state } = this.#state;
    this.#remember(state);
  }

  #group(grouping: Grouping): void {
    this.#active = { row: 0, span: -1 };
    this.#remember({ ...this.#state, grouping });
    this.#arrange();
  }

  #remember(state: TimelineState): void {
    this.#state = state;
    this.#page.remember(state);
    this.#redraw();
  }
}

function legend(): HTMLElement {
  const items = legendItems().map(({ words, sample }) => {
    const svg = elementOf(shape('svg', { width: 30, height: 20, 'aria-hidden': 'true' }, [sample]));
    return html('span', {}, [svg, words]);
  });
  return html('div', { class: 'legend', 'aria-label': l10n.t('What the signs mean') }, items);
}
