import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { buildGraph } from '../../../../server/domain/graph/graph.ts';
import { findHazards } from '../../../../server/domain/paths/hazard-finder.ts';
import type { Hazard } from '../../../../server/domain/paths/hazard.ts';
import { overlap } from '../../../../server/domain/paths/overlap.ts';
import { parsePathSet } from '../../../../server/domain/paths/path-set.ts';
import type { TaskDefinition } from '../../../../server/domain/task.ts';
import { definition } from '../../../support/runs.ts';
import { boardOf } from '../../../support/snapshots.ts';

/** Hazards as `first kind second at example`. */
function hazardsOf(tasks: readonly TaskDefinition[], foldCase: boolean): readonly string[] {
  return findHazards(tasks, buildGraph(tasks), { foldCase }).hazards.map(hazardText);
}

function hazardText({ kind, first, second, example }: Hazard): string {
  return `${first} ${kind} ${second} at ${example}`;
}

function check(name: string, text: string, expected: string): void {
  test(name, () => {
    const { runs, owners } = boardOf(text);
    const [run] = runs.values();
    const hazards = hazardsOf(run?.manifest.tasks ?? [], owners.rules.foldCase);
    expect(hazards.join(', ')).toBe(expected);
  });
}

check('two writers of one file collide', 'a: writes x\nb: writes x', 'a write-write b at x');
check(
  'a reader and a writer collide, the writer first',
  'a: reads x\nb: writes x',
  'b read-write a at x',
);
check(
  'the writer is first when it is written first',
  'a: writes x\nb: reads x',
  'a read-write b at x',
);
check('two readers do not collide', 'a: reads x\nb: reads x', '');
check('writers of different files do not collide', 'a: writes x\nb: writes y', '');
check('a task does not collide with itself', 'a: reads x, writes x', '');
check(
  'two tasks have one hazard, the one of both writing',
  'a: reads x, writes x\nb: reads x, writes x',
  'a write-write b at x',
);
check(
  'two tasks that read what the other writes have one hazard',
  'a: reads x, writes y\nb: reads y, writes x',
  'a read-write b at y',
);
check(
  'patterns collide where no file exists',
  'a: writes src/**\nb: writes **/*.ts',
  'a write-write b at src/.ts',
);
check(
  'every pair has its hazard, in the order of the tasks',
  'c: writes x\na: writes x\nb: writes x',
  'c write-write a at x, c write-write b at x, a write-write b at x',
);

check('a dependency is an order', 'a: writes x, needs b\nb: writes x', '');
check('"after" is an order', 'a: writes x, after b\nb: writes x', '');
check('an order may pass through others', 'a: writes x, needs b\nb: after c\nc: writes x', '');
check(
  'two tasks behind one have no order',
  'a: writes x, needs c\nb: writes x, needs c\nc',
  'a write-write b at x',
);
check('what is taken away does not collide', 'a: writes src/** !src/b/**\nb: writes src/b/**', '');

check('case counts', 'a: writes X\nb: writes x', '');
check(
  'case does not count where the file system ignores it',
  'board folds case\na: writes SRC/x\nb: writes src/*',
  'a write-write b at src/x',
);
check(
  'the last letter of a Greek word folds like the others',
  'board folds case\na: writes ΑΣ*\nb: writes ΑΣΑ',
  'a write-write b at ασα',
);

const token = fc.constantFrom(
  'a',
  'B',
  'Σ',
  'ς',
  'ß',
  'K',
  'k',
  '/',
  '*',
  '?',
  '[ab]',
  '{a,b}',
  '**',
);
const pattern = fc.array(token, { minLength: 1, maxLength: 4 }).map((tokens) => tokens.join(''));
const patterns = fc.array(pattern, { maxLength: 2 });
const tasks = fc
  .array(fc.record({ reads: patterns, writes: patterns }), { minLength: 2, maxLength: 5 })
  .map((all) => all.map((said, index) => definition(`t${index}`, said)));

test('no pair of tasks is missed', () => {
  fc.assert(
    fc.property(tasks, fc.boolean(), (all, foldCase) => {
      const found = findHazards(all, buildGraph(all), { foldCase }).hazards;
      const pairs = found.map(({ first, second }) => [first, second].toSorted().join(' '));
      expect(pairs).toStrictEqual(collidingPairs(all, foldCase));
    }),
    { numRuns: 2000 },
  );
});

/** Every task compared with every other. */
function collidingPairs(all: readonly TaskDefinition[], foldCase: boolean): readonly string[] {
  const collides = (a: readonly string[], b: readonly string[]): boolean =>
    overlap(parsePathSet(a), parsePathSet(b), { foldCase }).kind !== 'disjoint';
  return all.flatMap((a, index) =>
    all
      .slice(index + 1)
      .filter(
        (b) =>
          collides(a.writes, b.writes) ||
          collides(a.writes, b.reads) ||
          collides(a.reads, b.writes),
      )
      .map((b) => `${a.id} ${b.id}`),
  );
}

test('a crowd that writes one file has an end', { timeout: 10_000 }, () => {
  const crowd = Array.from({ length: 1000 }, (_, index) =>
    definition(`t${index}`, { writes: ['x'] }),
  );
  expect(hazardsOf(crowd, false)).toHaveLength(100_000);
});

test(
  'a long chain that writes one file has no hazard, and that is found soon',
  { timeout: 10_000 },
  () => {
    const board = boardOf(
      Array.from(
        { length: 2000 },
        (_, index) => `t${index}: writes x, after t${Math.max(0, index - 1)}`,
      ).join('\n'),
    );
    const [run] = board.runs.values();
    expect(hazardsOf(run?.manifest.tasks ?? [], false)).toStrictEqual([]);
  },
);

test(
  'patterns that differ at their ends are told apart without an exact look',
  { timeout: 10_000 },
  () => {
    const crowd = Array.from({ length: 1000 }, (_, index) =>
      definition(`t${index}`, { writes: [`**/x${index}.ts`] }),
    );
    const report = findHazards(crowd, buildGraph(crowd), { foldCase: false });
    expect(report).toStrictEqual({ hazards: [], isComplete: true });
  },
);

test(
  'when there is too much to compare, the report says that it is not complete',
  { timeout: 20_000 },
  () => {
    const hard = `*a${'?'.repeat(10)}`;
    const crowd = Array.from({ length: 200 }, (_, index) =>
      definition(`t${index}`, { writes: [hard, `!${hard}*`] }),
    );
    expect(findHazards(crowd, buildGraph(crowd), { foldCase: false }).isComplete).toBe(false);
  },
);
