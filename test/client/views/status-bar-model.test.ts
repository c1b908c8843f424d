import { expect, test } from 'vitest';
import { statusText } from '../../../client/views/status-bar-model.ts';
import { taskViews } from '../../support/task-views.ts';

function check(name: string, tasks: string, expected: string): void {
  test(name, () => {
    const status = statusText(taskViews(tasks), undefined);
    expect(status?.text ?? 'nothing').toBe(expected);
    expect(status?.isProblem ?? false).toBe(false);
  });
}

check('without tasks there is nothing to say', '', 'nothing');
check('one task', 'a: idle', '$(type-hierarchy) 1 task');
check('several tasks', 'a: idle\nb: idle', '$(type-hierarchy) 2 tasks');
check('a task that runs turns the icon', 'a: running\nb: idle', '$(sync~spin) 1 running');
check('a task that is claimed is as good as running', 'a: claimed', '$(sync~spin) 1 running');
check(
  'tasks that wait and tasks that are ready wait',
  'a: waiting\nb: ready',
  '$(type-hierarchy) 2 waiting',
);
check('failed tasks are counted', 'a: failed\nb: completed', '$(type-hierarchy) 1 failed');
check(
  'all is said in one order',
  'a: failed\nb: waiting\nc: running\nd: running\ne: skipped\nf: attention',
  '$(sync~spin) 2 running, 1 waiting, 1 failed, 1 needs attention',
);
check(
  'several may need attention',
  'a: attention\nb: attention',
  '$(type-hierarchy) 2 need attention',
);
check(
  'tasks with nothing to tell are only counted',
  'a: idle\nb: cancelled\nc: skipped\nd: blocked',
  '$(type-hierarchy) 4 tasks',
);
check(
  'when nothing is under way or wrong, what has completed is counted',
  'a: completed\nb: completed\nc: idle',
  '$(type-hierarchy) 2 of 3 completed',
);
check(
  'an interrupted run is not forgotten',
  'a: completed\nb: interrupted',
  '$(type-hierarchy) 1 interrupted',
);

test('the tooltip says the same without the icon', () => {
  expect(statusText(taskViews('a: running\nb: failed'), undefined)).toEqual({
    text: '$(sync~spin) 1 running, 1 failed',
    tooltip: 'Interlock: 1 running, 1 failed',
    isProblem: false,
  });
});

for (const tasks of ['', 'a: running'])
  test(`a problem is shown instead of ${tasks === '' ? 'nothing' : 'tasks'}`, () => {
    expect(statusText(taskViews(tasks), 'The disk is full.')).toEqual({
      text: '$(warning) Interlock',
      tooltip: 'The disk is full.',
      isProblem: true,
    });
  });
