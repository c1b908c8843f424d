import type { TimelineMark, TimelineRow, TimelineSpan } from '../protocol/timeline.ts';

/** What the rows of a timeline stand for. */
export type Grouping = 'task' | 'worker';

/** One line of the picture. */
export interface PictureRow {
  readonly key: string;
  /** What stands in front of it; empty where it goes on from the line above. */
  readonly label: string;
  readonly title: string;
  readonly spans: readonly PictureSpan[];
  readonly marks: readonly PictureMark[];
}

export type PictureSpan = TimelineSpan & { readonly task: string };

export type PictureMark = TimelineMark & { readonly task: string };

export function pictureRows(
  rows: readonly TimelineRow[],
  { grouping, filter = '' }: { readonly grouping: Grouping; readonly filter?: string },
): readonly PictureRow[] {
  const wanted = filter.trim().toLowerCase();
  const found = rows.filter(
    ({ id, title }) =>
      wanted === '' || id.toLowerCase().includes(wanted) || title.toLowerCase().includes(wanted),
  );
  return grouping === 'task' ? found.map(rowOfTask) : rowsOfWorkers(found);
}

function rowOfTask({ id, title, spans, marks }: TimelineRow): PictureRow {
  return {
    key: id,
    label: id,
    title,
    spans: spans.map((span) => ({ ...span, task: id })),
    marks: marks.map((mark) => ({ ...mark, task: id })),
  };
}

/** Whoever works on several tasks at once has a line for each of them, and no more lines than that. */
function rowsOfWorkers(rows: readonly TimelineRow[]): readonly PictureRow[] {
  const byWorker = new Map<string, PictureSpan[]>();
  for (const { id, spans } of rows)
    for (const span of spans) {
      if (span.kind !== 'claimed' && span.kind !== 'running') continue;
      const known = byWorker.get(span.worker) ?? [];
      byWorker.set(span.worker, known);
      known.push({ ...span, task: id });
    }
  return [...byWorker]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([worker, spans]) =>
      lanesOf(spans).map((lane, number) => ({
        key: `${worker}#${number}`,
        label: number === 0 ? worker : '',
        title: '',
        spans: lane,
        marks: [],
      })),
    );
}

function lanesOf(spans: readonly PictureSpan[]): readonly (readonly PictureSpan[])[] {
  const lanes: { readonly spans: PictureSpan[]; until: number; task: string }[] = [];
  const inOrder = spans.toSorted((a, b) => a.from - b.from || (a.task < b.task ? -1 : 1));
  for (const span of inOrder) {
    // The run of a task stays where its claim was.
    const lane =
      lanes.find(({ until, task }) => task === span.task && until === span.from) ??
      lanes.find(({ until }) => until <= span.from);
    const until = span.to ?? Number.POSITIVE_INFINITY;
    if (lane === undefined) lanes.push({ spans: [span], until, task: span.task });
    else {
      lane.spans.push(span);
      lane.until = until;
      lane.task = span.task;
    }
  }
  return lanes.map((lane) => lane.spans);
}
