import { expect, test } from 'vitest';
import type { PlansOfFolder } from '../../../server/language/plan-in-folder.ts';
import { rename, renamableAt } from '../../../server/language/rename.ts';
import type { Spot } from '../../../server/language/task-mentions.ts';
import { planOfFiles, plansOfFolder } from '../../support/plans-of-folder.ts';
import { readCursor } from '../../support/marked-text.ts';

type Texts = Readonly<Record<string, string>>;

/** Renames what is at the `¦` to "new"; the texts behind it, or why not. */
function check(name: string, marked: Texts | string, expected: Texts | string): void {
  test(name, () => {
    const isText = typeof expected === 'string' && expected.includes('\n');
    expect(renamed(filesOf(marked), 'new')).toEqual(isText ? filesOf(expected) : expected);
  });
}

function checkName(newName: string, expected: string): void {
  test(`"${newName}" as a new name`, () => {
    const marked = 'tasks:\n  a¦: { run: x, after: [b] }\n  b: { run: x, after: [a, "a"] }\n';
    const found = renamed(filesOf(marked), newName);
    expect(typeof found === 'string' ? found : found['interlock.yaml']).toBe(expected);
  });
}

function filesOf(texts: Texts | string): Texts {
  return typeof texts === 'string' ? { 'interlock.yaml': texts } : texts;
}

function renamed(marked: Texts, newName: string): Texts | string {
  const { folder, spot } = read(marked);
  const result = rename(folder, spot, newName);
  if (result.kind === 'refused') return result.message;
  const texts = new Map(folder.plans.map(({ path, texts: all }) => [path, all.get(path)!]));
  for (const { file, range, newText } of result.edits.toSorted(
    (a, b) => b.range.start - a.range.start,
  )) {
    const text = texts.get(file)!;
    texts.set(file, text.slice(0, range.start) + newText + text.slice(range.end));
  }
  return Object.fromEntries(texts);
}

function read(marked: Texts): { folder: PlansOfFolder; spot: Spot } {
  const [file, text] = Object.entries(marked).find((entry) => entry[1].includes('¦'))!;
  const cursor = readCursor(text);
  const folder = plansOfFolder({ ...marked, [file]: cursor.text });
  const plan = folder.plans.find(({ path }) => path === file)!;
  return { folder, spot: { plan, file, offset: cursor.offset } };
}

