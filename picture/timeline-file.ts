import * as l10n from '@vscode/l10n';
import type { Timeline, WaitCause } from '../protocol/timeline.ts';
import { displayName } from './display-text.ts';
import { moved, type PictureFile, svgFile } from './document.ts';
import { type Shape, shape } from './shape.ts';
import { textWidth } from './text-width.ts';
import {
  AXIS_HEIGHT,
  axisShape,
  barSample,
  type BarState,
  labelWidthOf,
  nowShape,
  ROW_HEIGHT,
  rowShape,
  type View,
  waitSample,
} from './timeline-picture.ts';
import { type Grouping, pictureRows } from './timeline-rows.ts';
import { lengthWords, runWord } from './timeline-words.ts';

const HEAD_HEIGHT = 34;
const LEGEND_ROW = 22;
const MARGIN = 12;

export interface TimelineFileOptions {
  readonly width: number;
  readonly grouping: Grouping;
  readonly filter?: string;
  /** The part of the time to draw; absent: all of it. */
  readonly view?: Pick<View, 'from' | 'to'>;
  readonly colours: Pick<PictureFile, 'palette' | 'darkPalette'>;
}

/** All rows of a timeline as a file of SVG, with what its signs mean. */
export function timelineFile(timeline: Timeline, options: TimelineFileOptions): string {
  const { width, grouping, filter = '', view, colours } = options;
  const rows = pictureRows(timeline.rows, { grouping, filter });
  const plan = displayName(timeline.plan);
  const title = l10n.t('Run {0} of {1}: {2}', timeline.run, plan, runWord(timeline.state));
  const [from, to] = [timeline.requestedAt, endOf(timeline)];
  const length = lengthWords(to - from);
  const description = l10n.t(
    '{0} tasks, {1}. What ran when, and what it waited for.',
    timeline.taskCount,
    length,
  );
  const seen: View = {
    ...(view ?? { from, to }),
    width,
    labelWidth: labelWidthOf(rows, width),
    origin: timeline.requestedAt,
    nowAt: timeline.nowAt,
  };
  const body = AXIS_HEIGHT + rows.length * ROW_HEIGHT;
  const legend = legendShapes(width);
  const height = HEAD_HEIGHT + body + MARGIN + legend.rows * LEGEND_ROW + MARGIN;
  const shapes = [
    shape('text', { x: 10, y: 22, class: 'strong' }, [title]),
    moved(axisShape(seen, body), 0, HEAD_HEIGHT),
    ...rows.map((row, number) =>
      moved(rowShape(row, number, seen), 0, HEAD_HEIGHT + AXIS_HEIGHT + number * ROW_HEIGHT),
    ),
    ...(timeline.finishedAt === undefined ? [moved(nowShape(seen, body), 0, HEAD_HEIGHT)] : []),
    moved(shape('g', {}, legend.shapes), 0, HEAD_HEIGHT + body + MARGIN),
  ];
  return svgFile({ title, description, width, height, ...colours }, shapes);
}

/** What goes on is drawn a little further than to now. */
export function endOf({ requestedAt, finishedAt, nowAt, rows }: Timeline): number {
  if (finishedAt === undefined) return nowAt + Math.max(1, (nowAt - requestedAt) * 0.03);
  const ends = rows.flatMap(({ spans }) => spans.at(-1)?.to ?? []);
  return ends.reduce((last, at) => Math.max(last, at), Math.max(finishedAt, requestedAt + 1));
}

const BARS: readonly BarState[] = [
  'running',
  'completed',
  'failed',
  'attention',
  'claimed',
  'interrupted',
  'cancelled',
];
const WAITS: readonly WaitCause[] = [
  'dependencies',
  'files',
  'parallel',
  'limits',
  'backoff',
  'paused',
  'turn',
];

export interface LegendItem {
  readonly words: string;
  readonly sample: Shape;
}

/** What each sign of a timeline means. */
export function legendItems(): readonly LegendItem[] {
  const words: Readonly<Record<BarState | WaitCause, string>> = {
    running: l10n.t('running'),
    completed: l10n.t('completed'),
    failed: l10n.t('failed'),
    attention: l10n.t('needs attention'),
    claimed: l10n.t('starting'),
    interrupted: l10n.t('lost or released'),
    cancelled: l10n.t('cancelled'),
    dependencies: l10n.t('waits for tasks'),
    files: l10n.t('for files'),
    parallel: l10n.t('for a place'),
    limits: l10n.t('for a limit'),
    backoff: l10n.t('until it is tried again'),
    paused: l10n.t('paused'),
    turn: l10n.t('for its turn or a worker'),
  };
  const bars = BARS.map((state) => ({
    words: words[state],
    sample: shape('g', { class: `state-${state}` }, barSample(state)),
  }));
  const waits = WAITS.map((cause) => ({
    words: words[cause],
    sample: shape('g', {}, waitSample(cause)),
  }));
  return [...bars, ...waits];
}

function legendShapes(width: number): { readonly shapes: readonly Shape[]; readonly rows: number } {
  let [x, row] = [10, 0];
  const shapes: Shape[] = [];
  for (const { words, sample } of legendItems()) {
    const wide = 36 + textWidth(words, 11) + 18;
    if (x + wide > width && x > 10) [x, row] = [10, row + 1];
    const text = shape('text', { x: 36, y: 16, class: 'small muted' }, [words]);
    shapes.push(moved(shape('g', {}, [sample, text]), Math.round(x), row * LEGEND_ROW));
    x += wide;
  }
  return { shapes, rows: row + 1 };
}
