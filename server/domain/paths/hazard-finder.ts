import type { TaskGraph } from '../graph/graph.ts';
import { areEqual } from '../equal-lists.ts';
import { isOrdered, type Step, TaskOrders } from '../graph/task-orders.ts';
import type { TaskId } from '../ids.ts';
import { ClaimedGlobs, type GlobUser } from './claimed-globs.ts';
import { type Claimant, type Hazard, hazardBetween, type TaskPaths } from './hazard.ts';
import type { Budget, PathRules } from './overlap.ts';
import { parsePathSet, type PathSet } from './path-set.ts';
import { askWithin } from './row-walk.ts';

/** More than anybody reads; past them a plan needs another idea, not a longer list. */
const HAZARD_LIMIT = 100_000;
/** Over all pairs: tasks that were met because of some glob. */
const VISIT_LIMIT = 200_000_000;
/**
 * For what meets what and for exact comparisons, in steps, and so many more for each task: a large plan
 * takes longer than one that was written to keep Interlock busy.
 */
const STEP_LIMIT = 1_000_000;
const STEPS_FOR_TASK = 500;
/** For the examples of all hazards that are shown. */
const EXAMPLE_STEPS = 1_000_000;

/**
 * After so many steps the search pauses, so that a server can answer others. With the question that it is
 * in the middle of, a slice takes twice that at most.
 */
export const SLICE_STEPS = 250_000;
/** A visit is much less work than a step. */
const VISITS_FOR_STEP = 4;
/** What is done for each pattern, and each pair, however easy it is. */
const LEAST_STEPS = 25;

export interface HazardReport<Id extends string = TaskId> {
  /** At most one for two tasks: the write-write one if there is one. In the order of the tasks. */
  readonly hazards: readonly Hazard<Id>[];
  /** Whether every pair was compared. At dispatch every task is compared all the same. */
  readonly isComplete: boolean;
}

/** All hazards of some tasks. Whoever asks again and again has a `HazardFinder`. */
export function findHazards<Id extends string = TaskId>(
  tasks: readonly TaskPaths<Id>[],
  graph: TaskGraph<Id>,
  rules: PathRules,
): HazardReport<Id> {
  return new HazardFinder<Id>().find(tasks, [graph], rules);
}

/**
 * Finds the hazards of some tasks again and again, and remembers what it has compared: after a change
 * only tasks that touch other paths than before, or have another order, are looked at anew.
 *
 * Invariant: a complete report is the one that `findHazards` gives for the same tasks.
 */
export class HazardFinder<Id extends string = TaskId> {
  #rules: PathRules = { foldCase: false };
  #globs = new ClaimedGlobs<Member<Id>>(this.#rules);
  #members: readonly Member<Id>[] = [];
  #memberOf = new Map<Id, Member<Id>>();
  readonly #orders = new TaskOrders<Id>();
  #report: HazardReport<Id> | undefined;
  #questions = 0;
  /** Whether the last search was given up before its end. */
  #isAbandoned = false;
  /** What the examples of all hazards may take until the next search. */
  readonly examples: Budget = { stepsLeft: EXAMPLE_STEPS };

  /**
   * Each task is in one of the graphs, and has no order with those of others. Of tasks with the same
   * id the last one counts, as in a graph.
   */
  find(
    tasks: readonly TaskPaths<Id>[],
    graphs: readonly TaskGraph<Id>[],
    rules: PathRules,
  ): HazardReport<Id> {
    const search = this.finding(tasks, graphs, rules);
    for (;;) {
      const slice = search.next();
      if (slice.done === true) return slice.value;
    }
  }

