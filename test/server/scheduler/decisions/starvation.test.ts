import { expect, test } from 'vitest';
import { instant } from '../../../../server/domain/time.ts';
import { Play } from '../../../support/board-play.ts';
import { play } from '../../../support/board-script.ts';
import { checkLast as check } from '../../../support/board-story.ts';
import { decisionsText } from '../../../support/decision-text.ts';
import { boardOf } from '../../../support/snapshots.ts';

/** What starving does, cycle after cycle: one every 15 s, from the beginning on. */
function ladder(on: Play, cycles: number): string {
  const said: string[] = [];
  for (let count = 0; count < cycles; count += 1) {
    const decisions = on.turns().filter(({ kind }) => kind !== 'wake');
    said.push(decisionsText(decisions, on));
    on.wait(15_000);
  }
  return said.filter((each) => each !== '').join(' | ');
}

/** What is decided in so many cycles, wake-ups left out. */
function checkLadder(
  name: string,
  [text, cycles]: readonly [string, number],
  expected: string,
): void {
  test(name, () => {
    expect(ladder(new Play(text), cycles)).toBe(expected);
  });
}

const COUNTS = (from: number, to: number): string =>
  Array.from({ length: to - from + 1 }, (_, index) => `count-starvation a ${from + index}`).join(
    ' | ',
  );
const IDLE = 'worker ann\na: agent';

checkLadder('nothing starves in the first two minutes', [IDLE, 8], '');
checkLadder(
  'after two minutes a cycle in which an idle worker did not take it counts',
  [IDLE, 9],
  COUNTS(1, 1),
);
checkLadder(
  'after four of them a worker is asked for',
  [IDLE, 12],
  `${COUNTS(1, 4)}, request-worker a`,
);
checkLadder(
  'it is asked for once',
  [IDLE, 13],
  `${COUNTS(1, 4)}, request-worker a | ${COUNTS(5, 5)}`,
);
checkLadder(
  'after six it is reported, once',
  [IDLE, 15],
  `${COUNTS(1, 4)}, request-worker a | ${COUNTS(5, 6)}, report-starved a | ${COUNTS(7, 7)}`,
);
checkLadder(
  'after ten a person is asked, and then it starves no more',
  [IDLE, 30],
  `${COUNTS(1, 4)}, request-worker a | ${COUNTS(5, 6)}, report-starved a | ${COUNTS(7, 10)}, flag-starved a`,
);
checkLadder(
  'a task that nobody can ever take starves',
  ['a: agent, capable gpu\nworker ann', 9],
  COUNTS(1, 1),
);
checkLadder('a task starves where no worker is', ['a: agent', 9], COUNTS(1, 1));
checkLadder(
  'it starves even while it waits for files',
  ['worker ann\na: agent, capable gpu, writes x\nb: writes x, running', 9],
  COUNTS(1, 1),
);

checkLadder(
  'a task whose workers are all busy does not starve',
  ['worker ann: busy\na: agent', 60],
  '',
);
checkLadder(
  'a task whose workers all hold another does not starve',
  ['worker ann\na: agent\nb: agent, running, by ann', 60],
  '',
);
checkLadder(
  'a task that waits for files does not starve',
  ['worker ann\na: agent, writes x\nb: writes x, running', 60],
  '',
);
checkLadder(
  'a task that waits for resources does not starve',
  ['worker ann\nrun the-only-run: limits db:1\na: agent, takes db:1\nb: takes db:1, running', 60],
  '',
);
checkLadder(
  'a task that waits for another does not starve',
  ['worker ann\na: agent, needs b\nb: running', 60],
  '',
);
checkLadder('nothing starves on a paused board', [`board paused\n${IDLE}`, 60], '');
checkLadder('a paused task does not starve', ['worker ann\na: agent, paused', 60], '');
checkLadder(
  'nothing starves in a folder that is not trusted',
  [`board untrusted\n${IDLE}`, 60],
  '',
);
checkLadder(
  'nothing starves in a run that was interrupted',
  [`run the-only-run: interrupted\n${IDLE}`, 60],
  '',
);
checkLadder('people are never starved', ['worker ann: person\na: person', 60], '');
checkLadder('a task for a person does not starve where none is', ['a: person', 60], '');
checkLadder('a task for anyone does not starve where nobody is', ['a: anyone', 60], '');
checkLadder(
  'nobody holds it against a person that a task for anyone waits',
  ['worker ann: person\na: anyone', 60],
  '',
);
checkLadder(
  'a task for anyone starves when an agent is idle',
  ['worker ann\na: anyone', 9],
  COUNTS(1, 1),
);
checkLadder('what runners of ours do does not starve', ['board paused\na', 60], '');

test('cycles that news brings forward do not count', () => {
  const on = new Play(IDLE);
  play(on, '+100s; rest; +35s; rest');
  expect(play(on, '+14999ms; ann is idle; rest')).toBe('');
  expect(play(on, '+1ms; ann is idle; rest')).toBe('count-starvation a 2');
});

