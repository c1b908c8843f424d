import type { RunId, TaskId, WorkerId } from '../../domain/ids.ts';
import type { PathRules } from '../../domain/paths/overlap.ts';
import { PathIndex } from '../../domain/paths/path-index.ts';
import { exactPath, type PathSet } from '../../domain/paths/path-set.ts';
import type { Instant } from '../../domain/time.ts';
import { attribute, type Attribution, type Change, staleFor, type Writer } from './attribute.ts';

/** A task in a tree, and what was found of it so far. */
export interface PresentWriter extends Writer {
  until: Instant | undefined;
  readonly reads: PathSet;
  readonly writes: PathSet;
  /** What it wrote without having said so. */
  readonly undeclared: Set<string>;
  /** What it reads and others have written. */
  readonly stale: Set<string>;
}

/** So much is written down of one task, or of several that cannot be told apart. */
const FOUND_LIMIT = 1000;
const UNCLEAR_LIMIT = 100;
/** A change may be told for so long after whoever made it has ended. */
const MEMORY_MS = 10_000;

/** What follows from a change, each as news: it was not found before. */
export type Finding =
  | { readonly kind: 'undeclared'; readonly by: PresentWriter; readonly path: string }
  | { readonly kind: 'one-of'; readonly by: readonly Writer[]; readonly path: string }
  | {
      readonly kind: 'stale';
      readonly of: PresentWriter;
      readonly path: string;
      readonly by: Attribution;
    };

/** The tasks at work in one working tree, and those that were a moment ago. */
export class Presence {
  readonly #reads: PathIndex<PresentWriter>;
  readonly #writes: PathIndex<PresentWriter>;
  /** Those at work, by their terms. */
  readonly #open = new Map<number, PresentWriter>();
  readonly #termsOf = new Map<string, Set<number>>();
  /** Those that have ended, in the order in which they did. */
  readonly #ended: PresentWriter[] = [];
  /** Paths of which nobody knows by whom of several they were written, by their terms. */
  readonly #unclear = new Map<string, Unclear>();
  #sayers = 0;

  constructor(rules: PathRules) {
    this.#reads = new PathIndex(rules);
    this.#writes = new PathIndex(rules);
  }

  /** Whether anybody is at work whose plan speaks of files. */
  get isWatched(): boolean {
    return this.#sayers > 0;
  }

  get isEmpty(): boolean {
    return this.#open.size + this.#ended.length === 0;
  }

  has(term: number): boolean {
    return this.#open.has(term);
  }

