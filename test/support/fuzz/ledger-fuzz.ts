import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { NEVER, instant } from '../../../server/domain/time.ts';
import type { TaskEvent } from '../../../server/domain/task.ts';
import { LiveBoard } from '../../../server/engine/live-board.ts';
import type { Store } from '../../../server/engine/store-port.ts';
import type { BoardEvent } from '../../../server/scheduler/model/board-event.ts';
import { LOCAL, runnerAt } from '../../../server/scheduler/model/workers.ts';
import { SqliteStore } from '../../../server/store/sqlite-store.ts';
import { Random } from '../../sim/random.ts';
import { dumpOf } from '../board-dump.ts';
import { definition, manifest, runId, taskId } from '../runs.ts';
import { StoreClock } from '../store-clock.ts';
import { workerId } from '../snapshots.ts';

export interface LedgerFuzzTotals {
  inputs: number;
  recorded: number;
  refused: number;
  /** Batches of which nothing is written, because one of their events does not fit. */
  refusedWhole: number;
}

const RULES = { foldCase: false };
/** So many stories in one board; then another begins. */
const STORIES = 200;

/**
 * Tells stories of tasks in which things happen twice, too early, too late, to somebody else or under
 * another term. Each is recorded or refused; what is recorded moves the board in memory as well, and
 * whoever reads the ledger anew has the same board and finds the same in the tables.
 */
