import type { WaitCause } from '../../protocol/timeline.ts';
import { asksOf, isPushed } from '../domain/asks.ts';
import { buildGraph } from '../domain/graph/graph.ts';
import type { TaskId } from '../domain/ids.ts';
import { findHazards } from '../domain/paths/hazard-finder.ts';
import type { PathRules } from '../domain/paths/overlap.ts';
import { hazardPolicyOf, type RunManifest } from '../domain/run.ts';
import type { TaskDefinition } from '../domain/task.ts';
import { LOCAL, runnerAt } from '../scheduler/model/workers.ts';
import {
  complement,
  intersection,
  type Interval,
  type Intervals,
  touches,
  union,
  whileFull,
  without,
  withoutGaps,
} from './intervals.ts';
import type { TaskPast } from './task-past.ts';

/** Into so many parts a wait falls at most, where its causes take turns. */
const PARTS = 100;

export interface Wait extends Interval {
  readonly cause: WaitCause;
  readonly names: readonly string[];
}

/** The tasks that each task of a run waits for because of its files; it does not change while it goes on. */
export type FileRivals = ReadonlyMap<TaskId, readonly TaskId[]>;

/** Working trees of their own keep tasks apart; of all others the run's own rules count. */
export function fileRivalsOf(
  { tasks, policy }: Pick<RunManifest, 'tasks' | 'policy'>,
  rules: PathRules,
): FileRivals {
  const { writeWrite, readWrite } = hazardPolicyOf(policy);
  const rivals = new Map<TaskId, TaskId[]>();
  const shared = tasks.filter(({ asks }) => !asksOf(asks).isIsolated);
  for (const { kind, first, second } of findHazards(shared, buildGraph(tasks), rules).hazards) {
    if ((kind === 'write-write' ? writeWrite : readWrite) !== 'wait') continue;
    add(first, second);
    add(second, first);
  }
  return rivals;

  function add(one: TaskId, other: TaskId): void {
    const known = rivals.get(one);
    if (known === undefined) rivals.set(one, [other]);
    else known.push(other);
  }
}

export interface WaitFacts {
  readonly manifest: Pick<RunManifest, 'tasks' | 'policy'>;
  readonly pasts: ReadonlyMap<TaskId, TaskPast>;
  readonly rivals: FileRivals;
  /** How long the run took until now: what is far shorter is no cause of its own. */
  readonly lengthMs: number;
  /** When nothing of the run could start at all. */
  readonly paused: Intervals;
  /** When tasks of other runs were over, by what they are called here. */
  readonly outside: ReadonlyMap<TaskId, Intervals>;
}

/**
 * Why each task waited. At any moment the first of these that was so is the cause: a pause, tasks that
 * come first, a backoff, files of others, a limit, no free place; else it was not its turn.
 */
export class Waits {
  readonly #facts: WaitFacts;
  readonly #full: Intervals;
  readonly #gapMs: number;
  readonly #scarce = new Map<string, Intervals>();

  constructor(facts: WaitFacts) {
    this.#facts = facts;
    const { parallel } = facts.manifest.policy;
    this.#gapMs = facts.lengthMs / PARTS;
    const full = whileFull(
      this.#uses((task, worker) => Number(isPushed(asksOf(task.asks).doer) && isHere(worker))),
      (taken) => taken >= parallel,
    );
    this.#full = withoutGaps(full, this.#gapMs);
  }

  of(task: TaskDefinition): readonly Wait[] {
    const past = this.#facts.pasts.get(task.id);
    if (past === undefined) return [];
    const waits: Wait[] = [];
    let left: Intervals = past.pending;
    for (const { cause, blocked, names } of this.#causes(task, past)) {
      for (const interval of intersection(left, blocked))
        waits.push({ ...interval, cause, names: names(interval) });
      left = without(left, blocked);
      if (left.length === 0) break;
    }
    return waits.toSorted((a, b) => a.from - b.from);
  }

  *#causes(task: TaskDefinition, past: TaskPast): Generator<Cause, void> {
    yield {
      cause: 'paused',
      blocked: union([...this.#facts.paused, ...past.paused]),
      names: nobody,
    };
    yield this.#dependencies(task);
    yield { cause: 'backoff', blocked: past.backoff, names: nobody };
    yield this.#files(task);
    for (const [name, amount] of Object.entries(asksOf(task.asks).resources))
      yield { cause: 'limits', blocked: this.#scarceFor(name, amount), names: () => [name] };
    const { doer, hosts } = asksOf(task.asks);
    if (isPushed(doer) && (hosts.length === 0 || hosts.includes(LOCAL)))
      yield { cause: 'parallel', blocked: this.#full, names: nobody };
    yield { cause: 'turn', blocked: complement([]), names: nobody };
  }

  #dependencies({ dependsOn, after }: TaskDefinition): Cause {
    const { pasts, outside } = this.#facts;
    const open = [...new Set([...dependsOn, ...after])].map((name) => {
      const past = pasts.get(name);
      const done = dependsOn.includes(name) ? past?.completed : past?.over;
      return { name, open: complement(done ?? outside.get(name) ?? []) };
    });
    return {
      cause: 'dependencies',
      blocked: union(open.flatMap((each) => each.open)),
      names: (interval) =>
        open.flatMap((each) => (touches(each.open, interval) ? [each.name] : [])),
    };
  }

  #files({ id }: TaskDefinition): Cause {
    const rivals = (this.#facts.rivals.get(id) ?? []).map((name) => ({
      name,
      held: this.#facts.pasts.get(name)?.held ?? [],
    }));
    return {
      cause: 'files',
      blocked: withoutGaps(union(rivals.flatMap(({ held }) => held)), this.#gapMs),
      names: (interval) =>
        rivals.flatMap(({ name, held }) => (touches(held, interval) ? [name] : [])),
    };
  }

  /** When so much of a limit was not to be had. */
  #scarceFor(name: string, amount: number): Intervals {
    const key = `${name}\n${amount}`;
    const known = this.#scarce.get(key);
    if (known !== undefined) return known;
    const limit = this.#facts.manifest.policy.limits?.[name];
    const uses = this.#uses((task) => asksOf(task.asks).resources[name] ?? 0);
    const scarce = limit === undefined ? [] : whileFull(uses, (taken) => taken + amount > limit);
    const seen = withoutGaps(scarce, this.#gapMs);
    this.#scarce.set(key, seen);
    return seen;
  }

  #uses(
    amountOf: (task: TaskDefinition, worker: string) => number,
  ): readonly (Interval & { amount: number })[] {
    return this.#facts.manifest.tasks.flatMap((task) =>
      (this.#facts.pasts.get(task.id)?.held ?? [])
        .map(({ from, to, worker }) => ({ from, to, amount: amountOf(task, worker) }))
        .filter(({ amount }) => amount > 0),
    );
  }
}

function isHere(worker: string): boolean {
  return worker === runnerAt(LOCAL);
}

function nobody(): readonly string[] {
  return [];
}

interface Cause {
  readonly cause: WaitCause;
  readonly blocked: Intervals;
  readonly names: (interval: Interval) => readonly string[];
}
