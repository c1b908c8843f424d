import { asksOf, isPushed, type TaskAsks, UNMEASURED_MS } from '../../domain/asks.ts';
import { buildGraph, longestPaths, type TaskGraph } from '../../domain/graph/graph.ts';
import { type Slots, type Slotted, slotsIn } from '../../domain/heap.ts';
import type { TaskId, WorkerId } from '../../domain/ids.ts';
import { parsePathSet, type PathSet } from '../../domain/paths/path-set.ts';
import { priorityIndex } from '../../domain/priority.ts';
import {
  hazardPolicyOf,
  type HazardPolicy,
  type OutsideTask,
  type RunManifest,
  withoutDuplicates,
} from '../../domain/run.ts';
import { isFinal, NEW_TASK, type TaskDefinition, type TaskState } from '../../domain/task.ts';
import { type Instant, instant } from '../../domain/time.ts';
import type { ClaimOf, LimitOf } from './claim.ts';
import { isDoom, isMet } from './edge-state.ts';
import { meets, Outside, type Standing } from './outside.ts';
import type { Owner } from './ownership.ts';
import { ReadyTasks } from './ready-tasks.ts';
import { ServedClasses } from './served-classes.ts';
import type { Starvation } from './starvation-count.ts';
import { WholeCycles } from './whole-cycles.ts';
import { type Asking, askingOf, TaskGroups } from './task-groups.ts';
import type { Reason } from './reason.ts';

interface RunSources {
  readonly stateOf: (task: TaskId) => TaskState | undefined;
  /** How far tasks of other runs are; absent where nobody can say. */
  readonly standingOf?: (task: OutsideTask) => Standing;
  readonly at: Instant;
}

interface OutsideEdge {
  readonly outside: Outside<TaskEntry>;
  readonly mustComplete: boolean;
}

/** An unfinished run with everything that follows from its manifest and its states. */
export class RunModel {
  manifest: RunManifest;
  readonly hazards: HazardPolicy;
  readonly graph: TaskGraph;
  readonly entries: readonly TaskEntry[];
  /** What its tasks wait for in other runs, by what they call it. */
  readonly outside: ReadonlyMap<TaskId, Outside<TaskEntry>>;
  /**
   * What a change of one task asks of many others stands in arrays, by their numbers: so much at once
   * has room in the caches of a processor, and 100 000 objects have not.
   */
  readonly unmet: Int32Array;
  readonly pathMs: Float64Array;
  readonly readySince: Float64Array;
  /** Where a task stands in its lane. */
  readonly slots: Slots<number>;
  /** The class each task is served in. */
  readonly ranks: Uint8Array;
  /** Absent where all of its tasks are of one class. */
  readonly classes: ServedClasses | undefined;
  readonly cycles: WholeCycles;
  /** Where its tasks may run, if not here. */
  readonly hosts: ReadonlySet<string>;
  /** By what tasks ask for, then by class. */
  readonly lanes: Lane[][] = [];
  /** Nothing of it starts any more, and what runs is stopped. */
  isStopping = false;
  /** Nobody carries it on at the moment. */
  isInterrupted = false;
  /** Tasks that are not final. */
  open = 0;
  /** Tasks that failed for good. */
  failed = 0;
  cancelled = 0;
  /** Tasks that somebody holds. */
  held = 0;
  readonly attention = new Set<TaskEntry>();
  readonly paused = new Set<TaskEntry>();
  readonly inBackoff = new Set<TaskEntry>();
  /** Pending, though a dependency will not complete. */
  readonly doomed = new Set<TaskEntry>();
  /** Skipped, though every dependency may complete again. */
  readonly revivable = new Set<TaskEntry>();
  /** How far the tasks of the plan were before it was edited, those that have left it included. */
  readonly earlierRevisions = new Map<TaskId, number>();
  #found: TaskEntry | undefined;

