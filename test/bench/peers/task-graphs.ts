import { existsSync, readFileSync } from 'node:fs';
import { unreachable } from '../../../server/domain/assert.ts';

export type Shape = 'independent' | 'layered' | 'chain';

export const SHAPES: readonly Shape[] = ['independent', 'layered', 'chain'];

/** One task as every contender is given it: a line for a shell, and the names of those before it. */
export interface GraphTask {
  readonly name: string;
  readonly after: readonly string[];
  readonly command: string;
}

const LAYERS = 10;

export function graphOf(
  shape: Shape,
  count: number,
  commandOf: (name: string) => string,
): readonly GraphTask[] {
  return Array.from({ length: count }, (_, number) => {
    const name = `t${number}`;
    return { name, after: after(shape, number, count), command: commandOf(name) };
  });
}

/** In layers, each task waits for two of the layer before: its own place and the one next to it. */
function after(shape: Shape, number: number, count: number): readonly string[] {
  switch (shape) {
    case 'independent':
      return [];
    case 'chain':
      return number === 0 ? [] : [`t${number - 1}`];
    case 'layered': {
      const width = Math.max(1, Math.floor(count / LAYERS));
      const layer = Math.floor(number / width);
      if (layer === 0) return [];
      const first = (layer - 1) * width;
      const places = new Set([number % width, (number + 1) % width]);
      return [...places].map((place) => `t${first + place}`);
    }
    default:
      return unreachable(shape);
  }
}

/** Each task leaves its name in a file: who skips work or ignores the order is no contender. */
export function leavingNames(file: string): (name: string) => string {
  return (name) => `echo ${name} >> ${file}`;
}

/** Undefined when all tasks ran once and in order, else what is wrong. */
export function mistakeIn(tasks: readonly GraphTask[], file: string): string | undefined {
  const names = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
  const positions = new Map(names.map((name, position) => [name, position]));
  if (names.length !== tasks.length || positions.size !== tasks.length)
    return `${names.length} starts of ${positions.size} tasks where there are ${tasks.length}`;
  const early = tasks.find(({ name, after: earlier }) =>
    earlier.some((other) => positions.get(other)! > positions.get(name)!),
  );
  return early === undefined ? undefined : `${early.name} ran before one it waits for`;
}
