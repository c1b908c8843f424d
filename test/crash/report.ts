import type { Column, Violation } from './verdict.ts';

const COLUMNS: readonly Column[] = ['granted twice', 'lost', 'started twice', 'stuck', 'other'];

/** A line of the table: what was killed, how often, and what came of it. */
export class Line {
  readonly name: string;
  kills = 0;
  runs = 0;
  readonly #found = new Map<Column, number>();

  constructor(name: string) {
    this.name = name;
  }

  add(violations: readonly Violation[]): void {
    for (const { column } of violations)
      this.#found.set(column, (this.#found.get(column) ?? 0) + 1);
  }

  get words(): readonly string[] {
    const found = COLUMNS.map((column) => String(this.#found.get(column) ?? 0));
    return [this.name, String(this.kills), String(this.runs), ...found];
  }
}

export function tableOf(lines: readonly Line[]): string {
  const head = ['kind of kill', 'kills', 'runs', 'granted twice', 'results lost', 'started twice'];
  const rows = [[...head, 'stuck', 'other'], ...lines.map(({ words }) => words)];
  const widths =
    rows[0]?.map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0))) ?? [];
  const textOf = (row: readonly string[]): string =>
    row
      .map((word, at) => (at === 0 ? word.padEnd(widths[at] ?? 0) : word.padStart(widths[at] ?? 0)))
      .join('  ');
  return rows.map(textOf).join('\n');
}

/** Does all of it, so many at a time. */
export async function inParallel<T>(
  items: readonly T[],
  { atOnce, work }: { atOnce: number; work: (item: T) => Promise<void> },
): Promise<void> {
  const queue = [...items];
  const worker = async (): Promise<void> => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}
