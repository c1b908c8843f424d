import { expect, test } from 'vitest';
import { instant } from '../../server/domain/time.ts';
import type { BoardEvent } from '../../server/scheduler/model/board-event.ts';
import { definition, manifest, runId, taskId } from '../support/runs.ts';
import { workerId } from './ids.ts';
import { Physical } from './physical.ts';
import { Shadow } from './shadow.ts';
import { Checks } from './violation.ts';

const HOST = { name: 'host-1', isReachable: true, capabilities: [], limits: {} };
const PLAN = manifest(1, {
  tasks: [definition('a', { writes: ['a.ts'], asks: { hosts: ['host-1'], leaseMs: 30_000 } })],
});
const AFTER_LEASE = 2 + 30_000;
const AFTER_BACKOFF = AFTER_LEASE + 100;

function moved(event: Extract<BoardEvent, { kind: 'taskMoved' }>['event']): BoardEvent {
  return { kind: 'taskMoved', run: runId(1), task: taskId('a'), event };
}

function claimed(term: number, at: number): BoardEvent {
  const times = { at: instant(at), expiresAt: instant(at + 30_000), leaseMs: 30_000 };
  return moved({ kind: 'taskClaimed', term, worker: workerId('runner/host-1'), ...times });
}

/** A host is removed from the settings while a task runs there; the task is lost and tried again. */
function storyOn(isIsolated: boolean): readonly BoardEvent[] {
  const place = { ...HOST, isIsolated };
  return [
    { kind: 'placeSeen', at: instant(1), place },
    { kind: 'runSubmitted', at: instant(1), manifest: PLAN },
    claimed(1, 2),
    { kind: 'placeGone', at: instant(3), place: 'host-1' },
    moved({
      kind: 'taskLost',
      term: 1,
      at: instant(AFTER_LEASE),
      cause: 'lease-expired',
      retryAt: instant(AFTER_BACKOFF),
    }),
    { kind: 'placeSeen', at: instant(AFTER_BACKOFF), place },
    claimed(2, AFTER_BACKOFF),
  ];
}

function read(events: readonly BoardEvent[]): void {
  const checks = new Checks();
  const physical = new Physical(checks);
  // The command on a removed host is not looked for.
  physical.givenUp.add(1);
  const shadow = new Shadow(checks, physical);
  for (const event of events) shadow.read(event);
}

test('an attempt in a tree of its own is not in the way of others, even after its host was removed', () => {
  expect(() => read(storyOn(true))).not.toThrow();
});

test('an attempt in the tree of its host is in their way', () => {
  expect(() => read(storyOn(false))).toThrow('I4-leftover: ');
});
