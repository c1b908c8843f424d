import { expect, test } from 'vitest';
import type { TaskState } from '../../../server/domain/task.ts';
import { instant } from '../../../server/domain/time.ts';
import {
  boardEventOf,
  type Decision,
  eventOf,
  keyOf,
  stillFits,
  type TaskDecision,
} from '../../../server/scheduler/decision.ts';
import { tallyOf } from '../../../server/scheduler/model/cycle-report.ts';
import { Play } from '../../support/board-play.ts';
import { play } from '../../support/board-script.ts';
import { aboutTry, claimOf, finishOf } from '../../support/decisions.ts';
import { runId } from '../../support/runs.ts';
import { AT, FIRST_TRY, STATE_KINDS, stateOf, taskId, workerId } from '../../support/snapshots.ts';

const NOW = instant(5000);
const a = taskId('a');
const held = aboutTry({ task: a, attempt: 1 });
const waiting = aboutTry({ task: a });
const starvation = {
  cycles: 3,
  lastCountedAt: AT,
  isWorkerRequested: false,
  isReported: false,
};

const STOP = {
  ...held,
  kind: 'stop',
  term: 1,
  why: 'timeout',
  signal: 'terminate',
  dueAt: AT,
} as const;
const EXPIRE = {
  ...held,
  kind: 'expire',
  term: 1,
  cause: 'lease-expired',
  deadline: AT,
  losses: 1,
} as const;
const REVIVE = { ...held, kind: 'revive' } as const;
const CANCEL = { ...held, kind: 'cancel', why: 'failure' } as const;
const SKIP = { ...waiting, kind: 'skip', because: taskId('b') } as const;
const WAKE = { ...waiting, kind: 'wake', worker: workerId('ann'), cycle: 4 } as const;
const COUNT = { ...waiting, kind: 'count-starvation', starvation } as const;
const REQUEST = { ...waiting, kind: 'request-worker', needs: ['code'] } as const;
const REPORT = { ...waiting, kind: 'report-starved', cycles: 6, queuedMs: 200_000 } as const;
const FLAG = { ...waiting, kind: 'flag-starved', cycles: 10, queuedMs: 300_000 } as const;
const nothing = tallyOf<never>([]);
const REPORT_OF_NOTHING = {
  waiting: nothing,
  idle: nothing,
  recovered: nothing,
  woken: nothing,
  starved: nothing,
  skipped: {},
};

function check(decision: Decision, expected: string): void {
  test(`the key of this is ${expected}`, () => {
    expect(keyOf(decision)).toBe(expected);
  });
}

check(claimOf({ task: a }), 'claim:run-000001/a:1:1');
check(claimOf({ task: a, run: runId(2), revision: 3, attempt: 4 }), 'claim:run-000002/a:3:4');
check(SKIP, 'skip:run-000001/a:1:0');
check(REVIVE, 'revive:run-000001/a:1:1');
check(CANCEL, 'cancel:run-000001/a:1:1');
check(STOP, 'stop-terminate:run-000001/a:1:1');
check({ ...STOP, signal: 'kill' }, 'stop-kill:run-000001/a:1:1');
check(EXPIRE, 'expire:run-000001/a:1:1');
check(WAKE, 'wake-ann-4:run-000001/a:1:0');
check(COUNT, 'count-starvation-3:run-000001/a:1:0');
check(REQUEST, 'request-worker:run-000001/a:1:0');
check(REPORT, 'report-starved:run-000001/a:1:0');
check(FLAG, 'flag-starved:run-000001/a:1:0');
check(finishOf('failed'), 'finish:run-000001');
check({ kind: 'cycle', number: 7, report: REPORT_OF_NOTHING }, 'cycle:7');

/** In which states, all reached by the first claim under term 1, somebody may still act on it. */
function checkFits(decision: TaskDecision, expected: readonly TaskState['kind'][]): void {
  test(`a ${decision.kind} fits a task that is ${expected.join(', ')}`, () => {
    const fitting = STATE_KINDS.filter((kind) => stillFits(decision, triedOnce(stateOf(kind))));
    expect(fitting).toStrictEqual(expected);
  });
  test(`a ${decision.kind} of another try fits nothing`, () => {
    for (const kind of STATE_KINDS)
      for (const other of [{ revision: 2 }, { attempt: decision.attempt + 1 }]) {
        const state = triedOnce(stateOf(kind));
        expect(stillFits({ ...decision, ...other }, state)).toBe(false);
        expect(eventOf({ ...decision, ...other }, state, { now: NOW, mintTerm })).toBeUndefined();
      }
  });
}

/** A pending task has been tried as well. */
function triedOnce(state: TaskState): TaskState {
  return state.kind === 'pending' ? { kind: 'pending', tries: FIRST_TRY } : state;
}

function mintTerm(): number {
  return 9;
}

