import { promises, realpathSync, type Stats } from 'node:fs';
import path from 'node:path';
import { type Instant, instant } from '../domain/time.ts';
import type { Clock } from '../engine/ports.ts';
import type {
  Inputs,
  TreeChange,
  TreeListener,
  TreeWatch,
  WatchedTree,
} from '../engine/tree-watch.ts';
import { FileStamps } from './file-stamps.ts';
import { Git } from './git.ts';
import { filesBelow, queueLimit, type Sensor, sensorOf, unwatchableNotice } from './tree-sensor.ts';

export interface SystemTreeWatchOptions {
  readonly clock: Clock;
  readonly env: NodeJS.ProcessEnv;
  /** What we write ourselves is nobody's: our state, wherever it is kept. */
  readonly ownFolder: string;
  /** So are the files of boards, as long as they are as we left them. */
  readonly isOurs?: (file: string, stats: Stats) => boolean;
  /** Absent: what this system has. */
  readonly newSensor?: typeof sensorOf;
}

/** Watches working trees on this machine. */
export class SystemTreeWatch implements TreeWatch {
  readonly #options: SystemTreeWatchOptions;

  constructor(options: SystemTreeWatchOptions) {
    this.#options = options;
  }

  watch(tree: string, since: Instant, listener: TreeListener): WatchedTree {
    const { clock, env, ownFolder, newSensor = sensorOf, isOurs = () => false } = this.#options;
    const git = new Git(tree, env);
    const own = path.relative(tree, realPathOf(ownFolder)).replaceAll(path.sep, '/');
    return new TreeOnDisk({ tree, since, listener, clock, git, own, newSensor, isOurs });
  }
}

interface Parts {
  readonly tree: string;
  readonly since: Instant;
  readonly listener: TreeListener;
  readonly clock: Clock;
  readonly git: Git;
  /** Where our own files are, from the top of the tree. */
  readonly own: string;
  readonly newSensor: typeof sensorOf;
  readonly isOurs: (file: string, stats: Stats) => boolean;
}

/** Something happened to a path. */
interface Touch {
  /** It may have come or gone. */
  readonly isRenamed: boolean;
  /** It had happened by then. */
  readonly heardAt: Instant;
}

/** What comes within this time is looked at together. */
const BATCH_MS = 100;
/** When more files than these are written in that time, it is cheaper to look at all that is there. */
const FLOOD = 20_000;
/** Past it nobody knows which folders are to be watched: from then on the tree is looked at. */
const RENAMED_LIMIT = 200_000;
/** The time that a file system notes may be a little before the time of the writing. */
const COARSENESS_MS = 20;
/** That something is gone is heard at most so long after. */
const HEARD_MS = 50;
const AT_ONCE = 64;

/**
 * One working tree: what the system says of it is collected, then looked at together. Where the system
 * cannot say it, or has said too much at once, the tree is looked at itself, by git if it is one of git.
 */
