import { expect, test } from 'vitest';
import { statusText } from '../../../client/views/status-bar-model.ts';
import { TaskList } from '../../../client/task-list.ts';
import { taskViews } from '../../support/task-views.ts';

function status(tasks: string, problem?: string): ReturnType<typeof statusText> {
  const list = new TaskList();
  list.apply({ changed: taskViews(tasks), removed: [] });
  return statusText({ tasks: list, live: [], problem });
}

function check(name: string, tasks: string, expected: string): void {
  test(name, () => {
    expect(status(tasks)?.text ?? 'nothing').toBe(expected);
    expect(status(tasks)?.isBlocked ?? false).toBe(false);
  });
}

check('without tasks there is nothing to say', '', 'nothing');
check('one task', 'a: idle', '$(type-hierarchy) 1 task');
check('several tasks', 'a: idle\nb: idle', '$(type-hierarchy) 2 tasks');
check('a task that runs turns the icon', 'a: running\nb: idle', '$(sync~spin) 1 running');
check('a task that is claimed is as good as running', 'a: claimed', '$(sync~spin) 1 running');
check(
  'what could start now is not what waits',
  'a: waiting\nb: ready',
  '$(type-hierarchy) 1 ready, 1 waiting',
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

test('the tooltip says the same without the icon, a line each', () => {
  expect(status('a: running\nb: failed')).toEqual({
    text: '$(sync~spin) 1 running, 1 failed',
    tooltip: '**Interlock**\n\n- 1 running\n- 1 failed\n\nSelect to show the tasks.',
    isBlocked: false,
    spoken: 'Interlock: 1 running, 1 failed',
  });
});

test('what waits for somebody, with nothing else to go on with, is a problem', () => {
  expect(status('a: waiting\nb: attention')).toMatchObject({
    text: '$(bell-dot) 1 waiting, 1 needs attention',
    isBlocked: true,
  });
  expect(status('a: waiting\nb: attention\nc: running')?.isBlocked).toBe(false);
  expect(status('a: waiting\nb: attention\nc: ready')?.isBlocked).toBe(false);
});

test('tasks that wait for the files of others are hazards', () => {
  const list = new TaskList();
  list.apply({ changed: taskViews('a: waiting', { isColliding: true }), removed: [] });
  expect(statusText({ tasks: list, live: [], problem: undefined })?.text).toBe(
    '$(type-hierarchy) 1 waiting, 1 hazard',
  );
});

for (const tasks of ['', 'a: running'])
  test(`a problem is shown instead of ${tasks === '' ? 'nothing' : 'tasks'}, and makes no link`, () => {
    expect(status(tasks, 'The [disk](x) is full.')).toEqual({
      text: '$(warning) Interlock',
      tooltip: String.raw`The \[disk\](x) is full.`,
      isBlocked: true,
      spoken: 'Interlock: The [disk](x) is full.',
    });
  });
