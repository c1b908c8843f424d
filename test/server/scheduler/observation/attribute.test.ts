import { expect, test } from 'vitest';
import { assert } from '../../../../server/domain/assert.ts';
import { instant } from '../../../../server/domain/time.ts';
import { parsePathSet } from '../../../../server/domain/paths/path-set.ts';
import {
  type Finding,
  Presence,
  type PresentWriter,
} from '../../../../server/scheduler/observation/presence.ts';
import { runId, taskId } from '../../../support/runs.ts';
import { workerId } from '../../../support/snapshots.ts';

/**
 * Who is at work, as `a 0-50 writes src/a/** reads lib/**`; then `path at 10`, perhaps `by ann`, or
 * `same`. What is found of it: `undeclared a`, `one of a b`, `stale a by b`.
 */
function check(title: string, tasks: readonly string[], [change, expected]: Case): void {
  test(title, () => {
    const presence = presenceOf(tasks);
    expect(found(presence, change)).toBe(expected);
  });
}

type Case = readonly [change: string, found: string];

check('what a task says it writes is as it should be', ['a 0- writes src/**'], ['src/x at 10', '']);
check('what it does not say is not', ['a 0- writes src/**'], ['lib/x at 10', 'undeclared a']);
check(
  'nor what it takes away again',
  ['a 0- writes src/**,!src/old/**'],
  ['src/old/x at 10', 'undeclared a'],
);
check(
  'a task that only reads writes nothing',
  ['a 0- reads src/**'],
  ['lib/x at 10', 'undeclared a'],
);
check('nor what it reads', ['a 0- reads src/**'], ['src/x at 10', 'undeclared a']);
check('whoever says nothing of files breaks no word', ['a 0-'], ['src/x at 10', '']);
check(
  'of two it may have been either',
  ['a 0- writes x', 'b 0- writes y'],
  ['z at 10', 'one of a b'],
);
check(
  'also of one that says nothing of files',
  ['a 0- writes x', 'b 0-'],
  ['z at 10', 'one of a b'],
);
check('whoever said it is believed', ['a 0- writes x', 'b 0- writes z'], ['z at 10', '']);
check('so is a person', ['a 0- writes x'], ['z at 10 by ann', '']);
check('a task before its time has done nothing', ['a 20- writes x'], ['z at 10', '']);
check('nor after it', ['a 0-5 writes x'], ['z at 10', '']);
check('one that ended counts while it was there', ['a 0-15 writes x'], ['z at 10', 'undeclared a']);
check(
  'and not one that came later',
  ['a 0-15 writes x', 'b 20- writes y'],
  ['z at 10', 'undeclared a'],
);
check(
  'where it may have been before a task came, nobody is named',
  ['a 12- writes x'],
  ['z at 10+5', ''],
);
check(
  'nor several that came in that time: who was there before them is not known',
  ['a 12- writes x', 'b 13- writes y'],
  ['z at 10+5', ''],
);
check(
  'where one task followed another in that time, it may have been either',
  ['a 0-12 writes x', 'b 12- writes y'],
  ['z at 10+5', 'one of a b'],
);
check(
  'whoever begins when it is over was not there',
  ['a 0-15 writes x', 'b 15- writes y'],
  ['z at 10+5', 'undeclared a'],
);
check(
  'what somebody else writes is stale for whoever reads it',
  ['a 0- reads src/**', 'b 0- writes src/**'],
  ['src/x at 10', 'stale a by b'],
);
check('also by a person', ['a 0- reads src/**'], ['src/x at 10 by ann', 'stale a by ann']);
check(
  'unless it has the bytes that it had',
  ['a 0- reads src/**'],
  ['src/x at 10 by ann same', ''],
);
check('nor before it began', ['a 20- reads x', 'b 0- writes x'], ['x at 10', '']);
check('nor after it ended', ['a 0-5 reads x', 'b 0- writes x'], ['x at 10', '']);
check('nobody makes their own input stale', ['a 0- reads x writes x'], ['x at 10', '']);
check(
  'where it may have been itself, nothing is said of its input',
  ['a 0- reads x', 'b 0- writes y'],
  ['x at 10', 'one of a b'],
);
check(
  'each who reads it is told',
  ['a 0- reads x', 'b 0- reads x', 'c 0- writes x'],
  ['x at 10', 'stale a by c; stale b by c'],
);

