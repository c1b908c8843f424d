import { findCycles } from '../../domain/graph/cycles.ts';
import { buildGraph, type GraphNode } from '../../domain/graph/graph.ts';
import { parseTaskReference, type RunId, type TaskId } from '../../domain/ids.ts';
import { isFinal } from '../../domain/task.ts';
import type { Outside } from './outside.ts';
import type { RunModel, TaskEntry } from './run-model.ts';

type Waited = Outside<TaskEntry>;

/** Who waits for tasks of other runs. */
export class OutsideTable {
  readonly #byRun = new Map<RunId, Map<TaskId, Set<Waited>>>();
  /** The cycles through the runs that wait for each other, for the first time somebody asks. */
  #cycles: Cycles | undefined;

  add(run: RunModel): void {
    this.#cycles = undefined;
    for (const outside of run.outside.values()) {
      const { run: other, task } = outside.task;
      const ofRun = this.#byRun.get(other) ?? new Map<TaskId, Set<Waited>>();
      this.#byRun.set(other, ofRun);
      ofRun.set(task, (ofRun.get(task) ?? new Set()).add(outside));
    }
  }

  remove(run: RunModel): void {
    this.#cycles = undefined;
    for (const outside of run.outside.values()) {
      const ofRun = this.#byRun.get(outside.task.run);
      const ofTask = ofRun?.get(outside.task.task);
      ofTask?.delete(outside);
      if (ofTask?.size === 0) ofRun?.delete(outside.task.task);
      if (ofRun?.size === 0) this.#byRun.delete(outside.task.run);
    }
  }

  /** Those who wait for one task of a run that is on the board. */
  of(run: RunId, task: TaskId): Iterable<Waited> {
    if (this.#byRun.size === 0) return [];
    return this.#byRun.get(run)?.get(task) ?? [];
  }

  ofRun(run: RunId): readonly Waited[] {
    return [...(this.#byRun.get(run)?.values() ?? [])].flatMap((waited) => [...waited]);
  }

  /** A task has ended, or is open again. */
  forgetCycles(): void {
    this.#cycles = undefined;
  }

  /** The tasks of several runs that wait for each other, this one among them, by the names that it has for them. */
  cycleThrough(
    { run, id }: TaskEntry,
    runs: ReadonlyMap<RunId, RunModel>,
  ): readonly TaskId[] | undefined {
    if (this.#byRun.size === 0 || run.outside.size === 0) return undefined;
    this.#cycles ??= cyclesOf(runs);
    return this.#cycles
      .get(run)
      ?.get(id)
      ?.map((member) => nameIn(run, member));
  }
}

interface Member {
  readonly run: RunModel;
  readonly task: TaskId;
}

type Cycles = ReadonlyMap<RunModel, ReadonlyMap<TaskId, readonly Member[]>>;

/** Only runs that wait for each other are looked at, and there are hardly ever any. */
function cyclesOf(runs: ReadonlyMap<RunId, RunModel>): Cycles {
  const cycles = new Map<RunModel, Map<TaskId, readonly Member[]>>();
  const entangled = [...runs.values()].filter((run) => reaches(run, run, runs));
  const members = new Map<TaskId, Member>();
  const nodes: GraphNode[] = [];
  for (const run of entangled)
    for (const { id, definition, state } of run.entries) {
      if (isFinal(state)) continue;
      const key = keyOf(run, id);
      members.set(key, { run, task: id });
      const keysOf = (ids: readonly TaskId[]): readonly TaskId[] =>
        ids.map((waitsFor) => keyOfMention(run, waitsFor, runs));
      nodes.push({
        id: key,
        dependsOn: keysOf(definition.dependsOn),
        after: keysOf(definition.after),
      });
    }
  for (const cycle of findCycles(buildGraph(nodes))) {
    const through = cycle.map((key) => members.get(key)!);
    for (const [index, { run, task }] of through.entries()) {
      const ofRun = cycles.get(run) ?? new Map<TaskId, readonly Member[]>();
      cycles.set(run, ofRun);
      ofRun.set(task, [...through.slice(index), ...through.slice(0, index)]);
    }
  }
  return cycles;
}

function keyOf({ manifest }: RunModel, task: TaskId): TaskId {
  return parseTaskReference(`${manifest.id}/${task}`) ?? task;
}

/** What is not there is on no cycle, whatever it is called. */
function keyOfMention(run: RunModel, waitsFor: TaskId, runs: ReadonlyMap<RunId, RunModel>): TaskId {
  const outside = run.outside.get(waitsFor)?.task;
  const of = outside === undefined ? run : runs.get(outside.run);
  return of === undefined ? waitsFor : keyOf(of, outside?.task ?? waitsFor);
}

/** Whether a run waits for another one, directly or by way of others. */
function reaches(from: RunModel, to: RunModel, runs: ReadonlyMap<RunId, RunModel>): boolean {
  const seen = new Set<RunModel>();
  const queue = [from];
  for (const run of queue)
    for (const { standing, task } of run.outside.values()) {
      const next = standing === 'open' ? runs.get(task.run) : undefined;
      if (next === to) return true;
      if (next === undefined || seen.has(next)) continue;
      seen.add(next);
      queue.push(next);
    }
  return false;
}

/** As the tasks of a run call it; what they do not call by any name is called by its plan. */
function nameIn(run: RunModel, { run: of, task }: Member): TaskId {
  if (of === run) return task;
  for (const { task: outside } of run.outside.values())
    if (outside.run === of.manifest.id && outside.task === task) return outside.reference;
  return parseTaskReference(`${of.manifest.plan}/${task}`) ?? task;
}
