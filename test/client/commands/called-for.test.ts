import { expect, test } from 'vitest';
import {
  holdOf,
  isGroup,
  planOf,
  runOf,
  taskOf,
  tasksOf,
} from '../../../client/commands/called-for.ts';
import { RunList } from '../../../client/run-list.ts';
import { keyOf, TaskList } from '../../../client/task-list.ts';
import { TaskForest } from '../../../client/views/task-forest.ts';
import { type Grouping, GROUPINGS } from '../../../client/views/task-groups.ts';
import { keyOfHold, WorkerList } from '../../../client/worker-list.ts';
import type { TaskView } from '../../../protocol/tasks.ts';
import type { Hold, WorkerView } from '../../../protocol/workers.ts';
import { FOLDER, taskViews } from '../../support/task-views.ts';

const OTHER = 'other.interlock.yaml';
const BUILD = viewOf('build: completed', { run: 'old' });
const REVIEW = viewOf('review: running', { run: 'old', line: 1 });
const OTHER_REVIEW = viewOf('review: running', { run: 'new', plan: OTHER });

function tasksOfWindow(): TaskList {
  const tasks = new TaskList();
  tasks.apply({ changed: [BUILD, REVIEW, OTHER_REVIEW], removed: [] });
  return tasks;
}

/** What the menu of each group's row passes. */
function groupRows(grouping: Grouping): readonly unknown[] {
  const forest = new TaskForest(tasksOfWindow(), new RunList(), grouping);
  forest.update([]);
  return forest.children(undefined);
}

test('a row and the names of a task mean the same task', () => {
  const tasks = tasksOfWindow();
  const { folderUri, plan, id } = BUILD;
  const row = { kind: 'task', id: 'whatever', key: keyOf(BUILD) };
  expect(taskOf(tasks, row)).toBe(BUILD);
  expect(taskOf(tasks, { folderUri, plan, id, webviewSection: 'task' })).toBe(BUILD);
  for (const none of [undefined, null, 'build', {}, { folderUri, plan }, { key: 'gone' }])
    expect(taskOf(tasks, none)).toBeUndefined();
  expect(tasksOf(tasks, [row, [row, { key: keyOf(REVIEW) }, row]])).toEqual([BUILD, REVIEW]);
});

test('the row of a run means that run and its plan, and a task the newest run that has it', () => {
  const tasks = tasksOfWindow();
  const rows = groupRows('run');
  expect(rows.map((row) => runOf(tasks, row)?.run)).toEqual(['old', 'new']);
  expect(rows.map((row) => planOf(tasks, row)?.plan)).toEqual(['interlock.yaml', OTHER]);
  expect(runOf(tasks, { key: keyOf(BUILD) })).toEqual({ folderUri: FOLDER, run: 'old' });
  expect(runOf(tasks, undefined)).toBeUndefined();
});

test('the row of a plan means that plan', () => {
  const tasks = tasksOfWindow();
  expect(groupRows('plan').map((row) => planOf(tasks, row))).toEqual([
    { folderUri: FOLDER, plan: 'interlock.yaml' },
    { folderUri: FOLDER, plan: OTHER },
  ]);
  expect(groupRows('state').map((row) => planOf(tasks, row))).toEqual([undefined, undefined]);
  expect(planOf(tasks, { key: keyOf(OTHER_REVIEW) })).toEqual({ folderUri: FOLDER, plan: OTHER });
});

test('the row of several things is told from what has gone', () => {
  for (const grouping of GROUPINGS)
    expect(groupRows(grouping).every(isGroup)).toBe(grouping !== 'dependency');
  for (const none of [undefined, null, 'group', {}, { kind: 'task', key: 'gone' }])
    expect(isGroup(none)).toBe(false);
});

test('of two tasks of one name, the row of one means what the user has of that one', () => {
  const tasks = tasksOfWindow();
  const workers = new WorkerList(() => 0);
  const { folderUri, plan, id } = OTHER_REVIEW;
  const kim = workerView({ holds: [holdOfTask({ folderUri, plan, id })] });
  workers.apply({ now: 0, changed: [kim], removed: [], boards: [] });
  const held = { worker: kim, hold: kim.holds[0]! };
  expect(holdOf({ tasks, workers }, { key: keyOf(OTHER_REVIEW) })).toEqual(held);
  expect(holdOf({ tasks, workers }, { key: keyOf(REVIEW) })).toBeUndefined();
  expect(holdOf({ tasks, workers }, { kind: 'hold', key: keyOfHold(held) })).toEqual(held);
});

function viewOf(text: string, of: Partial<TaskView>): TaskView {
  const [view] = taskViews(text, of);
  if (view === undefined) throw new Error(`"${text}" is no task.`);
  return view;
}

function holdOfTask(task: Hold['task'] & object): Hold {
  return { key: 'claim-1', name: task.id, what: 'task', task, title: '', writes: [], since: 0 };
}

function workerView(of: Pick<WorkerView, 'holds'>): WorkerView {
  const quiet = { isDrained: false, trouble: '', uses: [], remarks: [], capabilities: [] };
  const kim = { id: 'person/kim', name: 'kim', isYou: true } as const;
  return { folderUri: FOLDER, kind: 'person', state: 'busy', ...kim, ...quiet, ...of };
}
