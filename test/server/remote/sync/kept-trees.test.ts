import { expect, test } from 'vitest';
import { treesToDiscard } from '../../../../server/remote/sync/kept-trees.ts';
import { taskId } from '../../../support/runs.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** `api: runs 1, failed 2 1d, completed 3`: each term with how long ago it ended. */
function check(name: string, terms: string, discarded: readonly number[]): void {
  test(name, () => {
    const known = terms.split(', ').map((text) => {
      const [task = '', state = '', term = '', days = '0'] = text.split(' ');
      return {
        term: Number(term),
        task: taskId(task),
        isNeeded: state === 'runs',
        hasFailed: state === 'failed',
        endedAgoMs: Number.parseInt(days, 10) * DAY_MS,
      };
    });
    const there = [...known.map(({ term }) => term), 99];
    expect(treesToDiscard(there, known)).toEqual([...discarded, 99]);
  });
}

check('a tree that is needed stays, one that nobody knows does not', 'a runs 1', []);
check('what completed goes', 'a completed 1, b completed 2', [1, 2]);
check('the newest that failed stays', 'a failed 1, a failed 2, b failed 3', [1]);
check('for a week', 'a failed 1 6d, b failed 2 7d', [2]);
check('also beside one that runs', 'a failed 1, a runs 2', []);
