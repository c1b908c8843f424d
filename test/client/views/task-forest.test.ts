import { expect, test } from 'vitest';
import { RunList } from '../../../client/run-list.ts';
import { keyOf, TaskList } from '../../../client/task-list.ts';
import { TaskForest, together, type TreeNode } from '../../../client/views/task-forest.ts';
import type { Grouping } from '../../../client/views/task-groups.ts';
import type { RunView } from '../../../protocol/runs.ts';
import type { TaskView } from '../../../protocol/tasks.ts';
import { FOLDER, runView, taskViews } from '../../support/task-views.ts';

/** The view of one window, as text: a row to a line, deeper ones further in. */
class Forest {
  readonly tasks = new TaskList();
  readonly runs = new RunList();
  readonly forest: TaskForest;

  constructor(grouping: Grouping, views: readonly TaskView[], runs: readonly RunView[] = []) {
    this.forest = new TaskForest(this.tasks, this.runs, grouping);
    this.runs.apply({ changed: runs, removed: [] });
    this.change(views);
  }

  /** What is drawn again: `all`, or the rows. */
  change(views: readonly TaskView[], removed: readonly TaskView[] = []): string {
    const changed: string[] = [];
    const heed = (keys: readonly string[]): void => void changed.push(...keys);
    this.tasks.onChange(heed);
    this.tasks.apply({ changed: views, removed });
    const { isAll, nodes } = this.forest.update(changed);
    return isAll ? 'all' : nodes.map((node) => this.#label(node)).join(', ');
  }

  get rows(): string {
    return this.#rowsBelow(undefined, '').join('\n');
  }

  #rowsBelow(node: TreeNode | undefined, indent: string): readonly string[] {
    return this.forest
      .children(node)
      .flatMap((child) => [
        `${indent}${this.#label(child)}`,
        ...this.#rowsBelow(child, `${indent}  `),
      ]);
  }

  #label(node: TreeNode): string {
    if (node.kind === 'task') return node.key.split('\n').at(-1) ?? '';
    return `[${this.forest.group(node)?.label ?? ''}]`;
  }
}

function check(
  name: string,
  grouping: Grouping,
  of: { readonly tasks: readonly TaskView[]; readonly runs?: readonly RunView[]; rows: string },
): void {
  test(name, () => {
    expect(new Forest(grouping, of.tasks, of.runs).rows).toBe(of.rows);
  });
}

const WEB = 'file:///projects/web%20site/';

check('without tasks the tree is empty', 'run', { tasks: [], rows: '' });
check('the tasks of the only plan need no row above them before they run', 'run', {
  tasks: taskViews('b: idle\na: idle'),
  rows: 'b\na',
});
check('what was asked for together stands together, the newest first', 'run', {
  tasks: [
    ...taskViews('a: completed', { run: 'old', line: 1 }),
    ...taskViews('b: running', { run: 'new', line: 2 }),
    ...taskViews('c: idle', { line: 3 }),
  ],
  runs: [runView({ run: 'old', requestedAt: 1000 }), runView({ run: 'new', requestedAt: 2000 })],
  rows: `[${label(2000)}]\n  b\n[${label(1000)}]\n  a\n[Not run yet: interlock.yaml]\n  c`,
});
check('what needs the user comes first, and stays where it was, too', 'run', {
  tasks: taskViews('a: completed\nb: failed\nc: attention\nd: interrupted', { run: 'one' }),
  runs: [runView({ run: 'one', requestedAt: 1000 })],
  rows: `[Needs attention]\n  b\n  c\n[${label(1000)}]\n  a\n  b\n  c\n  d`,
});
check('what was interrupted at work needs the user', 'run', {
  tasks: taskViews('a: interrupted', { run: 'one', attempt: 1 }),
  runs: [runView({ run: 'one', requestedAt: 1000 })],
  rows: `[Needs attention]\n  a\n[${label(1000)}]\n  a`,
});
check('by state, each task is in one place', 'state', {
  tasks: taskViews('a: idle\nb: failed\nc: running\nd: waiting\ne: ready\nf: skipped'),
  rows: `[Needs attention]\n  b\n[Running]\n  c\n[Ready]\n  e\n[Waiting]\n  d
[Cancelled or skipped]\n  f\n[Not run yet]\n  a`,
});
check('several plans have a row each', 'plan', {
  tasks: [
    ...taskViews('b: idle\na: idle', { plan: 'z.yaml' }),
    ...taskViews('c: idle', { plan: 'sub/interlock.yaml' }),
  ],
  rows: '[sub/interlock.yaml]\n  c\n[z.yaml]\n  b\n  a',
});
check('plans of several folders are told apart by the folder', 'plan', {
  tasks: [...taskViews('a: idle'), ...taskViews('a: idle', { folderUri: WEB })],
  rows: '[shop · interlock.yaml]\n  a\n[web site · interlock.yaml]\n  a',
});
check('by dependency, what a task waits for is below it, and a circle ends', 'dependency', {
  tasks: [
    ...taskViews('app: idle', { dependsOn: ['api', 'ui', 'nobody'], line: 1 }),
    ...taskViews('api: idle', { dependsOn: ['schema'], line: 2 }),
    ...taskViews('ui: idle', { dependsOn: ['schema'], line: 3 }),
    ...taskViews('schema: idle', { line: 4 }),
  ],
  rows: 'app\n  api\n    schema\n  ui\n    schema',
});
check('tasks that wait for each other are shown, too', 'dependency', {
  tasks: [
    ...taskViews('a: blocked', { dependsOn: ['b'], line: 1 }),
    ...taskViews('b: blocked', { dependsOn: ['a'], line: 2 }),
  ],
  rows: 'a\n  b\nb\n  a',
});

