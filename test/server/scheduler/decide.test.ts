import { expect, test } from 'vitest';
import { decide } from '../../../server/scheduler/decide.ts';
import { tell } from '../../support/board-script.ts';
import { AT, boardOf } from '../../support/snapshots.ts';

/** Decisions in their order; ids of runs only where there is more than one. */
function check(name: string, text: string, expected: string): void {
  test(name, () => {
    expect(tell(text, 'decide')).toBe(expected);
    expect(decide(boardOf(text), AT)).toStrictEqual(decide(boardOf(text), AT));
  });
}

check('a pending task is claimed', 'build', 'claim build');
check('a held task is left alone', 'a: claimed\nb: running', '');
check('a task waits for what it needs', 'build: needs lint\nlint: running', '');
check('a task waits for what it comes after', 'build: after lint\nlint: running', '');
check('what it needs is complete', 'build: needs lint\nlint: completed', 'claim build');
check('what it comes after has merely finished', 'build: after lint\nlint: failed', 'claim build');
check(
  'what it comes after may have been skipped',
  'build: after lint\nlint: needs y, skipped\nx\ny: failed',
  'claim build, claim x',
);
check('what it comes after may be of another run', 'build: after elsewhere', 'claim build');
check(
  'a task that needs one of another run waits for ever',
  'build: needs elsewhere',
  'finish deadlocked',
);

check('a task behind a failed one is skipped', 'a: needs b\nb: failed', 'skip a because b');
check('a task behind a cancelled one is skipped', 'a: needs b\nb: cancelled', 'skip a because b');
check(
  'a task behind a skipped one is skipped',
  'a: needs b\nb: needs c, skipped\nc: failed',
  'skip a because b',
);
check(
  'a skipped task waits again when what it was skipped for does',
  'a: needs b, skipped\nb',
  'revive a',
);
check(
  'a task is skipped while others still run',
  'a: needs b c\nb: running\nc: failed',
  'skip a because c',
);
check(
  'the same turn skips further down',
  'a: needs b\nb: needs c\nc: failed',
  'skip b because c, skip a because b',
);
check('a running task is not skipped', 'a: needs b, running\nb: failed', '');
check(
  'a failure leaves tasks alone that do not need it',
  'a: after b\nb: failed\nc',
  'claim a, claim c',
);

check('the longest chain goes first', 'run the-only-run: parallel 1\na\nb\nc: needs b', 'claim b');
check('of equal chains the lower id goes first', 'run the-only-run: parallel 1\nb\na', 'claim a');
check('every place is taken', 'run the-only-run: parallel 2\na\nb\nc', 'claim a, claim b');
check('held tasks take a place', 'run the-only-run: parallel 2\na: claimed\nb: running\nc', '');
check('finished tasks take no place', 'run the-only-run: parallel 1\na: failed\nb', 'claim b');
check(
  'tasks of other runs take a place',
  'run older-run: parallel 9\na: running\nrun newer-run: parallel 1\nb',
  '',
);
check(
  'the older run goes first',
  'run older-run: parallel 1\nb\nrun newer-run: parallel 1\na',
  'claim older-run/b',
);
check(
  'each run has its own limit',
  'run older-run: parallel 1\na\nrun newer-run: parallel 2\nb\nc',
  'claim older-run/a, claim newer-run/b',
);

check('two writers of one file are not claimed together', 'a: writes x\nb: writes x', 'claim a');
check('a writer waits for one that is held', 'a: writes src/x\nb: writes src/*, claimed', '');
check(
  'a writer waits for one of another run',
  'run older-run\na: writes x, running\nrun newer-run\nb: writes x',
  '',
);
check(
  'writers of two runs are not claimed together',
  'run older-run\na: writes x\nrun newer-run\nb: writes x\nc',
  'claim older-run/a, claim newer-run/c',
);
check(
  'the same task of two runs is not claimed together',
  'run older-run\na: writes x\nrun newer-run\na: writes x',
  'claim older-run/a',
);
check('a writer that has finished holds nothing', 'a: writes x\nb: writes x, failed', 'claim a');
check('a reader does not wait for a writer', 'a: reads x\nb: writes x, running', 'claim a');
check('case of a path counts', 'a: writes x\nb: writes X', 'claim a, claim b');
check(
  'case does not count where the file system ignores it',
  'board folds case\na: writes x\nb: writes X',
  'claim a',
);

check(
  'a run that is stopped cancels what has not started, and stops what has',
  'run the-only-run: stopping\na\nb: running\nc: claimed',
  'cancel a, stop b, stop c',
);
check(
  'a run that nobody carries on is left alone',
  'run the-only-run: interrupted\na\nb: running',
  '',
);
check(
  'a run that nobody carries on can be stopped',
  'run the-only-run: stopping, interrupted\na\nb: running',
  'cancel a, stop b',
);
check(
  'a run that is stopped leaves the others',
  'run older-run: stopping\na\nrun newer-run\nb',
  'cancel older-run/a, claim newer-run/b',
);
check(
  'the first failure ends a run that fails fast',
  'run the-only-run: fail-fast\na: failed\nb\nc: running',
  'cancel b',
);
check(
  'a cancelled task does not end a run that fails fast',
  'run the-only-run: fail-fast\na: cancelled\nb',
  'claim b',
);
check(
  'a failure of one run does not end another',
  'run older-run\na: failed\nrun newer-run: fail-fast\nb',
  'claim newer-run/b, finish older-run/failed',
);

check('a run of completed tasks is completed', 'a: completed\nb: completed', 'finish completed');
check(
  'a run with a failed task has failed',
  'a: completed\nb: failed\nc: cancelled\nd: needs b, skipped',
  'finish failed',
);
check(
  'a run with a cancelled task is cancelled',
  'a: completed\nb: cancelled\nc: needs b, skipped',
  'finish cancelled',
);
check('a run goes on while a task is held', 'a: failed\nb: running', '');
check('a run goes on while a task is pending', 'a: failed\nb: needs c\nc: running', '');
check('a run without tasks is completed', 'run the-only-run', 'finish completed');
check(
  'runs finish on their own',
  'run older-run\na: running\nrun newer-run\nb: completed',
  'finish newer-run/completed',
);

check('nothing starts in a folder that is not trusted', 'board untrusted\na', '');
check('nothing starts while Interlock shuts down', 'board shutting-down\na', '');
check('nothing starts on a board that is paused', 'board paused\na', '');
check('a board without runs has nothing to decide', 'board untrusted', '');
