import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import {
  attentionCount,
  childNodes,
  isAnythingActive,
  rootNodes,
  taskRow,
} from '../../../client/views/task-tree-model.ts';
import type { TaskView, TaskViewState } from '../../../protocol/tasks.ts';
import { FOLDER, TASK_VIEW_STATES as STATES, taskViews } from '../../support/task-views.ts';

interface Look {
  readonly icon: string;
  readonly color?: string;
  readonly description: string;
  readonly spoken: string;
}

/** Of a task "a" with the detail "why". A state that is added needs a line here. */
const LOOKS: Readonly<Record<TaskViewState, Look>> = {
  idle: { icon: 'circle-outline', description: 'why', spoken: 'a, why' },
  blocked: {
    icon: 'circle-slash',
    color: 'list.warningForeground',
    description: 'cannot start · why',
    spoken: 'a, cannot start, why',
  },
  interrupted: {
    icon: 'debug-pause',
    color: 'list.warningForeground',
    description: 'why',
    spoken: 'a, why',
  },
  waiting: { icon: 'clock', description: 'why', spoken: 'a, why' },
  ready: { icon: 'clock', description: 'ready · why', spoken: 'a, ready, why' },
  claimed: { icon: 'loading~spin', description: 'starting · why', spoken: 'a, starting, why' },
  running: { icon: 'loading~spin', description: 'running · why', spoken: 'a, running, why' },
  attention: {
    icon: 'bell-dot',
    color: 'list.warningForeground',
    description: 'needs attention · why',
    spoken: 'a, needs attention, why',
  },
  completed: {
    icon: 'pass',
    color: 'testing.iconPassed',
    description: 'completed · why',
    spoken: 'a, completed, why',
  },
  failed: {
    icon: 'error',
    color: 'testing.iconFailed',
    description: 'failed · why',
    spoken: 'a, failed, why',
  },
  cancelled: { icon: 'circle-slash', description: 'cancelled · why', spoken: 'a, cancelled, why' },
  skipped: { icon: 'debug-step-over', description: 'skipped · why', spoken: 'a, skipped, why' },
};

for (const state of STATES)
  test(`a task that is ${state} has a look, and a label that is read out`, () => {
    const { icon, color, description, spoken } = rowOf(`a: ${state}, why`);
    const { color: expectedColor, ...expected } = LOOKS[state];
    expect({ icon, description, spoken }).toEqual(expected);
    expect(color).toBe(expectedColor);
  });

test('no two states that look alike are described alike', () => {
  const looks = STATES.map((state) => {
    const { icon, color, description } = rowOf(`a: ${state}`);
    return `${icon} ${color} ${description}`;
  });
  expect(new Set(looks).size).toBe(STATES.length);
});

function checkRow(name: string, task: TaskView | undefined, expected: string): void {
  test(name, () => {
    if (task === undefined) throw new Error('There is no task.');
    const { label, description, spoken } = taskRow(task);
    expect(`${label} | ${description} | ${spoken}`).toBe(expected);
  });
}

checkRow('a row shows the id', taskViews('build: idle')[0], 'build |  | build, not run yet');
checkRow('a row says the state', taskViews('build: ready')[0], 'build | ready | build, ready');
checkRow(
  'a row says more of the state',
  taskViews('build: failed, exit code 3 after 2 s')[0],
  'build | failed · exit code 3 after 2 s | build, failed, exit code 3 after 2 s',
);
checkRow(
  'the title is read out between the id and the state',
  taskViews('build: running', { title: 'Build it' })[0],
  'build | running · Build it | build, Build it, running',
);
checkRow(
  'a row of a task that nobody has run says what it is about',
  taskViews('7: idle', { title: 'Build it' })[0],
  '7 | Build it | 7, Build it, not run yet',
);

test('what does not fit into a row is said where it is hovered over', () => {
  const [task] = taskViews('build: failed, exit code 3', { title: 'Build it' });
  expect(task && taskRow(task).tooltip).toBe('Build it\nfailed · exit code 3');
});

/** The states of the tasks whose rows offer the command, read from package.json. */
function checkMenu(name: string, command: string, expected: readonly TaskViewState[]): void {
  test(name, () => {
    const patterns = menuPatterns(command);
    expect(patterns.length).toBeGreaterThan(0);
    for (const pattern of patterns)
      expect(STATES.filter((state) => pattern.test(rowOf(`a: ${state}`).context))).toEqual(
        expected,
      );
  });
}

checkMenu('a task that is not under way can be run', 'interlock.task.runThis', [
  'idle',
  'blocked',
  'interrupted',
  'completed',
  'failed',
  'cancelled',
  'skipped',
]);

checkMenu('the log of a task that may have written one can be shown', 'interlock.task.showLog', [
  'interrupted',
  'claimed',
  'running',
  'attention',
  'completed',
  'failed',
  'cancelled',
]);