export function fuzzLedger({ seed, count }: { seed: number; count: number }): LedgerFuzzTotals {
  const totals: LedgerFuzzTotals = { inputs: 0, recorded: 0, refused: 0, refusedWhole: 0 };
  for (let first = 0; first < count; first += STORIES) {
    const parent = existsSync('/dev/shm') ? '/dev/shm' : os.tmpdir();
    const folder = mkdtempSync(path.join(parent, 'interlock-fuzz-'));
    try {
      tellStories(folder, { seed, first, last: Math.min(first + STORIES, count), totals });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
  return totals;
}

function tellStories(
  folder: string,
  {
    seed,
    first,
    last,
    totals,
  }: { seed: number; first: number; last: number; totals: LedgerFuzzTotals },
): void {
  const store = new SqliteStore(path.join(folder, 'board.db'), { clock: new StoreClock() });
  try {
    store.beginTenure();
    const live = new LiveBoard(store.snapshot(), RULES);
    for (let index = first; index < last; index += 1) {
      const random = new Random(seed * 1_000_003 + index);
      try {
        tellOne(random, { store, live, number: index, totals });
      } catch (cause) {
        throw new Error(`Input ${index} of seed ${seed} broke a rule: ${String(cause)}`, { cause });
      }
      totals.inputs += 1;
    }
    compare(store, live);
  } finally {
    store.close();
  }
}

interface Telling {
  readonly store: Store;
  readonly live: LiveBoard;
  readonly number: number;
  readonly totals: LedgerFuzzTotals;
}

function tellOne(random: Random, { store, live, number, totals }: Telling): void {
  const events = spoil(random, story(number));
  const isWhole = random.chance(0.2);
  store.together(() => {
    const batches = isWhole ? [events] : events.map((event) => [event]);
    for (const batch of batches) {
      const outcome = store.record(batch);
      if (outcome.kind === 'recorded') {
        totals.recorded += outcome.entries.length;
        for (const entry of outcome.entries) live.apply(entry);
      } else if (isWhole) totals.refusedWhole += 1;
      else totals.refused += 1;
    }
  });
  for (const [run, model] of live.model.runs)
    if (run === runId(number)) {
      const states = store.statesOf(run);
      for (const { id, state } of model.entries)
        demand(
          isDeepStrictEqual(JSON.parse(JSON.stringify(state)), states.get(id)),
          `the table of ${run}/${id} says what the board in memory does`,
        );
    }
}

function compare(store: Store, live: LiveBoard): void {
  const anew = new LiveBoard(store.snapshot(), RULES);
  demand(anew.revision === live.revision, 'the ledger has as many entries as were applied');
  const isSame = isDeepStrictEqual(dumpOf(anew.model), dumpOf(live.model));
  demand(isSame, 'whoever reads the ledger has the same board');
}

/** All that may happen to the two tasks of a run, in an order in which it may. */
function story(number: number): readonly BoardEvent[] {
  const run = runId(number);
  const at = instant(1000 + number * 100);
  const [a, b] = [taskId('a'), taskId('b')];
  const term = number * 10 + 1;
  const worker = runnerAt(LOCAL);
  const moved = (event: TaskEvent, task = a): BoardEvent => ({
    kind: 'taskMoved',
    run,
    task,
    event,
  });
  const expiresAt = instant(at + 50);
  const tasks = [definition('a', { writes: ['src/**'] }), definition('b', { dependsOn: [a] })];
  const owner = workerId('person/ann');
  return [
    { kind: 'runSubmitted', at, manifest: manifest(number, { tasks }) },
    moved({ kind: 'taskClaimed', term, at, worker, expiresAt }),
    moved({ kind: 'taskStarted', term, at, process: { bootId: 'boot', pid: 7, startTime: '9' } }),
    moved({ kind: 'leaseRenewed', term, at, expiresAt }),
    moved({ kind: 'stopAsked', term, at, why: 'timeout', signal: 'terminate' }),
    moved({ kind: 'taskLost', term, at, cause: 'killed', retryAt: at }),
    { kind: 'leftoverGone', at, run, task: a, term },
    moved({ kind: 'taskClaimed', term: term + 1, at, worker, expiresAt }),
    moved({ kind: 'taskFailed', term: term + 1, at, failure: { kind: 'exit', code: 1 } }),
    moved({ kind: 'taskSkipped', at, because: a }, b),
    moved({ kind: 'taskRetried', at }),
    moved({ kind: 'taskRevived', at }, b),
    { kind: 'taskPaused', at, run, task: b },
    {
      kind: 'pathsOwned',
      at,
      id: `own-${number}`,
      worker: owner,
      tree: '/project',
      reads: [],
      writes: ['docs/**'],
      isUnsaved: false,
    },
    moved({ kind: 'taskClaimed', term: term + 2, at, worker, expiresAt }),
    moved({ kind: 'taskCompleted', term: term + 2, at }),
    { kind: 'taskResumed', at, run, task: b },
    moved({ kind: 'taskCancelled', at }, b),
    { kind: 'pathsFreed', at, id: `own-${number}` },
    { kind: 'runInterrupted', at, run },
    { kind: 'runResumed', at, run },
    { kind: 'runStopAsked', at, run },
    { kind: 'runFinished', at, run, outcome: 'completed' },
  ];
}

function spoil(random: Random, events: readonly BoardEvent[]): readonly BoardEvent[] {
  const spoilt = [...events];
  for (let times = random.below(6); times > 0; times -= 1) {
    const place = random.below(spoilt.length);
    const event = spoilt[place];
    if (event === undefined) continue;
    const kind = random.below(6);
    if (kind === 0) spoilt.splice(place, 1);
    else if (kind === 1) spoilt.splice(random.below(spoilt.length), 0, event);
    else if (kind === 2)
      spoilt.splice(place, spoilt.length - place, ...spoilt.slice(place).toReversed());
    else if (kind === 3) spoilt.splice(place);
    else spoilt[place] = changed(random, event);
    if (spoilt.length === 0) return events;
  }
  return spoilt;
}

/** The same about somebody else, at another time, or under another term. */
function changed(random: Random, event: BoardEvent): BoardEvent {
  const times = [instant(0), instant(5000), NEVER, instant(-1)];
  const tasks = [taskId('a'), taskId('b'), taskId('nobody')];
  if (event.kind !== 'taskMoved') {
    const at = random.pick(times);
    const run = random.pick([runId(0), runId(999_999)]);
    if (!('run' in event) || random.chance(0.5)) return { ...event, at };
    return 'task' in event ? { ...event, run, task: random.pick(tasks) } : { ...event, run };
  }
  const { event: inner } = event;
  switch (random.below(4)) {
    case 0:
      return { ...event, task: random.pick(tasks) };
    case 1:
      return { ...event, run: random.pick([runId(0), runId(999_999)]) };
    case 2:
      return { ...event, event: { ...inner, at: random.pick(times) } };
    default:
      if (!('term' in inner)) return event;
      return { ...event, event: { ...inner, term: random.pick([0, inner.term + 1, -1, 2 ** 40]) } };
  }
}

function demand(isSo: boolean, rule: string): void {
  if (!isSo) throw new Error(rule);
}
