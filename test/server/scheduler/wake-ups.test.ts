import { expect, test } from 'vitest';
import { nextDueAt } from '../../../server/scheduler/model/next-due.ts';
import { Play } from '../../support/board-play.ts';
import { play, tell } from '../../support/board-script.ts';
import { checkLast as check } from '../../support/board-story.ts';
import { AT, workerId } from '../../support/snapshots.ts';

const ANN = 'worker ann';
const ONE = `${ANN}\na: agent`;

check('an idle worker is woken for a task', [ONE, 'decide'], 'wake ann for a');
check('a wake-up claims nothing', [ONE, 'decide; state a'], 'pending');
check(
  'of two tasks each has a worker of its own',
  [`${ANN}\nworker bob\na: agent\nb: agent`, 'decide'],
  'wake ann for a, wake bob for b',
);
check(
  'a worker is woken for one task in a cycle',
  [`${ANN}\na: agent\nb: agent`, 'decide'],
  'wake ann for a',
);
check(
  'in the next cycle it is woken for another',
  [`${ANN}\na: agent\nb: agent`, 'decide; +15s; decide'],
  'wake ann for b',
);
check(
  'of two workers one is woken for a task',
  [`${ANN}\nworker bob\na: agent`, 'rest'],
  'wake ann for a',
);
check(
  'in the next cycle the other one is',
  [`${ANN}\nworker bob\na: agent`, 'rest; +15s; rest'],
  'wake bob for a',
);
check('nobody is woken for what runners of ours do', [`board untrusted\n${ANN}\na`, 'decide'], '');
check(
  'without news there is no cycle before its time',
  [`${ANN}\na: agent\nb: agent`, 'decide; +14999ms; decide'],
  '',
);

check('nobody is woken twice within a minute', [ONE, 'rest; +59999ms; rest'], '');
check('after a minute it is woken again', [ONE, 'rest; +1m; rest'], 'wake ann for a');
check('the minute begins anew with each wake-up', [ONE, 'rest; +1m; rest; +58s; rest'], '');
check(
  'a minute is counted for each task',
  [
    `${ANN}\na: agent\nb: agent, needs c\nc: agent, capable web`,
    'rest; +1s; cancel a; resume b; rest',
  ],
  '',
);
check(
  'a minute is counted for each worker',
  [ONE, 'rest; +5s; bob is idle; rest'],
  'wake bob for a',
);
check(
  'a claim in between does not shorten the minute',
  [ONE, 'rest; ann claims a; ann releases a; +59999ms; rest'],
  '',
);
check(
  'a worker that waits is told again of a task that another one lost',
  [ONE, 'rest; +6s; bob claims a; a is lost; +5s; rest'],
  'wake ann for a',
);
check('after a rebuild it is woken at once', [ONE, 'rest; +1s; rebuild; rest'], 'wake ann for a');

check(
  'whoever is in the middle of something is not woken',
  [`${ANN}: busy\na: agent`, 'decide'],
  '',
);
check(
  'whoever gets idle is woken',
  [`${ANN}: busy\na: agent`, 'rest; ann is idle; rest'],
  'wake ann for a',
);
check('whoever left is not woken', [ONE, 'ann leaves; decide'], '');
check('whoever comes is woken', ['a: agent', 'rest; ann is idle; rest'], 'wake ann for a');
check(
  'whoever holds a task is not woken',
  [`${ANN}\na: agent\nb: agent`, 'ann claims a; rest'],
  '',
);
check(
  'whoever ended its task is woken for another',
  [`${ANN}\na: agent\nb: agent`, 'ann claims a; rest; ann completes a; rest'],
  'wake ann for b',
);
check(
  'a claim that is over makes nobody idle before the sweep',
  [`${ANN}\na: agent, lease 10s\nb: agent`, 'ann claims a; rest; +10s; decide'],
  'expire a',
);
check(
  'after the sweep it is woken',
  [`${ANN}\na: agent, lease 10s\nb: agent`, 'ann claims a; rest; +10s; decide; decide'],
  'wake ann for b',
);