test('the same is found once', () => {
  const presence = presenceOf(['a 0- writes x']);
  expect(found(presence, 'z at 10')).toBe('undeclared a');
  expect(found(presence, 'z at 20')).toBe('');
});

test('what a task was seen to write is its own when others come', () => {
  const presence = presenceOf(['a 0- writes x']);
  found(presence, 'z at 10');
  presence.add(writerOf('b 20- writes y', 2));
  expect(found(presence, 'z at 30')).toBe('');
  expect(found(presence, 'other at 30')).toBe('one of a b');
});

test('of one task no more is found than its ownership of everything takes', () => {
  const presence = presenceOf(['a 0- writes x']);
  let count = 0;
  for (let number = 0; number < 5000; number += 1)
    if (found(presence, `many/${number} at 10`) !== '') count += 1;
  expect([count, presence.wants('more')]).toEqual([1001, false]);
});

test('and of several less', () => {
  const presence = presenceOf(['a 0- writes x', 'b 0- writes y']);
  let count = 0;
  for (let number = 0; number < 500; number += 1)
    if (found(presence, `many/${number} at 10`) !== '') count += 1;
  expect(count).toBe(100);
});

test('only what can be a finding is asked for', () => {
  const presence = presenceOf(['a 0- writes src/**', 'b 0- reads src/in/**']);
  expect(['src/x', 'src/in/x', 'lib/x'].map((path) => presence.wants(path))).toEqual([
    false,
    true,
    true,
  ]);
});

test('those who ended are forgotten after a while, and then nobody is there', () => {
  const presence = presenceOf(['a 0-5 writes x', 'b 0- writes y']);
  presence.forget(instant(5_000));
  expect(found(presence, 'z at 3')).toBe('one of a b');
  presence.forget(instant(20_000));
  expect(found(presence, 'other at 3')).toBe('undeclared b');
  presence.ended(2, instant(21_000));
  presence.forget(instant(40_000));
  expect([presence.isEmpty, presence.isWatched, presence.wants('z')]).toEqual([true, false, false]);
});

function presenceOf(tasks: readonly string[]): Presence {
  const presence = new Presence({ foldCase: false });
  for (const [at, text] of tasks.entries()) {
    presence.add(writerOf(text, at + 1));
    const end = /-(\d+)/.exec(text)?.[1];
    if (end !== undefined) presence.ended(at + 1, instant(Number(end)));
  }
  return presence;
}

function writerOf(text: string, term: number): PresentWriter {
  const match = /^(\w+) (\d+)-\d*(.*)$/.exec(text);
  assert(match !== null, `"${text}" is a task at work`);
  const patterns = (key: string): readonly string[] =>
    new RegExp(`${key} (\\S+)`).exec(match[3]!)?.[1]?.split(',') ?? [];
  const [reads, writes] = [patterns('reads'), patterns('writes')];
  return {
    run: runId(1),
    task: taskId(match[1]!),
    term,
    saysPaths: reads.length + writes.length > 0,
    from: instant(Number(match[2])),
    until: undefined,
    reads: parsePathSet(reads),
    writes: parsePathSet(writes),
    undeclared: new Set(),
    stale: new Set(),
  };
}

function found(presence: Presence, text: string): string {
  const match = /^(\S+) at (\d+)(?:\+(\d+))?(?: by (\w+))?( same)?$/.exec(text);
  assert(match !== null, `"${text}" is a change`);
  const from = Number(match[2]);
  const until = instant(from + Number(match[3] ?? 0));
  const person = match[4] === undefined ? undefined : workerId(match[4]);
  const change = { path: match[1]!, from: instant(from), until };
  return presence
    .findings(change, {
      by: presence.authorOf(change, person),
      isSame: match[5] !== undefined,
    })
    .map(words)
    .join('; ');
}

function words(finding: Finding): string {
  switch (finding.kind) {
    case 'undeclared':
      return `undeclared ${finding.by.task}`;
    case 'one-of':
      return `one of ${finding.by.map(({ task }) => task).join(' ')}`;
    case 'stale': {
      const { by } = finding;
      const who =
        by.kind === 'person'
          ? by.by.split('/').at(-1)
          : by.kind === 'declared' && by.by.map(({ task }) => task).join(' ');
      return `stale ${finding.of.task} by ${who}`;
    }
    default:
      return finding satisfies never;
  }
}
