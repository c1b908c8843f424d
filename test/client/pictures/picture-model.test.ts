import { expect, test } from 'vitest';
import { pageText } from '../../../client/pictures/page-text.ts';
import { planRows, readState, runRow, statesOf } from '../../../client/pictures/picture-model.ts';
import type { TaskView, TaskViewState } from '../../../protocol/tasks.ts';
import { taskViews } from '../../support/task-views.ts';

function view(id: string, state: TaskViewState, of: Partial<TaskView> = {}): TaskView {
  return taskViews(`${id}: ${state}`, { folderUri: 'file:///p', ...of })[0]!;
}

test('a run is offered with how it stands', () => {
  const run = {
    folderUri: 'file:///p',
    run: 'run-000001',
    plan: 'interlock.yaml',
    state: 'failed',
    requestedBy: 'editor',
    requestedAt: 0,
    finishedAt: 61_000,
    taskCount: 3,
  } as const;
  const row = runRow(run, 'shop · interlock.yaml');
  expect([row.label, row.detail]).toEqual([
    '$(error) shop · interlock.yaml',
    '3 tasks · 1 min 1 s · by editor',
  ]);
  expect(row.description).toMatch(/^failed · /);
});

test('a plan is offered once, with how its tasks stand', () => {
  const views = [
    view('a', 'running'),
    view('b', 'failed'),
    view('c', 'idle', { plan: 'other.interlock.yaml' }),
  ];
  expect(planRows(views).map(({ label, description }) => `${label} ${description}`)).toEqual([
    '$(list-tree) interlock.yaml 2 tasks · 1 running · 1 failed',
    '$(list-tree) other.interlock.yaml 1 task',
  ]);
  expect(statesOf(views, views[2]!)).toEqual([['c', { state: 'idle', detail: '' }]]);
});

test('plans of several folders say which folder they are of', () => {
  const views = [view('a', 'idle'), view('a', 'idle', { folderUri: 'file:///my%20shop' })];
  expect(planRows(views).map(({ label }) => label)).toEqual([
    '$(list-tree) p · interlock.yaml',
    '$(list-tree) my shop · interlock.yaml',
  ]);
});

test('what a page remembered is read again, and what it never said is not', () => {
  const graph = { kind: 'graph', folderUri: 'file:///p', plan: 'interlock.yaml', around: 'a' };
  expect(readState(graph)).toEqual(graph);
  const seen = { from: 1, to: 2 };
  const timeline = { kind: 'timeline', folderUri: 'file:///p', run: 'r', grouping: 'worker', seen };
  expect(readState(timeline)).toEqual(timeline);
  expect(readState({ ...timeline, seen: { from: 2, to: 1 }, grouping: 7 })).toEqual({
    kind: 'timeline',
    folderUri: 'file:///p',
    run: 'r',
    grouping: 'task',
  });
  for (const wrong of [undefined, null, 7, {}, { ...graph, plan: 1 }, { ...timeline, kind: 'x' }])
    expect(readState(wrong)).toBeUndefined();
});

test('the page runs one script and loads nothing else', () => {
  const text = pageText({ nonce: 'abc', script: 'https://x/picture.js', language: 'de"><x' });
  expect(text).toContain("default-src 'none'; script-src 'nonce-abc'; style-src 'nonce-abc'");
  expect(text.match(/<script/g)).toHaveLength(1);
  expect(text).toContain('<html lang="dex">');
});