  /** The attempts at a task that have not ended. */
  termsOf(run: RunId, task: TaskId): readonly number[] {
    return [...(this.#termsOf.get(`${run} ${task}`) ?? [])];
  }

  add(writer: PresentWriter): void {
    const { run, task, term, reads, writes, saysPaths } = writer;
    const name = `${run} ${task}`;
    this.#open.set(term, writer);
    this.#termsOf.set(name, (this.#termsOf.get(name) ?? new Set()).add(term));
    this.#reads.add(reads, writer);
    this.#writes.add(writes, writer);
    if (saysPaths) this.#sayers += 1;
  }

  /** Answers with who it was, if it was here. */
  ended(term: number, at: Instant): PresentWriter | undefined {
    const writer = this.#open.get(term);
    if (writer === undefined) return undefined;
    const name = `${writer.run} ${writer.task}`;
    const terms = this.#termsOf.get(name);
    this.#open.delete(term);
    terms?.delete(term);
    if (terms?.size === 0) this.#termsOf.delete(name);
    if (writer.saysPaths) this.#sayers -= 1;
    writer.until = at;
    this.#ended.push(writer);
    this.forget(at);
    return writer;
  }

  /** Of those who ended long ago no change is told any more. */
  forget(now: Instant): void {
    const kept = this.#ended.findIndex(({ until = now }) => now - until < MEMORY_MS);
    for (const writer of this.#ended.splice(0, kept < 0 ? Infinity : kept)) {
      this.#reads.remove(writer.reads, writer);
      this.#writes.remove(writer.writes, writer);
      for (const [key, { terms }] of this.#unclear)
        if (terms.includes(writer.term)) this.#unclear.delete(key);
    }
  }

  /** Whether a change of this path could be a finding. Quick, as it is asked for each file that is written. */
  wants(path: string): boolean {
    const paths = exactPath(path);
    if (this.#reads.anyOverlap(paths, () => true) !== undefined) return true;
    if (this.#writes.anyOverlap(paths, isAtWork) !== undefined) return false;
    for (const writer of this.#open.values()) if (!isFull(writer)) return true;
    return this.#ended.some((writer) => !isFull(writer));
  }

  /** The terms at work that say that they write it. */
  writersOf(path: string): readonly number[] {
    return this.#writes.overlaps(exactPath(path), isAtWork).map(({ owner }) => owner.term);
  }

  /** Whether somebody reads it. */
  isRead(path: string): boolean {
    return this.#reads.anyOverlap(exactPath(path), () => true) !== undefined;
  }

  /** Who wrote, as far as is known by now; a person may be heard of later. */
  authorOf(change: Change, person: WorkerId | undefined): Attribution {
    const { path } = change;
    const present = this.#presentAt(change);
    const declared = this.#writes.overlaps(exactPath(path), () => true).map(({ owner }) => owner);
    const known = present.filter(({ undeclared }) => undeclared.has(path));
    return attribute(change, { present, declared: [...declared, ...known], person });
  }

  findings(
    change: Change,
    { by, isSame }: { readonly by: Attribution; readonly isSame: boolean },
  ): readonly Finding[] {
    const { path } = change;
    const findings: Finding[] = [];
    if (by.kind === 'undeclared') this.#undeclared(by.by, { path, findings });
    if (by.kind === 'one-of') this.#oneOf(by.by, { path, findings });
    if (isSame || (by.kind !== 'declared' && by.kind !== 'person')) return findings;
    const readers = this.#reads.overlaps(exactPath(path), () => true).map(({ owner }) => owner);
    const stale = new Set(staleFor(change, { readers, by }));
    for (const of of readers) {
      if (!stale.has(of) || of.stale.has(path) || of.stale.size >= FOUND_LIMIT) continue;
      of.stale.add(path);
      findings.push({ kind: 'stale', of, path, by });
    }
    return findings;
  }

  /** Those at work then; who ended before is not looked at one by one. */
  #presentAt({ from, until }: Change): readonly PresentWriter[] {
    const present = [...this.#open.values()].filter((writer) => writer.from <= until);
    for (const writer of this.#ended.toReversed()) {
      if (writer.until !== undefined && writer.until < from) break;
      if (writer.from <= until) present.push(writer);
    }
    return present.toSorted((a, b) => a.term - b.term);
  }

  #undeclared({ term }: Writer, { path, findings }: Found): void {
    const by = this.#open.get(term) ?? this.#ended.find((writer) => writer.term === term);
    if (by === undefined || isFull(by) || by.undeclared.has(path)) return;
    by.undeclared.add(path);
    findings.push({ kind: 'undeclared', by, path });
  }

  #oneOf(by: readonly Writer[], { path, findings }: Found): void {
    const terms = by.map(({ term }) => term);
    const key = terms.join(' ');
    const known = this.#unclear.get(key) ?? { terms, paths: new Set() };
    this.#unclear.set(key, known);
    if (known.paths.has(path) || known.paths.size >= UNCLEAR_LIMIT) return;
    known.paths.add(path);
    findings.push({ kind: 'one-of', by, path });
  }
}

interface Found {
  readonly path: string;
  readonly findings: Finding[];
}

interface Unclear {
  readonly terms: readonly number[];
  readonly paths: Set<string>;
}

function isAtWork({ until }: PresentWriter): boolean {
  return until === undefined;
}

/** It owns everything by now: there is nothing more to find. */
function isFull({ undeclared }: PresentWriter): boolean {
  return undeclared.size > FOUND_LIMIT;
}
