import { expect, test } from 'vitest';
import { type LoadedPlan, PlanSet } from '../../../server/board/plan-set.ts';
import { chooseTasks } from '../../../server/board/run-choice.ts';
import type { PlanSource } from '../../../server/plans/plan-source.ts';
import { plansInMemory } from '../../support/plans-in-memory.ts';
import { SHOP } from '../../support/editor-tasks.ts';

const OURS = 'interlock.yaml';
const THEIRS = '.vscode/tasks.json';

function plans(texts: Readonly<Record<string, string>>): readonly LoadedPlan[] {
  const list = (): readonly PlanSource[] =>
    Object.keys(texts).map((path) =>
      path === THEIRS
        ? { path, kind: 'vscode-tasks', files: [path], surroundings: SHOP }
        : { path, kind: 'interlock', files: [path] },
    );
  const set = new PlanSet('/', { ...plansInMemory(texts), list }, { rules: { foldCase: false } });
  set.reload();
  return set.all;
}

/** What a run of these words would have, plan by plan, or why there is none. */
function check(
  name: string,
  {
    texts,
    run = '',
    plan,
  }: { texts: Readonly<Record<string, string>>; run?: string; plan?: string },
  expected: string,
): void {
  test(name, () => {
    const tasks = run.split(' ').flatMap((id) => (id === '' ? [] : [{ id }]));
    const choice = chooseTasks(plans(texts), { tasks, plan, requestedBy: 'me' });
    const found =
      choice.kind === 'refused'
        ? choice.message
        : choice.parts
            .map((part) => `${part.plan.path}: ${part.tasks.map(({ id }) => id).join(' ')}`)
            .join(', ');
    expect(found).toBe(expected);
  });
}

test('what is named runs on the host that was asked for, and what it needs where its plan says', () => {
  const text =
    'tasks:\n  a: { run: x }\n  b: { run: x, depends_on: [a], on: other }\n  c: { role: human }\n';
  const on = (id: string): unknown => {
    const options = { tasks: [{ id }], plan: undefined, requestedBy: 'me', host: 'build-1' };
    const choice = chooseTasks(plans({ [OURS]: text }), options);
    if (choice.kind === 'refused') return choice.message;
    return choice.parts[0]?.tasks.map(({ id: task, asks }) => [
      task,
      asks?.hosts,
      asks?.doer?.kind,
    ]);
  };
  expect(on('b')).toEqual([
    ['a', undefined, undefined],
    ['b', ['build-1'], 'runner'],
  ]);
  expect(on('c')).toBe('"c" has no command that could run on "build-1".');
});

const YAML = 'tasks:\n  a: { run: x }\n  b: { run: x }\n';
const JSONC = `{ "tasks": [
  { "label": "a", "command": "x" },
  { "label": "deploy", "command": "x" },
  { "label": "build", "command": "x", "dependsOn": "a", "group": { "kind": "build", "isDefault": true } }
] }`;
const NO_DEFAULT = JSONC.replace('"isDefault": true', '"isDefault": false');
const BOTH = { [OURS]: YAML, [THEIRS]: JSONC };

check('a run of all leaves tasks.json alone', { texts: BOTH }, 'interlock.yaml: a b');
check(
  'what is named is run from there',
  { texts: BOTH, run: 'deploy' },
  '.vscode/tasks.json: deploy',
);
check('a name of both is that of the plan', { texts: BOTH, run: 'a' }, 'interlock.yaml: a');
check(
  'unless the other one is asked for',
  { texts: BOTH, run: 'a', plan: THEIRS },
  '.vscode/tasks.json: a',
);
check(
  'where there is only tasks.json the default build task is run, and what it needs',
  { texts: { [THEIRS]: JSONC } },
  '.vscode/tasks.json: a build',
);
check('also where it is asked for', { texts: BOTH, plan: THEIRS }, '.vscode/tasks.json: a build');
check(
  'and without one, nobody knows what was meant',
  { texts: { [THEIRS]: NO_DEFAULT } },
  'The tasks of .vscode/tasks.json are run by name, never all together, and none of them is the default build task. Tasks here: a, deploy, build.',
);
check(
  'a tasks.json that has nothing is no task to run',
  { texts: { [THEIRS]: '{}' } },
  'The tasks of .vscode/tasks.json are run by name, never all together, and none of them is the default build task.',
);
check(
  'what only an editor can run is refused with the reason',
  { texts: { [THEIRS]: '{ "tasks": [{ "label": "a", "command": "${file}" }] }' }, run: 'a' },
  '"a" cannot start. "${file}" stands for the file that is open there, so only the editor can run this task.',
);

test('a run has the order that a task of it wants', () => {
  const text = `{ "tasks": [
    { "label": "a", "command": "x" }, { "label": "b", "command": "x" },
    { "label": "T", "dependsOn": ["a", "b"], "dependsOrder": "sequence" }
  ] }`;
  const needsOf = (id: string): readonly string[] | undefined => {
    const choice = chooseTasks(plans({ [THEIRS]: text }), { tasks: [{ id }], requestedBy: 'me' });
    if (choice.kind === 'refused') throw new Error(choice.message);
    return choice.parts[0]?.tasks.find((task) => task.id === 'b')?.dependsOn;
  };
  expect(needsOf('T')).toEqual(['a']);
  expect(needsOf('b')).toEqual([]);
});
