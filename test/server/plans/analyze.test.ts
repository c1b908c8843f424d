import { expect, test } from 'vitest';
import { analyzePlan } from '../../../server/plans/analyze.ts';
import { parseInterlockYaml } from '../../../server/plans/interlock-yaml.ts';
import type { AnalyzedPlan } from '../../../server/plans/plan.ts';
import {
  checkProblems as check,
  checkTaskProblems as checkTask,
} from '../../support/check-problems.ts';

checkTask(
  'a dependency exists',
  'depends_on: [«nobody»]',
  'error unknown-task: There is no task "nobody" in this plan.',
);
check(
  'a dependency that almost exists is named',
  'tasks:\n  build: { run: x }\n  test: { run: x, after: [«biuld»] }',
  'error unknown-task: There is no task "biuld" in this plan. Did you mean "build"?',
);
checkTask(
  'a text that is no id is no task',
  'after: [«a b c d»]',
  'error unknown-task: There is no task "a b c d" in this plan.',
);
checkTask(
  'a plan that lies in no folder names no other',
  'after: [«web/b»]',
  'error unknown-plan: This plan lies in no folder that is open, so it can name no task of another plan.',
);
checkTask(
  'a task does not wait for itself',
  'after: [«a»]',
  'error cycle: Dependency cycle: a → a. A task cannot wait for itself.',
);
check(
  'every step of a cycle is marked',
  'tasks:\n  a: { run: x, depends_on: [«b»] }\n  b: { run: x, after: [«a»] }',
  [
    'error cycle: Dependency cycle: a → b → a. None of these tasks can start.',
    'error cycle: Dependency cycle: a → b → a. None of these tasks can start.',
  ],
);
check(
  'two writers are both marked',
  'tasks:\n  a: { run: x, writes: [y.c, «src/**»] }\n  b: { run: x, writes: [«"*/c"»] }',
  [
    'warning hazard: Task "b" also writes "src/c", and nothing says which of the two goes first.',
    'warning hazard: Task "a" also writes "src/c", and nothing says which of the two goes first.',
  ],
);
check(
  'a folder without a slash and a file in it are both marked',
  'tasks:\n  a: { run: x, writes: [«docs»] }\n  b: { run: x, writes: [«docs/guide.md»] }',
  [
    'warning hazard: Task "b" also writes "docs/guide.md", and nothing says which of the two goes first.',
    'warning hazard: Task "a" also writes "docs/guide.md", and nothing says which of the two goes first.',
  ],
);
check(
  'a reader and a writer are both marked',
  'tasks:\n  a: { run: x, reads: [«y»] }\n  b: { run: x, writes: [«y»] }',
  [
    'warning hazard: Task "b" writes "y", and nothing says which of the two goes first.',
    'warning hazard: Task "a" reads "y", and nothing says which of the two goes first.',
  ],
);
check(
  'what a list takes away is not marked',
  'tasks:\n  a: { run: x, writes: [y, "!y", «z»] }\n  b: { run: x, writes: [y, «z»] }',
  [
    'warning hazard: Task "b" also writes "z", and nothing says which of the two goes first.',
    'warning hazard: Task "a" also writes "z", and nothing says which of the two goes first.',
  ],
);

function analyze(text: string): AnalyzedPlan {
  return analyzePlan(parseInterlockYaml(text), { foldCase: false });
}

/** Where each problem stands, and which places belong to it. */
function checkRelated(name: string, text: string, expected: readonly string[]): void {
  test(name, () => {
    const { problems } = analyze(text);
    const lineOf = (offset: number): number => text.slice(0, offset).split('\n').length;
    const places = problems.map(({ range, related }) => {
      const others = related.map((place) => `${lineOf(place.range.start)} ${place.message}`);
      return `${lineOf(range.start)}: ${others.join(' / ')}`;
    });
    expect(places).toStrictEqual(expected);
  });
}

checkRelated(
  'the two sides of a hazard point at each other',
  'tasks:\n a: { run: x, writes: [y] }\n b: { run: x, reads: [y] }',
  ['2: 3 "b" reads it here.', '3: 2 "a" writes it here.'],
);
checkRelated('a key that is there twice points at the first', 'name: a\nname: b', [
  '2: 1 It is here first.',
]);
checkRelated(
  'each step of a cycle points at the others',
  'tasks:\n a: { run: x, after: [b] }\n b: { run: x, after: [c] }\n c: { run: x, after: [a] }',
  [
    '2: 3 "b" waits for "c". / 4 "c" waits for "a".',
    '3: 2 "a" waits for "b". / 4 "c" waits for "a".',
    '4: 2 "a" waits for "b". / 3 "b" waits for "c".',
  ],
);

/** Which tasks cannot start, and why. */
function checkObstacles(name: string, tasks: string, expected: Record<string, string>): void {
  test(name, () => {
    expect(Object.fromEntries(analyze(`tasks:\n${tasks}`).obstacles)).toStrictEqual(expected);
  });
}

