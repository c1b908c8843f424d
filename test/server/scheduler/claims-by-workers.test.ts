import { expect, test } from 'vitest';
import { Play } from '../../support/board-play.ts';
import { claimText, stateText } from '../../support/answer-text.ts';
import { play } from '../../support/board-script.ts';
import { checkLast as check } from '../../support/board-story.ts';
import { runId } from '../../support/runs.ts';
import { AT, taskId, workerId } from '../../support/snapshots.ts';

const ANN = 'worker ann';

check('a worker claims a task for itself', [`${ANN}\na: agent`, 'ann claims a'], 'claimed a');
check(
  'whoever asks for anything gets what comes first',
  [`${ANN}\nb: agent\na: agent`, 'ann claims'],
  'claimed a',
);
check(
  'a claim lasts as long as the task says',
  [`${ANN}\na: agent, lease 10s`, 'ann claims a; state a'],
  'claimed by ann until 11000',
);
check(
  'a claim lasts as long as was asked for',
  [`${ANN}\na: agent, lease 10s`, 'ann claims a for 2s; state a'],
  'claimed by ann until 3000',
);
check(
  'the claim of a person lasts until it is released',
  ['worker ann: person\na: person', 'ann claims a; state a'],
  'claimed by ann until released',
);
check(
  'a task that is done is not claimed again',
  [`${ANN}\na: agent`, 'ann claims a; ann completes a; ann claims a'],
  'ended completed',
);
check('there is nothing to claim', [ANN, 'ann claims'], 'nothing-to-claim');
check(
  'a task that has ended is not claimed',
  [`${ANN}\na: agent, skipped`, 'ann claims a'],
  'ended skipped',
);

check(
  'the same request again finds its own claim',
  [`${ANN}\na: agent, lease 10s`, 'ann claims a; ann claims a'],
  'own until 11000',
);
check(
  'the own claim of a person has no end',
  ['worker ann: person\na: person', 'ann claims a; ann claims a'],
  'own until released',
);
check(
  'a task that somebody else has is held',
  [`${ANN}\nworker bob\na: agent, lease 10s`, 'ann claims a; bob claims a'],
  'held by ann until 11000',
);
check(
  'a claim lives to the last millisecond before its deadline',
  [`${ANN}\nworker bob\na: agent, lease 10s`, 'ann claims a; +9999ms; ann claims a'],
  'own until 11000',
);
check(
  'a claim that is over is not its holder’s any more, though nobody has swept yet',
  [`${ANN}\na: agent, lease 10s`, 'ann claims a; +10s; ann claims a'],
  'held by ann until released',
);
check(
  'a claim that is over is not for others before it was swept',
  [`${ANN}\nworker bob\na: agent, lease 10s`, 'ann claims a; +10s; bob claims a'],
  'held by ann until released',
);
check(
  'after the sweep and the backoff others may have it',
  [`${ANN}\nworker bob\na: agent, lease 10s`, 'ann claims a; +10s; rest; +120ms; bob claims a'],
  'claimed a',
);
check(
  'whoever needs attention is not claimed',
  [`${ANN}\na: agent, attention`, 'ann claims a'],
  'blocked: needs you: it has a question',
);
check(
  'a flagged task that goes on is held',
  [
    `${ANN}\nworker bob\na: agent, lease 10s`,
    'ann claims a; ann renews a; ann sticks a; bob claims a',
  ],
  'held by ann until 11000',
);

check(
  'a person does not get the task of an agent',
  ['worker ann: person\na: agent', 'ann claims a'],
  'blocked: is for an agent, not for ann',
);
check(
  'an agent does not get the task of a person',
  [`${ANN}\na: person`, 'ann claims a'],
  'blocked: is for a person, not for ann',
);
check('anyone gets a task for anyone', [`${ANN}\na: anyone`, 'ann claims a'], 'claimed a');
check(
  'people get a task for anyone too',
  ['worker ann: person\na: anyone', 'ann claims a'],
  'claimed a',
);
check(
  'a task of our runners is not for workers',
  [`board paused\n${ANN}\na`, 'ann claims a'],
  'blocked: waits: everything is paused',
);
check(
  'what our runners do is not for an agent',
  [`${ANN}\na`, 'ann claims a'],
  'blocked: is for a runner, not for ann',
);
check('what our runners do is not for anyone', [`${ANN}\na`, 'ann claims'], 'nothing-to-claim');
check(
  'whoever lacks a capability does not get the task',
  ['worker ann: can code\na: agent, capable code web', 'ann claims a'],
  'blocked: needs web, which ann does not have',
);
check(
  'whoever has all capabilities gets it',
  ['worker ann: can web code\na: agent, capable code web', 'ann claims a'],
  'claimed a',
);
check(
  'a worker that is busy elsewhere may still claim',
  ['worker ann: busy\na: agent', 'ann claims a'],
  'claimed a',
);
check('a worker that nobody has seen may claim', ['a: agent', 'ann claims a'], 'claimed a');
check(
  'what comes first is what the worker may take',
  ['worker ann: can code\na: agent, capable web\nb: person\nc: agent', 'ann claims'],
  'claimed c',
);

