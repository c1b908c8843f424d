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
import { type Found, followLink, refusedLinks } from './received-links.ts';
import { pathFault } from './received-names.ts';
import { type Entry, indexInfo, LINK, linkTargets, sizesOf, textOf } from './result.ts';
import { makeSure, RESULT_BYTES } from './room.ts';

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
  /** Names of all that was put there before. */
  readonly putBefore: () => Iterable<string>;
  /** Told of each file that is now what came. */
  readonly onPut: (name: string, blob: string) => void;
}

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
  const targets = await linkTargets(home.store, entries);
  const stamps = new Map(entries.map(({ name }) => [name, stampOf(placeOf(home.top, name))]));
  const blobs = await blobsInTree(home, entries);
  const wrong = wrongLinks(home, { entries, targets, blobs });
  // Files first: a link is judged by what is there when it is made.
  const files = entries.filter(({ mode }) => mode !== LINK);
  const links = entries.filter(({ mode }) => mode === LINK);
  for (const entry of [...files, ...links]) {
    const target = placeOf(home.top, entry.name);
    const from = placeOf(home.keptFolder, entry.name);
    // Somebody may have saved it while others were looked at and put.
    const isNew = stampOf(target) !== stamps.get(entry.name);
    const to = targets.get(textOf(entry.name));
    const why =
      blobs.get(entry.name) === entry.blob && !isNew
        ? undefined
        : (whyNot({ home, entry, isNew, now: blobs.get(entry.name) }) ??
          wrong.get(textOf(entry.name)) ??
          whyNoLink(home, entry, to) ??
          put({ home, entry, from, target, to }));
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
  const sizes = await sizesOf(store, entries);
  await makeSure(
    sizes.reduce((sum, size) => sum + (Number.isFinite(size) ? size : 0), 0),
    { most: RESULT_BYTES.unpacked, folder: store.folder, what: 'what came back, unpacked,' },
  );
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
  const { top } = home;
  const fault = pathFault(textOf(entry.name));
  if (fault !== undefined) return fault;
  if (throughLink(top, entry.name)) return 'a folder above it is a link';
  if (isNew || (now !== undefined && !home.known(entry.name).includes(now)))
    return 'the file here has changed meanwhile';
  return undefined;
}

/** The links that may not be made, judged together with what is there and was put there before. */
function wrongLinks(
  home: Home,
  {
    entries,
    targets,
    blobs,
  }: {
    readonly entries: readonly Entry[];
    readonly targets: ReadonlyMap<string, string>;
    readonly blobs: ReadonlyMap<string, string>;
  },
): ReadonlyMap<string, string> {
  // What stays as it is counts as what it is.
  const coming = entries.filter((entry) => {
    const now = blobs.get(entry.name);
    return whyNot({ home, entry, now, isNew: false }) === undefined;
  });
  const names = coming.map(({ name }) => textOf(name));
  const isComing = new Set(names);
  const links = new Map([...targets].filter(([name]) => isComing.has(name)));
  if (links.size === 0) return new Map();
  if (links.size > MOST_LINKS)
    return new Map([...links.keys()].map((name) => [name, `more than ${MOST_LINKS} links came`]));
  const look = lookIn(home.top);
  const before = [...home.putBefore()].map(textOf);
  const earlier = before.flatMap((name) => {
    const found = look(name);
    return found.kind === 'link' ? [[name, found.to] as const] : [];
  });
  return refusedLinks({ links, names, earlier: new Map(earlier), look });
}

/** The last look, when everything before it is there. */
function whyNoLink(home: Home, { mode, name }: Entry, to: string | undefined): string | undefined {
  if (mode !== LINK) return undefined;
  if (to === undefined) return 'it is a link that leads nowhere';
  return followLink(textOf(name), to, lookIn(home.top)).fault;
}

const MOST_LINKS = 5000;

function lookIn(top: string): (name: string) => Found {
  return (name) => {
    const place = path.join(top, ...name.split('/'));
    const stat = statOf(place);
    if (stat === undefined) return { kind: 'absent' };
    return stat.isSymbolicLink() ? { kind: 'link', to: readlinkSync(place) } : { kind: 'there' };
  };
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
  /** Where a link leads. */
  readonly to: string | undefined;
}

/** There is never half a file under its name. */
function put({ home, entry, from, target, to }: Placing): string | undefined {
  const half = path.join(path.dirname(target), `.interlock-${home.term}`);
  try {
    mkdirSync(path.dirname(target), { recursive: true });
    rmSync(half, { force: true });
    if (to !== undefined) symlinkSync(to, half);
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
