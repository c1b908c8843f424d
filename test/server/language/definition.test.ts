import { expect, test } from 'vitest';
import { type Definition, definitionAt, literalPath } from '../../../server/language/definition.ts';
import type { PlansOfFolder } from '../../../server/language/plan-in-folder.ts';
import { idAt, placesOf, taskOf } from '../../../server/language/task-mentions.ts';
import { readTree } from '../../../server/language/yaml/read-tree.ts';
import { readCursor } from '../../support/marked-text.ts';
import { planOfFiles, plansOfFolder } from '../../support/plans-of-folder.ts';

const OTHERS = {
  'web/interlock.yaml': 'tasks:\n  api: { run: x }\n',
  'b.interlock.yaml': 'name: Second plan\ntasks:\n  api:\n    run: x\n\n  c: { run: x }\n',
  'c.interlock.yml': 'name: twin\ntasks:\n  api: { run: x }\n',
  'd.interlock.yml': 'name: twin\ntasks:\n  api: { run: x }\n',
};

/** From what is at the `¦`: `origin → file: name «all»`. */
function check(name: string, marked: string, expected: string): void {
  test(name, () => {
    const { text, offset } = readCursor(marked);
    const folder = plansOfFolder({ 'interlock.yaml': text, ...OTHERS });
    const plan = folder.plans[0]!;
    const spot = { plan, file: plan.path, offset };
    const found = definitionAt(folder, spot, () => readTree(text));
    expect(found === undefined ? 'nothing' : shown(found, folder, text)).toBe(expected);
  });
}

function shown(found: Definition, { plans }: PlansOfFolder, text: string): string {
  const origin = text.slice(found.origin.start, found.origin.end);
  if (found.kind === 'path') return `${origin} → ${found.path}`;
  const target = plans.find(({ path }) => path === found.file)!.texts.get(found.file)!;
  const [name, whole] = [found.name, found.range].map(({ start, end }) => target.slice(start, end));
  return `${origin} → ${found.file}: ${name} «${whole}»`;
}

const PLAN =
  'limits: { db: 2 }\nagents:\n  claude: { command: [x] }\ntasks:\n  api:\n    run: x\n  z:\n    ';

check('a dependency', `${PLAN}depends_on: [a¦pi]`, 'api → interlock.yaml: api «api:\n    run: x»');
check(
  'a quoted one',
  `tasks:\n  a: { run: x }\n  b: { run: x, after: ["a¦"] }`,
  'a → interlock.yaml: a «a: { run: x }»',
);
check('an id itself', `tasks:\n  ¦a: { run: x }`, 'a → interlock.yaml: a «a: { run: x }»');
check('one that nobody has', `${PLAN}after: [b¦]`, 'nothing');
check(
  'one of a folder',
  `${PLAN}after: [web/a¦pi]`,
  'api → web/interlock.yaml: api «api: { run: x }»',
);
check(
  'one by the path of its plan',
  `${PLAN}after: [web/interlock/a¦pi]`,
  'api → web/interlock.yaml: api «api: { run: x }»',
);
check(
  'one by the name of its plan',
  `${PLAN}after: ["Second ¦plan/c"]`,
  'c → b.interlock.yaml: c «c: { run: x }»',
);
check(
  'one by the file of its plan',
  `${PLAN}after: [b/¦c]`,
  'c → b.interlock.yaml: c «c: { run: x }»',
);
check(
  'one of its own plan by its name',
  `${PLAN}after: [shop/a¦pi]`,
  'api → interlock.yaml: api «api:\n    run: x»',
);
check('one of two plans with one name', `${PLAN}after: [twin/a¦pi]`, 'nothing');
check(
  'an agent',
  `${PLAN}agent: cl¦aude`,
  'claude → interlock.yaml: claude «claude: { command: [x] }»',
);
check('an agent that is not there', `${PLAN}agent: co¦dex`, 'nothing');
check('a limit', `${PLAN}resources: { d¦b: 1 }`, 'db → interlock.yaml: db «db: 2»');
check(
  'a limit in defaults',
  `${PLAN}run: x\ndefaults: { resources: { d¦b: 1 } }`,
  'db → interlock.yaml: db «db: 2»',
);
check('a file that is read', `${PLAN}reads: ["src/a¦.ts"]`, '"src/a.ts" → src/a.ts');
check(
  'a file that is taken away',
  `${PLAN}writes:\n      - "!./src/a¦.ts"`,
  '"!./src/a.ts" → src/a.ts',
);
check('a pattern', `${PLAN}reads: [src/*¦.ts]`, 'nothing');
check('a file in a command', `${PLAN}run: src/a¦.ts`, 'nothing');
check(
  'a half-written plan',
  `tasks:\n  a: { run: x }\n  b:\n    run: x\n    after: [a¦\n  c: { run: x }`,
  'a → interlock.yaml: a «a: { run: x }»',
);

test.each([
  ['src/a.ts', 'src/a.ts'],
  ['!src/a.ts', 'src/a.ts'],
  ['src/', undefined],
  ['src/**', undefined],
  ['a?', undefined],
  ['[a]', undefined],
  ['{a,b}', undefined],
  ['../a', undefined],
  ['/a', undefined],
  ['', undefined],
])('the one path of %j is %j', (pattern, path) => {
  expect(literalPath(pattern)).toBe(path);
});

test('tasks in files of their own are found in them', () => {
  const plan = planOfFiles('kanban', {
    'board/config.yml': 'name: x\n',
    'board/1.md': 'tasks:\n  1: { run: x }\n',
    'board/2.md': 'tasks:\n  2: { run: x, depends_on: [1] }\n',
  });
  const folder = { plans: [plan] };
  const offset = plan.texts.get('board/2.md')!.indexOf('[1') + 1;
  const spot = { plan, file: 'board/2.md', offset };
  const found = definitionAt(folder, spot, () => readTree('never'));
  expect(found).toMatchObject({ kind: 'place', file: 'board/1.md', name: { start: 9, end: 10 } });
  expect(idAt({ ...spot, file: 'board/1.md' })).toBeUndefined();
});

test('all places of a task, its own first', () => {
  const folder = plansOfFolder({
    'interlock.yaml': 'tasks:\n  b: { run: x, after: [a] }\n  a: { run: x, after: [web/a, c] }\n',
    'web/interlock.yaml': 'tasks:\n  a: { run: x, after: [shop/a, a] }\n',
  });
  const plan = folder.plans[0]!;
  const id = idAt({ plan, file: plan.path, offset: plan.plan.tasks[1]!.idRange.start })!;
  const places = placesOf(folder, taskOf(folder, id)!);
  const said = places.map(({ file, range, isDeclaration }) => {
    const before = folder.plans.find(({ path }) => path === file)!.texts.get(file)!;
    return `${file}:${before.slice(range.start - 4, range.end)}${isDeclaration ? ' !' : ''}`;
  });
  expect(said).toEqual([
    'interlock.yaml:}\n  a !',
    'interlock.yaml:r: [a',
    'web/interlock.yaml:hop/a',
  ]);
});
