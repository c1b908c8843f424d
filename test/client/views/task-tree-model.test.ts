import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { clockText } from '../../../client/time.ts';
import { groupRow } from '../../../client/views/task-groups.ts';
import { attentionText, progressText, taskRow } from '../../../client/views/task-tree-model.ts';
import type { TaskView, TaskViewState } from '../../../protocol/tasks.ts';
import { runView, TASK_VIEW_STATES as STATES, taskViews } from '../../support/task-views.ts';

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
  ready: {
    icon: 'clock',
    color: 'charts.blue',
    description: 'ready · why',
    spoken: 'a, ready, why',
  },
  claimed: { icon: 'loading~spin', description: 'starting · why', spoken: 'a, starting, why' },
  running: {
    icon: 'loading~spin',
    color: 'charts.blue',
    description: 'running · why',
    spoken: 'a, running, why',
  },
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
  skipped: {
    icon: 'debug-step-over',
    color: 'icon.foreground',
    description: 'skipped · why',
    spoken: 'a, skipped, why',
  },
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

const AT = new Date(2026, 10, 19, 14, 5).getTime();

checkRow(
  'a row says who has the files that it waits for, and until when',
  taskViews('build: waiting, waits for api, which writes src too', {
    blocker: { name: 'claude-1', until: AT },
  })[0],
  `build | waits for api, which writes src too · held by claude-1 until ${clockText(AT)} | build, waits for api, which writes src too, held by claude-1 until ${clockText(AT)}`,
);
checkRow(
  'a row says who works on the task, for as long as they like',
  taskViews('build: running', { holder: { name: 'ada' } })[0],
  'build | running · held by ada | build, running, held by ada',
);
checkRow(
  'a task that somebody has claimed is theirs, and does not start',
  taskViews('build: claimed', { holder: { name: 'ada' } })[0],
  'build | held by ada | build, held by ada',
);
checkRow(
  'a task that was told to wait says so first',
  taskViews('build: waiting, it is paused', { isPaused: true })[0],
  'build | paused · it is paused | build, paused, it is paused',
);

test('the time of what runs is in the row, and not read out again and again', () => {
  const [view] = taskViews('build: running, attempt 2', { startedAt: AT });
  const row = view && taskRow(view, AT + 200_000);
  expect(row?.description).toBe('running · 3 min 20 s · attempt 2');
  expect(row?.spoken).toBe('build, running, attempt 2');
});

/** The states of the tasks whose rows offer the command, read from package.json. */
function checkMenu(name: string, command: string, expected: readonly TaskViewState[]): void {
  test(name, () => {
    const patterns = menuPatterns(command);
    expect(patterns.length).toBeGreaterThan(0);
    const isOffered = (state: TaskViewState): boolean =>
      patterns.some((pattern) => pattern.test(rowOf(`a: ${state}`).context));
    expect(STATES.filter(isOffered)).toEqual(expected);
  });
}

checkMenu('a task that is not under way can be run', 'interlock.task.runThis', [
  'idle',
  'blocked',
  'interrupted',
  'completed',
]);

