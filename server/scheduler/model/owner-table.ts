import type { TaskAsks } from '../../domain/asks.ts';
import { unreachable } from '../../domain/assert.ts';
import { Heap, type Slotted, SLOTTED } from '../../domain/heap.ts';
import type { RunId, TaskId, WorkerId } from '../../domain/ids.ts';
import type { PathRules } from '../../domain/paths/overlap.ts';
import { exactPath, NO_PATHS, parsePathSet } from '../../domain/paths/path-set.ts';
import { treeOf } from '../../domain/run.ts';
import { holderOf, type HolderState } from '../../domain/task.ts';
import { type Instant, instant, NEVER } from '../../domain/time.ts';
import type { OwnershipEvent } from './board-event.ts';
import { DismissedWrites } from './dismissed-writes.ts';
import {
  type Intent,
  type Owner,
  type OwnerName,
  Ownership,
  type TaskAttempt,
} from './ownership.ts';
import { type OwnerOfPerson, PastPeople, type Patterns } from './past-people.ts';
import type { Claim, TaskEntry } from './run-model.ts';

/** A lost attempt that nobody has proved dead: what it could still write stays its own. */
export interface Leftover {
  readonly run: RunId;
  readonly task: TaskId;
  readonly term: number;
  /** What it was given, whatever the task asks for by now. */
  readonly asks: TaskAsks;
  readonly patterns: Patterns;
  readonly owner: Owner;
  /** What it wrote without having said so, by the path. */
  readonly undeclared: Map<string, Owner>;
  /** In a working tree of its own, which nobody takes anything from any more: it is in nobody's way. */
  readonly isApart: boolean;
}

/**
 * How long a lost agent or person keeps its paths, or until its lease would have ended. We cannot stop
 * them: they notice that they have lost the task when they next speak to us.
 */
const LEFTOVER_MS = 60_000;

/** An editor says that it has saved a file when it has: only then it may take it. */
export const SAVED_MS = 400;

