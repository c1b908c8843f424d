import type { RunId, TaskId, WorkerId } from '../../domain/ids.ts';
import type { Budget, PathRules } from '../../domain/paths/overlap.ts';
import { PathIndex } from '../../domain/paths/path-index.ts';
import { exactPath, type PathSet } from '../../domain/paths/path-set.ts';
import type { HazardPolicy, HazardRule } from '../../domain/run.ts';
import { type Instant, isOver } from '../../domain/time.ts';
import { isSameWorker } from './workers.ts';

/** Somebody who reads or writes some paths now. */
export interface Owner {
  readonly who: OwnerName;
  readonly worker: WorkerId;
  /** The working tree its paths are in. */
  readonly tree: string;
  readonly reads: PathSet;
  readonly writes: PathSet;
  /** Absent for people: what meets them is up to whoever comes later. */
  readonly policy?: HazardPolicy;
  /** From then on it owns nothing more. */
  readonly until?: Instant;
  /** Cleared when it is taken out, so that others may remember it safely. */
  isLive: boolean;
  /** Who would like to have some of it. */
  asked?: readonly ReleaseAsk[];
  /** Attempts that need not wait for it: its person lets them start. */
  readonly lets?: readonly TaskAttempt[];
}

/** One attempt at a task of a run: the one that is under way, or comes next. */
export interface TaskAttempt {
  readonly run: RunId;
  readonly task: TaskId;
  readonly revision: number;
  readonly attempt: number;
}

/** Somebody would like to have a file that is taken. */
export interface ReleaseAsk {
  readonly worker: WorkerId;
  readonly path: string;
  readonly at: Instant;
}

/** Who is at work on one file. */
export interface FileOwners {
  readonly writers: readonly Owner[];
  readonly readers: readonly Owner[];
}

export type OwnerName =
  | { readonly kind: 'task'; readonly run: RunId; readonly task: TaskId }
  /** A lost attempt, until it is proved that nothing of it is at work any more. */
  | {
      readonly kind: 'leftover';
      readonly run: RunId;
      readonly task: TaskId;
      readonly term: number;
    }
  | {
      readonly kind: 'person';
      readonly id: string;
      /** It is a file that is open in an editor and was changed there. */
      readonly isUnsaved: boolean;
      /** By now it is saved: it stays theirs for a moment after the last key. */
      readonly isSaved?: boolean;
    };

/** Who wants to start, and what it would touch. */
export interface Intent {
  readonly tree: string;
  readonly reads: PathSet;
  readonly writes: PathSet;
  readonly policy: HazardPolicy;
  readonly worker: WorkerId | undefined;
  /** Absent where paths are asked for without a task. */
  readonly task?: TaskAttempt;
}

export interface Collision {
  readonly owner: Owner;
  readonly kind: 'write-write' | 'read-write';
  readonly rule: HazardRule | 'ask';
  /** Absent when an exact answer was too expensive. */
  readonly example?: string;
}

/**
 * What all questions of one turn may take to compare globs: a fifth of a second at worst. Past it, what
 * is not seen at a glance may be the same, and whoever asks waits. Counted and not timed, so that equal
 * boards decide equally.
 */
export const TURN_STEPS = 1_000_000;

/** The ownership map: which paths are read and written now, and by whom. */
export class Ownership {
  readonly #reads: PathIndex<Owner>;
  readonly #writes: PathIndex<Owner>;
  /** Owners for whose sake even a task that would merely be warned has to wait. */
  readonly #careful = new Set<Owner>();

  constructor(rules: PathRules) {
    this.#reads = new PathIndex(rules);
    this.#writes = new PathIndex(rules);
  }

  add(owner: Owner): void {
    this.#reads.add(owner.reads, owner);
    this.#writes.add(owner.writes, owner);
    if (isCareful(owner)) this.#careful.add(owner);
  }

  remove(owner: Owner): void {
    owner.isLive = false;
    this.#reads.remove(owner.reads, owner);
    this.#writes.remove(owner.writes, owner);
    this.#careful.delete(owner);
  }

  /** The order in which they were added is that in which collisions are told. */
  get owners(): Iterable<Owner> {
    return this.#writes.owners;
  }

