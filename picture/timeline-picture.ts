import type { SpanEnd, WaitCause } from '../protocol/timeline.ts';
import { type Shape, shape } from './shape.ts';
import { signOf } from './state-signs.ts';
import { fitText, textWidth } from './text-width.ts';
import { ticksOf } from './ticks.ts';
import type { PictureMark, PictureRow, PictureSpan } from './timeline-rows.ts';
import { markWords, spanWords } from './timeline-words.ts';

export const ROW_HEIGHT = 24;
export const AXIS_HEIGHT = 26;
const PADDING = 10;
const BAR_HEIGHT = 14;
/** What is shorter is drawn this wide all the same: it was there. */
const LEAST_WIDTH = 3;
const TICK_SPACE = 90;
const NAME_SIZE = 12;
const SMALL_SIZE = 11;
const SAMPLE_WIDTH = 30;

/** What part of the time is shown, and where. */
export interface View {
  readonly from: number;
  readonly to: number;
  /** Of the whole picture, names included. */
  readonly width: number;
  readonly labelWidth: number;
  /** When the run was asked for: the axis counts from there. */
  readonly origin: number;
  readonly nowAt: number;
}

/** So much room names take, and never more than a third of the picture. */
export function labelWidthOf(rows: readonly PictureRow[], width: number): number {
  let longest = 60;
  for (const { label } of rows) longest = Math.max(longest, textWidth(label, NAME_SIZE));
  return Math.round(Math.min(longest + 2 * PADDING, 260, Math.max(80, width / 3)));
}

/** Where a moment is. */
export function placeOf(at: number, { from, to, width, labelWidth }: View): number {
  const room = Math.max(1, width - labelWidth - PADDING);
  return labelWidth + ((at - from) / Math.max(1, to - from)) * room;
}

/** The lines of the time axis, and its words above them. */
export function axisShape(view: View, height: number): Shape {
  const { from, to, width, labelWidth, origin } = view;
  const most = Math.max(1, Math.floor((width - labelWidth) / TICK_SPACE));
  const lines = ticksOf({ from, to }, { origin, most }).flatMap(({ at, label }) => {
    const x = rounded(placeOf(at, view));
    const line = shape('path', { d: `M${x} 6V${height}`, class: 'grid' });
    if (x + 4 + textWidth(label, SMALL_SIZE) > width) return [line];
    return [line, shape('text', { x: x + 4, y: 17, class: 'small muted' }, [label])];
  });
  return shape('g', { class: 'axis', 'aria-hidden': 'true' }, lines);
}

/** Where now is, of a run that goes on. */
export function nowShape(view: View, height: number): Shape {
  const x = rounded(placeOf(view.nowAt, view));
  const isSeen = x >= view.labelWidth && x <= view.width;
  return shape('path', { d: isSeen ? `M${x} ${AXIS_HEIGHT}V${height}` : 'M0 0', class: 'now' });
}

/** One row at its height, with a name and its spans. What lies outside of the view is left out. */
export function rowShape(row: PictureRow, number: number, view: View): Shape {
  const { width, labelWidth } = view;
  const stripe =
    number % 2 === 0
      ? []
      : [shape('rect', { class: 'stripe', x: 0, y: 0, width, height: ROW_HEIGHT })];
  const room = { size: NAME_SIZE, width: labelWidth - 2 * PADDING };
  const told = [row.label, row.title].filter((each) => each !== '').join(': ');
  const name = shape('g', {}, [
    ...(told === '' ? [] : [shape('title', {}, [told])]),
    shape('text', { x: PADDING, y: 16, class: 'name' }, [fitText(row.label, room)]),
  ]);
  return shape('g', { class: 'row' }, [
    ...stripe,
    ...row.spans.flatMap((span) => spanShape(span, view, isNamed(row))),
    ...row.marks.flatMap((mark) => markShape(mark, view)),
    name,
  ]);
}

/** The rows of workers say at each bar which task it is. */
function isNamed({ key, label }: PictureRow): boolean {
  return key !== label;
}