check(
  'nothing is claimed on a paused board',
  [`board paused\n${ANN}\na: agent`, 'ann claims'],
  'nothing-to-claim',
);
check(
  'a paused task is not claimed',
  [`${ANN}\na: agent, paused`, 'ann claims a'],
  'blocked: waits: it is paused',
);
check(
  'a paused task is left out',
  [`${ANN}\na: agent, paused\nb: agent`, 'ann claims'],
  'claimed b',
);
check(
  'a resumed task is claimed',
  [`${ANN}\na: agent, paused`, 'resume a; ann claims'],
  'claimed a',
);
check(
  'nothing is claimed in a folder that is not trusted',
  [`board untrusted\n${ANN}\na: agent`, 'ann claims a'],
  'blocked: waits until this folder is trusted',
);
check(
  'nothing is claimed in a run that is stopped',
  [`${ANN}\nrun the-only-run: stopping\na: agent`, 'ann claims a'],
  'blocked: waits: the run is being stopped',
);
check(
  'a task that waits for others is not claimed',
  [`${ANN}\na: agent, needs b\nb: agent`, 'ann claims a'],
  'blocked: waits for b',
);
check(
  'a task in backoff is not claimed before it ends',
  [`${ANN}\na: agent, retries 2`, 'ann claims a; ann fails a; +79ms; ann claims a; ann claims'],
  'nothing-to-claim',
);
check(
  'a task in backoff is claimed when it has ended',
  [`${ANN}\na: agent, retries 2`, 'ann claims a; ann fails a; +120ms; ann claims'],
  'claimed a',
);
check(
  'writers of the same file are not claimed together',
  [`${ANN}\nworker bob\na: agent, writes x\nb: agent, writes x`, 'ann claims a; bob claims b'],
  'blocked: waits for a, which writes x too',
);
check(
  'a worker does not meet what it owns itself',
  [`${ANN}\nperson ann: writes x\na: agent, writes x`, 'ann claims a'],
  'claimed a',
);
check(
  'what our runners are about to start is not up for claims',
  [`${ANN}\na: agent, writes x\nb: writes x`, 'ann claims a'],
  'blocked: waits for b, which writes x too',
);
check(
  'what a worker holds takes its part of the limits',
  [
    `${ANN}\nrun the-only-run: limits db:1\na: agent, takes db:1\nb: takes db:1`,
    'ann claims b; resume b; decide',
  ],
  'claim b',
);
check(
  'what a worker has is kept from our runners',
  [
    `${ANN}\nrun the-only-run: limits db:1\na: agent, takes db:1\nb: needs c, takes db:1\nc`,
    'decide; ann claims a; runner/local completes c; decide',
  ],
  '',
);

test('a pushed and a pulled claim are the same, but for who holds it', () => {
  const pushed = new Play('a: lease 10s');
  pushed.turn();
  const pulled = new Play('worker ann\na: agent, lease 10s');
  play(pulled, 'ann claims a');
  const { state } = pushed.entry('a');
  expect(state).toStrictEqual({ ...pulled.entry('a').state, worker: workerId('runner/local') });
  expect(stateText(state)).toBe('claimed by runner/local until 11000');
});

test('terms grow over all claims, pushed and pulled', () => {
  const on = new Play('worker ann\na\nb: agent, retries 9\nc: needs a');
  on.turns();
  play(on, 'ann claims b; runner/local completes a; ann releases b; rest; ann claims b');
  const terms = on.events.flatMap((event) =>
    event.kind === 'taskMoved' && event.event.kind === 'taskClaimed' ? event.event.term : [],
  );
  expect(terms).toStrictEqual(terms.toSorted((a, b) => a - b));
  expect(new Set(terms).size).toBe(4);
});

test('a task that nobody has heard of is unknown', () => {
  const on = new Play('worker ann\na: agent');
  const worker = on.worker(workerId('ann'));
  const which = { ...on.about('a'), task: taskId('nobody') };
  expect(claimText(on.claim({ worker, task: which }))).toBe('unknown');
  const elsewhere = { run: runId(9), task: taskId('a') };
  expect(claimText(on.claim({ worker, task: elsewhere }))).toBe('unknown');
});

test('a worker of another folder does not get the task', () => {
  const on = new Play('worker ann\na: agent');
  const worker = { ...on.worker(workerId('ann')), root: '/elsewhere' };
  expect(claimText(on.claim({ worker }))).toBe('nothing-to-claim');
  const task = on.about('a');
  expect(claimText(on.claim({ worker, task }))).toBe(
    'blocked: is in /folder, and ann works elsewhere',
  );
  expect(claimText(on.claim({ worker: { ...worker, root: '/folder' }, task }))).toBe('claimed a');
});

test('a claim that asks for anything takes a turn of its class', () => {
  const on = new Play('worker ann\na: agent, priority low\nb: agent, priority critical');
  play(on, 'ann claims');
  expect(on.board.pullCredits).toStrictEqual([-5, 0, 0, 5]);
  expect(on.board.credits).toStrictEqual([0, 0, 0, 0]);
  expect(on.now).toBe(AT);
});

/** Which of many tasks are claimed, one after the other. */
function checkTurns(
  name: string,
  [text, count]: readonly [string, number],
  expected: string,
): void {
  test(name, () => {
    const on = new Play(text);
    const taken = Array.from({ length: count }, () => play(on, 'ann claims'));
    expect(taken.join(' ').replaceAll('claimed ', '')).toBe(expected);
  });
}

const MANY = [0, 1, 2, 3, 4, 5].flatMap((n) => [
  `c${n}: agent, priority critical`,
  `h${n}: agent, priority high`,
  `n${n}: agent`,
  `l${n}: agent, priority low`,
]);

checkTurns('classes take turns', [MANY.join('\n'), 10], 'c0 h0 c1 n0 c2 h1 c3 h2 c4 n1');
checkTurns(
  'a class without tasks takes none',
  ['n: agent\nl: agent, priority low', 3],
  'n l nothing-to-claim',
);
checkTurns(
  'inside a class the longest path goes first, then who is ready longest, then the id',
  ['run older-run\nb: agent\nrun newer-run\na: agent\nz: agent\ny: agent, needs z', 3],
  'z b a',
);
