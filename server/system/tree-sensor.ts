import { type FSWatcher, promises, readFileSync, statSync, watch } from 'node:fs';
import path from 'node:path';

/** What a watched tree hears of the system; nothing is read of the files themselves. */
export interface SensorListener {
  /** `renamed`: it came, went, or was renamed; else its bytes or attributes changed. */
  readonly touched: (path: string, isRenamed: boolean) => void;
  /** It cannot be watched, or not any more; nothing more is told. */
  readonly failed: (error: unknown) => void;
  /** The tree itself was removed or moved; of what takes its place nothing is told. */
  readonly lost: () => void;
  /** Nothing in this folder is wanted. */
  readonly isSkipped: (folder: string) => boolean;
}

export interface Sensor extends Disposable {
  /** Whatever happens after this is told. */
  begin(): Promise<void>;
  /** A folder that came later; answers with the files that are in it already. */
  addFolder(folder: string): Promise<readonly string[]>;
  dropFolder(folder: string): void;
}

/** The system says of one folder what happens in it, and of those below only elsewhere than on Linux. */
export function sensorOf(tree: string, listener: SensorListener): Sensor {
  return process.platform === 'linux'
    ? new FolderSensor(tree, listener)
    : new RecursiveSensor(tree, listener);
}

class RecursiveSensor implements Sensor {
  readonly #tree: string;
  readonly #listener: SensorListener;
  #watcher: FSWatcher | undefined;

  constructor(tree: string, listener: SensorListener) {
    this.#tree = tree;
    this.#listener = listener;
  }

  async begin(): Promise<void> {
    const options = { recursive: true, persistent: false };
    this.#watcher = watch(this.#tree, options, (kind, name) => {
      if (name !== null) this.#listener.touched(name.replaceAll(path.sep, '/'), kind === 'rename');
    });
    this.#watcher.on('error', (error) => this.#listener.failed(error));
  }

  async addFolder(folder: string): Promise<readonly string[]> {
    return await filesBelow(this.#tree, folder, (each) => this.#listener.isSkipped(each));
  }

  dropFolder(): void {}

  [Symbol.dispose](): void {
    this.#watcher?.close();
  }
}

interface Folder {
  readonly watcher: FSWatcher;
  readonly children: Map<string, Folder>;
  /** Which one it was when it was watched first. */
  readonly identity: string;
  /** It was removed or moved: what has its name now is another folder. */
  isLost: boolean;
}

/** Of what one user may watch, the rest is left to others. */
const SHARE = 0.5;
const AT_ONCE = 16;

/**
 * One watcher for each folder. Node.js's own way to watch a whole tree on Linux takes one for each file
 * as well, and holds everything up while it looks for them.
 */
class FolderSensor implements Sensor {
  readonly #tree: string;
  readonly #listener: SensorListener;
  readonly #most = numberIn('/proc/sys/fs/inotify/max_user_watches') * SHARE;
  #root: Folder | undefined;
  #count = 0;
  #isOver = false;

  constructor(tree: string, listener: SensorListener) {
    this.#tree = tree;
    this.#listener = listener;
  }

  async begin(): Promise<void> {
    this.#root = this.#watch('');
    await this.#addBelow('');
  }

  async addFolder(folder: string): Promise<readonly string[]> {
    const known = this.#find(folder);
    if (known?.isLost === true) this.dropFolder(folder);
    return known === undefined || known.isLost ? await this.#addBelow(folder) : [];
  }

  dropFolder(folder: string): void {
    const parent = this.#find(path.posix.dirname(folder));
    const name = path.posix.basename(folder);
    const gone = parent?.children.get(name);
    parent?.children.delete(name);
    if (gone !== undefined) this.#close(gone);
  }