checkMenu('one that did not complete is tried again instead', 'interlock.task.retry', [
  'attention',
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

function words(view: TaskView | undefined): readonly string[] {
  return view === undefined ? [] : taskRow(view).context.split(' ');
}

test('what waits can be told to, once', () => {
  const [waiting] = taskViews('a: waiting');
  const [paused] = taskViews('a: waiting', { isPaused: true });
  expect(words(waiting)).toContain('pausable');
  expect(words(paused)).toContain('paused');
  expect(words(paused)).not.toContain('pausable');
});

test('the row of a plan offers nothing of what the row of a task offers', () => {
  const patterns = [
    ...menuPatterns('interlock.task.run'),
    ...menuPatterns('interlock.task.showLog'),
  ];
  expect(patterns.some((pattern) => pattern.test('plan'))).toBe(false);
});

test('every command of the rows is offered by some state', () => {
  const [first] = taskViews('a: running');
  const [paused] = taskViews('a: waiting', { isPaused: true });
  if (first === undefined || paused === undefined) throw new Error('There are tasks.');
  const run = groupRow(
    { key: 'run', kind: 'run' },
    { first, size: 1, run: runView({}), isSmall: true, hasManyFolders: false },
  );
  const contexts = [
    ...STATES.map((state) => rowOf(`a: ${state}`).context),
    taskRow(paused).context,
    rowOf('a: ready', { doneBy: 'people' }).context,
    rowOf('a: waiting', { waitsForYou: true }).context,
    taskRow(first, undefined, true).context,
    run.context,
  ];
  const idle = itemMenus().filter(
    ({ command }) =>
      !menuPatterns(command).some((pattern) => contexts.some((context) => pattern.test(context))),
  );
  expect(idle).toEqual([]);
});

test('no row offers the same thing twice in its menu, or twice beside its name', () => {
  for (const { context } of everyRow()) {
    const offered = itemMenus().filter(({ when }) => patternOf(when).test(context));
    const inline = offered.filter(({ group }) => group.startsWith('inline'));
    const inMenu = offered.filter(({ group }) => !group.startsWith('inline'));
    for (const menu of [inline, inMenu])
      expect(new Set(menu.map(({ command }) => command)).size).toBe(menu.length);
  }
});

test('what people do has no terminal and no log, and nobody claims what a command or an agent does', () => {
  for (const command of ['runInTerminal', 'openTerminal', 'showLog'])
    expect([command, offers(command, 'people'), offers(command, 'people', true)]).toEqual([
      command,
      false,
      false,
    ]);
  expect(offers('runInTerminal', 'agent')).toBe(false);
  expect(offers('claim', 'people')).toBe(true);
  expect(offers('claim', 'command') || offers('claim', 'agent')).toBe(false);
});

test('at most three actions are on a row of their own, whatever its state', () => {
  const inline = itemMenus().filter(({ group }) => group.startsWith('inline'));
  for (const { context } of everyRow())
    expect(inline.filter(({ when }) => patternOf(when).test(context)).length).toBeLessThanOrEqual(
      3,
    );
});

test('how far all runs are is one sentence', () => {
  const counts = { completed: 2, failed: 1, running: 2, waiting: 1 };
  expect(progressText([runView({ counts })])).toBe('3 of 6 done, 2 running, 1 waits');
  expect(progressText([runView({ counts }), runView({ counts, status: 'paused' })])).toBe(
    '6 of 12 done, 4 running, 2 wait, paused',
  );
  expect(progressText([runView({ counts: { ready: 2 } })])).toBe('0 of 2 done, 2 wait');
  expect(progressText([])).toBe('');
});

test('the number on the view counts what needs the user, and its tooltip says what that is', () => {
  expect(attentionText({ failed: 0, attention: 0, all: 0 })).toBeUndefined();
  expect(attentionText({ failed: 2, attention: 0, all: 3 })).toEqual({
    value: 3,
    tooltip: '2 failed, 1 interrupted',
  });
  expect(attentionText({ failed: 1, attention: 2, all: 3 })?.tooltip).toBe(
    '1 failed, 2 need attention',
  );
});

function offers(command: string, doneBy: TaskView['doneBy'], isOwn = false): boolean {
  const patterns = menuPatterns(`interlock.task.${command}`);
  return STATES.some((state) => {
    const { context } = rowOf(`a: ${state}`, { doneBy }, isOwn);
    return patterns.some((pattern) => pattern.test(context));
  });
}

/** Whatever a task is, whoever does it, and whoever has it. */
function everyRow(): readonly ReturnType<typeof taskRow>[] {
  return STATES.flatMap((state) => {
    const isHeld = state === 'claimed' || state === 'running';
    const people = { doneBy: 'people' } as const;
    return [
      rowOf(`a: ${state}`),
      rowOf(`a: ${state}`, { doneBy: 'agent' }),
      rowOf(`a: ${state}`, people),
      rowOf(`a: ${state}`, people, isHeld),
    ];
  });
}

function rowOf(
  task: string,
  of: Partial<TaskView> = {},
  isOwn = false,
): ReturnType<typeof taskRow> {
  const [view] = taskViews(task, of);
  if (view === undefined) throw new Error(`"${task}" is no task.`);
  return taskRow(view, undefined, isOwn);
}

/** What the menus of a row look for in its context: `viewItem =~ /…/`. */
function menuPatterns(command: string): readonly RegExp[] {
  return itemMenus()
    .filter((menu) => menu.command === command)
    .map(({ when }) => patternOf(when));
}

function patternOf(when: string): RegExp {
  return new RegExp(/viewItem =~ \/(.+)\//.exec(when)?.[1] ?? '(?!)');
}

function itemMenus(): readonly {
  readonly command: string;
  readonly when: string;
  readonly group: string;
}[] {
  const manifest = readFileSync(new URL('../../../package.json', import.meta.url), 'utf8');
  const menus: ReturnType<typeof itemMenus> =
    JSON.parse(manifest).contributes.menus['view/item/context'];
  return menus.filter(({ when }) => when.includes('interlock.tasks'));
}