/** The ownership map, and who put what into it. */
export class OwnerTable {
  readonly rules: PathRules;
  readonly map: Ownership;
  readonly leftovers = new Map<number, Leftover>();
  readonly people = new Map<string, OwnerOfPerson>();
  readonly past: PastPeople;
  readonly dismissed = new DismissedWrites();
  readonly #ends = new Heap<End>(
    { keyOf: ({ at }) => at, isBefore: (a, b) => a.key < b.key },
    SLOTTED,
  );
  readonly #endOf = new Map<Owner, End>();

  constructor(rules: PathRules) {
    this.rules = rules;
    this.map = new Ownership(rules);
    this.past = new PastPeople(rules);
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
  keepLeftover(claim: Claim, { isOurs, at }: { isOurs: boolean; at: Instant }): void {
    const { entry, holder } = claim;
    const { term } = holder;
    const { who, ...whose } = ownerOf(claim);
    const facts = {
      ...whose,
      who: { ...who, kind: 'leftover', term } as const,
      // What is ours is ours to prove dead, however long that takes.
      ...(!isOurs && { until: noticedAt(holder, at) }),
    };
    const { isApart } = claim;
    const { folder } = entry.run.manifest;
    const { reads, writes } = isApart ? NOTHING : entry.definition;
    const owner: Owner = { ...intentOf(entry), ...(isApart && apart(term)), ...facts };
    const leftover: Leftover = {
      run: entry.run.manifest.id,
      task: entry.id,
      term,
      asks: entry.asks,
      patterns: { reads, writes, ...(folder !== undefined && { folder }) },
      owner,
      undeclared: new Map(),
      isApart,
    };
    this.addLeftover(leftover, isApart ? [] : (claim.undeclared?.keys() ?? []));
    if (!isApart) entry.leftover = owner;
  }

  /** With the paths that it wrote without having said so. */
  addLeftover(leftover: Leftover, paths: Iterable<string>): void {
    const { term, owner, undeclared } = leftover;
    this.map.add(owner);
    for (const path of paths) this.#addUndeclared(undeclared, path, owner);
    this.leftovers.set(term, leftover);
    this.#endAt(owner, String(term));
  }

  apply(event: OwnershipEvent, find: FindTask): boolean {
    switch (event.kind) {
      case 'pathsOwned': {
        const asked = this.people.get(event.id)?.asked;
        this.#free(event.id, event.at);
        const owner = personOf(event);
        if (asked !== undefined) owner.asked = asked;
        this.people.set(event.id, owner);
        this.map.add(owner);
        this.#endAt(owner, event.id);
        return true;
      }
      case 'pathsFreed':
        return this.#free(event.id, event.at);
      case 'releaseAsked':
        return addAsk(this.ownerNamed(event.owner, find), event);
      case 'undeclaredWritten':
        return this.#undeclaredWritten(event, find(event.run, event.task)?.claim);
      case 'writesDismissed':
        return this.#dismiss(event, find(event.of.run, event.of.task)?.claim);
      case 'leftoverGone': {
        const leftover = this.leftovers.get(event.term);
        if (leftover?.run !== event.run || leftover.task !== event.task) return false;
        this.#forget(leftover);
        return true;
      }
      default:
        return unreachable(event);
    }
  }

  /** Whoever goes by this name and can be asked for something: a lost attempt hears nobody. */
  ownerNamed(who: OwnerName, find: FindTask): Owner | undefined {
    switch (who.kind) {
      case 'task':
        return find(who.run, who.task)?.claim?.owner;
      case 'person':
        return this.people.get(who.id);
      case 'leftover':
        return undefined;
      default:
        return unreachable(who);
    }
  }

  /**
   * The person who had a path when it was written, whoever has it now. Whoever takes it so soon after
   * it was seen that it may be for that counts too.
   */
  personAt({ tree, path, from, seenAt }: WrittenPath): WorkerId | undefined {
    const past = this.past.writersOf(path, from);
    const writers = this.people.size === 0 ? [] : this.map.ofFile(path, from).writers;
    const present = writers.flatMap(({ who }) =>
      who.kind === 'person' ? (this.people.get(who.id) ?? []) : [],
    );
    const had = (one: OwnerOfPerson): boolean =>
      one.tree === tree && one.since <= seenAt + SAVED_MS;
    return [...past, ...present].find(had)?.worker;
  }

  /** What one claim was seen to write goes over to the one that takes its place. */
  takeUndeclared(claim: Claim, paths: Iterable<string>): void {
    const owner = { ...intentOf(claim.entry), ...ownerOf(claim) };
    for (const path of paths) this.#addUndeclared((claim.undeclared ??= new Map()), path, owner);
  }

  /** Owners whose time is over own nothing already; this forgets them. Answers whether there were any. */
  advanceTo(now: Instant): boolean {
    for (let isNews = false; ; isNews = true) {
      const end = this.#ends.peek();
      if (end === undefined || end.at > now) return isNews;
      const { who } = end.owner;
      const leftover = who.kind === 'leftover' ? this.leftovers.get(who.term) : undefined;
      if (leftover === undefined) this.#free(end.key, end.at);
      else this.#forget(leftover);
    }
  }

  nextDueAt(): Instant {
    return this.#ends.peek()?.at ?? NEVER;
  }

  /** By a claim, or by an attempt that was lost and goes on all the same. */
  #undeclaredWritten(
    { term, path }: Extract<OwnershipEvent, { kind: 'undeclaredWritten' }>,
    claim: Claim | undefined,
  ): boolean {
    if (claim?.holder.term === term) {
      const owner = { ...intentOf(claim.entry), ...ownerOf(claim) };
      claim.undeclared ??= new Map();
      return this.#addUndeclared(claim.undeclared, path, owner);
    }
    const leftover = this.leftovers.get(term);
    if (leftover === undefined) return false;
    return this.#addUndeclared(leftover.undeclared, path, leftover.owner);
  }

  /** The task no longer owns these paths for having been running when they changed. */
  #dismiss(
    { tree, paths, of, isForAll }: Extract<OwnershipEvent, { kind: 'writesDismissed' }>,
    claim: Claim | undefined,
  ): boolean {
    const leftovers = [...this.leftovers.values()].filter(
      ({ run, task }) => run === of.run && task === of.task,
    );
    let isNews = false;
    for (const path of paths) {
      if (this.dismissed.add({ tree, path, ...(isForAll ? {} : { of }) })) isNews = true;
      for (const { undeclared } of [...(claim === undefined ? [] : [claim]), ...leftovers]) {
        const owner = undeclared?.get(path);
        if (owner === undefined) continue;
        undeclared?.delete(path);
        this.map.remove(owner);
      }
    }
    return isNews;
  }

  /** Answers whether that is news. */
  #addUndeclared(known: Map<string, Owner>, path: string, owner: Owner): boolean {
    // Who writes that much unasked is taken to write anything.
    const isTooMuch = known.size >= UNDECLARED_LIMIT;
    // No file has an empty path.
    const key = isTooMuch ? '' : path;
    if (known.has(key)) return false;
    const writes = isTooMuch ? parsePathSet([EVERYTHING]) : exactPath(path);
    const written: Owner = { ...owner, reads: NO_PATHS, writes, isLive: true };
    known.set(key, written);
    this.map.add(written);
    return true;
  }

  #forget({ term, owner, undeclared }: Leftover): void {
    this.leftovers.delete(term);
    this.#take(owner);
    for (const written of undeclared.values()) this.map.remove(written);
  }

  #free(id: string, endedAt: Instant): boolean {
    const owner = this.people.get(id);
    if (owner === undefined) return false;
    this.people.delete(id);
    this.#take(owner);
    this.past.forget(endedAt);
    this.past.add({ owner, endedAt });
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