  /**
   * The same in slices. Yields after each the steps that it took. A search that is not needed any more
   * is left where it is; the next one then starts from nothing.
   */
  *finding(
    tasks: readonly TaskPaths<Id>[],
    graphs: readonly TaskGraph<Id>[],
    rules: PathRules,
  ): Generator<number, HazardReport<Id>> {
    // What was left out of an answer that is not whole is not known; the tasks may be other ones now.
    const isCut = !this.#globs.isComplete && !this.#isKnown(tasks);
    if (this.#isAbandoned || isCut || !areSameRules(rules, this.#rules)) this.#forget(rules);
    this.#isAbandoned = true;
    this.examples.stepsLeft = EXAMPLE_STEPS;
    const report = yield* this.#search(tasks, graphs);
    this.#isAbandoned = false;
    return report;
  }

  *#search(
    tasks: readonly TaskPaths<Id>[],
    graphs: readonly TaskGraph<Id>[],
  ): Generator<number, HazardReport<Id>> {
    const spent = new Spending(tasks.length);
    const { changed, isMoved } = this.#take(tasks);
    for (const member of changed)
      for (const _ of this.#globs.add(member, spent)) if (spent.isSliceOver()) yield spent.slice();
    const isSameOrder = this.#orderIsSame(graphs, changed);
    const last = this.#report;
    if (last === undefined || !isSameOrder || isMoved) return yield* this.#findAll(spent);
    if (changed.length === 0) return last;
    const isFew = last.isComplete && changed.length <= this.#members.length / 4;
    return yield* isFew ? this.#update(changed, spent) : this.#findAll(spent);
  }

  #forget(rules: PathRules): void {
    this.#rules = rules;
    this.#globs = new ClaimedGlobs(rules);
    this.#members = [];
    this.#memberOf = new Map();
    this.#report = undefined;
  }

  /** Whose paths are new, and whether tasks came, went or changed places. */
  #take(tasks: readonly TaskPaths<Id>[]): {
    changed: readonly Member<Id>[];
    isMoved: boolean;
  } {
    if (this.#isKnown(tasks)) return { changed: [], isMoved: false };
    const byId = new Map<Id, Member<Id>>();
    const changed: Member<Id>[] = [];
    for (const task of tasks) {
      const before = this.#memberOf.get(task.id);
      byId.set(task.id, before?.hasPathsOf(task) === true ? before : new Member(task));
    }
    for (const [id, before] of this.#memberOf)
      if (byId.get(id) !== before) {
        this.#globs.remove(before);
        before.detach();
      }
    const members = [...byId.values()];
    const isMoved =
      members.length !== this.#members.length ||
      members.some(({ id }, place) => id !== this.#members[place]!.id);
    for (const [place, member] of members.entries()) {
      member.place = place;
      if (this.#memberOf.get(member.id) === member) continue;
      changed.push(member);
    }
    this.#members = members;
    this.#memberOf = byId;
    return { changed, isMoved };
  }

  #orderIsSame(graphs: readonly TaskGraph<Id>[], changed: readonly Member<Id>[]): boolean {
    const isSame = this.#orders.update(graphs);
    for (const member of isSame ? changed : this.#members)
      member.step = this.#orders.stepOf(member.id);
    return isSame;
  }

  #isKnown(tasks: readonly TaskPaths<Id>[]): boolean {
    if (tasks.length !== this.#members.length) return false;
    for (const [place, task] of tasks.entries()) {
      const member = this.#members[place]!;
      if (member.id !== task.id || !member.hasPathsOf(task)) return false;
    }
    return true;
  }

  *#findAll(spent: Spending): Generator<number, HazardReport<Id>> {
    let count = 0;
    for (const a of this.#members) a.earlier.clear();
    for (const a of this.#members) {
      const before = a.later;
      a.later = new Map();
      for (const b of this.#unordered(a, a.place, spent)) {
        const hazard = before.get(b) ?? this.#between(a, b, spent);
        if (spent.isSliceOver()) yield spent.slice();
        if (hazard === undefined) continue;
        if (count === HAZARD_LIMIT) return this.#giveUp();
        a.join(b, hazard);
        count += 1;
      }
      if (spent.stepsLeft <= 0 || spent.visitsLeft <= 0) return this.#giveUp();
      if (spent.isSliceOver()) yield spent.slice();
    }
    return this.#answer(this.#globs.isComplete);
  }

  /** Only pairs with one of the changed are other ones than before. */
  *#update(changed: readonly Member<Id>[], spent: Spending): Generator<number, HazardReport<Id>> {
    for (const member of changed)
      for (const other of this.#unordered(member, -1, spent)) {
        const [a, b] = member.place < other.place ? [member, other] : [other, member];
        const hazard = this.#between(a, b, spent);
        if (hazard !== undefined) a.join(b, hazard);
        if (spent.isSliceOver()) yield spent.slice();
      }
    const report = this.#answer(this.#globs.isComplete);
    const isSpent = spent.stepsLeft <= 0 || spent.visitsLeft <= 0;
    return isSpent || report.hazards.length > HAZARD_LIMIT
      ? yield* this.#findAll(new Spending(this.#members.length))
      : report;
  }

  #between(a: Member<Id>, b: Member<Id>, spent: Spending): Hazard<Id> | undefined {
    return askWithin(spent, (budget) =>
      hazardBetween(a, b, { ...this.#rules, budget, examples: this.examples }),
    );
  }

  /** Nothing of an answer that is not whole is remembered. */
  #giveUp(): HazardReport<Id> {
    const report = this.#answer(false);
    for (const member of this.#members) member.detach();
    return report;
  }

  #answer(isComplete: boolean): HazardReport<Id> {
    const hazards: Hazard<Id>[] = [];
    for (const { later } of this.#members)
      if (later.size > 0) for (const hazard of inOrder(later)) hazards.push(hazard);
    this.#report = { hazards, isComplete };
    return this.#report;
  }

  /** Who is behind some place, meets the globs of a task and has no order with it; by their places. */
  #unordered(
    member: Member<Id>,
    behind: number,
    spent: { visitsLeft: number },
  ): readonly Member<Id>[] {
    this.#questions += 1;
    const question = this.#questions;
    const found: Member<Id>[] = [];
    const { step } = member;
    member.metIn = question;
    this.#globs.meet(member, (other) => {
      spent.visitsLeft -= 1;
      if (other.place <= behind || other.metIn === question) return;
      other.metIn = question;
      if (!isOrdered(step, other.step)) found.push(other);
    });
    return found.length < 2 ? found : found.toSorted((a, b) => a.place - b.place);
  }
}

