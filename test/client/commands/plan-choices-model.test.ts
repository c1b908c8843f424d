import { expect, test } from 'vitest';
import { importRow, planRow, starterRows } from '../../../client/commands/plan-choices-model.ts';

const PLAN = { uri: 'file:///a/interlock.yaml', text: '', line: 0, character: 0 };

test('the likeliest beginning is marked, and each row says what would be in it', () => {
  const starters = ['Cargo', 'Go'].map((label) => ({ ...PLAN, label, detail: 'build, test' }));
  expect(starterRows(starters)).toEqual([
    {
      starter: starters[0],
      label: '$(new-file) Cargo',
      description: 'fits best',
      detail: 'build, test',
    },
    { starter: starters[1], label: '$(new-file) Go', description: '', detail: 'build, test' },
  ]);
});

test('what can be imported says where it goes, or that it is used already', () => {
  const plan = { ...PLAN, label: 'interlock.yaml', detail: 'lint' };
  expect(importRow({ kind: 'tasks-json', uri: '', plan })).toMatchObject({
    label: '$(json) .vscode/tasks.json',
    description: 'is written into interlock.yaml',
    detail: 'lint',
  });
  expect(
    importRow({ kind: 'board', uri: '', path: 'kanban/config.yml', taskCount: 3 }),
  ).toMatchObject({
    label: '$(project) kanban/config.yml',
    description: 'is a plan already',
    detail: '3 tasks',
  });
});

test('a plan with errors is told from others', () => {
  const [wrong, right] = [true, false].map((hasErrors) =>
    planRow({ uri: '', path: 'interlock.yaml', hasErrors }, 'interlock.yaml'),
  );
  expect(wrong).toMatchObject({ label: '$(error) interlock.yaml', description: 'has errors' });
  expect(right).toMatchObject({ label: '$(list-tree) interlock.yaml', description: '' });
});
