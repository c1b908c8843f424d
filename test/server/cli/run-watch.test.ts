import { expect, test } from 'vitest';
import { moveText } from '../../../server/cli/move-text.ts';
import { RunWatch } from '../../../server/cli/run-watch.ts';
import type { WorkerId } from '../../../server/domain/ids.ts';
import { parseWorkerId } from '../../../server/domain/ids.ts';
import type { TaskEvent } from '../../../server/domain/task.ts';
import { instant } from '../../../server/domain/time.ts';
import type { LedgerEntry } from '../../../server/engine/store-port.ts';
import { BoardModel } from '../../../server/scheduler/model/board-model.ts';
import { definition, manifest, runId, taskId } from '../../support/runs.ts';

const RUNNER = worker('runner/local');
const BOB = worker('person/bob');

function worker(name: string): WorkerId {
  const id = parseWorkerId(name);
  if (id === undefined) throw new Error(`"${name}" is the name of a worker`);
  return id;
}

function entries(...events: readonly TaskEvent[]): readonly LedgerEntry[] {
  const which = { kind: 'taskMoved', run: runId(1), task: taskId('a') } as const;
  return events.map((event, sequence) => ({ sequence, event: { ...which, event } }));
}

const at = (ms: number): { readonly at: ReturnType<typeof instant> } => ({ at: instant(ms) });
const claimed = (by: WorkerId, term = 1): TaskEvent => ({
  kind: 'taskClaimed',
  term,
  worker: by,
  ...at(0),
});
const started = (term = 1): TaskEvent => ({ kind: 'taskStarted', term, ...at(10) });
const EXIT_3 = { kind: 'exit', code: 3 } as const;

function said(...events: readonly TaskEvent[]): readonly string[] {
  const watch = new RunWatch();
  watch.add(manifest(1));
  return watch.take(entries(...events)).flatMap((move) => moveText(move) ?? []);
}

test('a task of ours is told when it starts and when it ends', () => {
  const ended: TaskEvent = { kind: 'taskCompleted', term: 1, ...at(40) };
  expect(said(claimed(RUNNER), started(), ended)).toEqual(['running', 'completed (30 ms)']);
});

test('who took a task for itself is told, and that it was released', () => {
  const released: TaskEvent = { kind: 'taskReleased', term: 1, reason: 'released', ...at(40) };
  expect(said(claimed(BOB), started(), released)).toEqual([
    'claimed (by person/bob)',
    'running (by person/bob)',
    'released',
  ]);
});

test('a failure that is retried says when, and the next attempt its number', () => {
  const retryAt = instant(140);
  const failed: TaskEvent = { kind: 'taskFailed', term: 1, failure: EXIT_3, retryAt, ...at(40) };
  expect(said(claimed(RUNNER), started(), failed, claimed(RUNNER, 2), started(2))).toEqual([
    'running',
    'failed (exit code 3 after 30 ms, tried again in 100 ms)',
    'running (attempt 2)',
  ]);
});

test('what needs a person says what to type', () => {
  const lost: TaskEvent = { kind: 'taskLost', term: 1, cause: 'killed', ...at(40) };
  const asked: TaskEvent = { kind: 'taskAsked', term: 1, ...at(40) };
  expect(said(claimed(RUNNER), started(), lost)).toContain(
    'needs you (it was lost three times: interlock retry a)',
  );
  expect(said(claimed(BOB), started(), asked)).toContain(
    'needs you (it has a question: interlock answer a)',
  );
});

test('nothing is said of a renewal, of what is refused, or of other runs', () => {
  const renewed: TaskEvent = { kind: 'leaseRenewed', term: 1, expiresAt: instant(99), ...at(20) };
  const stale: TaskEvent = { kind: 'taskCompleted', term: 7, ...at(40) };
  expect(said(claimed(RUNNER), started(), renewed, stale)).toEqual(['running']);
  expect(new RunWatch().take(entries(claimed(RUNNER), started()))).toEqual([]);
});

test('it counts how the tasks stand, and knows who is at work', () => {
  const watch = new RunWatch();
  watch.add(manifest(1));
  expect(watch.count('pending')).toBe(2);
  watch.take(entries(claimed(RUNNER), started()));
  expect([watch.count('pending'), watch.count('running'), [...watch.atWork]]).toEqual([
    1,
    1,
    ['a'],
  ]);
  watch.take(entries({ kind: 'taskCompleted', term: 1, ...at(40) }));
  expect([watch.count('running'), watch.count('completed'), watch.atWork.size]).toEqual([0, 1, 0]);
});

test('a run ends when it is told, or when the board does not have it any more', () => {
  const board = new BoardModel({ foldCase: false });
  const asked = manifest(1, { tasks: [definition('a')] });
  const watch = new RunWatch();
  watch.add(asked);
  watch.endWithout(board);
  expect(watch.isOver).toBe(false);
  board.apply({ kind: 'runSubmitted', manifest: asked, ...at(1) });
  watch.endWithout(board);
  expect(watch.isOver).toBe(false);
  board.apply({ kind: 'runFinished', run: asked.id, outcome: 'completed', ...at(2) });
  watch.endWithout(board);
  expect([watch.isOver, watch.runs[0]?.outcome]).toEqual([true, 'ended']);
});

test('of a run that has more, only what was asked for is counted and waited for', () => {
  const watch = new RunWatch();
  const tasks = [definition('a'), definition('b')];
  watch.add({ ...manifest(1), tasks }, undefined, [taskId('b')]);
  expect(watch.take(entries(claimed(RUNNER), started()))).toEqual([]);
  expect([watch.count('running'), watch.isOver]).toEqual([0, false]);
  const which = { kind: 'taskMoved', run: runId(1), task: taskId('b') } as const;
  const event = { ...which, event: { kind: 'taskCancelled', ...at(20) } } as const;
  watch.take([{ sequence: 3, event }]);
  expect([watch.count('cancelled'), watch.isOver]).toEqual([1, true]);
});