check(
  'a person is not woken for the task of an agent',
  ['worker ann: person\na: agent', 'decide'],
  '',
);
check('an agent is not woken for the task of a person', [`${ANN}\na: person`, 'decide'], '');
check(
  'a person is woken for the task of a person',
  ['worker ann: person\na: person', 'decide'],
  'wake ann for a',
);
check(
  'anybody is woken for a task for anyone',
  ['worker ann: person\na: anyone', 'decide'],
  'wake ann for a',
);
check(
  'whoever has the capabilities is woken',
  [`${ANN}\nworker bob: can web code\na: agent, capable code web`, 'decide'],
  'wake bob for a',
);
check('nobody else is', [`${ANN}\nworker bob: can code\na: agent, capable code web`, 'decide'], '');

check('nobody is woken on a paused board', [ONE, 'pause; decide'], '');
check('when it goes on they are', [ONE, 'pause; rest; resume; rest'], 'wake ann for a');
check('nobody is woken for a paused task', [`${ANN}\na: agent, paused`, 'decide'], '');
check(
  'when it is resumed they are',
  [`${ANN}\na: agent, paused`, 'rest; resume a; rest'],
  'wake ann for a',
);
check('nobody is woken in a folder that is not trusted', [`board untrusted\n${ONE}`, 'decide'], '');
check('nobody is woken while Interlock shuts down', [`board shutting-down\n${ONE}`, 'decide'], '');
check(
  'nobody is woken for a run that was interrupted',
  [`run the-only-run: interrupted\n${ONE}`, 'decide'],
  '',
);
check(
  'nobody is woken for what must wait for files',
  [`${ANN}\na: agent, writes x\nb: writes x, running`, 'decide'],
  '',
);
check(
  'when the files are free they are',
  [`${ANN}\na: agent, writes x\nb: writes x, running`, 'rest; runner/local completes b; rest'],
  'wake ann for a',
);
check(
  'nobody is woken for what must wait for resources',
  [`${ANN}\nrun the-only-run: limits db:1\na: agent, takes db:1\nb: takes db:1, running`, 'decide'],
  '',
);
check(
  'nobody is woken for what must wait for another task',
  [`${ANN}\na: agent, needs b\nb: running`, 'decide'],
  '',
);
check(
  'a worker is woken for what only it would not meet itself in',
  [`${ANN}\nperson ann: writes x\na: agent, writes x`, 'decide'],
  'wake ann for a',
);
check('others are not', [`worker bob\nperson ann: writes x\na: agent, writes x`, 'decide'], '');

check(
  'a task whose backoff is over has its wake-up at once',
  [`${ANN}\na: agent, retries 2`, 'ann claims a; ann fails a; rest; +120ms; rest'],
  'wake ann for a',
);
check(
  'so has one beside others that wait',
  [
    `${ANN}\nworker bob: can web\na: agent, retries 2\nb: agent, capable gpu`,
    'ann claims a; ann fails a; rest; +120ms; rest',
  ],
  'wake bob for a',
);
check(
  'so has one whose leftover is gone',
  [
    `${ANN}\na: agent, lease 10s, writes x\nb: agent, capable gpu`,
    'ann claims a; ann renews a; +10s; rest; +59s; rest; +1s; rest',
  ],
  'wake ann for a',
);
check(
  'so has one whose owner’s time is over',
  [`${ANN}\na: agent, writes x`, 'bob owns x for 20s; rest; +16s; rest; +4s; rest'],
  'wake ann for a',
);
check(
  'what was given back in the turn of a cycle has its own',
  [
    `${ANN}\nworker bob: busy\nworker cat\na: agent, lease 10s\nb: agent, capable gpu`,
    'bob claims a; +10s; rest; +120ms; rest',
  ],
  'wake ann for a',
);

/** The order in which tasks are served, from who is woken when: workers come in turn. */
function checkOrder(name: string, tasks: string, expected: string): void {
  test(name, () => {
    const lines = tasks.split('\n').filter((line) => !line.startsWith('run '));
    const workers = lines.map((_, index) => `worker w${index}`);
    const said = tell([...workers, tasks].join('\n'), 'decide');
    expect(said.replaceAll(/wake w\d+ for (?:\w+-run\/)?/g, '')).toBe(expected);
  });
}