checkFits({ ...claimOf({ task: a }), attempt: 2 }, ['pending']);
checkFits({ ...SKIP, attempt: 1 }, ['pending']);
checkFits(REVIVE, ['skipped']);
checkFits(CANCEL, ['pending', 'claimed', 'running', 'attention']);
checkFits(STOP, ['claimed', 'running']);
checkFits(EXPIRE, ['claimed', 'running']);
checkFits({ ...WAKE, attempt: 1 }, ['pending']);
checkFits({ ...COUNT, attempt: 1 }, ['pending']);
checkFits({ ...REQUEST, attempt: 1 }, ['pending']);
checkFits({ ...REPORT, attempt: 1 }, ['pending']);
checkFits({ ...FLAG, attempt: 1 }, ['pending']);

test('what is about a claim fits that claim only', () => {
  for (const decision of [STOP, EXPIRE])
    expect(stillFits(decision, stateOf('running', { term: 2 }))).toBe(false);
});

test('what is about a claim fits a flagged task that goes on', () => {
  const on = new Play('worker ann\na: agent');
  play(on, 'ann claims a; ann starts a; ann sticks a');
  const { state } = on.entry('a');
  const term = on.termOf(workerId('ann'), 'a');
  expect(stillFits({ ...EXPIRE, term }, state)).toBe(true);
  expect(stillFits({ ...STOP, term }, state)).toBe(true);
});

/** What is written to the ledger for a decision about a task in this state. */
function checkEvent(
  decision: Decision,
  state: TaskState | undefined,
  expected: ReturnType<typeof boardEventOf>,
): void {
  test(`a ${decision.kind} of a ${state?.kind ?? 'board'} is written down`, () => {
    expect(boardEventOf(decision, state, { now: NOW, mintTerm })).toStrictEqual(expected);
  });
}

const at = NOW;
const which = { run: runId(1), task: a };
const pending = stateOf('pending');
const running = stateOf('running');

checkEvent(claimOf({ task: a }), pending, {
  kind: 'taskMoved',
  ...which,
  contending: 0b0100,
  event: { kind: 'taskClaimed', term: 9, at, worker: workerId('runner/local') },
});
checkEvent(claimOf({ task: a }, { expiresAt: instant(9000) }), pending, {
  kind: 'taskMoved',
  ...which,
  contending: 0b0100,
  event: {
    kind: 'taskClaimed',
    term: 9,
    at,
    worker: workerId('runner/local'),
    expiresAt: instant(9000),
  },
});
checkEvent(SKIP, pending, {
  kind: 'taskMoved',
  ...which,
  event: { kind: 'taskSkipped', at, because: taskId('b') },
});
checkEvent(CANCEL, running, { kind: 'taskMoved', ...which, event: { kind: 'taskCancelled', at } });
checkEvent(REVIVE, stateOf('skipped'), {
  kind: 'taskMoved',
  ...which,
  event: { kind: 'taskRevived', at },
});
checkEvent(STOP, running, {
  kind: 'taskMoved',
  ...which,
  event: { kind: 'stopAsked', term: 1, at, why: 'timeout', signal: 'terminate' },
});
checkEvent(EXPIRE, running, {
  kind: 'taskMoved',
  ...which,
  event: { kind: 'taskLost', term: 1, at, cause: 'lease-expired' },
});
checkEvent({ ...EXPIRE, retryAt: instant(6000) }, running, {
  kind: 'taskMoved',
  ...which,
  event: { kind: 'taskLost', term: 1, at, cause: 'lease-expired', retryAt: instant(6000) },
});
checkEvent(FLAG, pending, {
  kind: 'taskMoved',
  ...which,
  event: { kind: 'taskFlagged', at, why: 'starved' },
});
checkEvent(WAKE, pending, { kind: 'workerWoken', at, ...which, worker: workerId('ann') });
checkEvent(COUNT, pending, { kind: 'starvationCounted', at, ...which, starvation });
checkEvent(REQUEST, pending, { kind: 'workerRequested', at, ...which, needs: ['code'] });
checkEvent({ ...REQUEST, agent: 'claude' }, pending, {
  kind: 'workerRequested',
  at,
  ...which,
  needs: ['code'],
  agent: 'claude',
});
checkEvent(REPORT, pending, { kind: 'taskStarved', at, ...which, cycles: 6, queuedMs: 200_000 });
checkEvent(finishOf('failed'), undefined, {
  kind: 'runFinished',
  at,
  run: runId(1),
  outcome: 'failed',
});
checkEvent({ kind: 'cycle', number: 1, report: REPORT_OF_NOTHING }, undefined, {
  kind: 'cycleRan',
  at,
  report: REPORT_OF_NOTHING,
});
checkEvent(SKIP, running, undefined);
checkEvent(WAKE, undefined, undefined);

test('a term is minted only for a claim that stands', () => {
  let minted = 0;
  const mint = { now: NOW, mintTerm: () => ++minted };
  for (const decision of [SKIP, WAKE, FLAG, COUNT]) boardEventOf(decision, pending, mint);
  boardEventOf(claimOf({ task: a }), running, mint);
  expect(minted).toBe(0);
  boardEventOf(claimOf({ task: a }), pending, mint);
  expect(minted).toBe(1);
});

test('a wake-up after a rebuild in the same millisecond is another one', () => {
  const on = new Play('worker ann\na: agent');
  play(on, 'rest; rebuild; rest');
  const wakes = on.keys.filter((key) => key.startsWith('wake'));
  expect(new Set(wakes).size).toBe(2);
});
