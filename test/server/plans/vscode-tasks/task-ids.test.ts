import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseTaskId } from '../../../../server/domain/ids.ts';
import { idsOfLabels } from '../../../../server/plans/vscode-tasks/task-ids.ts';

function check(name: string, labels: readonly string[], ids: readonly (string | RegExp)[]): void {
  test(name, () => {
    const found = [...labels].map((label) => idsOfLabels(labels).get(label));
    for (const [index, id] of ids.entries()) expect(found[index]).toMatch(exactly(id));
  });
}

function exactly(id: string | RegExp): RegExp {
  return typeof id === 'string' ? new RegExp(`^${id.replaceAll('.', '[.]')}$`) : id;
}

check('a label that can be an id is one', ['build', 'a.b_c-1'], ['build', 'a.b_c-1']);
check('of others the letters and digits are left', ['Build all', '(x) y!'], ['Build-all', 'x-y']);
check('accents go', ['Prüfen für René'], ['Prufen-fur-Rene']);
check('a label without any gets digits', ['構築'], [/^task-[0-9a-f]{6}$/]);
check(
  'a long label is cut, and told from others',
  ['a'.repeat(70), 'a'.repeat(71)],
  [/^a{57}-[0-9a-f]{6}$/, /^a{57}-[0-9a-f]{6}$/],
);
check(
  'labels that come to the same get digits',
  ['a b', 'a-b'],
  [/^a-b-[0-9a-f]{6}$/, /^a-b-[0-9a-f]{6}$/],
);
check(
  'ids differ in more than case',
  ['Build', 'build'],
  [/^Build-[0-9a-f]{6}$/, /^build-[0-9a-f]{6}$/],
);

test('ids do not depend on the order of the labels', () => {
  const labels = ['a b', 'a-b', 'A b', 'c', '構築', 'c d'];
  const ids = idsOfLabels(labels);
  const others = idsOfLabels(labels.toReversed());
  for (const label of labels) expect(others.get(label)).toBe(ids.get(label));
});

test('every label has an id, and no two the same', () => {
  const letters = fc.constantFrom(...Array.from('aAbB -_./:#é構\u0000\u202E'));
  const labels = fc.array(fc.string({ unit: letters, minLength: 1, maxLength: 80 }));
  fc.assert(
    fc.property(labels, (all) => {
      const ids = [...idsOfLabels(all).values()];
      expect(ids.every((id) => parseTaskId(id) === id)).toBe(true);
      expect(new Set(ids.map((id) => id.toLowerCase())).size).toBe(new Set(all).size);
    }),
    { numRuns: 2000 },
  );
});
