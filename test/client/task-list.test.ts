import { expect, test } from 'vitest';
import { keyOf, TaskList } from '../../client/task-list.ts';
import type { TasksChanged } from '../../protocol/runs.ts';
import type { TaskView } from '../../protocol/tasks.ts';
import { taskViews } from '../support/task-views.ts';

const SHOP = 'file:///projects/shop';

interface Expected {
  /** What the list has in the end, in its order: `id state`. */
  readonly all: string;
  /** What listeners were told, a batch to each change: ids. */
  readonly told: readonly string[];
}

/** Each change is applied in turn; `'clear'` is the end of the server. */
function check(
  name: string,
  changes: readonly (Partial<TasksChanged> | 'clear')[],
  expected: Expected,
): void {
  test(name, () => {
    const list = new TaskList();
    const told: string[] = [];
    list.onChange((keys) => told.push(keys.map((key) => key.split('\n')[2]).join(' ')));
    for (const change of changes)
      if (change === 'clear') list.clear();
      else list.apply({ changed: [], removed: [], ...change });
    expect({ all: show(list.all), told }).toEqual(expected);
  });
}

function show(views: readonly TaskView[]): string {
  return views.map(({ id, state }) => `${id} ${state}`).join(', ');
}

check('a list begins empty', [], { all: '', told: [] });

check('tasks are added', [{ changed: taskViews('a: idle\nb: ready') }], {
  all: 'a idle, b ready',
  told: ['a b'],
});

check(
  'the tasks of a board come in the order of their files',
  [
    {
      changed: taskViews('10: idle\n9: idle').map((view) => ({
        ...view,
        planUri: `${SHOP}/tasks/${view.id.padStart(3, '0')}.md`,
        line: 1,
      })),
    },
  ],
  { all: '9 idle, 10 idle', told: ['10 9'] },
);

check(
  'a task that comes again takes the place of what it was',
  [{ changed: taskViews('a: idle\nb: idle') }, { changed: taskViews('a: running') }],
  { all: 'a running, b idle', told: ['a b', 'a'] },
);

check(
  'tasks are removed',
  [{ changed: taskViews('a: idle\nb: idle') }, { removed: taskViews('a: idle') }],
  { all: 'b idle', told: ['a b', 'a'] },
);

check(
  'a task that goes and comes at once is there',
  [
    { changed: taskViews('a: idle') },
    { removed: taskViews('a: idle'), changed: taskViews('a: ready') },
  ],
  { all: 'a ready', told: ['a', 'a a'] },
);

check('a task that is not there may be removed', [{ removed: taskViews('a: idle') }], {
  all: '',
  told: ['a'],
});

check('a change of nothing tells listeners of nothing', [{}], { all: '', told: [''] });

check('when the server ends, all tasks go', [{ changed: taskViews('a: idle\nb: idle') }, 'clear'], {
  all: '',
  told: ['a b', 'a b'],
});

check(
  'the tasks of the next server come into an empty list',
  [{ changed: taskViews('a: idle\nb: idle') }, 'clear', { changed: taskViews('c: idle') }],
  { all: 'c idle', told: ['a b', 'a b', 'c'] },
);

check(
  'tasks have the order of their lines',
  [{ changed: taskViews('b: idle\na: idle\nc: idle') }],
  {
    all: 'b idle, a idle, c idle',
    told: ['b a c'],
  },
);

check(
  'lines are ordered as numbers',
  [{ changed: [...taskViews('b: idle', { line: 10 }), ...taskViews('a: idle', { line: 9 })] }],
  { all: 'a idle, b idle', told: ['b a'] },
);

check(
  'plans have the order of their paths, and folders that of their addresses',
  [
    { changed: taskViews('d: idle', { folderUri: 'file:///projects/web', plan: 'a.yaml' }) },
    { changed: taskViews('c: idle', { plan: 'sub/interlock.yaml' }) },
    { changed: taskViews('a: idle\nb: idle', { plan: 'interlock.yaml' }) },
  ],
  { all: 'a idle, b idle, c idle, d idle', told: ['d', 'c', 'a b'] },
);

check(
  'a plan of the editor comes last',
  [
    { changed: taskViews('b: idle', { plan: '.vscode/tasks.json' }) },
    { changed: taskViews('a: idle', { plan: 'interlock.yaml' }) },
  ],
  { all: 'a idle, b idle', told: ['b', 'a'] },
);