function spanShape(span: PictureSpan, view: View, named: boolean): readonly Shape[] {
  const left = Math.max(placeOf(span.from, view), view.labelWidth);
  const right = Math.min(placeOf(span.to ?? view.nowAt, view), view.width);
  if (right < view.labelWidth || left > view.width || right < left) return [];
  const [x, width] = [rounded(left), rounded(Math.max(right - left, 0))];
  const told = shape('title', {}, [spanWords(span, view.nowAt)]);
  if (span.kind === 'waiting')
    return width < 1
      ? []
      : [
          shape('g', { class: 'span', 'data-task': span.task }, [
            told,
            ...waitShapes(span, x, width),
          ]),
        ];
  const state = span.kind === 'attention' ? 'attention' : (stateOfEnd(span.end) ?? span.kind);
  const parts = [told, barShape(state, x, Math.max(width, LEAST_WIDTH))];
  if (width >= 18) parts.push(signShape(state, x, width));
  if (named && width > 40) {
    const text = fitText(span.task, { size: 11, width: width - 24 });
    // Words stand on the paper's own colour: on a colour of a theme they may not be read.
    const wide = Math.min(width - 22, textWidth(text, 11) + 8);
    parts.push(
      shape('rect', { class: 'back', x: x + 4, y: 6, width: rounded(wide), height: 12, rx: 2 }),
      shape('text', { x: x + 8, y: 16, class: 'small' }, [text]),
    );
  }
  return [shape('g', { class: `span state-${state}`, 'data-task': span.task }, parts)];
}

function barShape(state: string, x: number, width: number): Shape {
  const isHollow = state === 'claimed' || state === 'cancelled' || state === 'interrupted';
  const y = (ROW_HEIGHT - BAR_HEIGHT) / 2;
  const inset = isHollow ? 0.5 : 0;
  return shape('rect', {
    class: isHollow ? 'bar hollow' : 'bar',
    x: x + inset,
    y: y + inset,
    width: rounded(Math.max(1, width - 2 * inset)),
    height: BAR_HEIGHT - 2 * inset,
    rx: 2,
  });
}

/** At its end, where the eye looks for how it ended. */
function signShape(state: BarState, x: number, width: number): Shape {
  const isHollow = state === 'claimed' || state === 'cancelled' || state === 'interrupted';
  return shape('path', {
    class: isHollow ? 'sign' : 'on-bar',
    d: signOf(state),
    transform: `translate(${rounded(x + width - 14)} 6)`,
  });
}

export type BarState =
  | 'claimed'
  | 'running'
  | 'attention'
  | 'completed'
  | 'failed'
  | 'cancelled'
  | 'interrupted';

/** What was lost or released is over, and says nothing of the task. */
function stateOfEnd(end: SpanEnd | undefined): BarState | undefined {
  return end === 'lost' || end === 'released' ? 'interrupted' : end;
}

type WaitingSpan = Extract<PictureSpan, { kind: 'waiting' }>;

/** Each cause has a line of its own, so that nobody needs to see its colour. */
const WAIT_DASHES: Readonly<Record<WaitCause, string>> = {
  dependencies: '1 4',
  files: '8 3',
  backoff: '8 3 2 3',
  paused: '2 2',
  limits: '5 2',
  parallel: '',
  turn: '12 4',
};

function waitShapes({ cause }: WaitingSpan, x: number, width: number): readonly Shape[] {
  // Something to point at: a line is thin.
  const hit = shape('rect', { x, y: 4, width, height: ROW_HEIGHT - 8, fill: 'transparent' });
  return [hit, waitLine(cause, x, width)];
}

function waitLine(cause: WaitCause, x: number, width: number): Shape {
  const dash = WAIT_DASHES[cause];
  return shape('path', {
    class: `wait wait-${cause}`,
    d: `M${x} ${ROW_HEIGHT / 2}h${width}`,
    ...(dash !== '' && { 'stroke-dasharray': dash }),
  });
}

function markShape(mark: PictureMark, view: View): readonly Shape[] {
  const x = rounded(placeOf(mark.at, view));
  if (x < view.labelWidth || x > view.width) return [];
  const told = shape('title', {}, [`${mark.task}: ${markWords(mark)}`]);
  const y = ROW_HEIGHT / 2;
  const diamond = `M${x} ${y - 5}l5 5-5 5-5-5z`;
  return [shape('g', { class: 'mark-at' }, [told, shape('path', { class: 'mark', d: diamond })])];
}

/** For the legend: a wait, and a bar, as they are drawn in a row. */
export function waitSample(cause: WaitCause): readonly Shape[] {
  return [waitLine(cause, 0, SAMPLE_WIDTH)];
}

export function barSample(state: BarState): readonly Shape[] {
  return [barShape(state, 0, SAMPLE_WIDTH), signShape(state, 0, SAMPLE_WIDTH)];
}

function rounded(value: number): number {
  return Math.round(value * 10) / 10;
}
