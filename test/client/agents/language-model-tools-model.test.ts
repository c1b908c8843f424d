import { expect, test } from 'vitest';
import {
  chooseTasks,
  ownersText,
  runsOf,
  statusText,
} from '../../../client/agents/language-model-tools-model.ts';
import type { TaskView, TaskViewState } from '../../../protocol/tasks.ts';
import { taskViews } from '../../support/task-views.ts';

function view(id: string, state: TaskViewState = 'idle', plan = 'interlock.yaml'): TaskView {
  return taskViews(`${id}: ${state}`, { plan })[0]!;
}

/** The tasks that are meant, as `plan/id`; or why not. */
function chosen(tasks: readonly TaskView[], ...names: readonly string[]): string {
  const found = chooseTasks(tasks, names);
  return found.kind === 'unknown'
    ? found.message
    : found.views.map(({ plan, id }) => `${plan}/${id}`).join(' ');
}

test('a model sees how many tasks there are, and only those that it asks for', () => {
  const tasks = [view('a'), view('b', 'running'), view('c', 'failed')];
  const { counts, tasks: shown, left } = JSON.parse(statusText(tasks, ['failed', 'running']));
  expect([counts, left]).toEqual([{ idle: 1, running: 1, failed: 1 }, 0]);
  expect(shown.map(({ id }: TaskView) => id)).toEqual(['b', 'c']);
});

test('of very many tasks a model sees some, and how many are left', () => {
  const tasks = Array.from({ length: 1000 }, (_, index) => view(`t${index}`));
  const { tasks: shown, left } = JSON.parse(statusText(tasks, undefined));
  expect([shown.length, left]).toEqual([200, 800]);
});

test('a task is named by its id, and by its plan where several have it', () => {
  const tasks = [view('a'), view('a', 'idle', 'b.interlock.yaml'), view('c')];
  expect(chosen(tasks, 'c', 'b.interlock.yaml:a')).toBe('interlock.yaml/c b.interlock.yaml/a');
  expect(chosen(tasks, 'a')).toBe(
    'Several plans have a task "a": interlock.yaml, b.interlock.yaml. Say PLAN:ID.',
  );
  expect(chosen(tasks, 'c', 'nothing')).toBe('There is no task "nothing".');
});

test('tasks of one plan are run together', () => {
  const tasks = [view('a'), view('b', 'idle', 'b.interlock.yaml'), view('c')];
  expect(runsOf(tasks).map(({ plan, ids }) => `${plan}: ${ids.join(' ')}`)).toEqual([
    'interlock.yaml: a c',
    'b.interlock.yaml: b',
  ]);
});

test('files are answered by the names by which they were asked for', () => {
  const files = [{ uri: 'file:///shop/a', mayWrite: false, sentences: ['Somebody has it.'] }];
  expect(JSON.parse(ownersText(['a'], files))).toEqual({
    files: [{ path: 'a', mayWrite: false, sentences: ['Somebody has it.'] }],
  });
});
