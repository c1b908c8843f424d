import { type Sample, SLACK } from './samples.ts';

const LEVELS = '▁▂▃▄▅▆▇█';
const COLUMNS = 48;
const FACTOR = 1.2;

export interface Course {
  readonly name: string;
  readonly values: readonly number[];
}

export function coursesOf(samples: readonly Sample[]): readonly Course[] {
  return Object.keys(SLACK).map((name) => ({
    name,
    values: samples.flatMap((sample) => sample.get(name) ?? []),
  }));
}

/** In the last quarter more than in the second, by more than comes and goes. */
export function isGrowing({ name, values }: Course): boolean {
  const { early, late } = quartersOf(values);
  return late > early * FACTOR + (SLACK[name] ?? 0);
}

/** One line: a small graph, and the middle of the second and the last quarter. */
export function lineOf(course: Course): string {
  const { name, values } = course;
  const { early, late } = quartersOf(values);
  const most = Math.max(...values, Number.MIN_VALUE);
  const graph = bucketsOf(values)
    .map((value) => LEVELS[Math.min(LEVELS.length - 1, Math.floor((value / most) * LEVELS.length))])
    .join('');
  const figures = `${early.toFixed(1).padStart(10)} ${late.toFixed(1).padStart(10)}`;
  const verdict = isGrowing(course) ? '  GROWS' : '';
  return `${name.padEnd(28)} ${graph.padEnd(COLUMNS)} ${figures}${verdict}`;
}

function quartersOf(values: readonly number[]): { readonly early: number; readonly late: number } {
  const quarter = Math.floor(values.length / 4);
  return {
    early: medianOf(values.slice(quarter, quarter * 2)),
    late: medianOf(values.slice(quarter * 3)),
  };
}

function medianOf(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

function bucketsOf(values: readonly number[]): readonly number[] {
  if (values.length <= COLUMNS) return values;
  return Array.from({ length: COLUMNS }, (_, column) => {
    const from = Math.floor((column * values.length) / COLUMNS);
    const to = Math.floor(((column + 1) * values.length) / COLUMNS);
    return medianOf(values.slice(from, to));
  });
}
