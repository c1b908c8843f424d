import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { AnalyzedPlan } from '../../../server/plans/plan.ts';
import { PlanFolder } from '../../support/plan-folder.ts';

const PATHS = ['a.interlock.yaml', 'b/interlock.yaml', 'c/b.interlock.yaml', 'interlock.yaml'];
const NAMES = ['a', 'b', 'c/b', 'shop', 'nope'];
const IDS = ['s', 't', 'u'];

const reference = fc
  .tuple(fc.option(fc.constantFrom(...NAMES), { freq: 2 }), fc.constantFrom(...IDS))
  .map(([plan, id]) => (plan === null ? id : `${plan}/${id}`));
const references = fc.array(reference, { maxLength: 2 });
const patterns = fc.array(fc.constantFrom('x', 'src/**', '!src/y', 'src/y'), { maxLength: 2 });

/** Some are there again and again: of a task that says what it said little is looked at again. */
const task = fc.oneof(
  fc
    .record({ after: references, depends_on: references, reads: patterns, writes: patterns })
    .map((keys) => JSON.stringify({ run: 'x', ...keys })),
  fc.constantFrom('{ run: x }', '{ run: x, depends_on: [s] }', '{ run: x, after: [t, u] }'),
);

/** Some of them are wrong in one way or another. */
const text = fc
  .record({
    name: fc.option(fc.constantFrom('a', 'b', 'x y'), { freq: 3 }),
    tasks: fc.dictionary(fc.constantFrom(...IDS, 'S'), task, { maxKeys: 3 }),
    comment: fc.constantFrom('', '# more\n', '\n\n', 'tasks: {\n'),
  })
  .map(({ name, tasks, comment }) => {
    const lines = Object.entries(tasks).map(([id, keys]) => `  ${id}: ${keys}\n`);
    return `${comment}${name === null ? '' : `name: ${name}\n`}tasks:\n${lines.join('')}`;
  });

const edit = fc.tuple(fc.constantFrom(...PATHS), fc.option(text, { nil: undefined, freq: 6 }));

function saidOf(plans: ReadonlyMap<string, AnalyzedPlan>): unknown {
  return [...plans].map(([path, { problems, obstacles, references: links, knownAs }]) => ({
    path,
    problems,
    obstacles: new Map(obstacles),
    links: new Map(links),
    knownAs,
  }));
}

test('plans that were edited one after the other are what they are when they are read at once', () => {
  const property = fc.property(fc.array(edit, { minLength: 1, maxLength: 12 }), (edits) => {
    const folder = new PlanFolder({});
    const texts: Record<string, string> = {};
    for (const [path, now] of edits) {
      folder.edit({ [path]: now });
      if (now === undefined) delete texts[path];
      else texts[path] = now;
    }
    expect(saidOf(folder.plans)).toStrictEqual(saidOf(new PlanFolder(texts).plans));
  });
  fc.assert(property, { numRuns: 400 });
});

test('a plan that is the same object says the same', () => {
  const property = fc.property(fc.array(edit, { minLength: 2, maxLength: 8 }), (edits) => {
    const folder = new PlanFolder({});
    for (const [path, now] of edits) {
      const before = new Map(
        [...folder.plans].map(([each, plan]) => [plan, JSON.stringify([each, plan.problems])]),
      );
      folder.edit({ [path]: now });
      for (const [each, plan] of folder.plans)
        expect(before.get(plan) ?? 'new').toBeOneOf(['new', JSON.stringify([each, plan.problems])]);
    }
  });
  fc.assert(property, { numRuns: 200 });
});
