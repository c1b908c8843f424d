import { expect, test } from 'vitest';
import { namedTask, offeredTasks } from '../../../client/logs/task-provider-model.ts';
import { FOLDER, taskViews } from '../../support/task-views.ts';

const OTHER = 'file:///projects/other';
const VIEWS = [
  ...taskViews('build: idle\napi: running'),
  ...taskViews('api: idle', { plan: 'more.interlock.yaml' }),
  ...taskViews('api: idle\nTEST: idle', { folderUri: OTHER }),
  ...taskViews('lint: idle', { plan: '.vscode/tasks.json' }),
];

test('all tasks of plans are offered, and those of tasks.json are not', () => {
  const offered = offeredTasks(VIEWS).map(({ view, label, task, plan, group }) => ({
    folder: view.folderUri,
    label,
    task,
    plan,
    group,
  }));
  expect(offered).toEqual([
    { folder: FOLDER, label: 'build', task: 'build', plan: undefined, group: 'build' },
    {
      folder: FOLDER,
      label: 'interlock.yaml: api',
      task: 'api',
      plan: 'interlock.yaml',
      group: undefined,
    },
    {
      folder: FOLDER,
      label: 'more.interlock.yaml: api',
      task: 'api',
      plan: 'more.interlock.yaml',
      group: undefined,
    },
    { folder: OTHER, label: 'api', task: 'api', plan: undefined, group: undefined },
    { folder: OTHER, label: 'TEST', task: 'TEST', plan: undefined, group: 'test' },
  ]);
});

test('a task is found by its names, where only one can be meant', () => {
  expect(namedTask(VIEWS, FOLDER, { task: 'build' })?.id).toBe('build');
  expect(namedTask(VIEWS, FOLDER, { task: 'api' })).toBeUndefined();
  expect(namedTask(VIEWS, FOLDER, { task: 'api', plan: 'more.interlock.yaml' })?.plan).toBe(
    'more.interlock.yaml',
  );
  expect(namedTask(VIEWS, OTHER, { task: 'api' })?.folderUri).toBe(OTHER);
  expect(namedTask(VIEWS, FOLDER, { task: 'lint' })).toBeUndefined();
});