test('the row of a plan offers nothing of what the row of a task offers', () => {
  const patterns = [
    ...menuPatterns('interlock.task.run'),
    ...menuPatterns('interlock.task.showLog'),
  ];
  expect(patterns.some((pattern) => pattern.test('plan'))).toBe(false);
});

test('every command of the rows is offered by some state', () => {
  const contexts = STATES.map((state) => rowOf(`a: ${state}`).context);
  const idle = itemMenus().filter(
    ({ command }) =>
      !menuPatterns(command).some((pattern) => contexts.some((context) => pattern.test(context))),
  );
  expect(idle).toEqual([]);
});

/** The tree as text: plans with their tasks below them. */
function checkTree(name: string, views: readonly TaskView[], expected: string): void {
  test(name, () => {
    const lines = rootNodes(views).flatMap((node) => [
      node.kind === 'plan' ? node.label : idOf(node.key),
      ...childNodes(node, views).map((child) => `  ${idOf(child.key)}`),
    ]);
    expect(lines.join('\n')).toBe(expected);
  });
}

const WEB = 'file:///projects/web%20site/';

checkTree('without tasks the tree is empty', [], '');
checkTree(
  'the tasks of the only plan need no row above them',
  taskViews('b: idle\na: idle'),
  'b\na',
);
checkTree(
  'several plans have a row each, in the order of their tasks',
  [
    ...taskViews('b: idle\na: idle', { plan: 'z.yaml' }),
    ...taskViews('c: idle', { plan: 'sub/interlock.yaml' }),
  ],
  'z.yaml\n  b\n  a\nsub/interlock.yaml\n  c',
);
checkTree(
  'plans of several folders are told apart by the folder',
  [...taskViews('a: idle'), ...taskViews('b: idle', { folderUri: WEB })],
  'shop · interlock.yaml\n  a\nweb site · interlock.yaml\n  b',
);
checkTree(
  'tasks of one name stay below their own plans',
  [...taskViews('a: idle'), ...taskViews('a: idle', { plan: 'other.yaml' })],
  'interlock.yaml\n  a\nother.yaml\n  a',
);

const BOARD = { plan: 'kanban/config.yml' };
checkTree(
  'a board is one plan, although each of its tasks has a file',
  [
    ...taskViews('1: idle', BOARD).map((view) => ({ ...view, planUri: `${FOLDER}/kanban/1.md` })),
    ...taskViews('2: idle', BOARD).map((view) => ({ ...view, planUri: `${FOLDER}/kanban/2.md` })),
    ...taskViews('a: idle'),
  ],
  'kanban/config.yml\n  1\n  2\ninterlock.yaml\n  a',
);

test('no two rows have the same key', () => {
  const views = [
    ...taskViews('a: idle\nb: idle'),
    ...taskViews('a: idle', { plan: 'other.yaml' }),
    ...taskViews('a: idle', { folderUri: WEB }),
  ];
  const roots = rootNodes(views);
  const keys = [...roots, ...roots.flatMap((node) => childNodes(node, views))].map(
    ({ key }) => key,
  );
  expect(new Set(keys).size).toBe(7);
});

test('tasks want attention that have failed, or say so', () => {
  const wanting = STATES.filter((state) => attentionCount(taskViews(`a: ${state}`)) === 1);
  expect(wanting).toEqual(['attention', 'failed']);
  expect(attentionCount(taskViews('a: failed\nb: failed\nc: running'))).toBe(2);
  expect(attentionCount([])).toBe(0);
});

test('a task is active from when it waits in a run until it has ended', () => {
  const active = STATES.filter((state) => isAnythingActive(taskViews(`a: idle\nb: ${state}`)));
  expect(active).toEqual(['waiting', 'ready', 'claimed', 'running', 'attention']);
  expect(isAnythingActive([])).toBe(false);
});

function rowOf(task: string): ReturnType<typeof taskRow> {
  const [view] = taskViews(task);
  if (view === undefined) throw new Error(`"${task}" is no task.`);
  return taskRow(view);
}

function idOf(key: string): string | undefined {
  return key.split('\n').at(-1);
}

/** What the menus of a row look for in its context: `viewItem =~ /…/`. */
function menuPatterns(command: string): readonly RegExp[] {
  return itemMenus()
    .filter((menu) => menu.command === command)
    .map(({ when }) => new RegExp(/viewItem =~ \/(.+)\//.exec(when)?.[1] ?? '(?!)'));
}

function itemMenus(): readonly { readonly command: string; readonly when: string }[] {
  const manifest = readFileSync(new URL('../../../package.json', import.meta.url), 'utf8');
  const menus: readonly { readonly command: string; readonly when: string }[] =
    JSON.parse(manifest).contributes.menus['view/item/context'];
  return menus.filter(({ when }) => when.includes('interlock.tasks'));
}