/** A task for as long as it has the same paths. */
class Member<Id extends string> implements Claimant<Id>, GlobUser {
  readonly id: Id;
  readonly reading: readonly string[];
  readonly writing: readonly string[];
  place = 0;
  step: Step | undefined;
  /** The question in which it was met last. */
  metIn = 0;
  later = new Map<Member<Id>, Hazard<Id>>();
  readonly earlier = new Set<Member<Id>>();
  #reads: PathSet | undefined;
  #writes: PathSet | undefined;

  constructor({ id, reads, writes }: TaskPaths<Id>) {
    this.id = id;
    this.reading = reads;
    this.writing = writes;
  }

  get reads(): PathSet {
    return (this.#reads ??= parsePathSet(this.reading));
  }

  get writes(): PathSet {
    return (this.#writes ??= parsePathSet(this.writing));
  }

  hasPathsOf({ reads, writes }: TaskPaths<Id>): boolean {
    return areEqual(this.reading, reads) && areEqual(this.writing, writes);
  }

  join(later: Member<Id>, hazard: Hazard<Id>): void {
    this.later.set(later, hazard);
    later.earlier.add(this);
  }

  detach(): void {
    for (const other of this.later.keys()) other.earlier.delete(this);
    for (const other of this.earlier) other.later.delete(this);
    this.later.clear();
    this.earlier.clear();
  }
}

/** What was found all at once is in order already. */
function inOrder<Id extends string>(
  later: ReadonlyMap<Member<Id>, Hazard<Id>>,
): Iterable<Hazard<Id>> {
  let last = -1;
  for (const { place } of later.keys()) {
    if (place < last)
      return [...later].toSorted(([a], [b]) => a.place - b.place).map(([, hazard]) => hazard);
    last = place;
  }
  return later.values();
}

/** What one answer may take, and how much of it the slice has taken that goes on now. */
class Spending implements Budget {
  stepsLeft: number;
  visitsLeft = VISIT_LIMIT;
  #looks = 0;
  #before = 0;

  constructor(tasks: number) {
    this.stepsLeft = STEP_LIMIT + tasks * STEPS_FOR_TASK;
    this.#before = this.#weight;
  }

  /** Asked after each piece of work. */
  isSliceOver(): boolean {
    this.#looks += 1;
    return this.#before - this.#weight >= SLICE_STEPS;
  }

  /** Ends a slice. Answers with the steps that it took. */
  slice(): number {
    const taken = this.#before - this.#weight;
    this.#before -= taken;
    return taken;
  }

  get #weight(): number {
    return this.stepsLeft + this.visitsLeft / VISITS_FOR_STEP - this.#looks * LEAST_STEPS;
  }
}

function areSameRules(a: PathRules, b: PathRules): boolean {
  return a.foldCase === b.foldCase && (a.foldUnicode === true) === (b.foldUnicode === true);
}
