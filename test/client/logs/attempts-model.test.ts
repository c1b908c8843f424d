import { expect, test } from 'vitest';
import {
  attemptItems,
  isChoice,
  logPath,
  logQuery,
  readLogQuery,
} from '../../../client/logs/attempts-model.ts';
import type { AttemptView } from '../../../protocol/logs.ts';
import { FOLDER } from '../../support/task-views.ts';

const SECOND = '0mabcdeg-0123456789';
const FIRST = '0mabcdef-0123456789';

function view(run: string, revision: number): AttemptView {
  return { run, revision, attempt: 1, runAt: '14:05:09', outcome: '' };
}

const ATTEMPTS = [
  { ...view(SECOND, 1), outcome: 'failed, exit code 3' },
  view(FIRST, 2),
  view(FIRST, 1),
];

test('the rows of a choice say when, and what became of it', () => {
  expect(
    attemptItems(ATTEMPTS).map(({ label, description }) => `${label} | ${description}`),
  ).toEqual([
    'Attempt 1 | run of 14:05:09 · failed, exit code 3 · newest',
    'Attempt 1 after it was begun anew 1× | run of 14:05:09',
    'Attempt 1 | run of 14:05:09',
  ]);
});

test('for a row of the view only the newest run counts', () => {
  expect(isChoice(ATTEMPTS, true)).toBe(false);
  expect(isChoice(ATTEMPTS, false)).toBe(true);
  expect(isChoice(ATTEMPTS.slice(1), true)).toBe(true);
  expect(isChoice([], false)).toBe(false);
});

test('the address of a log says which one it is', () => {
  const task = { folderUri: FOLDER, plan: 'a?b#c.interlock.yaml', id: 'api' };
  const name = { task, attempt: { run: FIRST, revision: 2, attempt: 3 } };
  expect(logPath(name)).toBe(`/${FIRST}/api.2.3.log`);
  expect(readLogQuery(logQuery(name))).toEqual(name);
});

for (const query of ['', '{', '{}', '[1]', '["a","b","c","d","1",1]', '["a","b","c","d",1,"1"]'])
  test(`an address with "${query}" is of no log`, () => {
    expect(readLogQuery(query)).toBeUndefined();
  });