const NO_AGENTS = 'This version does not start agents yet.';
const NO_TASK = 'There is no task "nobody" in this plan.';

checkObstacles('a sound task starts', ' a: { run: x }', {});
checkObstacles('a warning stops nobody', ' a: { run: x, naem: y }', {});
checkObstacles(
  'a hazard stops nobody',
  ' a: { run: x, writes: [y] }\n b: { run: x, writes: [y] }',
  {},
);
checkObstacles('a task without a command is for whoever claims it', ' a: {}', {});
checkObstacles(
  'tasks wait for a person in the midst of them',
  ' a: { run: x }\n b: { role: human, depends_on: [a] }\n c: { run: x, depends_on: [b] }',
  {},
);
checkObstacles(
  'an agent is started by a later version',
  ' a: { agent: claude }\nagents: { claude: {} }',
  {
    a: NO_AGENTS,
  },
);
checkObstacles(
  'a task behind an agent waits for that version, too',
  ' a: { agent: claude, role: agent }\n b: { role: human, after: [a] }\nagents: { claude: {} }',
  { a: NO_AGENTS, b: 'It waits for "a", which cannot start.' },
);
checkObstacles('a command next to an agent is run', ' a: { run: x, agent: claude }', {});
checkObstacles(
  'a mistake stops its task and leaves the others',
  ' a: { run: x, after: [nobody] }\n b: { run: x }',
  { a: NO_TASK },
);
checkObstacles(
  'tasks behind a broken one name it',
  ' c: { run: x, after: [b] }\n b: { run: x, depends_on: [a] }\n a: { run: x, after: [nobody] }',
  {
    a: NO_TASK,
    b: 'It waits for "a", which cannot start.',
    c: 'It waits for "a", which cannot start.',
  },
);
checkObstacles(
  'a task behind several broken ones names one',
  ' a: { agent: x }\n b: { agent: x }\n c: { run: x, after: [b, a] }\nagents: { x: {} }',
  { a: NO_AGENTS, b: NO_AGENTS, c: 'It waits for "a", which cannot start.' },
);
checkObstacles(
  'a cycle stops its tasks and those behind it',
  ' a: { run: x, after: [b] }\n b: { run: x, after: [a] }\n c: { run: x, after: [b] }\n d: { run: x }',
  {
    a: 'Dependency cycle: a → b → a. None of these tasks can start.',
    b: 'Dependency cycle: a → b → a. None of these tasks can start.',
    c: 'It waits for "b", which cannot start.',
  },
);
checkObstacles('a key without a value stops its task', ' a: { run: x, cwd }\n b: { run: x }', {
  a: '"cwd" is a text.',
});
checkObstacles(
  'an empty key at the end stops its task only',
  ' a:\n  run: x\n  cwd:\n b: { run: x }',
  {
    a: '"cwd" is a text.',
  },
);
checkObstacles(
  'a description that is too long stops its task only',
  ` a: { run: x, description: "${'x'.repeat(256 * 1024 + 1)}" }\n b: { run: x }`,
  { a: 'A description has at most 256 KiB.' },
);
checkObstacles(
  'a slip of syntax in a task stops that task, and what depends on it',
  ' a: { run: x }\n b:\n  run: "x\n  writes: [y]\n c: { run: x, depends_on: [b] }\n d: { run: x }',
  {
    b: 'This is not YAML: nothing closes this quote.',
    c: 'It waits for "b", which cannot start.',
  },
);
checkObstacles(
  'a word without its colon among tasks stops none that does not need it',
  ' a: { run: x }\n new\n  run: y\n b: { run: x, after: [new] }',
  { b: 'There is no task "new" in this plan.' },
);
checkObstacles(
  'more slips in tasks than are shown stop all tasks',
  `${Array.from({ length: 21 }, (_, index) => ` a${index}:\n  run: "x\n`).join('')} b: { run: x }`,
  Object.fromEntries(
    [...Array.from({ length: 21 }, (_, index) => `a${index}`), 'b'].map((id) => [
      id,
      'This is not YAML: nothing closes this quote.',
    ]),
  ),
);
checkObstacles(
  'a line that ends with CR alone stops its task',
  ' a:\n  run: x # fast\r  writes: [y]\n b: { run: x }',
  { a: 'Lines end with LF or CRLF, and this one ends with CR alone.' },
);
checkObstacles(
  'a slip of syntax outside of the tasks stops all of them',
  ' a: { run: x }\n b: { run: x }\nname: "',
  {
    a: 'This is not YAML: nothing closes this quote.',
    b: 'This is not YAML: nothing closes this quote.',
  },
);
checkObstacles('a mistake outside of the tasks stops none', ' a: { run: x }\nversion: 2', {});