  /** Who reads and who writes one file now; whoever writes it is not said to read it. */
  ofFile(path: string, now: Instant): FileOwners {
    const paths = exactPath(path);
    const isThere = (owner: Owner): boolean => !isOver(owner.until, now);
    const writers = ownersIn(this.#writes.overlaps(paths, isThere));
    const readers = ownersIn(this.#reads.overlaps(paths, isThere));
    return { writers, readers: readers.filter((owner) => !writers.includes(owner)) };
  }

  /** Who writes something in a folder, wherever in it. */
  writersBelow(folder: PathSet, now: Instant): readonly Owner[] {
    return ownersIn(this.#writes.overlaps(folder, ({ until }) => !isOver(until, now)));
  }

  /** As if they had been added in this order. */
  arrange(owners: Iterable<Owner>): void {
    for (const owner of owners) {
      this.remove(owner);
      owner.isLive = true;
      this.add(owner);
    }
  }

  /** Whoever is found first to make `intent` wait; that somebody does is what counts. */
  anyBlocking(intent: Intent, now: Instant, steps?: Budget): Collision | undefined {
    for (const look of looks(intent)) {
      if (look.kind === 'read-write' && !this.#waitsForReads(intent)) continue;
      const index = look.at === 'writes' ? this.#writes : this.#reads;
      const counts = (owner: Owner): boolean =>
        meets(intent, owner, now) && isWaiting(ruleFor(intent, owner, look));
      const found = index.anyOverlap(look.paths, counts, steps);
      if (found !== undefined)
        return collisionOf({ intent, owner: found.owner, look }, found.overlap);
    }
    return undefined;
  }

  /**
   * Everybody it would meet, those it need not wait for included; each once, as it meets them worst:
   * where it has to wait, else write-write first.
   */
  collisions(
    intent: Intent,
    now: Instant,
    steps: Budget = { stepsLeft: TURN_STEPS },
  ): readonly Collision[] {
    const found = new Map<Owner, Collision>();
    // Those it waits for come first: what is a "maybe" must be the same as where only they are asked for.
    for (const isWaited of [true, false])
      for (const look of looks(intent)) {
        const counts = (owner: Owner): boolean => {
          if (found.has(owner) || !meets(intent, owner, now)) return false;
          const rule = ruleFor(intent, owner, look);
          return isWaiting(rule) === isWaited && rule !== 'ignore';
        };
        const index = look.at === 'writes' ? this.#writes : this.#reads;
        for (const { owner, overlap } of index.overlaps(look.paths, counts, steps))
          found.set(owner, collisionOf({ intent, owner, look }, overlap));
      }
    return [...found.values()];
  }

  /** Mostly reading and writing only warns, and there is nothing to look for. */
  #waitsForReads({ policy }: Intent): boolean {
    return this.#careful.size > 0 || policy.readWrite === 'wait' || policy.worktrees === 'wait';
  }
}

function ownersIn(found: readonly { readonly owner: Owner }[]): readonly Owner[] {
  return [...new Set(found.map(({ owner }) => owner))];
}

/** Whether some rule about reading, or about people, may make others wait for it. */
function isCareful({ policy }: Owner): boolean {
  return policy === undefined || policy.readWrite === 'wait' || policy.worktrees === 'wait';
}

interface Look {
  readonly kind: Collision['kind'];
  readonly at: 'reads' | 'writes';
  readonly paths: PathSet;
}

/** The three ways to collide, the worst first. */
function looks({ reads, writes }: Intent): readonly Look[] {
  const all: readonly Look[] = [
    { kind: 'write-write', at: 'writes', paths: writes },
    { kind: 'read-write', at: 'writes', paths: reads },
    { kind: 'read-write', at: 'reads', paths: writes },
  ];
  return all.filter(({ paths }) => !paths.isEmpty);
}

/** Nobody collides with what they own themselves. */
function meets(intent: Intent, owner: Owner, now: Instant): boolean {
  if (isOver(owner.until, now)) return false;
  if (intent.task !== undefined && isLet(owner, intent.task)) return false;
  return (
    intent.worker === undefined ||
    owner.who.kind !== 'person' ||
    !isSameWorker(intent.worker, owner.worker)
  );
}

/** Whether its person said that this attempt may start beside them. */
export function isLet({ lets }: Pick<Owner, 'lets'>, of: TaskAttempt): boolean {
  return (
    lets?.some(
      ({ run, task, revision, attempt }) =>
        run === of.run && task === of.task && revision === of.revision && attempt === of.attempt,
    ) === true
  );
}

/** Where two plans differ, the more careful one counts. */
function ruleFor(
  { tree, policy }: Intent,
  owner: Owner,
  { kind, at }: Pick<Look, 'kind' | 'at'>,
): HazardRule | 'ask' {
  const others = owner.policy ?? policy;
  if (owner.tree !== tree) return stricter(policy.worktrees, others.worktrees);
  // Where they write and the task reads, nothing of theirs is in danger.
  if (owner.who.kind === 'person' && !(kind === 'read-write' && at === 'writes'))
    return policy.human;
  return kind === 'write-write'
    ? stricter(policy.writeWrite, others.writeWrite)
    : stricter(policy.readWrite, others.readWrite);
}

function isWaiting(rule: HazardRule | 'ask'): boolean {
  return rule === 'wait' || rule === 'ask';
}

function stricter(a: HazardRule, b: HazardRule): HazardRule {
  if (a === 'wait' || b === 'wait') return 'wait';
  return a === 'warn' || b === 'warn' ? 'warn' : 'ignore';
}

function collisionOf(
  { intent, owner, look }: { intent: Intent; owner: Owner; look: Look },
  overlap: { readonly kind: string; readonly example?: string | undefined },
): Collision {
  const rule = ruleFor(intent, owner, look);
  const { example } = overlap;
  return { owner, kind: look.kind, rule, ...(example !== undefined && { example }) };
}
