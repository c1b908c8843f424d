import { expect, test } from 'vitest';
import { CLOSED } from '../../../../server/domain/failure/circuit-breaker.ts';
import { instant } from '../../../../server/domain/time.ts';
import type { WorkerEvent } from '../../../../server/scheduler/model/board-event.ts';
import { WorkerTable } from '../../../../server/scheduler/model/worker-table.ts';
import {
  LOCAL,
  placeOf,
  runnerAt,
  runnerNamed,
  type Worker,
} from '../../../../server/scheduler/model/workers.ts';
import { AT, workerId } from '../../../support/snapshots.ts';

type TableEvent = Exclude<WorkerEvent, { kind: 'workerWoken' | 'wakesForgotten' | 'lossesTold' }>;

function workerNamed(id: string, more: Partial<Worker> = {}): Worker {
  return { id: workerId(id), kind: 'agent', capabilities: [], isIdle: true, since: AT, ...more };
}

function tableAfter(...events: readonly TableEvent[]): WorkerTable {
  const table = new WorkerTable();
  for (const event of events) table.apply(event);
  return table;
}

const CLAUDE = { name: 'claude', capabilities: ['code'], mayBeStarted: true };
const FAR = { name: 'far', isReachable: true, capabilities: [], limits: {} };
const call = { id: '1', place: 'far', agent: 'claude', limitMs: undefined };

test('this machine is a place from the beginning', () => {
  expect([...tableAfter().places.keys()]).toStrictEqual([LOCAL]);
});

test('a worker that is seen again is what it was seen as last', () => {
  const ann = workerNamed('ann');
  const { sessions } = tableAfter(
    { kind: 'workerSeen', at: AT, worker: ann },
    { kind: 'workerSeen', at: AT, worker: { ...ann, isIdle: false } },
  );
  expect([...sessions.values()]).toStrictEqual([{ ...ann, isIdle: false }]);
});

test('a worker that left is gone, and one that was never here as well', () => {
  const left = { kind: 'workerLeft', at: AT, worker: workerId('ann') } as const;
  const { sessions } = tableAfter(
    { kind: 'workerSeen', at: AT, worker: workerNamed('ann') },
    left,
    left,
  );
  expect(sessions.size).toBe(0);
});

test('a place that is seen again keeps its breaker', () => {
  const seen = { kind: 'placeSeen', at: AT, place: FAR } as const;
  const table = tableAfter(seen);
  table.callEnded('place', { ...call, outcome: 'failed' }, AT);
  table.apply({ ...seen, place: { ...FAR, isReachable: false } });
  expect(table.places.get('far')).toMatchObject({
    isReachable: false,
    runner: runnerAt('far'),
    breaker: { kind: 'closed', failures: ['1'] },
  });
});

test('an agent that is configured again keeps its breaker and its cool-down', () => {
  const configured = { kind: 'agentConfigured', at: AT, agent: CLAUDE } as const;
  const limited = { kind: 'agentLimited', at: AT, agent: 'claude' } as const;
  const table = tableAfter(configured, limited);
  table.callEnded('agent', { ...call, outcome: 'failed' }, AT);
  table.apply({ ...configured, agent: { ...CLAUDE, mayBeStarted: false } });
  expect(table.agents.get('claude')).toStrictEqual({
    ...CLAUDE,
    mayBeStarted: false,
    breaker: { kind: 'closed', failures: ['1'] },
    coolDown: { until: instant(AT + 60_000), strikes: 1 },
  });
});

test('a limit of an agent that nobody knows is nothing', () => {
  expect(tableAfter({ kind: 'agentLimited', at: AT, agent: 'gpt' }).agents.size).toBe(0);
});

test('five failed calls in a row close a place to more, for a minute', () => {
  const table = tableAfter({ kind: 'placeSeen', at: AT, place: FAR });
  for (let count = 1; count <= 5; count += 1) {
    expect(table.places.get('far')?.breaker.kind).toBe('closed');
    table.callEnded('place', { ...call, id: String(count), outcome: 'failed' }, AT);
  }
  expect(table.places.get('far')?.breaker).toStrictEqual({ kind: 'open', until: AT + 60_000 });
});

test('the end of a call tells only of what it was a call of', () => {
  const table = tableAfter(
    { kind: 'placeSeen', at: AT, place: FAR },
    { kind: 'agentConfigured', at: AT, agent: CLAUDE },
  );
  table.callEnded('place', { ...call, outcome: 'failed' }, AT);
  expect(table.agents.get('claude')?.breaker).toBe(CLOSED);
  table.callEnded('agent', { ...call, outcome: 'failed' }, AT);
  expect(table.agents.get('claude')?.breaker).toStrictEqual({ kind: 'closed', failures: ['1'] });
});

test('a call of nobody in particular changes nothing', () => {
  const table = tableAfter();
  table.callStarted({ ...call, place: 'nowhere', agent: undefined }, AT);
  table.callEnded('agent', { ...call, agent: 'nobody', outcome: 'failed' }, AT);
  expect(table.places.size).toBe(1);
  expect(table.agents.size).toBe(0);
});

/** When the first trial of a place and of an agent are due, after what opened their breakers. */
function dueAfterMs(limitMs: number | undefined): readonly (number | undefined)[] {
  const table = tableAfter(
    { kind: 'placeSeen', at: AT, place: FAR },
    { kind: 'agentConfigured', at: AT, agent: CLAUDE },
  );
  for (let count = 1; count <= 5; count += 1)
    for (const of of ['place', 'agent'] as const)
      table.callEnded(of, { ...call, id: String(count), outcome: 'failed' }, AT);
  const later = instant(AT + 60_000);
  table.callStarted({ ...call, id: '6', limitMs }, later);
  return [table.places.get('far'), table.agents.get('claude')].map((each) => {
    const trial = each?.breaker.kind === 'half-open' ? each.breaker.trials[0] : undefined;
    return trial === undefined ? undefined : trial.dueAt - later;
  });
}

test('a place has a minute to start what it is tried with, whatever the limit of the task', () => {
  expect(dueAfterMs(undefined)[0]).toBe(60_000);
  expect(dueAfterMs(5000)[0]).toBe(60_000);
});

test('an agent has the time of its task, or a day', () => {
  expect(dueAfterMs(5000)[1]).toBe(5000);
  expect(dueAfterMs(undefined)[1]).toBe(24 * 60 * 60_000);
});

test('a runner is named after its place', () => {
  expect(placeOf(runnerAt('far'))).toBe('far');
  expect(placeOf(runnerAt(LOCAL))).toBe(LOCAL);
  expect(placeOf(workerId('ann'))).toBe(LOCAL);
  expect(runnerNamed('no host')).toBeUndefined();
});