function label(at: number): string {
  const time = new Intl.DateTimeFormat('en-GB', {
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).format(at);
  return `interlock.yaml · ${time}`;
}

const MANY = Array.from({ length: 10_000 }, (_, n) => `t${n}: waiting`).join('\n');

test('of 10 000 tasks, those that change have their own rows drawn again, and no others', () => {
  const forest = new Forest('run', taskViews(MANY, { run: 'one' }), [runView({ run: 'one' })]);
  expect(forest.rows.split('\n')).toHaveLength(10_001);
  const [t7] = taskViews('t7: running', { run: 'one', line: 7 });
  expect(forest.change([t7!])).toBe('t7');
  expect(forest.change(taskViews('t8: failed', { run: 'one', line: 8 }))).toBe('all');
  expect(forest.rows.split('\n')).toHaveLength(10_003);
  expect(forest.change(taskViews('t9: failed', { run: 'one', line: 9 }))).toBe(
    '[Needs attention], t9',
  );
  expect(forest.change(taskViews('t9: running', { run: 'one', line: 9 }))).toBe(
    '[Needs attention], t9',
  );
});

test('a row keeps its object, for as long as it is there', () => {
  const forest = new Forest('run', taskViews('a: idle\nb: idle'));
  const before = forest.forest.children(undefined);
  forest.change(taskViews('a: blocked', { line: 0 }));
  expect(forest.forest.children(undefined)[0]).toBe(before[0]);
});

test('tasks that come, go or move have all of it drawn again', () => {
  const forest = new Forest('run', taskViews('a: idle\nb: idle'));
  expect(forest.change(taskViews('c: idle', { line: 9 }))).toBe('all');
  expect(forest.change([], taskViews('a: idle'))).toBe('all');
  expect(forest.change(taskViews('c: idle', { line: 0 }))).toBe('all');
  expect(forest.rows).toBe('c\nb');
});

test('the row of a run is drawn again when it says something else than it shows', () => {
  const run = runView({ run: 'one', counts: { running: 1 } });
  const view = new Forest('run', taskViews('a: running', { run: 'one' }), [run]);
  const change = (now: RunView): number => {
    view.runs.apply({ changed: [now], removed: [] });
    return view.forest.updateRuns([`${FOLDER}\none`]).nodes.length;
  };
  // Whoever has not asked for the row yet asks for it as it is now.
  expect(change({ ...run, status: 'paused' })).toBe(0);
  expect(view.rows).not.toBe('');
  expect(change({ ...run, status: 'paused' })).toBe(0);
  const ended = { ...run, status: 'finished', outcome: 'completed' } as const;
  expect([change(ended), change(ended)]).toEqual([1, 0]);
});

test('10 000 tasks that are run, and stopped, have the row of their run drawn again, once each', () => {
  const run = runView({ run: 'one' });
  const view = new Forest('run', taskViews(MANY.replaceAll('waiting', 'idle')));
  expect(view.rows.split('\n')).toHaveLength(10_000);
  view.runs.apply({ changed: [run], removed: [] });
  view.forest.updateRuns([`${FOLDER}\none`]);
  expect(view.change(taskViews(MANY, { run: 'one' }))).toBe('all');
  expect(view.rows.split('\n')).toHaveLength(10_001);
  const { forest, runs, tasks } = view;
  const changed = [{ ...run, status: 'stopping' } as const];
  expect(forest.updateRuns([`${FOLDER}\none`]).nodes).toEqual([]);
  runs.apply({ changed, removed: [] });
  tasks.apply({
    changed: taskViews(MANY.replaceAll('waiting', 'cancelled'), { run: 'one' }),
    removed: [],
  });
  const rows = forest.update(tasks.all.map(keyOf));
  expect(rows.nodes).toHaveLength(10_000);
  const { nodes } = together([rows, forest.updateRuns([`${FOLDER}\none`])]);
  expect(nodes.map(({ kind }) => kind)).toEqual(['group']);
});

test('runs that are told later than their tasks come in the order in which they were asked for', () => {
  const tasks = [
    ...taskViews('a: completed', { run: 'old', line: 1 }),
    ...taskViews('b: running', { run: 'new', line: 2 }),
  ];
  const { forest, runs } = new Forest('run', tasks);
  const first = (): string | undefined => forest.children(undefined)[0]?.id;
  expect(first()).toBe(`run\n${FOLDER}\nold`);
  const changed = [
    runView({ run: 'old', requestedAt: 1 }),
    runView({ run: 'new', requestedAt: 2 }),
  ];
  runs.apply({ changed, removed: [] });
  expect(forest.updateRuns([`${FOLDER}\nnew`]).isAll).toBe(true);
  expect(first()).toBe(`run\n${FOLDER}\nnew`);
  expect(forest.updateRuns([`${FOLDER}\nnew`]).isAll).toBe(false);
});

test('rows whose tasks have just gone say what they said, until all is drawn again', () => {
  const { forest, tasks } = new Forest('plan', [
    ...taskViews('a: failed', { run: 'one' }),
    ...taskViews('b: failed', { plan: 'b.interlock.yaml' }),
  ]);
  const rows = forest.children(undefined);
  const said = rows.map((row) => forest.group(row)?.label);
  tasks.clear();
  expect(rows.map((row) => forest.group(row)?.label)).toEqual(said);
  expect(forest.update([])).toEqual({ isAll: true, nodes: [] });
  expect(forest.children(undefined)).toEqual([]);
  expect(rows.map((row) => forest.group(row))).toEqual(rows.map(() => undefined));
});

test('every row can be found from its task', () => {
  const views = taskViews('a: failed\nb: running', { run: 'one' });
  const { forest } = new Forest('run', views, [runView({ run: 'one' })]);
  expect(forest.nodeOf(keyNamed('a'))?.parent?.id).toBe('attention');
  expect(forest.nodeOf(keyNamed('b'))?.parent?.id).toBe(`run\n${FOLDER}\none`);
  expect(forest.nodeOf(keyNamed('nobody'))).toBeUndefined();
});

function keyNamed(id: string): string {
  return `${FOLDER}\ninterlock.yaml\n${id}`;
}

test('the row of a run and those of its tasks are of the same moment', () => {
  const run = runView({ run: 'one', counts: { running: 1 } });
  const view = new Forest('run', taskViews('a: running', { run: 'one' }), [run]);
  const [group] = view.forest.children(undefined);
  const says = (): string =>
    `${view.forest.group(group!)?.description ?? ''}; a ${view.forest.viewOf(keyNamed('a'))?.state ?? ''}`;
  const before = says();
  // VS Code asks for the texts of rows whenever it gets to it.
  const ended = { ...run, status: 'finished', outcome: 'completed' } as const;
  view.runs.apply({ changed: [ended], removed: [] });
  view.tasks.apply({ changed: taskViews('a: completed', { run: 'one' }), removed: [] });
  expect(says()).toBe(before);
  view.forest.update([keyNamed('a')]);
  expect(view.forest.updateRuns([`${FOLDER}\none`]).nodes).toEqual([group]);
  expect(says()).toBe('completed · 1 task; a completed');
});

test('a row says how its task was when it was put into its group', () => {
  const tasks = new TaskList();
  const forest = new TaskForest(tasks, new RunList(), 'state');
  const changed: string[] = [];
  tasks.onChange((keys) => void changed.push(...keys));
  const [running] = taskViews('a: running');
  tasks.apply({ changed: [running!], removed: [] });
  forest.update(changed);
  const [done] = taskViews('a: completed');
  tasks.apply({ changed: [done!], removed: [] });
  const key = keyOf(running!);
  expect(forest.viewOf(key)?.state).toBe('running');
  forest.update([key]);
  expect(forest.viewOf(key)?.state).toBe('completed');
});
