import type { PathRules } from './overlap.ts';
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
  #isCut = false;

  constructor(rules: PathRules) {
    this.#rules = rules;
  }

  /** Whether everything that meets is known: past the limit, it is not. */
  get isComplete(): boolean {
    return !this.#isCut;
  }

  add(user: User): void {
    for (const text of user.writing) this.#globOf(text, true)?.users.add(user);
    for (const text of user.reading) this.#globOf(text, false)?.users.add(user);
  }

  remove(user: User): void {
    for (const text of user.writing) this.#letGo(this.#written, text, user);
    for (const text of user.reading) this.#letGo(this.#read, text, user);
  }

  /** Calls back for everybody whose globs meet those of `user`, maybe more than once. */
  meet(user: User, met: (other: User) => void): void {
    for (const text of user.writing) this.#meetGlob(this.#written.globs.get(text), met);
    for (const text of user.reading) this.#meetGlob(this.#read.globs.get(text), met);
  }

  #meetGlob(glob: Glob<User> | undefined, met: (other: User) => void): void {
    for (const other of glob?.meets ?? []) for (const user of other.users) met(user);
  }

  #globOf(text: string, isWritten: boolean): Glob<User> | undefined {
    const table = isWritten ? this.#written : this.#read;
    const known = table.globs.get(text);
    if (known !== undefined || text.startsWith('!')) return known;
    const glob: Glob<User> = { users: new Set(), meets: new Set(), entries: [] };
    table.globs.set(text, glob);
    for (const pattern of parsePathSet([text]).under(this.#rules).include) {
      glob.entries.push(table.tree.add(pattern, glob));
      const join = (other: Glob<User>): boolean => this.#join(glob, other);
      this.#written.tree.meet(pattern, join);
      if (isWritten) this.#read.tree.meet(pattern, join);
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
}

class GlobTable<User> {
  readonly globs = new Map<string, Glob<User>>();
  readonly tree = new PathTree<Glob<User>>();
}
