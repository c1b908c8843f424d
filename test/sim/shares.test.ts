import { expect, test } from 'vitest';
import type { Doer } from '../../server/domain/asks.ts';
import { PRIORITIES, type Priority } from '../../server/domain/priority.ts';
import { type Instant, instant } from '../../server/domain/time.ts';
import { BoardModel } from '../../server/scheduler/model/board-model.ts';
import { decide } from '../../server/scheduler/decide.ts';
import { boardEventOf, type Decision } from '../../server/scheduler/decision.ts';
import { answerClaim } from '../../server/scheduler/requests/claim.ts';
import { runId, taskId, workerId } from './ids.ts';
import { Random } from './random.ts';

const TASKS_OF_CLASS = 1200;
/** Served while every class still has something to start. */
const SERVED = 2000;
const SHARES: Readonly<Record<Priority, number>> = { critical: 50, high: 30, normal: 15, low: 5 };

test('runners serve the classes 50, 30, 15, 5 while all have work', () => {
  checkShares(serve({ kind: 'runner' }, startAll));
});

test('whoever asks for any work is served the classes 50, 30, 15, 5', () => {
  checkShares(serve({ kind: 'agent' }, claimOne));
});

type Served = Readonly<Record<Priority, number>>;

function checkShares(served: Served): void {
  for (const priority of PRIORITIES) {
    const share = (100 * served[priority]) / SERVED;
    expect(Math.abs(share - SHARES[priority])).toBeLessThan(1);
  }
}

/** Whatever starts ends some time later, so that there is always a place for another one. */
function serve(doer: Doer, next: (board: BoardModel, now: Instant) => readonly Decision[]): Served {
  const board = saturatedBoard(doer);
  const random = new Random(16);
  const served = { critical: 0, high: 0, normal: 0, low: 0 };
  let term = 0;
  for (let now = 1, total = 0; total < SERVED; now += 1) {
    const at = instant(now);
    for (const decision of next(board, at)) {
      if (decision.kind !== 'claim') continue;
      const state = board.find(decision.run, decision.task)?.state;
      const event = boardEventOf(decision, state, { now: at, mintTerm: () => ++term });
      if (event === undefined || total === SERVED) continue;
      board.apply(event);
      served[priorityOf(decision.task)] += 1;
      total += 1;
    }
    endSome(board, { random, at });
  }
  return served;
}

function endSome(board: BoardModel, { random, at }: { random: Random; at: Instant }): void {
  for (const { entry, holder } of [...board.claims.pushed, ...board.claims.pulled]) {
    if (random.chance(0.5)) continue;
    const which = { run: entry.run.manifest.id, task: entry.definition.id };
    const event = { kind: 'taskCompleted', term: holder.term, at } as const;
    board.apply({ kind: 'taskMoved', ...which, event });
  }
}

function startAll(board: BoardModel, now: Instant): readonly Decision[] {
  return decide(board, now);
}

const AGENT = {
  id: workerId('agent/1'),
  kind: 'agent',
  capabilities: [],
  isIdle: true,
  since: instant(0),
} as const;

function claimOne(board: BoardModel, now: Instant): readonly Decision[] {
  board.workers.apply({ kind: 'workerSeen', at: now, worker: AGENT });
  const answer = answerClaim(board, { worker: AGENT }, now);
  return answer.kind === 'claim' ? [answer.decision] : [];
}

function priorityOf(id: string): Priority {
  return PRIORITIES.find((priority) => id.startsWith(priority)) ?? 'low';
}

function saturatedBoard(doer: Doer): BoardModel {
  const board = new BoardModel({ foldCase: false });
  const tasks = PRIORITIES.flatMap((priority) =>
    Array.from({ length: TASKS_OF_CLASS }, (_, number) => ({
      id: taskId(`${priority}-${number}`),
      title: '',
      command: { kind: 'shell', script: 'true' } as const,
      cwd: '',
      env: {},
      dependsOn: [],
      after: [],
      reads: [],
      writes: [],
      asks: { priority, doer },
    })),
  );
  const manifest = {
    id: runId('run-0001'),
    root: '/tree/one',
    plan: 'interlock.yaml',
    planHash: '',
    selection: [],
    requestedBy: 'sim',
    requestedAt: instant(0),
    policy: { parallel: 3, failFast: false },
    tasks,
  };
  board.apply({ kind: 'runSubmitted', at: instant(0), manifest });
  return board;
}
