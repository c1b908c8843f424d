import { expect, test } from 'vitest';
import { readMarks } from '../../support/marked-text.ts';
import { PlanFolder } from '../../support/plan-folder.ts';

type Texts = Readonly<Record<string, string>>;

/** What is said of plans, each problem at one of the «» of its plan. */
function check(name: string, marked: Texts, expected: readonly string[]): void {
  test(name, () => {
    const read = Object.entries(marked).map(([path, text]) => [path, readMarks(text)] as const);
    const folder = new PlanFolder(Object.fromEntries(read.map(([path, { text }]) => [path, text])));
    expect(folder.said).toStrictEqual(expected);
    for (const [path, { ranges }] of read) {
      const places = folder.plan(path).problems.map(({ range }) => range);
      expect(places.toSorted((a, b) => a.start - b.start)).toStrictEqual(ranges);
    }
  });
}

check(
  'a task of another plan is known by the name of its file',
  {
    'api.interlock.yaml': 'tasks: { api: { run: x, depends_on: [data/schema] } }',
    'data.interlock.yaml': 'tasks: { schema: { run: x } }',
  },
  [],
);
check(
  'a plan is known by the name that it gives itself, and then not by that of its file',
  {
    'api.interlock.yaml': 'name: data\ntasks: { api: { run: x } }',
    'data.interlock.yaml':
      'name: my db\ntasks: { schema: { run: x, after: [my db/schemas] } }'.replace(
        'my db/schemas',
        '«"my db/schemas"»',
      ),
    'web.interlock.yaml':
      'tasks: { web: { run: x, after: [my db/schema, data/api, «my dbb/schema»] } }',
  },
  [
    'data.interlock.yaml: error unknown-task: There is no task "schemas" in plan "my db" (data.interlock.yaml). Did you mean "my db/schema"?',
    'web.interlock.yaml: error unknown-plan: There is no plan "my dbb" in this folder. Did you mean "my db/schema"?',
  ],
);
check(
  'an interlock.yaml is known by its folder, and any plan by its path',
  {
    'a.interlock.yaml':
      'tasks: { a: { run: x, after: [shop/s, interlock/s, data/t, x/data/t, x/data/interlock/t, x/y/b/u, x/y/b.interlock/u, b/u] } }',
    'interlock.yaml': 'tasks: { s: { run: x } }',
    'x/data/interlock.yaml': 'tasks: { t: { run: x } }',
    'x/y/b.interlock.yml': 'tasks: { u: { run: x } }',
  },
  [],
);
check(
  'a name that several plans have is none, and their paths are',
  {
    'a.interlock.yaml':
      'tasks: { a: { run: x, depends_on: [«web/t», x/web/t], after: [y/web/t] } }',
    'x/web/interlock.yaml': 'tasks: { t: { run: x } }',
    'y/web.interlock.yaml': 'tasks: { t: { run: x } }',
  },
  [
    'a.interlock.yaml: error ambiguous-plan: 2 plans are called "web": x/web/interlock.yaml and y/web.interlock.yaml. Write the path of the one that is meant, for instance "x/web/t", or give them different names.',
  ],
);
check(
  'an id that the other plan does not have is marked where it is written',
  {
    'a.interlock.yaml': 'tasks: { a: { run: x, depends_on: [b, «b/bulid»] }, b: { run: x } }',
    'b.interlock.yaml': 'tasks: { build: { run: x } }',
  },
  [
    'a.interlock.yaml: error unknown-task: There is no task "bulid" in plan "b" (b.interlock.yaml). Did you mean "b/build"?',
  ],
);
check(
  'the steps of a cycle through plans are marked in each of them',
  {
    'a.interlock.yaml': 'tasks: { a: { run: x, depends_on: [«b/b»] }, free: { run: x } }',
    'b.interlock.yaml':
      'tasks: { b: { run: x, after: [«c»] }, c: { run: x, depends_on: [«a/a»] } }',
  },
  [
    'a.interlock.yaml: error cycle: Dependency cycle: a → b/b → b/c → a. None of these tasks can start.',
    'b.interlock.yaml: error cycle: Dependency cycle: a/a → b → c → a/a. None of these tasks can start.',
    'b.interlock.yaml: error cycle: Dependency cycle: a/a → b → c → a/a. None of these tasks can start.',
  ],
);
check(
  'a task that names itself by its plan waits for itself',
  { 'a.interlock.yaml': 'tasks: { a: { run: x, after: [«a/a»] } }' },
  ['a.interlock.yaml: error cycle: Dependency cycle: a → a. A task cannot wait for itself.'],
);
check(
  'hazards between plans are marked in both',
  {
    'a.interlock.yaml': 'tasks: { a: { run: x, writes: [«src/x»] } }',
    'b.interlock.yaml': 'tasks: { b: { run: x, reads: [y, «src/**»] } }',
  },
  [
    'a.interlock.yaml: warning hazard: Task "b/b" reads "src/x", and nothing says which of the two goes first.',
    'b.interlock.yaml: warning hazard: Task "a/a" writes "src/x", and nothing says which of the two goes first.',
  ],
);
check(
  'an order by way of another plan is one',
  {
    'a.interlock.yaml':
      'tasks: { a: { run: x, writes: [x] }, c: { run: x, after: [b/b], writes: [x] } }',
    'b.interlock.yaml': 'tasks: { b: { run: x, depends_on: [a/a] } }',
  },
  [],
);
check(
  'a plan that cannot be read stops nobody else',
  {
    'a.interlock.yaml': 'tasks: «{»',
    'b.interlock.yaml': 'tasks: { b: { run: x, after: [«a/a»] }, c: { run: x } }',
  },
  [
    'a.interlock.yaml: error syntax: This is not YAML: Flow map in block collection must be sufficiently indented and end with a }.',
    'b.interlock.yaml: error unknown-task: There is no task "a" in plan "a" (a.interlock.yaml).',
  ],
);