  [Symbol.dispose](): void {
    this.#isOver = true;
    if (this.#root !== undefined) this.#close(this.#root);
    this.#root = undefined;
  }

  async #addBelow(top: string): Promise<readonly string[]> {
    const files: string[] = [];
    const left = [top];
    const worker = async (): Promise<void> => {
      for (let at = left.pop(); at !== undefined && !this.#isOver; at = left.pop())
        for (const entry of await this.#enter(at)) (entry.isFolder ? left : files).push(entry.path);
    };
    // A folder that one of them is reading may give work to the others.
    while (left.length > 0 && !this.#isOver)
      await Promise.all(Array.from({ length: AT_ONCE }, worker));
    return files;
  }

  /** Watched first, then read: what comes in between is found twice and not missed. */
  async #enter(folder: string): Promise<readonly Entry[]> {
    if (folder !== '' && !this.#add(folder)) return [];
    const entries = await entriesOf(this.#tree, folder, (each) => this.#listener.isSkipped(each));
    if (entries === undefined) this.dropFolder(folder);
    return entries ?? [];
  }

  #add(folder: string): boolean {
    const parent = this.#find(path.posix.dirname(folder));
    const name = path.posix.basename(folder);
    if (parent === undefined || parent.children.has(name)) return false;
    const added = this.#watch(folder);
    if (added !== undefined) parent.children.set(name, added);
    return added !== undefined;
  }

  #watch(folder: string): Folder | undefined {
    if (this.#isOver) return undefined;
    try {
      if (this.#count >= this.#most) throw new TooManyFolders();
      const place = path.join(this.#tree, folder);
      const identity = identityOf(place);
      const watcher = watch(place, { persistent: false }, (kind, name) => {
        if (name === null) return;
        if (kind === 'rename' && name === path.basename(place)) this.#mayBeLost(added, place);
        this.#listener.touched(joined(folder, name), kind === 'rename');
      });
      // It is gone; its own folder says so, too.
      watcher.on('error', () => {});
      this.#count += 1;
      const added: Folder = { watcher, children: new Map(), identity, isLost: false };
      return added;
    } catch (error) {
      if (isGone(error)) return undefined;
      this.#listener.failed(error);
      this[Symbol.dispose]();
      return undefined;
    }
  }

  /** A folder that goes is told by its own name, and so is what comes and goes in it under that name. */
  #mayBeLost(folder: Folder, place: string): void {
    if (folder.isLost || identityOf(place) === folder.identity) return;
    folder.isLost = true;
    if (folder !== this.#root) return;
    this[Symbol.dispose]();
    this.#listener.lost();
  }

  #find(folder: string): Folder | undefined {
    let found = this.#root;
    if (folder === '' || folder === '.') return found;
    for (const name of folder.split('/')) found = found?.children.get(name);
    return found;
  }

  #close({ watcher, children }: Folder): void {
    watcher.close();
    this.#count -= 1;
    for (const child of children.values()) this.#close(child);
  }
}

/** The number of a folder that is gone may be given to the next one, but not its time of birth. */
function identityOf(folder: string): string {
  const found = statSync(folder, { bigint: true, throwIfNoEntry: false });
  return found === undefined ? '' : [found.dev, found.ino, found.birthtimeNs].join(' ');
}

/** There are more folders than this process takes watches for. */
class TooManyFolders extends Error {
  constructor() {
    super('There are too many folders to watch.');
    this.name = 'TooManyFolders';
  }
}

/** So many events wait for this process before the system drops what comes. */
export function queueLimit(): number {
  return numberIn('/proc/sys/fs/inotify/max_queued_events');
}

function numberIn(file: string): number {
  try {
    const number = Number(readFileSync(file, 'utf8'));
    return number > 0 ? number : Infinity;
  } catch {
    return Infinity;
  }
}

interface Entry {
  readonly path: string;
  readonly isFolder: boolean;
}

/** What lies in a folder; nothing of a folder that is a repository of its own, or is gone. */
async function entriesOf(
  tree: string,
  folder: string,
  isSkipped: (folder: string) => boolean,
): Promise<readonly Entry[] | undefined> {
  try {
    const found = await promises.readdir(path.join(tree, folder), { withFileTypes: true });
    if (folder !== '' && found.some(({ name }) => name === '.git')) return undefined;
    return found.flatMap((entry) => {
      const each = { path: joined(folder, entry.name), isFolder: entry.isDirectory() };
      return each.isFolder && isSkipped(each.path) ? [] : [each];
    });
  } catch {
    return undefined;
  }
}

/** All files below a folder. */
export async function filesBelow(
  tree: string,
  folder: string,
  isSkipped: (folder: string) => boolean,
): Promise<readonly string[]> {
  const files: string[] = [];
  const left = [folder];
  const worker = async (): Promise<void> => {
    for (let at = left.pop(); at !== undefined; at = left.pop())
      for (const entry of (await entriesOf(tree, at, isSkipped)) ?? [])
        (entry.isFolder ? left : files).push(entry.path);
  };
  while (left.length > 0) await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return files;
}

function joined(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}

function isGone(error: unknown): boolean {
  return error instanceof Error && 'code' in error && GONE.has(String(error.code));
}

const GONE: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM']);

export function unwatchableNotice(tree: string, error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const isLimit = error instanceof TooManyFolders || code === 'ENOSPC' || code === 'EMFILE';
  const why = isLimit
    ? 'the system watches no more folders for one user; "fs.inotify.max_user_watches" or "fs.inotify.max_user_instances" is its limit'
    : code || String(error);
  return (
    `Interlock cannot watch ${tree} (${why}). ` +
    'What tasks write outside of their "writes" is found when they end, and not at once.'
  );
}
