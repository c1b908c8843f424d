import { type Outcome, simulate } from './simulate.ts';
import { onSqlite } from './sqlite-disk.ts';

export interface Report {
  seeds: number;
  events: number;
  simulatedMs: number;
  slowest: { seed: number; tookMs: number };
  readonly faults: Record<string, number>;
  readonly checks: Record<string, number>;
  readonly failures: { seed: number; invariant: string; message: string }[];
}

export interface Seeds {
  readonly first: number;
  readonly last: number;
  readonly step: number;
}

/** How time is measured; no simulation sees it. */
export interface Stopwatch {
  readonly elapsedMs: () => number;
  readonly limitMs: number;
}

/** Every such seed is lived through twice. */
const TWICE = 1000;
/** And every such one on a real file too. */
const ON_FILE = 400;

/** Lives through one world after the other, up to the first in which something goes wrong. */
export async function explore(
  { first, last, step }: Seeds,
  { elapsedMs, limitMs }: Stopwatch,
): Promise<Report> {
  const report: Report = {
    seeds: 0,
    events: 0,
    simulatedMs: 0,
    slowest: { seed: 0, tookMs: 0 },
    faults: {},
    checks: {},
    failures: [],
  };
  for (let seed = first; seed <= last && report.failures.length === 0; seed += step) {
    const begunAt = elapsedMs();
    if (begunAt > limitMs) break;
    const isTwice = seed % TWICE === 0;
    const isOnFile = seed % ON_FILE === 0;
    const outcome = await simulate(seed, isTwice || isOnFile ? TRACED : {});
    add(report, outcome);
    if (isTwice) compare(report, outcome, { how: 'then', again: await simulate(seed, TRACED) });
    if (isOnFile) {
      const again = await onSqlite((openStore) => simulate(seed, { ...TRACED, openStore }));
      compare(report, outcome, { how: 'on a file', again });
    }
    const tookMs = elapsedMs() - begunAt;
    if (tookMs > report.slowest.tookMs) report.slowest = { seed, tookMs };
  }
  return report;
}

/** Whoever reads nothing has a hash all the same. */
const TRACED = { print: (): void => {} };

function add(report: Report, { seed, events, simulatedMs, failure, ...outcome }: Outcome): void {
  report.seeds += 1;
  report.events += events;
  report.simulatedMs += simulatedMs;
  sum(report.faults, outcome.faults);
  sum(report.checks, outcome.checks);
  if (failure !== undefined) report.failures.push({ seed, ...failure });
}

function sum(totals: Record<string, number>, counts: ReadonlyMap<string, number>): void {
  for (const [name, count] of counts) totals[name] = (totals[name] ?? 0) + count;
}

function compare(
  report: Report,
  { seed, hash, failure }: Outcome,
  { how, again }: { how: string; again: Outcome },
): void {
  report.checks['I19'] = (report.checks['I19'] ?? 0) + 1;
  if (again.hash === hash || failure !== undefined) return;
  const what = again.failure?.message ?? `the trace is ${hash}, and ${again.hash} ${how}`;
  report.failures.push({ seed, invariant: 'I19', message: `seed ${seed}: I19: ${what}` });
}