  constructor(manifest: RunManifest, { stateOf, standingOf = () => 'open', at }: RunSources) {
    this.manifest = withoutDuplicates(manifest);
    this.hazards = hazardPolicyOf(manifest.policy);
    const { tasks } = this.manifest;
    this.graph = buildGraph(tasks);
    this.unmet = new Int32Array(tasks.length);
    const asks = tasks.map((task) => asksOf(task.asks));
    this.pathMs = longestPaths(
      this.graph,
      asks.map(({ expectedMs }) => expectedMs ?? UNMEASURED_MS),
    );
    this.readySince = new Float64Array(tasks.length).fill(at);
    this.slots = slotsIn(new Int32Array(tasks.length));
    const groups = new TaskGroups();
    this.entries = tasks.map((definition, number) => {
      const asking = askingOf(definition, asks[number]!);
      return new TaskEntry({
        ...asking,
        run: this,
        number,
        definition,
        group: groups.numberOf(asking),
        state: stateOf(definition.id) ?? NEW_TASK,
      });
    });
    this.outside = new Map(
      manifest.outside?.map((task) => [task.reference, new Outside(task, standingOf(task))]),
    );
    this.#countEdges();
    this.cycles = new WholeCycles(this.entries);
    this.hosts = new Set(asks.flatMap(({ doer, hosts }) => (isPushed(doer) ? hosts : [])));
    const own = Uint8Array.from(asks, ({ priority }) => priorityIndex(priority));
    const isOpen = Uint8Array.from(this.entries, (entry) => (entry.isOpen ? 1 : 0));
    const hasClasses = own.some((rank) => rank !== own[0]);
    this.classes = hasClasses ? new ServedClasses(this.graph, own, isOpen) : undefined;
    this.ranks = this.classes?.ranks ?? own;
  }

  find(task: TaskId): TaskEntry | undefined {
    // What happens to one task mostly comes in a row.
    if (this.#found?.id === task) return this.#found;
    const number = this.graph.numberOf.get(task);
    if (number !== undefined) this.#found = this.entries[number];
    return number === undefined ? undefined : this.#found;
  }

  /** Whether it may not start anything more, whoever asks. */
  get hasEndedEarly(): boolean {
    return this.isStopping || (this.manifest.policy.failFast && this.failed > 0);
  }

  /** Where it is ready with others that ask for the same and are served in the same class. */
  laneOf(entry: TaskEntry): Lane {
    const { group, rank } = entry;
    const lanes = (this.lanes[group] ??= []);
    lanes[rank] ??= new Lane(this, rank, entry);
    return lanes[rank];
  }

  /** Calls back for each task that waits for this one, with whether it needs it completed. */
  forEachSuccessor(
    entry: TaskEntry,
    visit: (successor: TaskEntry, mustComplete: boolean) => void,
  ): void {
    const { offsets, nodes, mustComplete } = this.graph.successors;
    const end = offsets[entry.number + 1]!;
    for (let edge = offsets[entry.number]!; edge < end; edge += 1)
      visit(this.entries[nodes[edge]!]!, mustComplete[edge] === 1);
  }

  forEachPredecessor(
    entry: TaskEntry,
    visit: (predecessor: TaskEntry, mustComplete: boolean) => void,
  ): void {
    const { offsets, nodes, mustComplete } = this.graph.predecessors;
    const end = offsets[entry.number + 1]!;
    for (let edge = offsets[entry.number]!; edge < end; edge += 1)
      visit(this.entries[nodes[edge]!]!, mustComplete[edge] === 1);
  }

  /** What a task waits for in other runs, in the order in which it lists them. */
  outsideOf({ definition: { dependsOn, after } }: TaskEntry): readonly OutsideEdge[] {
    if (this.outside.size === 0) return [];
    return [...new Set([...dependsOn, ...after])].flatMap((reference) => {
      const outside = this.outside.get(reference);
      return outside ? [{ outside, mustComplete: dependsOn.includes(reference) }] : [];
    });
  }

  /** Keeps the totals right when a task has gone from `before` to the state it has now. */
  count(entry: TaskEntry, before: TaskState | undefined): void {
    const { state } = entry;
    const wasOpen = before !== undefined && !isFinal(before);
    const isOpen = !isFinal(state);
    if (wasOpen !== isOpen) {
      this.open += isOpen ? 1 : -1;
      this.cycles.forget();
    }
    this.failed += Number(state.kind === 'failed') - Number(before?.kind === 'failed');
    this.cancelled += Number(state.kind === 'cancelled') - Number(before?.kind === 'cancelled');
    if (state.kind === 'attention') this.attention.add(entry);
    else if (before?.kind === 'attention') this.attention.delete(entry);
    if (entry.doomed > 0 || state.kind === 'skipped' || before?.kind === 'skipped')
      this.sortDoomed(entry);
  }

  /** Whether it is to be skipped, or was skipped and need not have been. */
  sortDoomed(entry: TaskEntry): void {
    const { state, doomed } = entry;
    if (state.kind === 'pending' && doomed > 0) this.doomed.add(entry);
    else this.doomed.delete(entry);
    if (state.kind === 'skipped' && doomed === 0) this.revivable.add(entry);
    else this.revivable.delete(entry);
  }

  #countEdges(): void {
    for (const entry of this.entries)
      this.forEachPredecessor(entry, ({ state }, mustComplete) => {
        if (!isMet(state, mustComplete)) this.unmet[entry.number]! += 1;
        if (mustComplete && isDoom(state)) entry.doomed += 1;
      });
    // A dependency that does not exist never completes; nothing is left to wait for after one.
    for (const { task, waitsFor } of this.graph.missing) {
      const entry = this.find(task)!;
      const mustComplete = entry.definition.dependsOn.includes(waitsFor);
      const outside = this.outside.get(waitsFor);
      outside?.waiting.push({ entry, mustComplete });
      if (outside === undefined ? mustComplete : !meets(outside.standing, mustComplete))
        this.unmet[entry.number]! += 1;
      if (mustComplete && outside?.standing === 'ended') entry.doomed += 1;
    }
  }
}

