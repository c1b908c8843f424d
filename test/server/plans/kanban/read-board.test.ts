import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { BoardMemory } from '../../../../server/plans/kanban/read-board.ts';
import type { TextRange } from '../../../../server/plans/plan.ts';
import { boardIn, CONFIG, taskText } from '../../../support/kanban-board.ts';
import { readMarks } from '../../../support/marked-text.ts';

/** The problems of a board whose one file has marks: where each «» stands, and what is said there. */
function check(name: string, marked: Marked, expected: readonly string[] | string): void {
  test(name, () => {
    const entries = Object.entries(marked).map(([file, text]) => [file, readMarks(text)] as const);
    const tasks = Object.fromEntries(
      entries.filter(([file]) => file.endsWith('.md')).map(([file, { text }]) => [file, text]),
    );
    const config = entries.find(([file]) => file === 'config.yml')?.[1].text ?? CONFIG;
    const { problems } = boardIn({ config, tasks });
    const said = problems.map(({ severity, code, message }) => `${severity} ${code}: ${message}`);
    expect(said).toStrictEqual([expected].flat());
    const ranges = entries.flatMap(([file, { ranges: found }]) =>
      found.map((range) => placed(file, range)),
    );
    expect(problems.map(({ range }) => range)).toStrictEqual(ranges);
  });
}

type Marked = Readonly<Record<string, string>>;

function placed(file: string, { start, end }: TextRange): TextRange {
  return file === 'config.yml' ? { start, end } : { file: `kanban/tasks/${file}`, start, end };
}

/** A problem at a line of the frontmatter of task 1. */
function checkLine(name: string, line: string, expected: readonly string[] | string): void {
  check(name, { '001-a.md': taskText(1, line) }, expected);
}

test('every key that kanban-md writes is read, and nothing is said of it', () => {
  const folder = new URL('../../../fixtures/kanban/', import.meta.url);
  const names = readdirSync(new URL('tasks/', folder));
  const tasks = Object.fromEntries(
    names.map((name) => [name, readFileSync(new URL(`tasks/${name}`, folder), 'utf8')]),
  );
  const config = readFileSync(new URL('config.yml', folder), 'utf8');
  const plan = boardIn({ config, tasks });
  expect(plan.problems).toStrictEqual([]);
  expect(plan.name).toBe('Checkout');
  const told = plan.tasks.map(({ id, title, doneAs, asks, dependsOn, writes }) => {
    const waits = dependsOn.length === 0 ? '' : ` after ${dependsOn.join(',')}`;
    return `${id} ${title}: ${doneAs ?? asks.priority}${waits} ${writes.join(',')}`.trim();
  });
  expect(told).toStrictEqual([
    '1 Set up the database: done',
    '2 Users endpoint: list and page: critical src/api/**',
    '3 Generate the client: normal after 2 src/client/**',
    '4 Legal review: low',
    '5 Fix the outage: critical',
    '6 Old idea: archived',
  ]);
  expect([...plan.obstacles]).toStrictEqual([
    ['4', 'It is blocked on its board: waiting for the contract'],
  ]);
  const [, second, third, , fifth] = plan.tasks;
  expect(second?.description).toBe('Implement GET /users.\n\n- page by cursor\n- [ ] document it');
  expect([second?.asks.doer, third?.command]).toStrictEqual([
    { kind: 'anyone' },
    { kind: 'shell', script: 'npm run gen:client' },
  ]);
  expect(fifth?.claimInPlan).toStrictEqual({
    by: 'frost-maple',
    since: Date.parse('2026-02-08T14:30:00Z'),
    endsAt: Date.parse('2026-02-08T15:30:00Z'),
  });
});

test('files with CRLF, with a BOM and without a last line end are tasks too', () => {
  const crlf = taskText(1).replaceAll('\n', '\r\n');
  const bom = `\uFEFF${taskText(2, 'depends_on: [1]')}Prose`;
  const plan = boardIn({
    tasks: { '001-a.md': crlf, '002-b.md': bom, '003-c.md': taskText(3).trimEnd() },
  });
  expect(plan.problems).toStrictEqual([]);
  expect(plan.tasks.map(({ id, title, description }) => [id, title, description])).toStrictEqual([
    ['1', 'Task 1', ''],
    ['2', 'Task 2', 'Prose'],
    ['3', 'Task 3', ''],
  ]);
  const [mention] = plan.tasks[1]?.dependsOnMentions ?? [];
  expect(bom.slice(mention?.range.start, mention?.range.end)).toBe('1');
});

test('ids are numbers as Go reads them, and dependencies are compared by value', () => {
  const first = taskText(1).replace('id: 1', 'id: 0x10');
  const tasks = { '016-a.md': first, '002-b.md': taskText(2, 'depends_on: [020, 16.0]') };
  expect(boardIn({ tasks }).tasks.map(({ id, dependsOn }) => [id, dependsOn])).toStrictEqual([
    ['16', []],
    ['2', ['16', '16']],
  ]);
});

