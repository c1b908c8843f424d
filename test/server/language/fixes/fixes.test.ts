import { expect, test } from 'vitest';
import { fixesFor } from '../../../../server/language/fixes/fixes.ts';
import type { Fix } from '../../../../server/language/fixes/fix.ts';
import { nameOfPlan, type PlansOfFolder } from '../../../../server/language/plan-in-folder.ts';
import { readTree } from '../../../../server/language/yaml/read-tree.ts';
import { readCursor } from '../../../support/marked-text.ts';
import { plansOfFolder } from '../../../support/plans-of-folder.ts';

const RULES = { foldCase: false };
const PATH = 'interlock.yaml';
const OTHER = 'web/interlock.yaml';

/** A folder with the plan at the cursor and, where there is one, another. */
function folderOf(text: string, other?: string): PlansOfFolder {
  return plansOfFolder({ [PATH]: text, ...(other !== undefined && { [OTHER]: other }) });
}

function fixesAt(marked: string, other?: string): { fixes: readonly Fix[]; text: string } {
  const { text, offset } = readCursor(marked);
  const folder = folderOf(text, other);
  const plan = folder.plans[0]!;
  const range = { start: offset, end: offset };
  const tree = readTree(text);
  return { text, fixes: fixesFor({ plan, folder, file: PATH, tree, range, rules: RULES }) };
}

function after(text: string, { edits }: Fix): string {
  const inOrder = edits.toSorted((a, b) => b.range.start - a.range.start);
  return inOrder.reduce(
    (done, edit) => done.slice(0, edit.range.start) + edit.text + done.slice(edit.range.end),
    text,
  );
}

function check(
  name: string,
  { at, by, and }: { at: string; by: string; and?: string },
  expected: string,
): void {
  test(name, () => {
    const { text, fixes } = fixesAt(at, and);
    const chosen = fixes.find(({ title }) => title === by);
    expect(fixes.map(({ title }) => title)).toContain(by);
    expect(chosen && after(text, chosen)).toBe(expected);
  });
}

// Words.
check(
  'a key',
  { at: 'tasks:\n  a:\n    wri¦te: [x]\n    run: x', by: 'Change to "writes"' },
  'tasks:\n  a:\n    writes: [x]\n    run: x',
);
check(
  'a word',
  { at: 'tasks:\n  a:\n    run: x\n    priority: hi¦hg', by: 'Change to "high"' },
  'tasks:\n  a:\n    run: x\n    priority: high',
);
check(
  'an id in quotes',
  {
    at: "tasks:\n  build: { run: x }\n  b: { run: x, after: ['bi¦uld'] }",
    by: 'Change to "build"',
  },
  "tasks:\n  build: { run: x }\n  b: { run: x, after: ['build'] }",
);
check(
  'a limit of the machine',
  { at: 'limits: { mem¦roy: 2GiB }\ntasks: {}', by: 'Change to "memory"' },
  'limits: { memory: 2GiB }\ntasks: {}',
);
check(
  'a host that is nearly this machine',
  { at: 'tasks:\n  a: { run: x, on: [b1, loc¦l] }', by: 'Change to "local"' },
  'tasks:\n  a: { run: x, on: [b1, local] }',
);
check(
  'an agent',
  {
    at: 'agents:\n  claude: { command: [x] }\ntasks:\n  a: { prompt: x, agent: cla¦ud }',
    by: 'Change to "claude"',
  },
  'agents:\n  claude: { command: [x] }\ntasks:\n  a: { prompt: x, agent: claude }',
);
check(
  'a time without its unit',
  { at: 'tasks:\n  a: { run: x, timeout: 3¦0 }', by: 'Change to "30s"' },
  'tasks:\n  a: { run: x, timeout: 30s }',
);
check(
  'a time in words',
  { at: 'tasks:\n  a: { run: x, timeout: { hard: 10 min¦utes } }', by: 'Change to "10m"' },
  'tasks:\n  a: { run: x, timeout: { hard: 10m } }',
);
check(
  'a size in units of others',
  { at: 'tasks:\n  a: { run: x, resources: { memory: ¦2GB } }', by: 'Change to "2GiB"' },
  'tasks:\n  a: { run: x, resources: { memory: 2GiB } }',
);
check(
  'a list of one',
  { at: 'tasks:\n  a: { run: x, writes: dis¦t/** }', by: 'Make it a list' },
  'tasks:\n  a: { run: x, writes: [dist/**] }',
);
check(
  'a task that is not there',
  {
    at: 'tasks:\n    a:\n        run: x\n        after: [¦b]\n    c: { run: x }\n',
    by: 'Add a task "b"',
  },
  'tasks:\n    a:\n        run: x\n        after: [b]\n    b:\n        run: echo "to be done"\n    c: { run: x }\n',
);

// Hazards.
const TWO =
  'tasks:\n  a:\n    run: x\n    writes: [src/¦**, docs/**]\n  b:\n    run: x\n    writes:\n      - src/b/**\n';