check(
  'an id and all that wait for it',
  `tasks:\n  a¦pi: { run: x }\n  docs: { run: x, depends_on: [api], after: [api] }\n`,
  `tasks:\n  new: { run: x }\n  docs: { run: x, depends_on: [new], after: [new] }\n`,
);
check(
  'from where it is mentioned',
  `tasks:\n  api: { run: x }\n  docs: { run: x, depends_on: [api¦] }\n`,
  `tasks:\n  new: { run: x }\n  docs: { run: x, depends_on: [new] }\n`,
);
check(
  'quotes stay',
  `tasks:\n  "api": { run: x }\n  docs:\n    run: x\n    depends_on:\n      - 'ap¦i'\n      - "api"\n`,
  `tasks:\n  "new": { run: x }\n  docs:\n    run: x\n    depends_on:\n      - 'new'\n      - "new"\n`,
);
check(
  'a key after "?", and a comment',
  `tasks:\n  ? api # api\n  : run: api\n  docs: { run: x, after: [ api¦ ] } # api\n`,
  `tasks:\n  ? new # api\n  : run: api\n  docs: { run: x, after: [ new ] } # api\n`,
);
check(
  'with CRLF',
  `tasks:\r\n  api¦:\r\n    run: x\r\n  b:\r\n    run: x\r\n    after:\r\n    - api\r\n`,
  `tasks:\r\n  new:\r\n    run: x\r\n  b:\r\n    run: x\r\n    after:\r\n    - new\r\n`,
);
check(
  'in all plans, and only where it is meant',
  {
    'interlock.yaml': `tasks:\n  a¦pi: { run: x }\n  b: { run: x, after: [web/api] }\n`,
    'web/interlock.yaml': `tasks:\n  api: { run: x, after: [shop/api, "shop/api"] }\n  c: { run: x, after: [api] }\n`,
    'x.interlock.yaml': `tasks:\n  d: { run: x, after: [interlock/api, other/api] }\n`,
  },
  {
    'interlock.yaml': `tasks:\n  new: { run: x }\n  b: { run: x, after: [web/api] }\n`,
    'web/interlock.yaml': `tasks:\n  api: { run: x, after: [shop/new, "shop/new"] }\n  c: { run: x, after: [api] }\n`,
    'x.interlock.yaml': `tasks:\n  d: { run: x, after: [interlock/new, other/api] }\n`,
  },
);
check(
  'from a mention in another plan',
  {
    'a.interlock.yaml': `name: first\ntasks:\n  api: { run: x }\n`,
    'b.interlock.yaml': `tasks:\n  c: { run: x, after: [fir¦st/api] }\n`,
  },
  {
    'a.interlock.yaml': `name: first\ntasks:\n  new: { run: x }\n`,
    'b.interlock.yaml': `tasks:\n  c: { run: x, after: [first/new] }\n`,
  },
);
check(
  'only one task of two with ids that differ in case is never mentioned by the other id',
  `tasks:\n  api¦: { run: x }\n  b: { run: x, after: [API] }\n`,
  `tasks:\n  new: { run: x }\n  b: { run: x, after: [API] }\n`,
);
check(
  'a key of a task',
  `tasks:\n  a: { ru¦n: x }\n`,
  'Only the ids of tasks can be renamed here.',
);
check(
  'an empty line',
  `tasks:\n  a: { run: x }\n¦\n`,
  'Only the ids of tasks can be renamed here.',
);
check(
  'an id that nobody has',
  `tasks:\n  a: { run: x, after: [b¦] }\n`,
  'There is no task "b", so it cannot be renamed.',
);

const RULE =
  'An id starts with a letter or digit and has at most 64 of: letters, digits, "." "_" "-".';
checkName('', RULE);
checkName('-x', RULE);
checkName('x y', RULE);
checkName('other/x', RULE);
checkName('x'.repeat(65), RULE);
checkName('b', 'There is a task "b" in this plan already.');
checkName('B', 'There is a task "b" in this plan already; ids differ in more than case.');
checkName('A', 'tasks:\n  A: { run: x, after: [b] }\n  b: { run: x, after: [A, "A"] }\n');
checkName(
  'null',
  'tasks:\n  "null": { run: x, after: [b] }\n  b: { run: x, after: ["null", "null"] }\n',
);

test('a place that can be renamed is the id alone', () => {
  const { folder, spot } = read({
    'a.interlock.yaml': `tasks:\n  api: { run: x }\n`,
    'b.interlock.yaml': `tasks:\n  c: { run: x, after: ["a/a¦pi"] }\n`,
  });
  const found = renamableAt(folder, spot);
  expect(found).toMatchObject({ kind: 'renamable', target: { task: { id: 'api' } } });
  const { range } = found.kind === 'renamable' ? found.place : { range: { start: 0, end: 0 } };
  expect(spot.plan.texts.get(spot.file)?.slice(range.start, range.end)).toBe('api');
});

test.each([
  ['kanban', '"7" is the number of a task on a kanban board; the board gives those.'],
  ['vscode-tasks', '"7" is made from a label in a.yaml. Change the label there.'],
] as const)('a task of a plan of kind %s keeps its id', (kind, message) => {
  const plan = planOfFiles(kind, { 'a.yaml': 'tasks:\n  7: { run: x }\n' });
  const folder: PlansOfFolder = { plans: [plan] };
  const { start: offset } = plan.plan.tasks[0]!.idRange;
  expect(renamableAt(folder, { plan, file: 'a.yaml', offset })).toEqual({
    kind: 'refused',
    message,
  });
});