test('what is done need not be waited for, is not done again, and collides with nobody', () => {
  const plan = boardIn({
    tasks: {
      '001-a.md': taskText(1, 'depends_on: [9]\nwrites: [src/**]', 'done'),
      '002-b.md': taskText(2, 'depends_on: [1, 3]\nwrites: [src/**]'),
      '003-c.md': taskText(3, 'writes: [src/**]', 'archived'),
    },
  });
  expect(plan.problems).toStrictEqual([]);
  expect(plan.tasks.map(({ doneAs, dependsOn }) => doneAs ?? dependsOn)).toStrictEqual([
    'done',
    [],
    'archived',
  ]);
});

test('a mistake in one file stops that task and what waits for it, and nothing else', () => {
  const plan = boardIn({
    tasks: {
      '001-a.md': '---\nid: 1\ntitle: "never ends\n---\n',
      '002-b.md': taskText(2, 'depends_on: [1]'),
      '003-c.md': taskText(3),
      '004-d.md': 'no frontmatter',
    },
  });
  const obstacles = new Map<string, string>(plan.obstacles);
  expect([...obstacles.keys()].toSorted()).toStrictEqual(['1', '2', '4']);
  expect(obstacles.get('2')).toBe('It waits for "1", which cannot start.');
});

test('a board of a newer version is shown, and nothing of it runs', () => {
  const config = CONFIG.replace('version: 11', 'version: 12');
  const plan = boardIn({ config, tasks: { '001-a.md': taskText(1) } });
  expect(plan.problems.map(({ message }) => message)).toStrictEqual([
    'This board has version 12, and this version of Interlock knows versions up to 11. Its tasks are shown, and nothing of them is run or changed. Update Interlock.',
  ]);
  expect(plan.tasks[0]?.title).toBe('Task 1');
  expect(plan.obstacles.get(plan.tasks[0]!.id)).toMatch(/^Its board has version 12/);
});

test('boards of old versions are read as kanban-md reads them once it has brought them up to date', () => {
  const claimed = 'claimed_by: x\nclaimed_at: 2026-01-01T00:00:00Z';
  const config = `version: 1\nboard: {name: Old}\nstatuses: [open, done]\npriorities: [low, high]\ndefaults: {status: open, priority: low}\nnext_id: 1\n`;
  const tasks = {
    '001-a.md': taskText(1, claimed, 'open').replace('medium', 'high'),
    '002-b.md': taskText(2, '', 'archived').replace('medium', 'low'),
  };
  const plan = boardIn({ config, tasks });
  expect(plan.problems).toStrictEqual([]);
  expect(plan.tasks[0]?.claimInPlan?.endsAt).toBe(Date.parse('2026-01-01T01:00:00Z'));
  expect(plan.tasks[1]?.doneAs).toBe('archived');
  const never = boardIn({ config: config.replace('version: 1', 'version: 5'), tasks });
  expect(never.tasks[0]?.claimInPlan).toStrictEqual({
    by: 'x',
    since: Date.parse('2026-01-01T00:00:00Z'),
  });
});

test('a board may have priorities of its own, from the lowest to the highest', () => {
  const config = CONFIG.replace('[low, medium, high, critical]', '[p3, p2, p1, p0]').replace(
    'priority: medium',
    'priority: p2',
  );
  const tasks = Object.fromEntries(
    ['p3', 'p2', 'p1', 'p0'].map((word, at) => [
      `00${at + 1}-x.md`,
      taskText(at + 1).replace('medium', word),
    ]),
  );
  expect(boardIn({ config, tasks }).tasks.map(({ asks }) => asks.priority)).toStrictEqual([
    'low',
    'normal',
    'high',
    'critical',
  ]);
});

test('only the file that has changed is read again', () => {
  const memory = new BoardMemory();
  const tasks = { '001-a.md': taskText(1), '002-b.md': taskText(2) };
  const before = boardIn({ tasks }, memory);
  const after = boardIn({ tasks: { ...tasks, '002-b.md': taskText(2, '', 'done') } }, memory);
  expect(after.tasks[0]?.idRange).toBe(before.tasks[0]?.idRange);
  expect(after.tasks[1]?.doneAs).toBe('done');
});

