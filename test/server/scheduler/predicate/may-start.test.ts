import { expect, test } from 'vitest';
import { explain } from '../../../../server/scheduler/predicate/explain.ts';
import { mayStart } from '../../../../server/scheduler/predicate/may-start.ts';
import { Turn } from '../../../../server/scheduler/predicate/turn.ts';
import { AT, boardOf, taskId } from '../../../support/snapshots.ts';

/** Why `a` of the last run may not start, in words; nothing when it may. */
function check(name: string, text: string, expected: string): void {
  test(name, () => {
    const board = boardOf(text);
    const entry = [...board.runs.values()].at(-1)?.find(taskId('a'));
    if (entry === undefined) throw new Error('The last run has a task "a".');
    const verdict = mayStart(new Turn(board, AT), entry);
    const reasons = verdict.kind === 'yes' ? [] : verdict.reasons;
    expect(reasons.map(explain).join('; ')).toBe(expected);
  });
}

check('a task that nothing is said against may start', 'a', '');

check('a folder is trusted first', 'board untrusted\na', 'waits until this folder is trusted');
check(
  'nothing starts while Interlock shuts down',
  'board shutting-down\na',
  'waits: Interlock is shutting down',
);
check(
  'nothing starts in a run that is stopped',
  'run the-only-run: stopping\na',
  'waits: the run is being stopped',
);
check(
  'nothing starts after the first failure',
  'run the-only-run: fail-fast\na\nb: failed',
  'waits: the run ends at its first failure',
);
check('a failure does not stop a run that keeps going', 'a\nb: failed', '');

check(
  'a task names all that it waits for',
  'a: needs b c, after d\nb\nc: claimed\nd: running',
  'waits for b, c, d',
);
check(
  'a task that it needs and comes after is named once',
  'a: needs b, after b\nb',
  'waits for b',
);
check('completed tasks are not waited for', 'a: needs b, after c\nb: completed\nc: cancelled', '');
check('a task that failed is still needed', 'a: needs b\nb: failed', 'waits for b');
check(
  'a task that nobody has is needed for ever',
  'a: needs nobody',
  'can never start: it depends on nobody, which does not exist',
);

check(
  'a writer names who holds the file',
  'a: writes x y\nb: writes y, running',
  'waits for b, which writes y too',
);
check(
  'every holder is named',
  'a: writes x y\nb: writes x, claimed\nc: writes y, running',
  'waits for b, which writes x too; waits for c, which writes y too',
);
check(
  'a holder of another run is named',
  'run older-run\nb: writes x, running\nrun newer-run\na: writes x',
  'waits for b, which writes x too',
);
const HARD = `*a${'?'.repeat(16)}`;
check(
  'what cannot be decided in time is waited for',
  `a: writes * !${HARD}*\nb: writes ${HARD}, running`,
  'waits for b, which writes files that may be the same too',
);
check('a task that is not held keeps nobody', 'a: writes x\nb: writes x', '');

check(
  'a full board names its limit',
  'run the-only-run: parallel 2\na\nb: claimed\nc: running',
  'waits for a free place (2 run at once)',
);
check(
  'a task names the limit and a holder',
  'run the-only-run: parallel 1\na: writes x\nb: writes x, running',
  'waits for a free place (1 run at once); waits for b, which writes x too',
);

check(
  'trust outranks everything',
  'board untrusted\nrun the-only-run: stopping\na: needs b\nb',
  'waits until this folder is trusted',
);
check(
  'a stop outranks a failure',
  'run the-only-run: stopping, fail-fast\na\nb: failed',
  'waits: the run is being stopped',
);
check(
  'what is to come first outranks files and places',
  'run the-only-run: parallel 1\na: needs b, writes x\nb: writes x, running',
  'waits for b',
);

test('tasks that are held are those of every run', () => {
  const board = boardOf('run older-run\na: claimed\nb\nrun newer-run\nc: running\nd: failed');
  const held = [...board.claims.pushed].map(({ entry }) => entry.definition.id);
  expect(held).toStrictEqual(['a', 'c']);
  expect([...board.runs.values()].map((run) => run.held)).toStrictEqual([1, 1]);
});