/**
 * A task of an unfinished run: its state, which is a fact, and what follows from the facts.
 *
 * Only `BoardModel` and its parts write to it; the predicate keeps a note of whom it met.
 */
export class TaskEntry implements Slotted {
  readonly run: RunModel;
  /** Its place in the graph of its run. */
  readonly number: number;
  readonly id: TaskId;
  readonly definition: TaskDefinition;
  readonly asks: TaskAsks;
  /** Tasks of its run that ask for the same have the same number. */
  readonly group: number;
  readonly touchesFiles: boolean;
  state: TaskState;
  /** In the heap of those that wait for their backoff. */
  slot = -1;
  /** Where it is ready, with its neighbours there by how long they have been ready. */
  lane: Lane | undefined;
  older: TaskEntry | undefined;
  newer: TaskEntry | undefined;
  /** Dependencies that ended otherwise than completed. */
  doomed = 0;
  isPaused = false;
  /** The host where a runner of ours was at it last; absent: this machine. */
  ranAt: string | undefined;
  claim: Claim | undefined;
  /** Whom it was last seen to meet: as long as that one lives, there is no need to look. */
  blockedBy: { readonly owner: Owner; readonly reason: Reason } | undefined;
  wokenAt: Map<WorkerId, Instant> | undefined;
  /** Who had it last and lost it, gave it back or failed. */
  leftBy: WorkerId | undefined;
  starvation: Starvation | undefined;
  #leftover: Owner | undefined;
  #paths: { readonly reads: PathSet; readonly writes: PathSet } | undefined;

  constructor(facts: {
    run: RunModel;
    number: number;
    definition: TaskDefinition;
    asks: TaskAsks;
    group: number;
    touchesFiles: boolean;
    state: TaskState;
  }) {
    this.run = facts.run;
    this.number = facts.number;
    this.id = facts.definition.id;
    this.definition = facts.definition;
    this.asks = facts.asks;
    this.group = facts.group;
    this.touchesFiles = facts.touchesFiles;
    this.state = facts.state;
  }

  /** How many edges to it have an earlier task that is not there yet. */
  get unmet(): number {
    return this.run.unmet[this.number]!;
  }

  get isOpen(): boolean {
    return !isFinal(this.state);
  }