checkLine(
  'a dependency exists',
  'depends_on: [«7»]',
  'error unknown-task: There is no task "7" in this plan.',
);
checkLine(
  'a task does not wait for itself',
  'depends_on: [«1»]',
  'error cycle: Dependency cycle: 1 → 1. A task cannot wait for itself.',
);
check(
  'a cycle is marked in each of its files',
  {
    '001-a.md': taskText(1, 'depends_on: [«2»]'),
    '002-b.md': taskText(2, 'depends_on:\n    - «1»'),
  },
  [
    'error cycle: Dependency cycle: 1 → 2 → 1. None of these tasks can start.',
    'error cycle: Dependency cycle: 1 → 2 → 1. None of these tasks can start.',
  ],
);
checkLine(
  'a parent exists',
  'parent: «9»',
  'warning unknown-task: There is no task 9 on this board.',
);
checkLine(
  'nobody is their own parent',
  'parent: «1»',
  'warning unknown-task: A task is not its own parent.',
);
checkLine('a day is a day', 'due: «2026-02-30»', 'error wrong-type: "due" is a day: 2026-02-07.');
checkLine(
  'a time is a time',
  'started: «yesterday»',
  'error wrong-type: "started" is a time: 2026-02-07T10:30:00Z.',
);
checkLine(
  'blocked is yes or no',
  'blocked: «maybe»',
  'error wrong-type: "blocked" is true or false.',
);
checkLine('words of YAML 1.1 are understood where kanban-md does', 'blocked: no', []);
checkLine(
  'a class is one of the board',
  'class: «standart»',
  'warning wrong-type: There is no class "standart" on this board. Did you mean "standard"? It has expedite, fixed-date, standard.',
);
checkLine("keys of others are nobody's business", 'owner: me\nbranch: x\nworktree: { a: 1 }', []);
checkLine(
  'a slip of a key is told',
  '«wirtes»: [src/**]',
  'warning unknown-key: "wirtes" is not a key of a task. Did you mean "writes"?',
);
checkLine(
  'keys of tasks are checked as everywhere',
  'timeout: «soon»',
  'error wrong-type: "timeout" is a duration: 250ms, 30s, 5m, 2h, 1d, or joined like 1h30m.',
);
checkLine(
  'a limit that the board does not have is told',
  'resources: { «db»: 1 }',
  'error unknown-limit: There is no limit "db" in this plan.',
);
check(
  'a status is one of the board',
  { '001-a.md': taskText(1).replace('status: todo', 'status: «in progress»') },
  'error wrong-type: There is no status "in progress" on this board. Did you mean "in-progress"? It has backlog, todo, in-progress, review, done, archived.',
);
test('of very many statuses the first few are named', () => {
  const statuses = Array.from({ length: 5000 }, (_, index) => `status-${index}`);
  const config = CONFIG.replace(/statuses:(?: .*|(?:\n {2}.*)+)/, `statuses: [${statuses.join()}]`);
  const { problems } = boardIn({ config, tasks: { '001-a.md': taskText(1) } });
  const said = problems.find(({ message }) => message.includes('no status "todo"'));
  expect(said?.message.length).toBeLessThan(300);
});

check(
  'a priority is one of the board',
  { '001-a.md': taskText(1).replace('medium', '«hihg»') },
  'warning wrong-type: There is no priority "hihg" on this board. Did you mean "high"? It has low, medium, high, critical.',
);
check(
  'two files with one number are told at the one that is not named so',
  { '001-a.md': taskText(1), '000-b.md': taskText(1).replace('id: 1', 'id: «1»') },
  'error duplicate-id: Task 1 is in 001-a.md already. Give this one another number.',
);
check(
  'a number is a whole one from 1',
  { 'a.md': taskText(1).replace('id: 1', 'id: «zero»') },
  'error invalid-id: A task of a board has a number: "id: 1".',
);
check(
  'a title is there',
  { '001-a.md': taskText(1).replace('title: Task 1', 'title: «" "»') },
  'error missing-key: A task has a "title".',
);
check(
  'a key is there once',
  { '001-a.md': taskText(1, '«status»: done') },
  'error duplicate-key: "status" is here twice.',
);
check(
  'a frontmatter ends',
  { '001-a.md': '«---»\nid: 1\ntitle: x\nstatus: todo\n' },
  'error syntax: This frontmatter never ends. Write a line "---" below it.',
);
check(
  'notes beside the tasks are no tasks',
  { '001-a.md': taskText(1), 'README.md': '«# How we work»\n' },
  'warning syntax: This is not taken for a task. A task file begins with its keys (id, title, status), between two lines "---".',
);
check(
  'anchors are refused',
  { '001-a.md': taskText(1, 'assignee: «&a bob»').replace('«&a ', '&a «') },
  'error syntax: Anchors and aliases are not allowed in a plan; a text that starts with "*" or "&" needs quotes.',
);
check(
  'a board without tasks says so',
  { 'config.yml': `«»${CONFIG}` },
  'warning no-tasks: This board has no tasks yet.',
);
check(
  'a limit is for a status that there is',
  { 'config.yml': `${CONFIG}wip_limits: { «doing»: 1 }\n`, '001-a.md': taskText(1) },
  'error wrong-type: There is no status "doing" on this board.',
);
check(
  'a timeout of claims is a duration',
  {
    'config.yml': CONFIG.replace('claim_timeout: 1h', 'claim_timeout: «soon»'),
    '001-a.md': taskText(1),
  },
  'error wrong-type: "claim_timeout" is a duration: 30m, 1h, 1h30m.',
);
