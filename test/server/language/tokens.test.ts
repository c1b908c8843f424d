import { expect, test } from 'vitest';
import { referenceResolver } from '../../../server/language/plan-in-folder.ts';
import { tokensOf } from '../../../server/language/tokens.ts';
import { readTree } from '../../../server/language/yaml/read-tree.ts';
import { plansOfFolder } from '../../support/plans-of-folder.ts';

/** All tokens: `kind text`, with `!` where it is declared. */
function check(name: string, text: string, expected: readonly string[]): void {
  test(name, () => {
    const other = 'tasks:\n  api: { run: x }\n';
    const folder = plansOfFolder({ 'interlock.yaml': text, 'web/interlock.yaml': other });
    const tokens = tokensOf(
      { plan: folder.plans[0]!, file: folder.plans[0]!.path },
      readTree(text),
      referenceResolver(folder),
    );
    const shown = tokens.map(
      ({ kind, start, end, isDeclaration }) =>
        `${kind} ${text.slice(start, end)}${isDeclaration ? '!' : ''}`,
    );
    expect(shown).toEqual(expected);
  });
}

check(
  'ids that are there',
  `tasks:\n  a: { run: x }\n  b: { run: x, depends_on: [a, "a", c], after: [d] }`,
  ['task a', 'task a'],
);
check('ids of other plans', `tasks:\n  b: { run: x, after: [web/api, "web/api", web/x, y/api] }`, [
  'plan web',
  'task api',
  'plan web',
  'task api',
]);
check('agents', `tasks:\n  a: { agent: x }\n  b: { agent: y }\nagents: { x: {} }`, [
  'agent x',
  'agent x!',
]);
check(
  'limits',
  `limits: { db: 1, parallel: 2 }\ndefaults: { resources: { db: 1 } }\ntasks:\n  a: { run: x, resources: { db: 1, cpu: 1, no: 1 } }`,
  ['limit db!', 'limit parallel!', 'limit db', 'limit db', 'limit cpu'],
);
check('nothing', '', []);
