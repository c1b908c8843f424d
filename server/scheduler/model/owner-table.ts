import { unreachable } from '../../domain/assert.ts';
import { Heap, type Slotted } from '../../domain/heap.ts';
import type { RunId, TaskId, WorkerId } from '../../domain/ids.ts';
import type { PathRules } from '../../domain/paths/overlap.ts';
import { exactPath, NO_PATHS, parsePathSet } from '../../domain/paths/path-set.ts';
import type { HolderState } from '../../domain/task.ts';
import { type Instant, instant } from '../../domain/time.ts';
import type { OwnershipEvent } from './board-event.ts';
import { NEVER } from './claim-table.ts';
import { type Intent, type Owner, type OwnerName, Ownership } from './ownership.ts';
import type { Claim, RunModel, TaskEntry } from './run-model.ts';

/** A lost attempt that nobody has proved dead: what it could still write stays its own. */
export interface Leftover {
  entry: TaskEntry;
  readonly term: number;
  readonly owner: Owner;
  readonly undeclared: readonly Owner[];
}

/**
 * How long a lost agent or person keeps its paths, or until its lease would have ended. We cannot stop
 * them: they notice that they have lost the task when they next speak to us.
 */
const LEFTOVER_MS = 60_000;

/** The ownership map, and who put what into it. */
export class OwnerTable {
  readonly rules: PathRules;
  readonly map: Ownership;
  readonly leftovers = new Map<number, Leftover>();
  readonly people = new Map<string, Owner>();
  readonly #ends = new Heap<End>((a, b) => (a.at === b.at ? a.key < b.key : a.at < b.at));
  readonly #endOf = new Map<Owner, End>();

  constructor(rules: PathRules) {
    this.rules = rules;
    this.map = new Ownership(rules);
  }

  take(claim: Claim): void {
    const { entry } = claim;
    if (!entry.touchesFiles) return;
    claim.owner = { ...intentOf(entry), ...ownerOf(claim) };
    this.map.add(claim.owner);
  }

  letGo(claim: Claim): void {
    if (claim.owner !== undefined) this.map.remove(claim.owner);
    for (const owner of claim.undeclared?.values() ?? []) this.map.remove(owner);
  }

  /** Whoever was lost may still be at work: its paths stay owned, under its old term. */
  keepLeftover(claim: Claim, { canBeStopped, at }: { canBeStopped: boolean; at: Instant }): void {
    const { entry, holder } = claim;
    const { term } = holder;
    const { who, ...whose } = ownerOf(claim);
    const facts = {
      ...whose,
      who: { ...who, kind: 'leftover', term } as const,
      // What we can stop is ours to prove dead, however long that takes.
      ...(!canBeStopped && { until: noticedAt(holder, at) }),
    };
    const owner: Owner = { ...intentOf(entry), ...facts };
    const undeclared = Array.from(claim.undeclared?.values() ?? [], (each): Owner => {
      const { tree, reads, writes, policy } = each;
      return { tree, reads, writes, ...(policy !== undefined && { policy }), ...facts };
    });
    for (const each of [owner, ...undeclared]) this.map.add(each);
    this.leftovers.set(term, { entry, term, owner, undeclared });
    entry.leftover = owner;
    this.#endAt(owner, String(term));
  }

  apply(event: OwnershipEvent, find: (run: RunId, task: TaskId) => TaskEntry | undefined): boolean {
    switch (event.kind) {
      case 'pathsOwned': {
        this.#free(event.id);
        const owner = personOf(event);
        this.people.set(event.id, owner);
        this.map.add(owner);
        this.#endAt(owner, event.id);
        return true;
      }
      case 'pathsFreed':
        return this.#free(event.id);
      case 'undeclaredWritten': {
        const claim = find(event.run, event.task)?.claim;
        if (claim === undefined || claim.holder.term !== event.term) return false;
        return this.#addUndeclared(claim, event.path);
      }
      case 'leftoverGone':
        return this.#forget(event.term);
      default:
        return unreachable(event);
    }
  }

  /** What one claim was seen to write goes over to the one that takes its place. */
  takeUndeclared(claim: Claim, paths: Iterable<string>): void {
    for (const path of paths) this.#addUndeclared(claim, path);
  }