interface WrittenPath {
  /** The working tree that it is in. */
  readonly tree: string;
  readonly path: string;
  /** It was not written before. */
  readonly from: Instant;
  /** When it was heard of. */
  readonly seenAt: Instant;
}

type FindTask = (run: RunId, task: TaskId) => TaskEntry | undefined;

/** Whoever asks for much is heard as well. */
const ASKS_LIMIT = 10;

function addAsk(
  owner: Owner | undefined,
  { worker, path, at }: Extract<OwnershipEvent, { kind: 'releaseAsked' }>,
): boolean {
  if (owner === undefined) return false;
  const others = (owner.asked ?? []).filter((ask) => ask.worker !== worker || ask.path !== path);
  owner.asked = [...others, { worker, path, at }].slice(-ASKS_LIMIT);
  return true;
}

interface End extends Slotted {
  readonly at: Instant;
  readonly key: string;
  readonly owner: Owner;
}

/** Paths that one claim wrote without having said so. */
const UNDECLARED_LIMIT = 1000;
const EVERYTHING = '**';

const NOTHING = { reads: [], writes: [] } as const;

/** What a lost attempt owns in a tree of its own: nothing that anybody else could want. */
function apart(term: number): Pick<Owner, 'tree' | 'reads' | 'writes'> {
  return { tree: `#${term}`, reads: NO_PATHS, writes: NO_PATHS };
}

/** Its lease is over by its own clock too when it is over by ours. */
function noticedAt({ expiresAt }: HolderState, at: Instant): Instant {
  return instant(Math.max(at + LEFTOVER_MS, expiresAt ?? 0));
}

/** What a task would touch, where, and under which rules. */
export function intentOf(entry: TaskEntry, worker?: WorkerId): Intent {
  const { run, definition, asks, paths } = entry;
  const shared = treeOf(run.manifest);
  // What works in a tree of its own meets nobody before it is merged.
  const tree = asks.isIsolated ? `${shared}#${run.manifest.id}/${definition.id}` : shared;
  const task = attemptOf(entry);
  return { tree, reads: paths.reads, writes: paths.writes, policy: run.hazards, worker, task };
}

/** The attempt that is under way, or the next one. */
export function attemptOf({ run, id: task, state }: TaskEntry): TaskAttempt {
  const { revision, attempts } = state.tries;
  const attempt = holderOf(state) === undefined ? attempts + 1 : attempts;
  return { run: run.manifest.id, task, revision, attempt };
}

function ownerOf({ entry, holder }: Claim): {
  readonly who: Extract<OwnerName, { kind: 'task' }>;
  readonly worker: WorkerId;
  isLive: boolean;
} {
  const who = { kind: 'task', run: entry.run.manifest.id, task: entry.id } as const;
  return { who, worker: holder.worker, isLive: true };
}

function personOf(event: Extract<OwnershipEvent, { kind: 'pathsOwned' }>): OwnerOfPerson {
  const { id, worker, tree, reads, writes, isUnsaved, isSaved, lets, until, at } = event;
  return {
    who: { kind: 'person', id, isUnsaved, ...(isSaved !== undefined && { isSaved }) },
    worker,
    tree,
    reads: parsePathSet(reads),
    writes: parsePathSet(writes),
    patterns: { reads, writes },
    since: at,
    isLive: true,
    ...(lets !== undefined && { lets }),
    ...(until !== undefined && { until }),
  };
}
