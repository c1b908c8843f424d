import { expect, test } from 'vitest';
import {
  addToTotals,
  type CycleReport,
  NO_CYCLES,
  tallyOf,
} from '../../../../server/scheduler/model/cycle-report.ts';
import { Play } from '../../../support/board-play.ts';
import { play } from '../../../support/board-script.ts';

/** The report of the last cycle that ran. */
function reportOf(on: Play): CycleReport | undefined {
  return on.events.findLast((event) => event.kind === 'cycleRan')?.report;
}

/** What the last cycle of a story said, by its parts, each with its number and ids. */
function reportText(text: string, script: string): string {
  const on = new Play(text);
  play(on, script);
  const report = reportOf(on);
  if (report === undefined) return 'no cycle';
  const { waiting, idle, recovered, woken, starved, skipped } = report;
  const parts = [
    ['waiting', waiting],
    ['idle', idle],
    ['recovered', recovered],
    [
      'woken',
      { count: woken.count, first: woken.first.map(({ task, worker }) => `${worker}:${task}`) },
    ],
    ['starved', starved],
    ...Object.entries(skipped),
  ] as const;
  return parts
    .filter(([, tally]) => tally.count > 0)
    .map(([name, { count, first }]) => `${name} ${count} ${first.join(' ')}`)
    .join(', ');
}

function check(name: string, [text, script]: readonly [string, string], expected: string): void {
  test(name, () => {
    expect(reportText(text, script)).toBe(expected);
  });
}

const ANN = 'worker ann';

check(
  'a cycle says who waited, who was idle and who was woken',
  [`${ANN}\na: agent`, 'rest'],
  'waiting 1 a, idle 1 ann, woken 1 ann:a',
);
check(
  'what nobody is free for is busy',
  [`${ANN}\na: agent\nb: agent`, 'rest'],
  'waiting 2 a b, idle 1 ann, woken 1 ann:a, busy 1 b',
);
check(
  'what its worker was told of is recently woken',
  [`${ANN}\na: agent`, 'rest; +15s; rest'],
  'waiting 1 a, idle 1 ann, recently-woken 1 a',
);
check(
  'what nobody can take lacks a capability',
  [`${ANN}\na: agent, capable gpu`, 'rest'],
  'waiting 1 a, idle 1 ann, capability 1 a',
);
check(
  'where nobody is, an agent is missing',
  ['a: agent', '+15s; rest'],
  'waiting 1 a, capability 1 a',
);
check(
  'what waits for files is a hazard',
  [`${ANN}\na: agent, writes x\nb: writes x, running`, 'rest'],
  'waiting 1 a, idle 1 ann, hazard 1 a',
);
check(
  'what waits for resources says so',
  [`${ANN}\nrun the-only-run: limits db:1\na: agent, takes db:1\nb: takes db:1, running`, 'rest'],
  'waiting 1 a, idle 1 ann, resources 1 a',
);
check(
  'what waits on a paused board is paused',
  [`board paused\n${ANN}\na: agent`, 'rest'],
  'waiting 1 a, idle 1 ann, paused 1 a',
);
check(
  'what waits in a folder that is not trusted says so',
  [`board untrusted\n${ANN}\na: agent`, 'rest'],
  'waiting 1 a, idle 1 ann, untrusted 1 a',
);
check(
  'whoever works is not idle',
  [`${ANN}\nworker bob: busy\na: agent\nb: agent`, 'ann claims b; +15s; rest'],
  'waiting 1 a, busy 1 a',
);
check(
  'what starves is named',
  [`${ANN}\na: agent`, 'rest; +100s; rest; +30s; rest'],
  'waiting 1 a, idle 1 ann, starved 1 a, recently-woken 1 a',
);
check('news is not for those who are at work', [`${ANN}: busy\na: agent`, 'rest'], 'no cycle');
check('a board without such tasks has no cycle', [ANN, 'rest'], 'no cycle');
check('what our runners do is not looked at', [`board paused\n${ANN}\na`, 'rest'], 'no cycle');
check(
  'a lease that ended is recovered',
  [`${ANN}: busy\na: agent, lease 10s\nb: agent`, 'bob claims a; rest; +15s; rest'],
  'waiting 1 b, recovered 1 a, busy 1 b',
);
check(
  'a lease that ended between two cycles is recovered in the next one',
  [`${ANN}: busy\na: agent, lease 10s\nb: agent`, 'bob claims a; rest; +10s; rest; +5s; rest'],
  'waiting 2 b a, recovered 1 a, busy 2 b a',
);