  /** The class it is served in: its own, or that of the highest task waiting for it. */
  get rank(): number {
    return this.run.ranks[this.number]!;
  }

  /** Expected time of the longest chain that starts with it. */
  get pathMs(): number {
    return this.run.pathMs[this.number]!;
  }

  get readySince(): Instant {
    return instant(this.run.readySince[this.number]!);
  }

  set readySince(at: Instant) {
    this.run.readySince[this.number] = at;
  }

  /** An earlier attempt of it that may still be at work. */
  get leftover(): Owner | undefined {
    return this.#leftover?.isLive === true ? this.#leftover : undefined;
  }

  set leftover(owner: Owner | undefined) {
    this.#leftover = owner;
  }

  /** From the top of the working tree. */
  get paths(): { readonly reads: PathSet; readonly writes: PathSet } {
    const { reads, writes } = this.definition;
    const { folder } = this.run.manifest;
    this.#paths ??= { reads: parsePathSet(reads, folder), writes: parsePathSet(writes, folder) };
    return this.#paths;
  }

  /** Reading them again is cheaper than keeping those of every task that waits. */
  forgetPaths(): void {
    this.#paths = undefined;
  }

  /** What is worked out again at need is not kept for every task that has ended. */
  forget(): void {
    this.forgetPaths();
    this.blockedBy = undefined;
    this.wokenAt = undefined;
    this.leftBy = undefined;
    this.starvation = undefined;
  }
}

/** The order inside a class: the longest remaining path, who is ready longest, the id, that of the run. */
export function startsBefore(a: TaskEntry, b: TaskEntry): boolean {
  if (a.pathMs !== b.pathMs) return a.pathMs > b.pathMs;
  if (a.readySince !== b.readySince) return a.readySince < b.readySince;
  if (a.id !== b.id) return a.id < b.id;
  return a.run.manifest.id < b.run.manifest.id;
}

/** Ready tasks that ask for the same: when one of them finds no place, none of them does. */
export class Lane {
  readonly run: RunModel;
  readonly rank: number;
  readonly asks: TaskAsks;
  readonly touchesFiles: boolean;
  readonly ready: ReadyTasks<TaskEntry>;
  /** Only where somebody who needs less could overtake does it matter who is here longest. */
  readonly keepsAge: boolean;
  #oldest: TaskEntry | undefined;
  #newest: TaskEntry | undefined;

  constructor(run: RunModel, rank: number, { asks, touchesFiles: touches }: Asking) {
    this.run = run;
    this.rank = rank;
    this.asks = asks;
    this.touchesFiles = touches;
    const { entries, graph, pathMs, readySince, slots } = run;
    this.ready = new ReadyTasks(entries, { ids: graph.ids, pathMs, readySince, slots });
    this.keepsAge = touches || Object.keys(asks.resources).length > 0;
  }

  /** Who has been here longest, the others follow by `newer`; the first in order where age is not kept. */
  get oldest(): TaskEntry | undefined {
    return this.keepsAge ? this.#oldest : this.ready.peek();
  }

  add(entry: TaskEntry): void {
    this.ready.push(entry);
    entry.lane = this;
    if (!this.keepsAge) return;
    // Mostly nobody is here who came later.
    let older = this.#newest;
    while (older !== undefined && older.readySince > entry.readySince) older = older.older;
    const newer = older === undefined ? this.#oldest : older.newer;
    entry.older = older;
    entry.newer = newer;
    if (older === undefined) this.#oldest = entry;
    else older.newer = entry;
    if (newer === undefined) this.#newest = entry;
    else newer.older = entry;
  }

  remove(entry: TaskEntry): void {
    this.ready.remove(entry);
    entry.lane = undefined;
    if (!this.keepsAge) return;
    const { older, newer } = entry;
    if (older === undefined) this.#oldest = newer;
    else older.newer = newer;
    if (newer === undefined) this.#newest = older;
    else newer.older = older;
    entry.older = undefined;
    entry.newer = undefined;
  }
}

export type Claim = ClaimOf<TaskEntry>;
export type Limit = LimitOf<TaskEntry>;
