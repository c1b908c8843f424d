import { expect, test } from 'vitest';
import { tell } from '../../support/board-script.ts';
import { checkStory } from '../../support/board-story.ts';
import { boardOf, taskId } from '../../support/snapshots.ts';

/** The order in which the ready tasks of a run start. */
function check(name: string, text: string, expected: string): void {
  test(name, () => {
    expect(tell(text, 'decide').replaceAll('claim ', '')).toBe(expected);
  });
}

check('tasks without an order go by their ids', 'b\na\nc', 'a, b, c');
check('a task that others wait for goes first', 'a\nz\ny: needs z', 'z, a');
check(
  'the longest chain counts, not the number of waiting tasks',
  'a\nb: needs a\nc: needs a\nx\ny: after x\nz: after y',
  'x, a',
);
check('the time a chain takes counts, not its length', 'a\nb: needs a\nx: expects 5s', 'x, a');
check(
  'of two chains the one that takes longer goes first',
  'a: expects 3s\nb\nc: needs b, expects 1s',
  'a, b',
);
check(
  'what has ended lengthens no chain before it',
  'a\nb: expects 2s\nc: needs b, completed, expects 60s',
  'b, a',
);
check(
  'of equal chains the one that is ready longer goes first',
  'run older-run\nb\nrun newer-run\na',
  'older-run/b, newer-run/a',
);
check(
  'a shorter chain goes first where it is of a higher class',
  'a: expects 60s\nb: priority high',
  'b, a',
);
check('capital letters go before small ones', 'a\nB', 'B, a');
check('a cycle holds up nobody else', 'a: needs b\nb: needs a\nc', 'c');

test('what a task writes is read once', () => {
  const entry = [...boardOf('a: writes x !y').runs.values()][0]?.find(taskId('a'));
  const { writes } = entry?.paths ?? {};
  const { include, exclude } = writes?.under({ foldCase: false }) ?? {};
  expect([include?.length, exclude?.length]).toStrictEqual([1, 1]);
  expect(entry?.paths.writes).toBe(writes);
});

/** How often each class starts, of so many tasks that run one after the other. */
function shares(count: number): Readonly<Record<string, number>> {
  const letters = ['c', 'h', 'n', 'l'] as const;
  const priorities = ['critical', 'high', 'normal', 'low'] as const;
  const tasks = priorities.flatMap((priority, index) =>
    Array.from(
      { length: count },
      (_, number) => `${letters[index]}${number}: priority ${priority}`,
    ),
  );
  const started = tell(tasks.join('\n'), 'decide').replaceAll('claim ', '').split(', ');
  const first = started.slice(0, count);
  return Object.fromEntries(
    letters.map((letter) => [letter, first.filter((id) => id.startsWith(letter)).length]),
  );
}

test('of a hundred turns the classes get 50, 30, 15 and 5', () => {
  expect(shares(100)).toStrictEqual({ c: 50, h: 30, n: 15, l: 5 });
});

check(
  'the turns of the classes are mixed, not in blocks',
  [1, 2, 3, 4, 5, 6].map((n) => `c${n}: priority critical\nh${n}: priority high\nn${n}`).join('\n'),
  'c1, h1, c2, n1, c3, h2, c4, h3, c5, n2, c6, h4, h5, h6, n3, n4, n5, n6',
);
check(
  'a class that has nothing to start leaves its turns to the others',
  'a: priority low\nb: priority low\nc: priority low',
  'a, b, c',
);

checkStory(
  'the turns that a class has taken are remembered from one place to the next',
  'run only-run: parallel 1\nc1: priority critical\nc2: priority critical\nc3: priority critical\nh1: priority high\nh2: priority high',
  `begin → claim c1
   c1 completes → claim h1
   h1 completes → claim c2
   c2 completes → claim c3
   c3 completes → claim h2`,
);

checkStory(
  'a task that is given back goes behind those that were ready before',
  'run only-run: parallel 1\na\nb',
  `begin → claim a
   +1s
   a is released → claim b
   b completes → claim a`,
);
checkStory(
  'a task that is retried goes behind those that were ready before',
  'run only-run: parallel 1\na: failed\nb: running\nc',
  `+1s
   retry a
   b completes → claim c`,
);
checkStory(
  'a task that comes back from its backoff goes behind those that were ready before',
  'run only-run: parallel 1\na: retries 2, running\nb\nc',
  `a fails → claim b
   +1s
   b completes → claim c`,
);
checkStory(
  'a task is ready from the moment in which its last dependency completes',
  'run only-run: parallel 1\na: needs c\nb: needs d\nc: running\nd: running\ne: running',
  `+1s
   d completes
   +1s
   c completes
   e completes → claim b`,
);

checkStory(
  'what a higher task waits for goes first, however far behind it stands',
  'run only-run: parallel 1\nbase: priority low\nmiddle: needs base, priority low\ntop: needs middle, priority critical\nother: priority high, expects 60m',
  `begin → claim base
   base completes → claim other
   other completes → claim middle`,
);
checkStory(
  'what a higher task merely comes after is served in its class too',
  'run only-run: parallel 1\nbase: priority low\ntop: after base, priority critical\nother: expects 60m',
  `begin → claim base`,
);
checkStory(
  'when the higher task is cancelled, what it waited for goes back to its own class',
  'run only-run: parallel 1\nbase: priority low\ntop: needs base, priority critical\na: running\nb: priority high',
  `cancel top
   a completes → claim b`,
);
checkStory(
  'when the higher task is retried, what it waits for is served in its class again',
  'run only-run: parallel 1\nbase: priority low\ntop: needs base, priority critical, cancelled\na: running\nb: priority high',
  `retry top
   a completes → claim base`,
);
