import { linkSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { readTextWithin } from './bounded-read.ts';
import { makeFolder } from './make-folder.ts';

/**
 * Which board a folder has, by what the file system says the folder is and not by its path: a renamed
 * folder, or one that is mounted at two paths, keeps its board, and a new folder at an old path, or a
 * copy, gets one of its own.
 *
 * There is a file in the state directory for each working tree and each git directory, named after the
 * folder's inode and time of birth. Inodes are used again, but not with the same time of birth. The
 * number of the device is in the file: it may change when the system starts, and a snapshot of a disk
 * has all inodes and times of the original.
 *
 * Where a file system has no times of birth, device and inode decide alone: it is better that a new
 * folder finds the history of one that was deleted than that one folder has two boards.
 */
export class TreeIndex {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Returns undefined if nobody has noted this folder, or it does not exist. */
  find(folder: string): TreeEntry | undefined {
    const id = identityOf(folder);
    return id === undefined ? undefined : entryFor(this.#read(fileOf(id)), { id, folder });
  }

  /**
   * Notes the board of a folder, unless another process has done so before.
   * Returns the entry that counts, or undefined if the folder does not exist.
   */
  add(folder: string, entry: Pick<TreeEntry, 'board' | 'kind'>): TreeEntry | undefined {
    const id = identityOf(folder);
    if (id === undefined) return undefined;
    const own: TreeEntry = { ...entry, device: id.device, path: folder };
    for (;;) {
      const known = this.#read(fileOf(id));
      const found = entryFor(known, { id, folder });
      if (found?.device === id.device) return found;
      if (found !== undefined) {
        const kept = { ...found, device: id.device };
        this.replace(folder, kept);
        return kept;
      }
      if (this.#write(fileOf(id), { entries: [...known, own], isNew: known.length === 0 }))
        return own;
    }
  }

  /** Notes the board of a folder, whatever was noted of it before. */
  replace(folder: string, entry: Pick<TreeEntry, 'board' | 'kind'>): void {
    const id = identityOf(folder);
    if (id === undefined) return;
    const own: TreeEntry = { ...entry, device: id.device, path: folder };
    const known = this.#read(fileOf(id));
    const before = entryFor(known, { id, folder });
    const others = known.filter((each) => each !== before);
    this.#write(fileOf(id), { entries: [...others, own], isNew: false });
  }

  /** The working trees that are where they were noted. */
  get trees(): readonly TreeEntry[] {
    return namesIn(this.#folder).flatMap((name) =>
      this.#read(name).filter((entry) => entry.kind === 'tree' && isAt(entry, name)),
    );
  }

  #read(name: string): readonly TreeEntry[] {
    const text = readTextWithin(path.join(this.#folder, name), FILE_BYTES);
    return text === undefined ? [] : parseEntries(text);
  }

  /** `false`: another process has written it first. */
  #write(
    name: string,
    { entries, isNew }: { readonly entries: readonly TreeEntry[]; readonly isNew: boolean },
  ): boolean {
    makeFolder(this.#folder);
    const file = path.join(this.#folder, name);
    const fresh = `${file}.${process.pid}`;
    writeFileSync(fresh, `${JSON.stringify(entries)}\n`, { mode: 0o600 });
    if (!isNew || this.#isDamaged(name)) {
      renameSync(fresh, file);
      return true;
    }
    try {
      linkSync(fresh, file);
      return true;
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
      throw error;
    } finally {
      rmSync(fresh);
    }
  }

  #isDamaged(name: string): boolean {
    const found = statSync(path.join(this.#folder, name), { throwIfNoEntry: false });
    return found !== undefined && this.#read(name).length === 0;
  }
}

export interface TreeEntry {
  /** A working tree, or the git directory of a repository. */
  readonly kind: 'tree' | 'git';
  readonly device: string;
  /** The name of the board's directory. */
  readonly board: string;
  /** Where the folder was when it was noted. */
  readonly path: string;
}

/** Equal for two paths exactly if they lead to the same folder. */
export function isSameFolder(one: string, other: string): boolean {
  const [first, second] = [identityOf(one), identityOf(other)];
  if (first === undefined || second === undefined) return false;
  return first.device === second.device && fileOf(first) === fileOf(second);
}

/** What tells a folder from the ones that had its path before; undefined if that cannot be told. */
export function birthOf(folder: string): string | undefined {
  const id = identityOf(folder);
  return id === undefined || id.birth === '0' ? undefined : fileOf(id);
}

interface FolderIdentity {
  readonly device: string;
  readonly inode: string;
  /** In nanoseconds; `0` where the file system has none. */
  readonly birth: string;
}

/** Room for more snapshots of one folder than anybody mounts. */
const FILE_BYTES = 256 * 1024;

function identityOf(folder: string): FolderIdentity | undefined {
  try {
    const { dev, ino, birthtimeNs } = statSync(folder, { bigint: true });
    return { device: String(dev), inode: String(ino), birth: String(birthtimeNs) };
  } catch {
    return undefined;
  }
}

function fileOf({ inode, birth }: FolderIdentity): string {
  return `${inode}-${birth}`;
}

function entryFor(
  entries: readonly TreeEntry[],
  { id, folder }: { readonly id: FolderIdentity; readonly folder: string },
): TreeEntry | undefined {
  const here = entries.find(({ device }) => device === id.device);
  // The device has another number since the system was started.
  return here ?? entries.find((entry) => id.birth !== '0' && entry.path === folder);
}

function isAt({ path: folder, device }: TreeEntry, name: string): boolean {
  const id = identityOf(folder);
  return id !== undefined && fileOf(id) === name && id.device === device;
}

function parseEntries(text: string): readonly TreeEntry[] {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value.filter(isEntry) : [];
  } catch {
    return [];
  }
}

function isEntry(value: unknown): value is TreeEntry {
  return (
    typeof value === 'object' &&
    value !== null &&
    'kind' in value &&
    (value.kind === 'tree' || value.kind === 'git') &&
    'device' in value &&
    typeof value.device === 'string' &&
    'board' in value &&
    typeof value.board === 'string' &&
    BOARD_NAME.test(value.board) &&
    'path' in value &&
    typeof value.path === 'string'
  );
}

/** It is joined to the path of a folder. */
const BOARD_NAME = /^[A-Za-z0-9._-]*-[0-9a-f]{16}$/;

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).filter((name) => /^\d+-\d+$/.test(name));
  } catch {
    return [];
  }
}
