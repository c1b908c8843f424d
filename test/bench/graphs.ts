import { assert } from '../../server/domain/assert.ts';
import { chance, milliseconds } from './measure.ts';

/** For each task the numbers of those it waits for, all of them lower than its own. */
export type Earlier = readonly (readonly number[])[];

/** Each waits for about `degree` of all that come before it. */
export function randomGraph(size: number, degree: number): Earlier {
  const random = chance(size);
  return Array.from({ length: size }, (_, number) => pick(random, { from: 0, to: number, degree }));
}

/** Layers of `width` tasks, each waiting for some of the layer before: as much is ready all the time. */
export function layeredGraph(size: number, width: number, degree: number): Earlier {
  const random = chance(size);
  return Array.from({ length: size }, (_, number) => {
    const to = number - (number % width);
    return pick(random, { from: Math.max(0, to - width), to, degree });
  });
}

function pick(
  random: () => number,
  { from, to, degree }: { readonly from: number; readonly to: number; readonly degree: number },
): readonly number[] {
  const chosen = new Set<number>();
  if (to > from)
    for (let tries = 0; tries < degree; tries += 1)
      chosen.add(from + Math.floor(random() * (to - from)));
  return [...chosen];
}

/** The least that any scheduler keeps: who waits for whom, and for how many each still waits. */
export interface PlainGraph {
  readonly offsets: Int32Array;
  readonly later: Int32Array;
  readonly degrees: Int32Array;
}

export function plainGraph(earlier: Earlier): PlainGraph {
  const size = earlier.length;
  const offsets = new Int32Array(size + 1);
  const degrees = new Int32Array(size);
  let edges = 0;
  for (let node = 0; node < size; node += 1) {
    const before = earlier[node]!;
    degrees[node] = before.length;
    edges += before.length;
    for (const one of before) offsets[one + 1]! += 1;
  }
  for (let node = 0; node < size; node += 1) offsets[node + 1]! += offsets[node]!;
  const later = new Int32Array(edges);
  const free = offsets.slice();
  for (let node = 0; node < size; node += 1)
    for (const one of earlier[node]!) {
      later[free[one]!] = node;
      free[one]! += 1;
    }
  return { offsets, later, degrees };
}

const PASSES = 10;

/** How long it takes to run a graph to its end, `parallel` tasks at a time, and to do nothing else. */
export function plainMs(graph: PlainGraph, parallel: number): number {
  const ms = milliseconds(() => {
    for (let pass = 0; pass < PASSES; pass += 1)
      assert(runPlain(graph, parallel) === graph.degrees.length, 'a plain run comes to its end');
  });
  return ms / PASSES;
}

function runPlain({ offsets, later, degrees }: PlainGraph, parallel: number): number {
  const left = degrees.slice();
  const ready = new Int32Array(left.length);
  const running = new Int32Array(parallel);
  let top = 0;
  for (let node = 0; node < left.length; node += 1) if (left[node] === 0) ready[top++] = node;
  let [claimed, completed] = [0, 0];
  for (;;) {
    while (top > 0 && claimed - completed < parallel) {
      running[claimed % parallel] = ready[--top]!;
      claimed += 1;
    }
    if (completed === claimed) return completed;
    const node = running[completed % parallel]!;
    completed += 1;
    for (let edge = offsets[node]!; edge < offsets[node + 1]!; edge += 1) {
      const next = later[edge]!;
      left[next]! -= 1;
      if (left[next] === 0) ready[top++] = next;
    }
  }
}

/**
 * The same with what no board is without: tasks have ids, a task is claimed, started and completed,
 * each change is an event, and what a task is after it is a value that nobody changes.
 */
export function namedMs(graph: PlainGraph, names: readonly string[], parallel: number): number {
  const numberOf = new Map(names.map((name, number) => [name, number]));
  const states: State[] = names.map(() => ({ kind: 'pending', at: 0, term: 0 }));
  const apply = ({ task, event }: ReturnType<typeof eventOf>): number => {
    const number = numberOf.get(task);
    assert(number !== undefined, 'only what is known changes');
    states[number] = { kind: event.kind, at: event.at, term: event.term };
    return number;
  };
  const { offsets, later, degrees } = graph;
  const left = degrees.slice();
  const ready = names.filter((_, number) => left[number] === 0);
  const running: string[] = [];
  let [claimed, completed, now] = [0, 0, START_MS];
  return milliseconds(() => {
    while (claimed > completed || ready.length > 0) {
      while (ready.length > 0 && claimed - completed < parallel) {
        const name = ready.pop()!;
        apply(eventOf(name, { kind: 'claimed', at: (now += 1), term: claimed }));
        apply(eventOf(name, { kind: 'running', at: (now += 1), term: claimed }));
        running[claimed % parallel] = name;
        claimed += 1;
      }
      const name = running[completed % parallel]!;
      const number = apply(eventOf(name, { kind: 'completed', at: (now += 1), term: completed }));
      completed += 1;
      for (let edge = offsets[number]!; edge < offsets[number + 1]!; edge += 1) {
        const next = later[edge]!;
        left[next]! -= 1;
        if (left[next] === 0) ready.push(names[next]!);
      }
    }
    assert(completed === names.length, 'a run with names comes to its end');
  });
}

const START_MS = 1_700_000_000_000;

interface State {
  readonly kind: 'pending' | 'claimed' | 'running' | 'completed';
  readonly at: number;
  readonly term: number;
}

function eventOf(
  task: string,
  event: State,
): { kind: string; run: string; task: string; event: State } {
  return { kind: 'taskMoved', run: 'bench-run-1', task, event };
}