checkOrder('tasks without an order go by their ids', 'b: agent\na: agent\nc: agent', 'a, b, c');
checkOrder(
  'the longest path goes first',
  'a: agent\nz: agent\ny: agent, needs z\nx: agent, needs y',
  'z, a',
);
checkOrder(
  'the time a path takes counts',
  'a: agent\nb: agent, needs a\nz: agent, expects 5s',
  'z, a',
);
checkOrder(
  'who is ready longer goes first',
  'run older-run\nb: agent\nrun newer-run\na: agent',
  'b, a',
);
checkOrder(
  'classes take turns',
  ['c0', 'c1', 'c2', 'c3'].map((id) => `${id}: agent, priority critical`).join('\n') +
    '\nh0: agent, priority high\nh1: agent, priority high\nl0: agent, priority low',
  'c0, h0, c1, h1, c2, c3, l0',
);
checkOrder(
  'what a higher task waits for is served in its class',
  'a: agent\nb: agent, priority low\nc: agent, priority critical, needs b',
  'b, a',
);

check(
  'who has waited longest is woken first',
  ['a: agent', 'zoe is idle; +1s; ann is idle; +1s; bob is idle; decide'],
  'wake zoe for a',
);
check(
  'of those who have waited equally long the first by name is',
  ['worker zoe\nworker ann\nworker bob\na: agent', 'decide'],
  'wake ann for a',
);
check(
  'who has just ended a task has waited for the shortest time',
  [
    'worker ann\nworker zoe\na: agent\nb: agent, needs a',
    'ann claims a; +1s; ann completes a; decide',
  ],
  'wake zoe for b',
);
check(
  'while one has its turn no other is woken for the task',
  [`${ONE}\nworker bob`, 'decide; +4999ms; cat is idle; rest'],
  '',
);
check(
  'a turn that nobody takes up goes to the next, at once where another waits',
  [`${ONE}\nworker bob`, 'decide; +5s; rest'],
  'wake bob for a',
);
check(
  'who let a turn pass goes to the end of the line',
  [
    `${ONE}\nworker kim: person\nb: agent, needs z\nz: person`,
    'rest; +2s; cat is idle; +1s; bob is idle; +2s; rest; kim claims z; kim completes z; rest',
  ],
  'wake bob for b',
);
check(
  'two are not woken for what cannot start together',
  ['worker ann\nworker bob\na: agent, writes x\nb: agent, writes x', 'rest'],
  'wake ann for a',
);
check(
  'who lost a task is woken for it last',
  [
    'worker ann\nworker zoe: busy\na: agent, lease 10s',
    'ann claims a; +10s; rest; zoe is idle; +120ms; rest',
  ],
  'wake zoe for a',
);
check(
  'who gave a task back is woken for it last',
  ['worker ann\nworker zoe: busy\na: agent', 'ann claims a; ann releases a; zoe is idle; rest'],
  'wake zoe for a',
);
check(
  'where nobody else is there it is woken for it',
  ['worker ann\na: agent, lease 10s', 'ann claims a; +10s; rest; +120ms; rest'],
  'wake ann for a',
);

test('a worker of another folder is not woken', () => {
  const on = new Play('a: agent');
  const ann = on.worker(workerId('ann'));
  on.apply({ kind: 'workerSeen', at: AT, worker: { ...ann, root: '/elsewhere' } });
  expect(play(on, 'rest')).toBe('');
  on.apply({ kind: 'workerSeen', at: AT, worker: { ...ann, root: '/folder' } });
  expect(play(on, 'rest')).toBe('wake ann for a');
});

test('the next cycle is due after its time, as long as tasks wait', () => {
  const on = new Play(ONE);
  play(on, 'rest');
  expect(nextDueAt(on.board)).toBe(AT + 15_000);
  play(on, 'ann claims a for 60s; rest');
  expect(nextDueAt(on.board)).toBe(AT + 60_000);
});

test('a wake-up survives the revision of its run', () => {
  const on = new Play(ONE);
  play(on, 'rest; revise only-run: a: agent');
  expect(play(on, '+59999ms; rest')).toBe('');
  expect(play(on, '+1ms; rest')).toBe('');
  expect(play(on, '+15s; rest')).toBe('wake ann for a');
});

check('a person is told of a task once', ['worker ann: person\na: person', 'rest; +10m; rest'], '');
check(
  'once they are, they are told at once',
  ['worker ann: person\na: person', 'rest'],
  'wake ann for a',
);