test('the places that belong to a problem lie in the other plan', () => {
  const other = 'tasks: { b: { run: x, writes: [xyz] }, c: { run: x, after: [a/a] } }';
  const folder = new PlanFolder({
    'a.interlock.yaml': 'tasks: { a: { run: x, writes: [xyz], after: [b/c] } }',
    'b.interlock.yaml': other,
  });
  const places = folder
    .plan('a.interlock.yaml')
    .problems.flatMap(({ related }) => related)
    .map(({ message, range: { file, start, end } }) => [message, file, other.slice(start, end)]);
  expect(places).toStrictEqual([
    ['"b/c" waits for "a".', 'b.interlock.yaml', 'a/a'],
    ['"b/b" writes it here.', 'b.interlock.yaml', 'xyz'],
  ]);
});

test('whoever waits for a task of another plan that cannot start cannot start', () => {
  const folder = new PlanFolder({
    'a.interlock.yaml': 'tasks: { a: { run: x, after: [b] }, b: { run: x, after: [c/c] } }',
    'c.interlock.yaml': 'tasks: { c: { run: x, depends_on: [nobody] }, d: { run: x } }',
  });
  expect(folder.obstacles).toStrictEqual([
    'a.interlock.yaml: b: It waits for "c/c", which cannot start.',
    'a.interlock.yaml: a: It waits for "c/c", which cannot start.',
    'c.interlock.yaml: c: There is no task "nobody" in this plan.',
  ]);
});

test('a plan of another open folder cannot be meant, and that is said', () => {
  const folder = new PlanFolder(
    { 'interlock.yaml': 'tasks: { a: { run: x, after: [web/b, nope/b] } }' },
    { elsewhere: (plan) => (plan === 'web' ? 'It lies elsewhere.' : undefined) },
  );
  expect(folder.said).toStrictEqual([
    'interlock.yaml: error unknown-plan: It lies elsewhere.',
    'interlock.yaml: error unknown-plan: There is no plan "nope" in this folder.',
  ]);
});

const ONE = 'tasks:\n  a: { run: x, writes: [x] }\n';
const TWO = 'tasks:\n  b: { run: x, after: [one/a] }\n';
const THREE = 'tasks:\n  c: { run: x, writes: [y] }\n';

/** Which plans are other objects after an edit of the first. */
function checkNews(name: string, edit: string | undefined, expected: readonly string[]): void {
  test(name, () => {
    const paths = ['one', 'two', 'three'].map((each) => `${each}.interlock.yaml`);
    const folder = new PlanFolder(
      Object.fromEntries([ONE, TWO, THREE].map((text, index) => [paths[index]!, text])),
    );
    const before = folder.plans;
    folder.edit({ 'one.interlock.yaml': edit });
    const isNews = (path: string): boolean => folder.plans.get(path) !== before.get(path);
    expect(paths.filter(isNews).map((path) => path.split('.')[0])).toStrictEqual(expected);
  });
}

checkNews('nothing is news where nothing was edited', ONE, []);
checkNews('a title concerns nobody else', `# what is done first\n${ONE}`, ['one']);
checkNews('a new task concerns nobody else', `${ONE}  d: { run: x }\n`, ['one']);
checkNews('whoever waits for a task hears that it is gone', ONE.replace('a:', 'z:'), [
  'one',
  'two',
]);
checkNews('and that its plan is', undefined, ['one', 'two']);
checkNews('a plan that has another name is found by its path', `name: uno\n${ONE}`, ['one']);
checkNews('and that it cannot start', ONE.replace('run: x', 'run: ""'), ['one', 'two']);
checkNews('whoever writes the same hears of it', ONE.replace('[x]', '[y]'), ['one', 'three']);
