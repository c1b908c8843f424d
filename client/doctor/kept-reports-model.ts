import * as l10n from '@vscode/l10n';
import { clockText } from '../time.ts';

/** A report that outlives the window it was made in. */
export interface KeptReport {
  readonly text: string;
  /** When it was made, in milliseconds since 1970. */
  readonly at: number;
}

const MOST_REPORTS = 20;
const MOST_LETTERS = 200_000;

/** What was kept; whatever else lies in its place is left out. */
export function readReports(kept: unknown): ReadonlyMap<string, KeptReport> {
  if (typeof kept !== 'object' || kept === null) return new Map();
  return new Map(
    Object.entries(kept).flatMap(([path, report]: [string, unknown]) =>
      isReport(report) ? [[path, report] as const] : [],
    ),
  );
}

function isReport(value: unknown): value is KeptReport {
  if (typeof value !== 'object' || value === null) return false;
  return (
    'text' in value &&
    typeof value.text === 'string' &&
    'at' in value &&
    typeof value.at === 'number'
  );
}

/** With one more, or a newer one in the place of the old; the oldest go. */
export function keepReport(
  reports: ReadonlyMap<string, KeptReport>,
  path: string,
  { text, at }: KeptReport,
): ReadonlyMap<string, KeptReport> {
  const others = [...reports].filter(([name]) => name !== path);
  const newest = others
    .toSorted(([, one], [, other]) => one.at - other.at)
    .slice(-(MOST_REPORTS - 1));
  return new Map([...newest, [path, { text: text.slice(0, MOST_LETTERS), at }]]);
}

/** The report; of one from before the window was loaded also from when it is, and what to do. */
export function shownText(report: KeptReport | undefined, begunAt: number, advice: string): string {
  if (report === undefined) return `${advice}\n`;
  if (report.at >= begunAt) return report.text;
  const age = l10n.t('As it was at {0}, before this window was loaded.', clockText(report.at));
  return `> ${age} ${advice}\n\n${report.text}`;
}
