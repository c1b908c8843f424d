/** What a group of measurements says; `--json` prints it as it is. */
export interface Report {
  readonly name: string;
  readonly machine: Readonly<Record<string, string | number>>;
  readonly tables: readonly Table[];
  readonly goals: readonly Goal[];
  /** Whoever was not measured, and why. */
  readonly skipped: readonly string[];
}

export interface Table {
  readonly title: string;
  readonly rows: readonly TableRow[];
}

/** The columns are the keys of the first row. What was not measured is undefined. */
export type TableRow = Readonly<Record<string, string | number | undefined>>;

export interface Goal {
  readonly what: string;
  readonly ratio: number;
  readonly bound: number;
  readonly isMet: boolean;
  readonly asks: 'at most' | 'at least';
}

export interface GroupOptions {
  /** Absent: everybody. Else the names of those that take part. */
  readonly participants?: readonly string[];
}

export interface Group {
  readonly name: string;
  readonly run: (options: GroupOptions) => Promise<Report>;
}

export function atMost(what: string, ratio: number, bound: number): Goal {
  return { what, ratio, bound, isMet: ratio <= bound, asks: 'at most' };
}

export function atLeast(what: string, ratio: number, bound: number): Goal {
  return { what, ratio, bound, isMet: ratio >= bound, asks: 'at least' };
}

/** Says what is being measured to whoever waits; the report alone goes to standard output. */
export function progress(text: string): void {
  process.stderr.write(`  … ${text}\n`);
}

export function reportText({ name, machine, tables, goals, skipped }: Report): string {
  const facts = Object.entries(machine).map(([key, value]) => `${key} ${value}`);
  return [
    `\n${name}   (${facts.join(', ')})`,
    ...tables.flatMap((table) => ['', `  ${table.title}`, ...tableLines(table.rows)]),
    ...(goals.length > 0 ? [''] : []),
    ...goals.map((goal) => `  ${goalText(goal)}`),
    ...skipped.map((line) => `  skipped: ${line}`),
  ].join('\n');
}

function tableLines(rows: readonly TableRow[]): readonly string[] {
  const columns = Object.keys(rows[0] ?? {});
  const texts = [columns, ...rows.map((row) => columns.map((column) => cellText(row[column])))];
  const widths = columns.map((_, index) => Math.max(...texts.map((line) => line[index]!.length)));
  return texts.map((line) => {
    const cells = line.map((text, index) =>
      index === 0 ? text.padEnd(widths[index]!) : text.padStart(widths[index]!),
    );
    return `  ${cells.join('  ')}`;
  });
}

function goalText({ what, ratio, bound, isMet, asks }: Goal): string {
  return `${what}: ${cellText(ratio)}, goal ${asks} ${bound}: ${isMet ? 'ok' : 'missed'}`;
}

function cellText(value: string | number | undefined): string {
  if (value === undefined || Number.isNaN(value)) return '–';
  if (typeof value === 'string') return value;
  const size = Math.abs(value);
  if (Number.isInteger(value) || size >= 1000) return Math.round(value).toString();
  return value.toFixed(size >= 100 ? 0 : size >= 10 ? 1 : size >= 0.1 ? 2 : 3);
}
