import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { buildGraph, type GraphNode } from '../../../../server/domain/graph/graph.ts';
import {
  findHazards,
  HazardFinder,
  SLICE_STEPS,
} from '../../../../server/domain/paths/hazard-finder.ts';
import type { Hazard, TaskPaths } from '../../../../server/domain/paths/hazard.ts';
import type { PathRules } from '../../../../server/domain/paths/overlap.ts';

interface Task extends TaskPaths<string>, GraphNode<string> {}

/** `a: writes x y, reads z, after b`, each in a line. */
function tasksOf(text: string): readonly Task[] {
  return text.split('\n').map((line) => {
    const [id = '', said = ''] = line.split(': ');
    const words = (kind: string): readonly string[] =>
      new RegExp(`${kind} ([^,]*)`).exec(said)?.[1]?.split(' ') ?? [];
    return {
      id,
      reads: words('reads'),
      writes: words('writes'),
      dependsOn: [],
      after: words('after'),
    };
  });
}

const RULES: PathRules = { foldCase: false };

function hazardText({ kind, first, second, example }: Hazard<string>): string {
  return `${first} ${kind} ${second} at ${example}`;
}

/** After each of some texts, the hazards that are found. */
function check(name: string, steps: Readonly<Record<string, string>>): void {
  test(name, () => {
    const finder = new HazardFinder<string>();
    for (const [text, expected] of Object.entries(steps)) {
      const tasks = tasksOf(text);
      const { hazards } = finder.find(tasks, [buildGraph(tasks)], RULES);
      expect(`${text} -> ${hazards.map(hazardText).join(', ')}`).toBe(`${text} -> ${expected}`);
    }
  });
}

check('a task that writes elsewhere has other hazards', {
  'a: writes x\nb: writes x\nc: writes y\nd\ne': 'a write-write b at x',
  'a: writes x\nb: writes y\nc: writes y\nd\ne': 'b write-write c at y',
  'a: writes x\nb: writes z\nc: writes y\nd\ne': '',
});
check('an order ends a hazard, and its end brings it back', {
  'a: writes x\nb: writes x': 'a write-write b at x',
  'a: writes x\nb: writes x, after a': '',
  'a: writes x\nb: writes x,': 'a write-write b at x',
});
check('a task that comes or goes brings and takes its hazards', {
  'a: writes x': '',
  'a: writes x\nb: reads x': 'a read-write b at x',
  'b: reads x': '',
  'c: writes x\nb: reads x': 'c read-write b at x',
});
check('hazards are told in the order of the tasks', {
  'a: writes x\nb: writes x': 'a write-write b at x',
  'b: writes x\na: writes x': 'b write-write a at x',
});
check('of tasks with one id the last one counts', {
  'a: writes x\nb: writes y\na: writes y': 'a write-write b at y',
});

test('without a change the answer is the very same', () => {
  const finder = new HazardFinder<string>();
  const find = (): unknown => {
    const tasks = tasksOf('a: writes x\nb: writes x\nc: after a');
    return finder.find(tasks, [buildGraph(tasks)], RULES);
  };
  expect(find()).toBe(find());
});

test('other rules are another question', () => {
  const finder = new HazardFinder<string>();
  const tasks = tasksOf('a: writes x\nb: writes X');
  const counts = [false, true, false].map(
    (foldCase) => finder.find(tasks, [buildGraph(tasks)], { foldCase }).hazards.length,
  );
  expect(counts).toStrictEqual([0, 1, 0]);
});

test('an answer that was cut short is not built upon', () => {
  const finder = new HazardFinder<string>();
  const crowd = Array.from({ length: 460 }, (_, at) => `t${at}: writes x`);
  const find = (lines: readonly string[]): { hazards: readonly unknown[]; isComplete: boolean } => {
    const tasks = tasksOf(lines.join('\n'));
    return finder.find(tasks, [buildGraph(tasks)], RULES);
  };
  expect(find(crowd)).toMatchObject({ isComplete: false });
  const few = find(crowd.map((line, at) => (at < 10 ? line : `${line}${at}`)));
  expect([few.hazards.length, few.isComplete]).toStrictEqual([45, true]);
  expect(find(crowd)).toMatchObject({ isComplete: false });
});