  /** A revised run takes over what its tasks left behind. */
  moveLeftovers(run: RunModel, revised: RunModel): void {
    for (const leftover of this.leftovers.values())
      if (leftover.entry.run === run)
        leftover.entry = revised.find(leftover.entry.definition.id) ?? leftover.entry;
  }

  /** Owners whose time is over own nothing already; this forgets them. Answers whether there were any. */
  advanceTo(now: Instant): boolean {
    for (let isNews = false; ; isNews = true) {
      const end = this.#ends.peek();
      if (end === undefined || end.at > now) return isNews;
      if (end.owner.who.kind === 'leftover') this.#forget(end.owner.who.term);
      else this.#free(end.key);
    }
  }

  nextDueAt(): Instant {
    return this.#ends.peek()?.at ?? NEVER;
  }

  /** Answers whether that is news. */
  #addUndeclared(claim: Claim, path: string): boolean {
    claim.undeclared ??= new Map();
    const known = claim.undeclared;
    // Who writes that much unasked is taken to write anything.
    const isTooMuch = known.size >= UNDECLARED_LIMIT;
    const key = isTooMuch ? EVERYTHING : path;
    if (known.has(key)) return false;
    const writes = isTooMuch ? parsePathSet([EVERYTHING]) : exactPath(path);
    const owner = { ...intentOf(claim.entry), ...ownerOf(claim), reads: NO_PATHS, writes };
    known.set(key, owner);
    this.map.add(owner);
    return true;
  }

  #forget(term: number): boolean {
    const leftover = this.leftovers.get(term);
    if (leftover === undefined) return false;
    this.leftovers.delete(term);
    this.#take(leftover.owner);
    for (const owner of leftover.undeclared) this.map.remove(owner);
    if (leftover.entry.leftover === leftover.owner) leftover.entry.leftover = undefined;
    return true;
  }

  #free(id: string): boolean {
    const owner = this.people.get(id);
    if (owner === undefined) return false;
    this.people.delete(id);
    this.#take(owner);
    return true;
  }

  #take(owner: Owner): void {
    this.map.remove(owner);
    const end = this.#endOf.get(owner);
    if (end === undefined) return;
    this.#ends.remove(end);
    this.#endOf.delete(owner);
  }

  #endAt(owner: Owner, key: string): void {
    if (owner.until === undefined) return;
    const end: End = { slot: -1, at: owner.until, key, owner };
    this.#ends.push(end);
    this.#endOf.set(owner, end);
  }
}

interface End extends Slotted {
  readonly at: Instant;
  readonly key: string;
  readonly owner: Owner;
}

/** Paths that one claim wrote without having said so. */
const UNDECLARED_LIMIT = 1000;
const EVERYTHING = '**';

/** Its lease is over by its own clock too when it is over by ours. */
function noticedAt({ expiresAt }: HolderState, at: Instant): Instant {
  return instant(Math.max(at + LEFTOVER_MS, expiresAt ?? 0));
}

/** What a task would touch, where, and under which rules. */
export function intentOf(entry: TaskEntry, worker?: WorkerId): Intent {
  const { run, definition, asks, paths } = entry;
  const { root, id } = run.manifest;
  // What works in a tree of its own meets nobody before it is merged.
  const tree = asks.isIsolated ? `${root}#${id}/${definition.id}` : root;
  return { tree, reads: paths.reads, writes: paths.writes, policy: run.hazards, worker };
}

function ownerOf({ entry, holder }: Claim): {
  readonly who: Extract<OwnerName, { kind: 'task' }>;
  readonly worker: WorkerId;
  isLive: boolean;
} {
  const who = { kind: 'task', run: entry.run.manifest.id, task: entry.definition.id } as const;
  return { who, worker: holder.worker, isLive: true };
}

function personOf(event: Extract<OwnershipEvent, { kind: 'pathsOwned' }>): Owner {
  const { id, worker, tree, isUnsaved, until } = event;
  return {
    who: { kind: 'person', id, isUnsaved },
    worker,
    tree,
    reads: parsePathSet(event.reads),
    writes: parsePathSet(event.writes),
    isLive: true,
    ...(until !== undefined && { until }),
  };
}
