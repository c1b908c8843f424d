import { expect, test } from 'vitest';
import { noticeOfNeeds, noticeOfRuns, type NoticeSetting } from '../../client/notices-model.ts';
import type { RunFinished } from '../../protocol/runs.ts';
import { FOLDER, taskViews } from '../support/task-views.ts';

function ended(of: Partial<RunFinished>): RunFinished {
  return {
    folderUri: FOLDER,
    run: 'one',
    plan: 'interlock.yaml',
    outcome: 'completed',
    completedCount: 3,
    failedIds: [],
    skippedCount: 0,
    tookMs: 1000,
    ...of,
  };
}

function check(
  name: string,
  runs: readonly Partial<RunFinished>[],
  of: { setting?: NoticeSetting; isFocused?: boolean; expected: string },
): void {
  test(name, () => {
    const { setting = 'all', isFocused = false, expected } = of;
    expect(noticeOfRuns(runs.map(ended), { setting, isFocused })?.message ?? '').toBe(expected);
  });
}

const SIX = ['a', 'b', 'c', 'd', 'e', 'f'];
const FAILED = { outcome: 'failed', failedIds: ['api'], skippedCount: 1 } as const;

check('a short run that went well is seen in the view', [{}], { expected: '' });
check('a long one is said to whoever was elsewhere', [{ tookMs: 60_000 }], {
  expected: 'interlock.yaml completed: 3 tasks.',
});
check('and not to whoever saw it', [{ tookMs: 60_000 }], { isFocused: true, expected: '' });
check('nor to whoever does not want to know', [{ tookMs: 60_000 }], {
  setting: 'needsYou',
  expected: '',
});
check('a failure is said', [FAILED], {
  isFocused: true,
  setting: 'needsYou',
  expected: 'api failed in interlock.yaml; 3 completed, 1 skipped.',
});
check('what is nought is left out', [{ ...FAILED, skippedCount: 0 }], {
  expected: 'api failed in interlock.yaml; 3 completed.',
});
check(
  'several at once are one message, without too many names',
  [FAILED, { ...FAILED, failedIds: SIX }],
  {
    expected: '2 runs did not complete; failed: api, a, b, c, d and 2 more.',
  },
);
check('a single name too many is counted too', [{ ...FAILED, failedIds: SIX }], {
  expected: 'a, b, c, d, e and 1 more failed in interlock.yaml; 3 completed, 1 skipped.',
});
check('a run that can never end is said', [{ outcome: 'deadlocked' }], {
  expected: 'interlock.yaml ended with tasks that can never start; 3 completed.',
});
check('a run that somebody has stopped is no news', [{ outcome: 'cancelled', tookMs: 99_000 }], {
  expected: '',
});
check('nobody is told anything who does not want that', [FAILED], {
  setting: 'none',
  expected: '',
});

test('several tasks that need the user are one message', () => {
  const views = taskViews('a: attention, it has a question\nb: attention, nobody has taken it');
  expect(noticeOfNeeds(views.slice(0, 1), 'all')?.message).toBe('a needs you: it has a question.');
  expect(noticeOfNeeds(views, 'needsYou')?.message).toBe('2 tasks need you: a, b.');
  expect(noticeOfNeeds(views, 'none')).toBeUndefined();
  expect(noticeOfNeeds([], 'all')).toBeUndefined();
});

test('whoever does not want to see it again still hears of what needs them, at first', () => {
  const of = { setting: 'all', isFocused: false } as const;
  expect(noticeOfRuns([ended({ tookMs: 60_000 })], of)?.without).toBe('needsYou');
  expect(noticeOfRuns([ended(FAILED)], of)?.without).toBe('none');
});