check(
  'a task that changes keeps its place',
  [{ changed: taskViews('a: idle\nb: idle') }, { changed: taskViews('a: failed, exit code 1') }],
  { all: 'a failed, b idle', told: ['a b', 'a'] },
);

check(
  'a task that moves in its plan moves in the list',
  [{ changed: taskViews('a: idle\nb: idle') }, { changed: taskViews('a: idle', { line: 7 }) }],
  { all: 'b idle, a idle', told: ['a b', 'a'] },
);

check(
  'tasks of one name are two tasks in two plans and two folders',
  [
    {
      changed: [
        ...taskViews('a: idle'),
        ...taskViews('a: ready', { plan: 'other.yaml' }),
        ...taskViews('a: failed', { folderUri: 'file:///projects/web' }),
      ],
    },
    { removed: [{ folderUri: SHOP, plan: 'other.yaml', id: 'a' }] },
  ],
  { all: 'a idle, a failed', told: ['a a a', 'a'] },
);

test('the list has another shape when a task waits for others than before, and only then', () => {
  const list = new TaskList();
  const shapeAfter = (text: string, of: Partial<TaskView> = {}): number => {
    list.apply({ changed: taskViews(text, of), removed: [] });
    return list.shape;
  };
  const before = shapeAfter('a: idle');
  expect(shapeAfter('a: running')).toBe(before);
  expect(shapeAfter('a: running', { dependsOn: ['b'] })).not.toBe(before);
});

test('a task is found by its key', () => {
  const list = new TaskList();
  const [view] = taskViews('a: idle');
  list.apply({ changed: taskViews('a: idle\nb: idle'), removed: [] });
  expect(list.get(keyOf({ folderUri: SHOP, plan: 'interlock.yaml', id: 'a' }))).toEqual(view);
  expect(list.get(keyOf({ folderUri: SHOP, plan: 'other.yaml', id: 'a' }))).toBeUndefined();
});

test('every listener is told, and finds the list as it is after the change', () => {
  const list = new TaskList();
  const seen: string[] = [];
  list.onChange(() => seen.push(`first ${show(list.all)}`));
  list.onChange(() => seen.push(`second ${show(list.all)}`));
  list.apply({ changed: taskViews('a: idle'), removed: [] });
  list.clear();
  expect(seen).toEqual(['first a idle', 'second a idle', 'first ', 'second ']);
});

test('what was given out is not changed afterwards', () => {
  const list = new TaskList();
  list.apply({ changed: taskViews('a: idle'), removed: [] });
  const before = list.all;
  list.clear();
  expect(show(before)).toBe('a idle');
});

test('folders come as the window has them, and what it does not have comes last', () => {
  const list = new TaskList();
  const told: (readonly string[])[] = [];
  list.onChange((keys) => told.push(keys));
  const views = ['file:///c', 'file:///a', 'file:///b', 'file:///d'].flatMap((folderUri) =>
    taskViews('one: idle\ntwo: idle').map((view) => ({ ...view, folderUri })),
  );
  const order = (): string =>
    [...new Set(list.all.map(({ folderUri }) => folderUri.at(-1)))].join(' ');
  list.apply({ changed: views, removed: [] });
  expect(order()).toBe('a b c d');
  const before = list.shape;
  list.arrange(['file:///c', 'file:///b', 'file:///x']);
  expect(order()).toBe('c b a d');
  expect(list.shape).not.toBe(before);
  expect(told.at(-1)).toEqual([]);
  list.arrange(['file:///c', 'file:///b', 'file:///x']);
  expect(told).toHaveLength(2);
  list.apply({ changed: [{ ...views[0]!, state: 'running' }], removed: [] });
  expect(show(list.all.slice(0, 2))).toBe('one running, two idle');
});

test('the folders that have tasks are known while they have some', () => {
  const list = new TaskList();
  const web = taskViews('a: idle', { folderUri: 'file:///projects/web' });
  list.apply({ changed: [...taskViews('a: idle\nb: idle'), ...web], removed: [] });
  expect([...list.folders]).toEqual([SHOP, 'file:///projects/web']);
  list.apply({ changed: taskViews('a: failed'), removed: [...taskViews('b: idle'), ...web] });
  expect([...list.folders]).toEqual([SHOP]);
  list.clear();
  expect(list.folders.size).toBe(0);
});