/** Cheap to write, and dear to compare. */
const DEAR = Array.from(
  { length: 100 },
  (_, n) => `d${n}: writes ${'**/*a*/'.repeat(60)}x${n} **/*a${'?'.repeat(n % 9)}* !**/*b?${n}`,
).join('\n');

test('what takes long is looked for in slices of few steps', () => {
  const tasks = tasksOf(DEAR);
  const search = new HazardFinder<string>().finding(tasks, [buildGraph(tasks)], RULES);
  const slices: number[] = [];
  let slice = search.next();
  for (; slice.done !== true; slice = search.next()) slices.push(slice.value);
  expect(slices.length).toBeGreaterThan(2);
  // With the question that a slice was in the middle of.
  expect(Math.max(...slices)).toBeLessThan(3 * SLICE_STEPS);
  expect(slice.value).toStrictEqual(findHazards(tasks, buildGraph(tasks), RULES));
});

test('a search that was left in the middle leaves nothing behind', () => {
  const dear = tasksOf(DEAR);
  const tasks = tasksOf('a: writes x\nd1: writes y\nb: reads x\nd2: reads y');
  for (const slices of [1, 3]) {
    const finder = new HazardFinder<string>();
    const find = (): unknown => finder.find(tasks, [buildGraph(tasks)], RULES);
    const expected = find();
    const search = finder.finding([...tasks, ...dear], [buildGraph([...tasks, ...dear])], RULES);
    for (let at = 0; at < slices; at += 1) expect(search.next().done).toBe(false);
    expect(find()).toStrictEqual(expected);
  }
});

const SECONDS = { timeout: 30_000 };

const glob = fc.constantFrom(
  'a',
  'b',
  'a/**',
  '**/b',
  'a/*',
  '*/b',
  '[ab]/c',
  '!a/b',
  '!**/c',
  'A',
);
const patterns = fc.array(glob, { maxLength: 3 });
const idOf = fc.nat(7).map((number) => `t${number}`);
const task = fc.record({
  id: idOf,
  reads: patterns,
  writes: patterns,
  dependsOn: fc.array(idOf, { maxLength: 1 }),
  after: fc.array(idOf, { maxLength: 1 }),
});
const edit = fc.record({ at: fc.nat(9), kind: fc.constantFrom('replace', 'drop', 'insert'), task });

test('after any edits the answer is that of one who looks for the first time', SECONDS, () => {
  fc.assert(
    fc.property(
      fc.array(task, { minLength: 6, maxLength: 9 }),
      fc.array(edit, { maxLength: 8 }),
      fc.boolean(),
      (tasks, edits, foldCase) => {
        const finder = new HazardFinder<string>();
        const plan = [...tasks];
        for (const { at, kind, task: next } of [undefined, ...edits].map(
          (step) => step ?? NO_EDIT,
        )) {
          const place = Math.min(at, plan.length);
          // The id often stays, as in a plan that is being edited.
          const id = kind === 'replace' && at % 2 === 0 ? (plan[place]?.id ?? next.id) : next.id;
          if (kind !== 'none')
            plan.splice(
              place,
              kind === 'insert' ? 0 : 1,
              ...(kind === 'drop' ? [] : [{ ...next, id }]),
            );
          const graph = buildGraph(plan);
          const expected = findHazards<string>(plan, graph, { foldCase });
          expect(finder.find(plan, [graph], { foldCase })).toStrictEqual(expected);
        }
      },
    ),
    { numRuns: 500 },
  );
});

const NO_EDIT = {
  at: 0,
  kind: 'none',
  task: { id: '', reads: [], writes: [], dependsOn: [], after: [] },
};