class TreeOnDisk implements WatchedTree {
  readonly #parts: Parts;
  readonly #stamps: FileStamps;
  readonly #sensor: Sensor;
  readonly #remembered = new Set<string>();
  #pending = new Map<string, Touch>();
  #skipped: ReadonlySet<string> = new Set();
  #isOfGit = false;
  /** One thing after the other. */
  #work: Promise<void>;
  #timer: NodeJS.Timeout | undefined;
  /** All that happened until then was told. */
  #toldUntil: Instant;
  /** The system does not say all that happens. */
  #mustLook = true;
  #isBlind = false;
  #heard = 0;
  #isOver = false;
  readonly #queueLimit = queueLimit() / 2;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#toldUntil = parts.since;
    this.#stamps = new FileStamps(parts.tree);
    this.#sensor = parts.newSensor(parts.tree, {
      touched: (file, isRenamed) => this.#touched(file, isRenamed),
      failed: (error) => this.#failed(error),
      lost: () => this.#lost(),
      isSkipped: (folder) => this.#isSkipped(folder),
    });
    this.#work = this.#begin().catch((error: unknown) => this.#failed(error));
  }

  async settle(): Promise<void> {
    await this.#work;
    // What the system has to say by now is heard when the loop comes round.
    for (let round = 0; round < 2; round += 1)
      await new Promise((resolve) => void setImmediate(resolve));
    if (this.#isBlind) this.#mustLook = true;
    await this.#then(async () => this.#tell());
  }

  remember({ key, folders, has }: Inputs): void {
    if (this.#remembered.has(key)) return;
    this.#remembered.add(key);
    const sinceMs = Date.now();
    void this.#then(async () => {
      for (const folder of folders) {
        const found = await filesBelow(this.#parts.tree, folder, (each) => this.#isSkipped(each));
        const files = [folder, ...found].filter((file) => file !== '' && has(file));
        await eachOf(files, async (file) => this.#stamps.remember(file, sinceMs));
      }
    });
  }

  [Symbol.dispose](): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
    this.#sensor[Symbol.dispose]();
    this.#pending.clear();
  }

  async #begin(): Promise<void> {
    const ignored = await this.#parts.git.ignoredFolders();
    this.#isOfGit = ignored !== undefined;
    this.#skipped = new Set(ignored);
    if (this.#isOver) return;
    await this.#sensor.begin();
    await this.#tell();
  }

  async #then(work: () => Promise<void>): Promise<void> {
    const before = this.#work;
    const after = async (): Promise<void> => {
      await before;
      try {
        if (!this.#isOver) await work();
      } catch (error) {
        this.#failed(error);
      }
    };
    this.#work = after();
    await this.#work;
  }

  #touched(file: string, isRenamed: boolean): void {
    if (this.#isOver || this.#isSkipped(file)) return;
    this.#hear();
    if (this.#pending.size >= FLOOD) this.#lookInstead();
    // Whoever looks finds files; that a folder is to be watched from now on, only its own name says.
    if (isRenamed || !this.#mustLook) {
      const wasRenamed = this.#pending.get(file)?.isRenamed === true;
      const heardAt = this.#parts.clock.now();
      this.#pending.set(file, { isRenamed: isRenamed || wasRenamed, heardAt });
    }
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      void this.#then(async () => this.#tell());
    }, BATCH_MS).unref();
  }

  #lookInstead(): void {
    if (!this.#mustLook)
      for (const [file, { isRenamed }] of this.#pending) if (!isRenamed) this.#pending.delete(file);
    this.#mustLook = true;
    if (this.#pending.size < RENAMED_LIMIT) return;
    this.#pending.clear();
    this.#isBlind = true;
  }

  /** As much in one go as the system keeps for us: it may have dropped what came after. */
  #hear(): void {
    if (this.#heard === 0) setImmediate(() => void (this.#heard = 0));
    this.#heard += 1;
    if (this.#heard > this.#queueLimit) this.#mustLook = true;
  }

  #isSkipped(file: string): boolean {
    for (let end = file.length; end > 0; end = file.lastIndexOf('/', end - 1)) {
      const at = file.slice(0, end);
      const name = at.slice(at.lastIndexOf('/') + 1);
      if (name === '.git' || (!this.#isOfGit && NEVER_LOOKED_AT.has(name))) return true;
      if (this.#skipped.has(at) || at === this.#parts.own) return true;
    }
    return false;
  }

  #failed(error: unknown): void {
    if (this.#isOver || this.#isBlind) return;
    this.#isBlind = true;
    this.#mustLook = true;
    this.#parts.listener.noticed(unwatchableNotice(this.#parts.tree, error));
  }

  /** Whoever took the tree away may bring it back: from now on it is looked at itself. */
  #lost(): void {
    this.#isBlind = true;
    this.#mustLook = true;
  }

  async #tell(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const { clock, listener } = this.#parts;
    const [now, since, mustLook] = [clock.now(), this.#toldUntil, this.#mustLook];
    const pending = this.#pending;
    this.#pending = new Map();
    this.#mustLook = false;
    const changes = await this.#changesIn(pending);
    const found = mustLook ? await this.#look(since) : [];
    this.#toldUntil = now;
    const kept = await this.#withoutIgnored([...changes, ...found]);
    if (!this.#isOver && kept.length > 0) listener.changed(kept);
  }

  async #changesIn(pending: ReadonlyMap<string, Touch>): Promise<readonly TreeChange[]> {
    const changes: TreeChange[] = [];
    const gone = new Map<string, Touch>();
    const folders: string[] = [];
    const { listener } = this.#parts;
    await eachOf([...pending], async ([file, touch]) => {
      const { isRenamed, heardAt } = touch;
      listener.touched?.(file);
      const isWanted = listener.wants(file);
      if (!isWanted && !isRenamed && !this.#stamps.has(file)) return;
      const stats = await this.#stat(file);
      if (stats === undefined) {
        this.#sensor.dropFolder(file);
        this.#stamps.forget(file);
        if (isWanted) gone.set(file, touch);
      } else if (stats.isDirectory()) folders.push(file);
      else {
        const isSame = await this.#stamps.isSame(file, stats);
        const writtenMs = isRenamed ? Math.max(stats.mtimeMs, stats.ctimeMs) : stats.mtimeMs;
        if (isWanted && !this.#isOurs(file, stats))
          changes.push(this.#changeOf(file, { writtenMs, heardAt, isSame }));
      }
    });
    const all = [changes, await this.#goneOf(gone)];
    for (const files of await this.#enter(folders)) all.push(await this.#changesIn(files));
    return all.flat();
  }

  /** Folders that have come, with what is in them already. */
  async #enter(folders: readonly string[]): Promise<readonly ReadonlyMap<string, Touch>[]> {
    const all: ReadonlyMap<string, Touch>[] = [];
    if (folders.length === 0) return all;
    const ignored = this.#isOfGit ? await this.#parts.git.ignored(folders) : undefined;
    for (const folder of folders) {
      if (ignored?.has(folder) === true || this.#isSkipped(folder)) continue;
      const files = await this.#sensor.addFolder(folder);
      const found: Touch = { isRenamed: true, heardAt: this.#parts.clock.now() };
      all.push(new Map(files.map((file) => [file, found])));
    }
    return all;
  }

  /** What git has not known was of no account: many programs write files that they remove again. */
  async #goneOf(gone: ReadonlyMap<string, Touch>): Promise<readonly TreeChange[]> {
    if (gone.size === 0 || !this.#isOfGit) return [];
    const known = (await this.#parts.git.known([...gone.keys()])) ?? [];
    return known.flatMap((file) => {
      const touch = touchOf(file, gone);
      if (touch === undefined) return [];
      const { heardAt } = touch;
      const from = instant(heardAt - HEARD_MS);
      return { path: file, from, until: heardAt, isSame: false };
    });
  }

  /** Whatever was written since then and is still there. */
  async #look(since: Instant): Promise<readonly TreeChange[]> {
    const { tree, listener, clock, git } = this.#parts;
    const sinceMs = Date.now() - (clock.now() - since);
    const isSkipped = (folder: string): boolean => this.#isSkipped(folder);
    const byGit = this.#isOfGit ? await git.changedSince(sinceMs) : undefined;
    const files = byGit ?? (await filesBelow(tree, '', isSkipped));
    const changes: TreeChange[] = [];
    await eachOf([...new Set(files)], async (file) => {
      if (this.#isSkipped(file) || !listener.wants(file)) return;
      const stats = await this.#stat(file);
      if (stats === undefined || stats.isDirectory() || this.#isOurs(file, stats)) return;
      const writtenMs = Math.max(stats.mtimeMs, stats.ctimeMs);
      if (writtenMs < sinceMs - COARSENESS_MS) return;
      const isSame = await this.#stamps.isSame(file, stats);
      changes.push(this.#changeOf(file, { writtenMs, heardAt: clock.now(), isSame }));
    });
    return changes;
  }

  async #withoutIgnored(changes: readonly TreeChange[]): Promise<readonly TreeChange[]> {
    if (!this.#isOfGit || changes.length === 0) return changes;
    const ignored = await this.#parts.git.ignored(changes.map((change) => change.path));
    return changes.filter((change) => ignored?.has(change.path) !== true);
  }

  /** A file says when it was written, but not exactly; that it was is certain when it is heard of. */
  #changeOf(
    file: string,
    { writtenMs, heardAt, isSame }: { writtenMs: number; heardAt: Instant; isSame: boolean },
  ): TreeChange {
    const now = this.#parts.clock.now();
    const agoMs = Math.max(0, Date.now() - writtenMs);
    const from = instant(Math.min(Math.floor(now - agoMs), heardAt));
    const until = instant(Math.min(from + COARSENESS_MS, heardAt));
    return { path: file, from, until, isSame };
  }

  #isOurs(file: string, stats: Stats): boolean {
    return this.#parts.isOurs(path.join(this.#parts.tree, file), stats);
  }

  async #stat(file: string): Promise<Stats | undefined> {
    try {
      return await promises.lstat(path.join(this.#parts.tree, file));
    } catch {
      return undefined;
    }
  }
}

/** Of a path, or of the folder that it was in. */
function touchOf(file: string, touches: ReadonlyMap<string, Touch>): Touch | undefined {
  for (let end = file.length; end > 0; end = file.lastIndexOf('/', end - 1)) {
    const touch = touches.get(file.slice(0, end));
    if (touch !== undefined) return touch;
  }
  return undefined;
}

function realPathOf(folder: string): string {
  try {
    return realpathSync.native(folder);
  } catch {
    return folder;
  }
}

/** Where nobody says what is of no account. */
const NEVER_LOOKED_AT: ReadonlySet<string> = new Set(['node_modules', '.hg', '.svn', '.jj']);

async function eachOf<T>(all: readonly T[], look: (one: T) => Promise<void>): Promise<void> {
  let at = 0;
  const worker = async (): Promise<void> => {
    while (at < all.length) {
      const one = all[at]!;
      at += 1;
      await look(one);
    }
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, all.length) }, worker));
}
