import { expect, test } from 'vitest';
import { inOrder } from '../../../../server/board/in-order.ts';
import type { LoadedPlan } from '../../../../server/board/plan-set.ts';
import { selectTasks } from '../../../../server/board/select-tasks.ts';
import { parseTaskId, type TaskId } from '../../../../server/domain/ids.ts';
import { readTasks } from '../../../support/editor-tasks.ts';

/** A line for each task: `T: a b` needs a and b, `T> a b` one after the other. */
function tasksJson(lines: string): string {
  const tasks = lines.split('\n').map((line) => {
    const [, label, kind, needed = ''] = /^(\w+)([:>])? ?(.*)$/.exec(line.trim()) ?? [];
    const dependsOn = needed.split(' ').filter((each) => each !== '');
    const order = kind === '>' ? { dependsOrder: 'sequence' } : {};
    return { label, command: 'x', dependsOn, ...order };
  });
  return JSON.stringify({ tasks });
}

interface Run {
  readonly lines: string;
  /** The ids that are asked for. */
  readonly run: string;
}

/** What each task of a run waits for. */
function check(name: string, { lines, run }: Run, expected: string): void {
  test(name, () => {
    const plan = readTasks(tasksJson(lines));
    const ids = run.split(' ').flatMap((id): TaskId[] => [parseTaskId(id)!]);
    const source = { path: 'tasks.json', kind: 'vscode-tasks', files: ['tasks.json'] } as const;
    const loaded: LoadedPlan = { ...source, texts: new Map(), plan };
    const selected = selectTasks([loaded], new Map([[loaded, ids]])).get(loaded);
    const tasks = inOrder(selected?.tasks ?? []);
    const waiting = tasks.filter(({ dependsOn }) => dependsOn.length > 0);
    expect(waiting.map(({ id, dependsOn }) => `${id}: ${dependsOn.join(' ')}`).join(', ')).toBe(
      expected,
    );
    expect(plan.problems).toEqual([]);
  });
}

const THREE = 'a\nb\nc\nT> a b c';

check('each waits for the one before it', { lines: THREE, run: 'T' }, 'b: a, c: b, T: a b c');
check('in runs without the task that wants it there is no order', { lines: THREE, run: 'c' }, '');
check('also where they run together', { lines: THREE, run: 'a b' }, '');
check('in parallel nobody waits', { lines: 'a\nb\nT: a b', run: 'T' }, 'T: a b');
check(
  'what the second needs waits as well',
  { lines: 'clean\ncompile\nlink: compile\nT> clean link', run: 'T' },
  'compile: clean, link: compile, T: clean link',
);
check(
  'what the first needs already does not wait',
  { lines: 'x\na: x\nb: x\nT> a b', run: 'T' },
  'a: x, b: x a, T: a b',
);
check(
  'what the first needs has run when its turn comes',
  { lines: 'b\na: b\nc\nT> a b c', run: 'T' },
  'a: b, c: a, T: a b c',
);
check(
  'two orders hold together',
  { lines: 'a\nb\nc\nT> a b\nU> b c\nV: T U', run: 'V' },
  'b: a, c: b, T: a b, U: b c, V: T U',
);
check(
  'of two that are opposite each holds alone',
  { lines: 'a\nb\nT> a b', run: 'T' },
  'b: a, T: a b',
);

test('opposite orders are refused, and the rest runs', () => {
  const { problems, obstacles, tasks } = readTasks(tasksJson('a\nb\nc\nT> a b\nU> b a\nV> b c'));
  expect(problems.map(({ code, severity }) => `${severity} ${code}`)).toEqual([
    'error contradiction',
    'error contradiction',
  ]);
  expect([...obstacles.keys()]).toEqual(['T', 'U']);
  expect(tasks.flatMap(({ inOrder: pairs = [] }) => pairs)).toEqual([
    { task: 'c', dependsOn: 'b' },
  ]);
});

test('an order against what tasks need is refused', () => {
  const { obstacles } = readTasks(tasksJson('a: b\nb\nT> b a\nU> a c\nc: T'));
  expect([...obstacles.keys()]).toEqual([]);
  const wrong = readTasks(tasksJson('a\nb: U\nU> a T\nT: b'));
  expect(wrong.problems.map(({ code }) => code)).toContain('cycle');
});

test('an order is marked at its word', () => {
  const text = tasksJson('a\nb\nT> a b\nU> b a');
  const [first] = readTasks(text).problems;
  expect(text.slice(first?.range.start, first?.range.end)).toBe('sequence');
});

test('a file that is built to be slow is refused in time', () => {
  const lines = Array.from({ length: 6000 }, (_, index) =>
    index < 2 ? `t${index}` : `t${index}> t${index - 1} t${index - 2}`,
  );
  const started = performance.now();
  const { problems } = readTasks(tasksJson(lines.join('\n')));
  expect(performance.now() - started).toBeLessThan(10_000);
  expect(problems.map(({ message }) => message)).toContain(
    'This file is too large to keep to this order.',
  );
});
