import { expect, test } from 'vitest';
import type { Hold, WorkerView } from '../../../protocol/workers.ts';
import {
  childNodes,
  hasTimes,
  holdRow,
  rootNodes,
  workerRow,
  boardText,
} from '../../../client/views/workers-model.ts';
import { taskRow } from '../../../client/views/task-tree-model.ts';
import { taskViews } from '../../support/task-views.ts';
import { WorkerList } from '../../../client/worker-list.ts';

const NOW = 1_000_000;

const hold = (change: Partial<Hold> = {}): Hold => ({
  key: 'task r api 1',
  name: 'api',
  what: 'task',
  title: 'Add users',
  writes: ['src/**'],
  since: NOW - 65_000,
  expiresAt: NOW + 250_000,
  takingMeans: 'It goes back to the queue.',
  ...change,
});
const worker = (change: Partial<WorkerView> = {}): WorkerView => ({
  folderUri: 'file:///p',
  id: 'agent/claude-1',
  kind: 'agent',
  name: 'claude-1',
  isYou: false,
  state: 'idle',
  isDrained: false,
  trouble: '',
  uses: [],
  remarks: [],
  capabilities: [],
  holds: [],
  ...change,
});
const USES = [
  { what: 'places', used: 2, of: 4 },
  { what: 'memory', used: 1.5 * 2 ** 30, of: 8 * 2 ** 30 },
  { what: 'cpu', used: 3, of: 8 },
];
const board = { folderUri: 'file:///p', isDecidingHere: true, isPaused: false, load: 'normal' };

test('a command is as old in Workers as in Tasks', () => {
  const [view] = taskViews('api: running', { startedAt: NOW - 7600 });
  const moments = [0, 100, 350, 399, 400, 999].map((ms) => NOW + ms);
  for (const now of moments) {
    const inWorkers = holdRow(
      hold({ since: NOW - 7600, title: '' }),
      now,
      worker({ kind: 'runner' }),
    );
    expect(taskRow(view!, now).description).toContain(inWorkers.description.replace('for ', ''));
  }
});

function rowCheck(name: string, view: Partial<WorkerView>, expected: object): void {
  test(name, () => {
    expect(workerRow(worker(view), NOW)).toMatchObject(expected);
  });
}

rowCheck(
  'an idle agent is idle',
  {},
  {
    label: 'claude-1',
    description: 'idle',
    icon: 'robot',
    spoken: 'agent, claude-1, idle',
    context: 'worker agent idle undrained',
  },
);
rowCheck(
  'a busy one says what it has',
  { state: 'busy', holds: [hold()] },
  { description: 'busy · api', color: 'charts.green' },
);
rowCheck(
  'a machine says what is used of it',
  { kind: 'runner', state: 'busy', uses: USES, holds: [hold()] },
  {
    label: 'This machine',
    description: 'busy · 2 of 4 places · 1.5 of 8.0 GiB memory · 3 of 8 cpu',
    icon: 'vm',
  },
);
rowCheck(
  'who looks is said to be you',
  { id: 'person/kim', kind: 'person', name: 'kim', isYou: true },
  { label: 'kim (you)', icon: 'person' },
);
rowCheck(
  'a drained one says so instead of how it is',
  { isDrained: true },
  { description: 'drained', icon: 'debug-pause', context: 'worker agent idle drained' },
);
rowCheck(
  'what is wrong comes first',
  { trouble: 'has failed too often', uses: [{ what: 'places', used: 1, of: 2 }] },
  { description: 'has failed too often · 1 of 2 places', color: 'list.warningForeground' },
);
rowCheck(
  'an agent that runners start is not drained by itself',
  { id: 'configured/claude' },
  { context: 'worker agent idle' },
);

test('a lease shows what is left of it, and is coloured when that is little', () => {
  expect(holdRow(hold(), NOW)).toMatchObject({
    description: 'lease ends in 4 min 10 s · Add users',
    color: 'charts.green',
    spoken: 'task, api, lease ends in 4 min 10 s, Add users',
    context: 'hold task takeable',
  });
  expect(holdRow(hold({ expiresAt: NOW + 9_500 }), NOW)).toMatchObject({
    description: 'lease ends in 10 s · Add users',
    color: 'list.warningForeground',
  });
  expect(holdRow(hold(), NOW + 250_000).description).toBe('lease is over · Add users');
});

test('of a command it shows how long it has run: its lease is renewed all the while', () => {
  const short = hold({ expiresAt: NOW + 2000 });
  for (const kind of ['runner', 'host', 'terminal'] as const)
    expect(holdRow(short, NOW, worker({ kind }))).toMatchObject({
      description: 'for 1 min 5 s · Add users',
      color: 'charts.green',
      tooltip: expect.stringContaining('lease ends in 2 s'),
    });
});

test('a task of one’s own is not taken: it is released', () => {
  const you = worker({ kind: 'person', isYou: true });
  expect(holdRow(hold(), NOW, you).context).toBe('hold own task');
  expect(holdRow(hold({ what: 'paths' }), NOW, you).context).toBe('hold own paths takeable');
});

