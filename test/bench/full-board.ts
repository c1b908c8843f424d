import { assert } from '../../server/domain/assert.ts';
import { asksOf, type TaskAsks } from '../../server/domain/asks.ts';
import { parseWorkerId, type WorkerId } from '../../server/domain/ids.ts';
import { instant } from '../../server/domain/time.ts';
import type { RunPolicy } from '../../server/domain/run.ts';
import type { BoardModel } from '../../server/scheduler/model/board-model.ts';
import { decide } from '../../server/scheduler/decide.ts';
import { runnerAt } from '../../server/scheduler/model/workers.ts';
import { LOCAL } from '../../server/scheduler/model/workers.ts';
import { boardOf, type Detail, manifestOf, START, taskId, tasksOf } from './boards.ts';
import { type Bench, formatMs, medians, milliseconds, type Row } from './measure.ts';

/** Live claims come first, then ten times as many tasks that are ready. */
const CLAIMS = 1000;
const READY_PER_CLAIM = 10;
const GOAL_MS = 10;
const GROWTH = 2.2;

interface Shape {
  readonly what: string;
  /** Where there are others than usual. */
  readonly claims?: number;
  readonly policy: (claims: number) => Partial<RunPolicy>;
  readonly detail: (number: number, claims: number) => Detail;
  /** How many decisions are expected. */
  readonly decisions: (claims: number) => number;
  readonly workers?: (claims: number) => number;
  /** Whether what one decide has remembered helps the next. */
  readonly isRemembered?: boolean;
}

const SHAPES: readonly Shape[] = [
  {
    what: 'parallel limit reached',
    policy: (claims) => ({ parallel: claims }),
    detail: () => ({}),
    decisions: () => 0,
  },
  {
    what: 'all blocked by the files of claims, seen for the first time',
    policy: (claims) => ({ parallel: 2 * claims }),
    detail: blockedByModule,
    decisions: () => 0,
  },
  {
    what: 'all blocked by the files of claims, seen before',
    policy: (claims) => ({ parallel: 2 * claims }),
    detail: blockedByModule,
    decisions: () => 0,
    isRemembered: true,
  },
  {
    what: 'db used up, 100 different demands',
    policy: (claims) => ({ parallel: 2 * claims, limits: { db: claims } }),
    detail: (number, claims) => ofDb(number < claims ? 1 : 1 + (number % 100)),
    decisions: () => 0,
  },
  {
    what: 'db used up, each demand different',
    policy: (claims) => ({ parallel: 2 * claims, limits: { db: 20 * claims } }),
    detail: (number, claims) => ofDb(number < claims ? 20 : number - claims + 1),
    decisions: () => 0,
  },
  {
    what: 'as many places free as there are claims',
    policy: (claims) => ({ parallel: 2 * claims }),
    detail: ownModule,
    decisions: (claims) => claims,
  },
  {
    what: '200 places free of 200, and each reads all of src/',
    claims: CLAIMS / 5,
    policy: (claims) => ({ parallel: 2 * claims }),
    detail: (number) => ({ ...ownModule(number), reads: ['src/**'] }),
    decisions: (claims) => claims,
  },
  {
    what: 'pull tasks, 100 idle workers, just come',
    policy: (claims) => ({ parallel: claims }),
    detail: (number, claims) => (number < claims ? {} : { asks: { doer: { kind: 'agent' } } }),
    // One for each worker, and the report.
    decisions: (claims) => claims / 10 + 1,
    workers: (claims) => claims / 10,
  },
];

export const FULL_BOARD: Bench = {
  name: 'full-board',
  run: () => SHAPES.flatMap(measureShape),
};

function measureShape(shape: Shape): readonly Row[] {
  const { claims = CLAIMS } = shape;
  const ms = medians({ once: decideMs(shape, claims), twice: decideMs(shape, 2 * claims) }, ROUNDS);
  const [once, twice] = [ms('once'), ms('twice')];
  const { what } = shape;
  const limit = formatMs(GOAL_MS);
  return [
    { what, ours: formatMs(once), limit, ratio: once / GOAL_MS, atMost: 1 },
    {
      what: '  at twice the size',
      ours: formatMs(twice),
      limit: formatMs(once),
      ratio: twice / once,
      atMost: GROWTH,
    },
  ];
}

const ROUNDS = 3;
/** A coordinator lives for days, and what it does all the time is compiled. */
const REPEATS = 5;

function decideMs(shape: Shape, claims: number): () => number {
  const prepare = (): BoardModel => fullBoard(shape, claims);
  const kept = shape.isRemembered === true ? prepare() : undefined;
  return () => {
    const boards = Array.from({ length: REPEATS }, () => kept ?? prepare());
    globalThis.gc?.();
    const now = instant(START + 1000);
    let decisions = 0;
    const ms = milliseconds(() => {
      for (const board of boards) decisions += decide(board, now).length;
    });
    const expected = shape.decisions(claims) * REPEATS;
    assert(decisions === expected, `${shape.what}: ${decisions} decisions, not ${expected}`);
    return ms / REPEATS;
  };
}

function fullBoard({ policy, detail, workers }: Shape, claims: number): BoardModel {
  const nothing = Array.from({ length: claims + READY_PER_CLAIM * claims }, () => []);
  const tasks = tasksOf(nothing, (number) => detail(number, claims));
  const manifest = manifestOf(tasks, policy(claims));
  const board = boardOf(manifest);
  const worker = runnerAt(LOCAL);
  const expiresAt = instant(START + (asksOf(undefined).leaseMs ?? 0));
  for (let number = 0; number < claims; number += 1) {
    const [run, task, term] = [manifest.id, taskId(number), number + 1];
    const claimed = { kind: 'taskClaimed', term, at: START, worker, expiresAt } as const;
    board.apply({ kind: 'taskMoved', run, task, event: claimed });
    board.apply({ kind: 'taskMoved', run, task, event: { kind: 'taskStarted', term, at: START } });
  }
  for (let number = 0; number < (workers?.(claims) ?? 0); number += 1)
    board.apply({ kind: 'workerSeen', at: START, worker: idleAgent(number) });
  return board;
}

function idleAgent(number: number) {
  const session = { kind: 'agent', capabilities: [], isIdle: true, since: START } as const;
  return { ...session, id: workerId(`agent/${number}`) };
}

function workerId(text: string): WorkerId {
  const id = parseWorkerId(text);
  assert(id !== undefined, 'a bench names its workers well');
  return id;
}

function ownModule(number: number): Detail {
  return { writes: [`src/module-${number}/**`] };
}

/** Claims own a module each, and all others want a file in one of them. */
function blockedByModule(number: number, claims: number): Detail {
  if (number < claims) return ownModule(number);
  return { writes: [`src/module-${number % claims}/file-${number}.ts`] };
}

function ofDb(db: number): { readonly asks: Partial<TaskAsks> } {
  return { asks: { resources: { db } } };
}