const two = (text: string): string => TWO.replace('¦', '').replace(...parted(text));
function parted(text: string): [string, string] {
  const [before = '', behind = ''] = text.split(' => ');
  return [before, behind];
}
check(
  'an order by what must complete',
  { at: TWO, by: 'Start "a" when "b" has completed (depends_on)' },
  two('  a:\n =>   a:\n    depends_on: [b]\n'),
);
check(
  'an order the other way round',
  { at: TWO, by: 'Start "b" after "a", however it ends (after)' },
  two('  b:\n =>   b:\n    after: [a]\n'),
);
check(
  'paths that no longer meet',
  { at: TWO, by: 'Take "src/b/**" away from what "a" writes' },
  two('docs/**] => docs/**, "!src/b/**"]'),
);
check(
  'a task of its own',
  { at: TWO, by: 'Split "a": a task "a-2" of its own for "src/**", after "b"' },
  two(
    '[src/**, docs/**] => [docs/**]\n  a-2:\n    title: The part of a that touches src/**\n    depends_on: [a, b]\n    writes: [src/**]',
  ),
);
check(
  'an order in braces',
  {
    at: 'tasks:\n  a: { run: x, writes: [¦y] }\n  b: { run: x, after: [], writes: [y] }',
    by: 'Start "a" after "b", however it ends (after)',
  },
  'tasks:\n  a: { after: [b], run: x, writes: [y] }\n  b: { run: x, after: [], writes: [y] }',
);
check(
  'an order in empty brackets',
  {
    at: 'tasks:\n  a: { run: x, writes: [¦y] }\n  b: { run: x, after: [], writes: [y] }',
    by: 'Start "b" after "a", however it ends (after)',
  },
  'tasks:\n  a: { run: x, writes: [y] }\n  b: { run: x, after: [a], writes: [y] }',
);
check(
  'an order in a list of lines',
  {
    at: 'tasks:\n  a: { run: x }\n  b:\n    run: x\n    writes: [¦y]\n    after:\n      - a # first\n  c: { run: x, writes: [y] }',
    by: 'Start "b" after "c", however it ends (after)',
  },
  'tasks:\n  a: { run: x }\n  b:\n    run: x\n    writes: [y]\n    after:\n      - a # first\n      - c\n  c: { run: x, writes: [y] }',
);
check(
  'an order with a task of another plan',
  {
    at: 'tasks:\n  a: { run: x, writes: [¦y] }',
    and: 'tasks: { b: { run: x, writes: [y] } }',
    by: 'Start "a" after "web/b", however it ends (after)',
  },
  'tasks:\n  a: { after: [web/b], run: x, writes: [y] }',
);
check(
  'with other line endings',
  { at: TWO.replaceAll('\n', '\r\n'), by: 'Start "a" after "b", however it ends (after)' },
  two('  a:\n =>   a:\n    after: [b]\n').replaceAll('\n', '\r\n'),
);

test('paths that would all be taken away are left', () => {
  const { fixes } = fixesAt('tasks:\n  a: { run: x, writes: [¦y] }\n  b: { run: x, writes: [y] }');
  expect(fixes.filter(({ title }) => title.startsWith('Take'))).toEqual([]);
});

check(
  'behind a key without a value, and before its comment',
  {
    at: 'tasks:\n  a: { run: x, writes: [¦y] }\n  b:\n    writes: [y]\n    after: # none\n',
    by: 'Start "b" after "a", however it ends (after)',
  },
  'tasks:\n  a: { run: x, writes: [y] }\n  b:\n    writes: [y]\n    after: [a] # none\n',
);
check(
  'an id that YAML would read as nothing is in quotes',
  {
    at: 'tasks:\n  "null": { run: x, writes: [¦y] }\n  b: { run: x, writes: [y], after: [] }\n',
    by: 'Start "b" after "null", however it ends (after)',
  },
  'tasks:\n  "null": { run: x, writes: [y] }\n  b: { run: x, writes: [y], after: ["null"] }\n',
);

test('every fix of a hazard ends it, and makes no other problem', () => {
  const { text, fixes } = fixesAt(TWO);
  const left = fixes.map((fix) => {
    const { plans } = folderOf(after(text, fix));
    return plans.flatMap(({ plan }) =>
      plan.problems.map(({ message }) => `${fix.title}: ${message}`),
    );
  });
  expect(fixes.length).toBeGreaterThan(5);
  expect(left.flat()).toEqual([]);
});

test('a plan that shares its name with another is called by its path', () => {
  const folder = plansOfFolder({
    [PATH]: 'name: shop\ntasks:\n  a: { run: x, after: [aip] }\n',
    'b.interlock.yaml': 'name: twin\ntasks:\n  api: { run: x }\n',
    'web/interlock.yaml': 'name: twin\ntasks:\n  aipx: { run: x }\n',
  });
  expect(folder.plans.map((plan) => nameOfPlan(plan, folder))).toEqual(['shop', 'b', 'web']);
});

test('what mends two hazards at once is offered once', () => {
  const { fixes } = fixesAt(
    'tasks:\n  a: { run: x, writes: [src/¦**] }\n  b: { run: x, writes: [src/b] }\n  c: { run: x, reads: [src/b] }\n',
  );
  const titles = fixes.map(({ title }) => title);
  expect(titles).toContain('Take "src/b" away from what "a" writes');
  expect(new Set(titles).size).toBe(titles.length);
});

test('no two fixes that do different things are called the same', () => {
  const { fixes } = fixesAt(
    'tasks:\n  a: { run: x, writes: [src/¦a, docs/**] }\n  b: { run: x, writes: [src/**] }\n  c: { run: x, reads: [src/a] }\n',
  );
  const titles = fixes.map(({ title }) => title);
  expect(titles.filter((title) => title.startsWith('Split'))).toHaveLength(2);
  expect(new Set(titles).size).toBe(titles.length);
});

test('of a plan that is marked as a whole the first problems are mended', () => {
  const tasks = Array.from({ length: 60 }, (_, index) => `  t${index}: { run: x, wirtes: [x] }\n`);
  const text = `tasks:\n${tasks.join('')}`;
  const folder = folderOf(text);
  const range = { start: 0, end: text.length };
  const part = { plan: folder.plans[0]!, folder, file: PATH, tree: readTree(text) };
  expect(fixesFor({ ...part, range, rules: RULES })).toHaveLength(50);
});