test('two minutes are two minutes', () => {
  const on = new Play(IDLE);
  const { readySince } = on.entry('a');
  on.now = instant(readySince + 110_000);
  expect(play(on, 'rest')).toBe('wake ann for a');
  on.now = instant(readySince + 119_999);
  expect(play(on, 'ann is idle; rest')).toBe('');
  on.now = instant(readySince + 120_000);
  expect(play(on, 'ann is idle; rest')).toBe('count-starvation a 1');
});

check(
  'whoever takes it ends its starving',
  [IDLE, '+2m; rest; +15s; rest; ann claims a; ann releases a; +100s; rest; +20s; rest'],
  'count-starvation a 1',
);
check(
  'a retry ends its starving',
  [`${IDLE}, retries 2`, '+2m; rest; ann claims a; ann fails a; +10s; retry a; +15s; rest'],
  '',
);
check(
  'the time in which somebody had it is not time in the queue',
  ['worker ann\na: agent', 'ann claims a; +4m; ann renews a; +4m; ann releases a; rest'],
  'wake ann for a',
);

/** Everybody who is woken in each cycle. */
function wakes(text: string, cycles: number): readonly string[] {
  const on = new Play(text);
  on.wait(120_000);
  return Array.from({ length: cycles }, () => {
    const woken = on
      .turns()
      .flatMap((decision) => (decision.kind === 'wake' ? decision.worker : []));
    on.wait(15_000);
    return woken.join(' ');
  });
}

const CROWD = ['w0', 'w1', 'w2', 'w3', 'w4', 'w5', 'w6', 'w7']
  .map((id) => `worker ${id}`)
  .join('\n');

test('after two cycles up to three more workers are woken at once', () => {
  expect(wakes(`${CROWD}\na: agent`, 4)).toStrictEqual(['w0', 'w1', 'w2 w3 w4 w5', 'w6 w7']);
});

test('the workers that one starved task wakes are not woken for another', () => {
  const woken = wakes(`${CROWD}\na: agent\nb: agent`, 3);
  expect(woken).toStrictEqual(['w0 w1', 'w2 w3', 'w4 w5 w6 w7 w0 w2']);
});

test('of few workers those are woken that are there', () => {
  expect(wakes('worker w0\nworker w1\na: agent', 2)).toStrictEqual(['w0', 'w1']);
});

/** Which agent is asked for, when none takes the task. */
function checkAgent(name: string, agents: string, expected: string): void {
  test(name, () => {
    const said = ladder(new Play(`${agents}\na: agent, capable code`), 12);
    expect(said.split(', ').at(-1)).toBe(expected);
  });
}

checkAgent(
  'an agent that may be started is asked for',
  'agent claude: can code, may be started',
  'request-worker a claude',
);
checkAgent('one that may not be started is not', 'agent claude: can code', 'request-worker a');
checkAgent(
  'one that lacks a capability is not',
  'agent claude: can web, may be started',
  'request-worker a',
);
checkAgent(
  'of several the first by its name is',
  'agent gpt: can code, may be started\nagent claude: can code web, may be started',
  'request-worker a claude',
);

test('the count survives that the board is made again from its events', () => {
  const on = new Play(IDLE);
  ladder(on, 11);
  const again = boardOf(on.text);
  for (const event of on.events) again.apply(event);
  const [run] = again.runs.values();
  expect(run?.entries[0]?.starvation).toStrictEqual(on.entry('a').starvation);
  expect(run?.entries[0]?.starvation?.cycles).toBe(3);
});

test('the count survives a revision of the run', () => {
  const on = new Play(IDLE);
  ladder(on, 11);
  play(on, 'revise only-run: a: agent');
  expect(on.entry('a').starvation?.cycles).toBe(3);
});

/** One worker that does one task after the other, each in a minute, a second after it was woken. */
function workOff(on: Play, tasks: number): void {
  for (let count = 0; count < tasks; count += 1) {
    on.turns();
    on.wait(1000);
    play(on, 'ann claims');
    for (let quarter = 0; quarter < 4; quarter += 1) {
      on.turns();
      on.wait(15_000);
    }
    const [claim] = on.board.claims.pulled;
    if (claim !== undefined) play(on, `ann completes ${claim.entry.definition.id}`);
  }
}

test('a plain backlog that one worker works off does not starve', () => {
  const tasks = Array.from({ length: 25 }, (_, index) => `t${index}: agent`);
  const on = new Play(['worker ann', ...tasks].join('\n'));
  workOff(on, 20);
  const { entries } = on.entry('t0').run;
  expect(entries.filter(({ state }) => state.kind === 'completed')).toHaveLength(20);
  expect(entries.filter(({ state }) => state.kind === 'attention')).toStrictEqual([]);
  expect(on.events.filter(({ kind }) => kind === 'workerRequested')).toStrictEqual([]);
});