/** What all cycles of a story have done together. */
function checkTotals(
  name: string,
  [text, script]: readonly [string, string],
  expected: readonly number[],
): void {
  test(name, () => {
    const on = new Play(text);
    play(on, script);
    const { cycles, recovered, woken, skipped } = on.board.totals;
    expect([cycles, recovered, woken, skipped]).toStrictEqual(expected);
  });
}

checkTotals('nothing has happened yet', [`${ANN}\na: agent`, '+1s'], [0, 0, 0, 0]);
checkTotals(
  'every cycle counts',
  [`${ANN}\na: agent`, 'rest; +15s; rest; +15s; rest'],
  [3, 0, 1, 2],
);
checkTotals(
  'everything that was recovered is counted',
  [`${ANN}: busy\na: agent, lease 10s\nb: agent`, 'ann claims a; rest; +15s; rest; +15s; rest'],
  [2, 1, 0, 3],
);
checkTotals(
  'so is what was recovered while nothing waited',
  ['a: agent, lease 10s', 'ann claims a; rest; +15s; rest; +1s; rest'],
  [1, 1, 0, 1],
);
checkTotals('a rebuild leaves the totals', [`${ANN}\na: agent`, 'rest; rebuild'], [1, 0, 1, 0]);

test('a tally counts all and names the first hundred', () => {
  const ids = Array.from({ length: 101 }, (_, index) => index);
  expect(tallyOf(ids)).toStrictEqual({ count: 101, first: ids.slice(0, 100) });
  expect(tallyOf(ids.slice(0, 100)).first).toHaveLength(100);
  expect(tallyOf([])).toStrictEqual({ count: 0, first: [] });
});

test('a report of many tasks names the first hundred of them in the order they are served', () => {
  const ids = Array.from({ length: 130 }, (_, index) => `t${String(index).padStart(3, '0')}`);
  const on = new Play(ids.map((id) => `${id}: agent`).join('\n'));
  on.wait(15_000);
  on.turns();
  expect(reportOf(on)?.waiting).toStrictEqual({ count: 130, first: ids.slice(0, 100) });
  expect(reportOf(on)?.skipped.capability).toStrictEqual({ count: 130, first: ids.slice(0, 100) });
});

test('totals are the sums of what was reported', () => {
  const nothing = { count: 0, first: [] };
  const report: CycleReport = {
    waiting: { count: 9, first: [] },
    idle: { count: 7, first: [] },
    recovered: { count: 1, first: [] },
    woken: { count: 2, first: [] },
    starved: nothing,
    skipped: { busy: { count: 3, first: [] }, hazard: { count: 4, first: [] } },
  };
  const once = addToTotals(NO_CYCLES, report);
  expect(once).toStrictEqual({ cycles: 1, recovered: 1, woken: 2, skipped: 7 });
  expect(addToTotals(once, report)).toStrictEqual({
    cycles: 2,
    recovered: 2,
    woken: 4,
    skipped: 14,
  });
});

test('whatever waits is woken for or skipped, once', () => {
  const on = new Play(
    'worker ann\nworker bob: person\na: agent\nb: person\nc: anyone\nd: agent, capable gpu\ne: agent, writes x\nf: writes x, running',
  );
  on.turns();
  const report = reportOf(on);
  const skipped = Object.values(report?.skipped ?? {}).flatMap(({ first }) => first);
  const woken = report?.woken.first.map(({ task }) => task) ?? [];
  expect([...skipped, ...woken].toSorted((a, b) => (a < b ? -1 : 1))).toStrictEqual([
    'a',
    'b',
    'c',
    'd',
    'e',
  ]);
});
