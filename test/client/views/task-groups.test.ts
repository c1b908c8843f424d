import { expect, test } from 'vitest';
import { type GroupName, groupOf, groupRow } from '../../../client/views/task-groups.ts';
import type { RunView } from '../../../protocol/runs.ts';
import type { TaskViewState } from '../../../protocol/tasks.ts';
import { runView, TASK_VIEW_STATES, taskViews } from '../../support/task-views.ts';

const RUN: GroupName = { key: 'run', kind: 'run' };

function rowOf(name: GroupName, state: TaskViewState, run?: RunView): ReturnType<typeof groupRow> {
  const [first] = taskViews(`a: ${state}`);
  if (first === undefined) throw new Error('There is a task.');
  return groupRow(name, { first, size: 1, run, isSmall: true, hasManyFolders: false });
}

test('what is over or was never begun is folded away, and nothing else', () => {
  const folded = TASK_VIEW_STATES.filter((state) => {
    const [view] = taskViews(`a: ${state}`);
    const name = view && groupOf(view, 'state');
    return name !== undefined && !rowOf(name, state).isOpen;
  });
  expect(folded).toEqual(['idle', 'completed', 'cancelled', 'skipped']);
});

test('only a run that goes on can be stopped from its row', () => {
  const runs = [
    runView({ status: 'paused' }),
    runView({ status: 'interrupted' }),
    runView({ status: 'finished', outcome: 'completed' }),
    undefined,
  ];
  expect(runs.map((run) => rowOf(RUN, 'completed', run).context)).toEqual([
    'group run live',
    'group run live',
    'group run ended',
    'group run ended',
  ]);
});

test('a run that has ended says how, and one that goes on how far it is', () => {
  const counts = { completed: 1, waiting: 1 };
  expect(rowOf(RUN, 'running', runView({ counts })).description).toContain('1 of 2 done');
  const failed = rowOf(RUN, 'failed', runView({ status: 'finished', outcome: 'failed', counts }));
  expect([failed.icon, failed.color]).toEqual(['error', 'testing.iconFailed']);
  expect(failed.description).toContain('1 task');
});
