import type { Budget, PathRules } from './overlap.ts';
import { askWithin } from './row-walk.ts';
import { parsePathSet } from './path-set.ts';
import { type Entry, PathTree } from './path-tree.ts';

/** Whose globs these are. */
export interface GlobUser {
  /** Patterns as they are written; those with a leading `!` do not count here. */
  readonly reading: readonly string[];
  readonly writing: readonly string[];
}

/** More pairs of different globs that meet than any plan has that somebody can still read. */
const MEETINGS_LIMIT = 5_000_000;

/**
 * Who reads and writes which globs, and which globs have a path in common. A glob that many have
 * stands here once, so a crowd costs little. Two that are only read are not compared.
 */
export class ClaimedGlobs<User extends GlobUser> {
  readonly #rules: PathRules;
  readonly #written = new GlobTable<User>();
  readonly #read = new GlobTable<User>();
  #meetings = 0;
  #questions = 0;
  #isCut = false;

  constructor(rules: PathRules) {
    this.#rules = rules;
  }

  /** Whether everything that meets is known: past the limit, it is not. */
  get isComplete(): boolean {
    return !this.#isCut;
  }

  /**
   * Past the budget, what meets what is not known any more. Pauses after each pattern that is new, where
   * nothing but `add` may follow.
   */
  *add(user: User, budget: Budget): Generator<void, void> {
    for (const text of user.writing)
      (this.#written.globs.get(text) ?? (yield* this.#newGlob(text, true, budget)))?.users.add(
        user,
      );
    for (const text of user.reading)
      (this.#read.globs.get(text) ?? (yield* this.#newGlob(text, false, budget)))?.users.add(user);
  }

  remove(user: User): void {
    for (const text of user.writing) this.#letGo(this.#written, text, user);
    for (const text of user.reading) this.#letGo(this.#read, text, user);
  }

  /** Calls back for everybody whose globs meet those of `user`, once for each such glob of theirs. */
  meet(user: User, met: (other: User) => void): void {
    this.#questions += 1;
    for (const text of user.writing) this.#meetGlob(this.#written.globs.get(text), met);
    for (const text of user.reading) this.#meetGlob(this.#read.globs.get(text), met);
  }

  #meetGlob(glob: Glob<User> | undefined, met: (other: User) => void): void {
    for (const other of glob?.meets ?? []) {
      if (other.metIn === this.#questions) continue;
      other.metIn = this.#questions;
      for (const user of other.users) met(user);
    }
  }

  *#newGlob(
    text: string,
    isWritten: boolean,
    budget: Budget,
  ): Generator<void, Glob<User> | undefined> {
    if (text.startsWith('!')) return undefined;
    const table = isWritten ? this.#written : this.#read;
    // To read it takes about as long as its letters.
    budget.stepsLeft -= text.length;
    if (budget.stepsLeft < 0) {
      this.#isCut = true;
      return undefined;
    }
    const glob: Glob<User> = { users: new Set(), meets: new Set(), entries: [], metIn: 0 };
    table.globs.set(text, glob);
    for (const pattern of parsePathSet([text]).under(this.#rules).include) {
      glob.entries.push(table.tree.add(pattern, glob));
      const join = (other: Glob<User>): boolean => this.#join(glob, other);
      for (const { tree } of isWritten ? [this.#written, this.#read] : [this.#written])
        if (askWithin(budget, (own) => tree.meet(pattern, join, own))) this.#isCut = true;
      yield;
    }
    return glob;
  }

  #join(glob: Glob<User>, other: Glob<User>): boolean {
    if (glob.meets.has(other)) return false;
    if (this.#meetings >= MEETINGS_LIMIT) {
      this.#isCut = true;
      return true;
    }
    this.#meetings += 1;
    glob.meets.add(other);
    other.meets.add(glob);
    return false;
  }

  #letGo(table: GlobTable<User>, text: string, user: User): void {
    const glob = table.globs.get(text);
    if (glob === undefined) return;
    glob.users.delete(user);
    if (glob.users.size > 0) return;
    table.globs.delete(text);
    for (const entry of glob.entries) table.tree.remove(entry);
    for (const other of glob.meets) other.meets.delete(glob);
    this.#meetings -= glob.meets.size;
  }
}

interface Glob<User> {
  readonly users: Set<User>;
  /** Those that have a path in common with it, itself among them if it is written. */
  readonly meets: Set<Glob<User>>;
  readonly entries: Entry<Glob<User>>[];
  /** The question in which it was met last. */
  metIn: number;
}

class GlobTable<User> {
  readonly globs = new Map<string, Glob<User>>();
  readonly tree = new PathTree<Glob<User>>();
}
