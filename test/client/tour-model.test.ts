import { expect, test } from 'vitest';
import { doneKeys } from '../../client/tour-model.ts';
import { taskViews } from '../support/task-views.ts';

test('nothing was done in a window without a folder', () => {
  expect(doneKeys({ folderCount: 0, plans: [], tasks: [] })).toEqual([]);
});

test('a folder, a plan and a task that has run complete a step each', () => {
  const plans = [{ folderUri: '', plans: [{ uri: '', path: '', hasErrors: false }] }];
  const [folder, plan] = ['interlock.tour.folder', 'interlock.tour.plan'];
  const idle = taskViews('a: idle\nb: blocked');
  expect(doneKeys({ folderCount: 1, plans: [], tasks: [] })).toEqual([folder]);
  expect(doneKeys({ folderCount: 1, plans, tasks: idle })).toEqual([folder, plan]);
  const run = [...idle, ...taskViews('c: waiting')];
  expect(doneKeys({ folderCount: 1, plans, tasks: run }).at(-1)).toBe('interlock.tour.run');
});
