import {
  copyFileSync,
  constants,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readlinkSync,
  renameSync,
  rmdirSync,
  type Stats,
  rmSync,
  symlinkSync,
} from 'node:fs';
import path from 'node:path';
import type { GitStore } from './git-store.ts';
import { type Entry, indexInfo, textOf } from './result.ts';

interface Home {
  readonly store: GitStore;
  /** The working tree. */
  readonly top: string;
  readonly settings: readonly string[];
  readonly term: number;
  /** Where what does not come into the tree is kept. */
  readonly keptFolder: string;
  /** What files of the tree were when it was sent, and what was put there before: by name. */
  readonly known: (name: string) => readonly string[];
  /** Told of each file that is now what came. */
  readonly onPut: (name: string, blob: string) => void;
}

const LINK = '120000';

/**
 * Puts files that have come into the working tree, each only where it is absent, or is what was sent or
 * put there before. Answers with why others are not there, by their names.
 */
export async function bringHome(
  home: Home,
  entries: readonly Entry[],
): Promise<ReadonlyMap<string, string>> {
  const refused = new Map<string, string>();
  await writeFiles(home, entries, home.keptFolder);
  const stamps = new Map(entries.map(({ name }) => [name, stampOf(placeOf(home.top, name))]));
  const blobs = await blobsInTree(home, entries);
  for (const entry of entries) {
    const target = placeOf(home.top, entry.name);
    const from = placeOf(home.keptFolder, entry.name);
    // Somebody may have saved it while others were looked at and put.
    const isNew = stampOf(target) !== stamps.get(entry.name);
    const why =
      blobs.get(entry.name) === entry.blob && !isNew
        ? undefined
        : (whyNot({ home, entry, isNew, now: blobs.get(entry.name) }) ??
          put({ home, entry, from, target }));
    if (why !== undefined) refused.set(entry.name, why);
    else {
      rmSync(from, { force: true });
      removeEmpty(path.dirname(from), home.keptFolder);
      home.onPut(entry.name, entry.blob);
    }
  }
  return refused;
}

/** As git would check them out. */
export async function writeFiles(
  { store, top, settings, term }: Pick<Home, 'store' | 'top' | 'settings' | 'term'>,
  entries: readonly Entry[],
  folder: string,
): Promise<void> {
  if (entries.length === 0) return;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const index = store.fileOf(`index-of-${term}`);
  rmSync(index, { force: true });
  const options = { cwd: top, settings, env: { GIT_WORK_TREE: top, GIT_INDEX_FILE: index } };
  await store.run(['update-index', '-z', '--index-info'], {
    ...options,
    input: indexInfo(entries),
  });
  await store.run(['checkout-index', '-a', '-q', `--prefix=${folder}/`], options);
  rmSync(index, { force: true });
}

/** What git says that files of the tree are now; nothing of what is not there. */
async function blobsInTree(
  { store, top, settings }: Home,
  entries: readonly Entry[],
): Promise<ReadonlyMap<string, string>> {
  const blobs = new Map<string, string>();
  const files: string[] = [];
  for (const { name } of entries) {
    const place = placeOf(top, name);
    const stat = throughLink(top, name) ? undefined : statOf(place);
    if (stat?.isSymbolicLink() === true) {
      const input = readlinkSync(place, { encoding: 'buffer' });
      blobs.set(name, await store.text(['hash-object', '--stdin'], { input }));
    } else if (stat?.isFile() === true) files.push(name);
    else if (stat !== undefined) blobs.set(name, 'no file');
  }
  const options = { cwd: top, settings, env: { GIT_WORK_TREE: top } };
  const plain = files.filter((name) => !/[\n"]/.test(name));
  const input = Buffer.from(plain.map((name) => `${name}\n`).join(''), 'latin1');
  const said = await store.text(['hash-object', '--stdin-paths'], { ...options, input });
  const hashes = said.split('\n');
  for (const [at, name] of plain.entries()) blobs.set(name, hashes[at]!);
  for (const name of files.filter((each) => /[\n"]/.test(each)))
    blobs.set(name, await store.text(['hash-object', '--', textOf(name)], options));
  return blobs;
}

interface Question {
  readonly home: Home;
  readonly entry: Entry;
  /** What was there when it was looked at. */
  readonly now: string | undefined;
  /** Something else is there since. */
  readonly isNew: boolean;
}

function whyNot({ home, entry, now, isNew }: Question): string | undefined {
  const { top, keptFolder } = home;
  if (throughLink(top, entry.name)) return 'a folder above it is a link';
  if (isNew || (now !== undefined && !home.known(entry.name).includes(now)))
    return 'the file here has changed meanwhile';
  if (entry.mode !== LINK) return undefined;
  const to = readlinkSync(placeOf(keptFolder, entry.name), 'utf8');
  const target = path.resolve(top, path.dirname(textOf(entry.name)), to);
  const isInside = !path.isAbsolute(to) && `${target}${path.sep}`.startsWith(`${top}${path.sep}`);
  return isInside ? undefined : 'it is a link that leads out of the folder';
}

/** A link on the way to it leads where nobody has said that it may be written. */
function throughLink(top: string, name: string): boolean {
  const parents = textOf(name).split('/').slice(0, -1);
  return parents.some((_, at) => {
    const parent = path.join(top, ...parents.slice(0, at + 1));
    return statOf(parent)?.isSymbolicLink() === true;
  });
}

interface Placing {
  readonly home: Home;
  readonly entry: Entry;
  readonly from: string;
  readonly target: string;
}

/** There is never half a file under its name. */
function put({ home, entry, from, target }: Placing): string | undefined {
  const half = path.join(path.dirname(target), `.interlock-${home.term}`);
  try {
    mkdirSync(path.dirname(target), { recursive: true });
    rmSync(half, { force: true });
    if (entry.mode === LINK) symlinkSync(readlinkSync(from), half);
    else copyFileSync(from, half, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL);
    if (existsSync(target) || entry.mode === LINK) renameSync(half, target);
    else linkSync(half, target);
    // A link to what is there already leaves the other name.
    rmSync(half, { force: true });
    return undefined;
  } catch (error) {
    return `the system says ${codeOf(error)}`;
  }
}

/** Another one as soon as somebody has written there. */
function stampOf(file: string): string {
  const stat = statOf(file);
  return stat === undefined ? '' : [stat.ino, stat.size, stat.mtimeMs, stat.ctimeMs].join(' ');
}

/** Nothing, too, where a file is on the way to it. */
function statOf(file: string): Stats | undefined {
  try {
    return lstatSync(file);
  } catch {
    return undefined;
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}

function removeEmpty(folder: string, last: string): void {
  for (let at = folder; ; at = path.dirname(at)) {
    try {
      rmdirSync(at);
    } catch {
      return;
    }
    if (at === last) return;
  }
}

function placeOf(folder: string, name: string): string {
  return path.join(folder, textOf(name));
}
