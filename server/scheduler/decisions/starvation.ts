import { CYCLE_MS } from '../model/cycle-report.ts';
import type { Verdict } from '../predicate/may-start.ts';
import type { TaskEntry } from '../model/run-model.ts';
import type { Turn } from '../predicate/turn.ts';

/** A task that waits for less is not starved, whatever happens. */
const QUEUED_MS = 120_000;

/** After how many such cycles what is done. */
const FAN_OUT_AFTER = 2;
const REQUEST_AFTER = 4;
const REPORT_AFTER = 6;
const ATTENTION_AFTER = 10;

/** How many more workers are woken at once for a starved task. */
export const FAN_OUT = 3;

/**
 * Counts a cycle in which a task starved, and climbs the ladder: wake more workers, ask for a new one,
 * say so, ask a person. A task starves when an agent that was told of it is idle all the same, or when
 * nobody ever can take it. Waiting behind others is not starving.
 */
export function starve(turn: Turn, entry: TaskEntry): 'fan-out' | 'counted' | undefined {
  const { starvation, readySince } = entry;
  const { now } = turn;
  const queuedMs = now - readySince;
  if (queuedMs < QUEUED_MS) return undefined;
  // Cycles that come sooner, because of news, do not count twice.
  if (starvation !== undefined && now - starvation.lastCountedAt < CYCLE_MS) return undefined;
  const cycles = (starvation?.cycles ?? 0) + 1;
  const asksForWorker = cycles >= REQUEST_AFTER && starvation?.isWorkerRequested !== true;
  const reports = cycles >= REPORT_AFTER && starvation?.isReported !== true;
  turn.decide(entry, {
    kind: 'count-starvation',
    starvation: {
      cycles,
      lastCountedAt: now,
      isWorkerRequested: asksForWorker || starvation?.isWorkerRequested === true,
      isReported: reports || starvation?.isReported === true,
    },
  });
  if (asksForWorker) requestWorker(turn, entry);
  if (reports) turn.decide(entry, { kind: 'report-starved', cycles, queuedMs });
  if (cycles >= ATTENTION_AFTER) turn.decide(entry, { kind: 'flag-starved', cycles, queuedMs });
  return cycles >= FAN_OUT_AFTER ? 'fan-out' : 'counted';
}

/** Whether it starves though nobody lets it be. */
export function canNobody(verdict: Verdict): boolean {
  return (
    verdict.kind === 'no' &&
    verdict.reasons.some((reason) => reason.kind === 'capability' && reason.because === 'nobody')
  );
}

/** The first agent by name that may be started and has everything that the task needs. */
function requestWorker(turn: Turn, entry: TaskEntry): void {
  const { board } = turn;
  const { needs } = entry.asks;
  const [agent] = [...board.workers.agents.values()]
    .filter(
      ({ mayBeStarted, capabilities }) =>
        mayBeStarted && needs.every((need) => capabilities.includes(need)),
    )
    .map(({ name }) => name)
    .toSorted();
  turn.decide(entry, {
    kind: 'request-worker',
    needs,
    ...(agent !== undefined && { agent }),
  });
}