test('rows change with time where anybody has a lease or runs a command, and nowhere else', () => {
  const list = new WorkerList(() => 0);
  const { expiresAt: _, ...endless } = hold();
  const holding = (holds: readonly Hold[], kind: WorkerView['kind'] = 'agent'): boolean => {
    list.apply({ now: NOW, removed: [], boards: [board], changed: [worker({ kind, holds })] });
    return hasTimes(list);
  };
  expect([holding([endless]), holding([endless, hold()])]).toEqual([false, true]);
  expect([holding([], 'runner'), holding([endless], 'runner')]).toEqual([false, true]);
});

test('what has no end says so', () => {
  const { expiresAt: _, takingMeans: __, ...endless } = hold({ title: '' });
  expect(holdRow(endless, NOW)).toMatchObject({
    description: 'until released',
    context: 'hold task',
  });
  expect(holdRow({ ...endless, what: 'unsaved', name: 'a.ts' }, NOW).description).toBe(
    'not saved yet · until they let go',
  );
});

test('what others have written is no Markdown in a tooltip', () => {
  const row = holdRow(hold({ title: '[x](command:evil)', name: 'a`b' }), NOW);
  expect(row.tooltip).toContain(String.raw`\[x\](command:evil)`);
  expect(row.tooltip).toContain(String.raw`a\`b`);
});

test('machines come first, then agents, then people, who looks before the others', () => {
  const list = new WorkerList(() => 0);
  const person = { kind: 'person' } as const;
  list.apply({
    now: NOW,
    removed: [],
    boards: [board],
    changed: [
      worker({ ...person, id: 'person/al', name: 'al' }),
      worker({ ...person, id: 'person/kim', name: 'kim', isYou: true }),
      worker({ holds: [hold(), hold({ key: 'paths o', what: 'paths' })] }),
      worker({ kind: 'runner', id: 'runner/local', name: 'This machine' }),
    ],
  });
  const roots = rootNodes(list);
  expect(roots.map(({ key }) => list.get(key)?.name)).toEqual([
    'This machine',
    'claude-1',
    'kim',
    'al',
  ]);
  expect(childNodes(roots[1]!, list).map(({ kind }) => kind)).toEqual(['hold', 'hold']);
  expect(list.now).toBe(NOW);
});

test('several folders have a row each', () => {
  const list = new WorkerList(() => 0);
  const boards = [board, { ...board, folderUri: 'file:///q' }];
  list.apply({ now: NOW, removed: [], boards, changed: [worker()] });
  const roots = rootNodes(list);
  expect(roots.map(({ kind }) => kind)).toEqual(['folder', 'folder']);
  expect(childNodes(roots[0]!, list)).toHaveLength(1);
  expect(childNodes(roots[1]!, list)).toHaveLength(0);
});

test('workers that go are forgotten, and all of them with the server', () => {
  const list = new WorkerList(() => 0);
  const heard: (readonly string[])[] = [];
  list.onChange((keys) => heard.push(keys));
  list.apply({ now: 1, removed: [], boards: [board], changed: [worker(), worker({ id: 'b' })] });
  list.apply({
    now: 2,
    removed: [{ folderUri: 'file:///p', id: 'b' }],
    boards: [board],
    changed: [],
  });
  expect(list.all.map(({ id }) => id)).toEqual(['agent/claude-1']);
  list.clear();
  expect(list.all).toEqual([]);
  expect(heard.map(({ length }) => length)).toEqual([2, 1, 1]);
});

test('where somebody else decides the tooltip of the machine says who', () => {
  const runner = worker({ kind: 'runner' });
  const others = { ...board, isDecidingHere: false, decider: 'interlock serve' };
  const sentence = 'What runs is decided by: interlock serve';
  expect(workerRow(runner, NOW, others).tooltip).toContain(sentence);
  expect(workerRow(runner, NOW, { ...others, isDecidingHere: true }).tooltip).not.toContain(
    sentence,
  );
  expect(workerRow(worker(), NOW, others).tooltip).not.toContain(sentence);
});

test('a board that is paused says so beside the name of the view', () => {
  expect(boardText(board)).toBe('');
  expect(boardText({ ...board, isPaused: true })).toBe('paused');
});

test('the tasks of the user are known by their keys', () => {
  const list = new WorkerList(() => 0);
  const held = (id: string): Hold => hold({ task: { folderUri: 'file:///p', plan: 'a.yaml', id } });
  list.apply({
    now: NOW,
    removed: [],
    boards: [board],
    changed: [
      worker({ holds: [held('theirs')] }),
      worker({ id: 'person/kim', isYou: true, holds: [held('mine'), hold({ what: 'paths' })] }),
    ],
  });
  expect([...list.ownTasks.keys()]).toEqual(['file:///p\na.yaml\nmine']);
});
