import type { PathSet } from '../../domain/paths/path-set.ts';
import type { GitStore } from './git-store.ts';

/** A file as git has it; its name from the top of the working tree, as `latin1`. */
export interface Entry {
  readonly name: string;
  /** `000000`: it is not there any more. */
  readonly mode: string;
  readonly blob: string;
}

const GONE = '000000';
export const SUBMODULE = '160000';
const EXACT = { foldCase: false };

export interface Changes {
  /** What is to come into the working tree. */
  readonly outputs: readonly Entry[];
  /** What is kept with the run. */
  readonly artifacts: readonly Entry[];
  /** Everything else that git does not ignore. */
  readonly others: readonly Entry[];
}

interface ResultCommits {
  readonly sent: string;
  /** What was sent of what git does not ignore; absent where that is all. */
  readonly plain: string | undefined;
  /** What the tree was in the end. */
  readonly result: string;
  /** With the files that git ignores and the task declares. */
  readonly ignored: string | undefined;
}

/** What a task has made, told apart by what it declares. */
export async function readChanges(
  store: GitStore,
  { sent, plain, result, ignored }: ResultCommits,
  wanted: { readonly outputs: PathSet; readonly artifacts: PathSet },
): Promise<Changes> {
  const changed = await readDiff(store, sent, result);
  const inputs = plain === undefined ? [] : await readDiff(store, plain, sent);
  const isInput = new Set(inputs.map(({ name }) => name));
  const more = ignored === undefined ? [] : await readTree(store, ignored);
  const all = [...changed, ...more];
  return {
    outputs: all.filter((entry) => isOf(wanted.outputs, entry)),
    artifacts: all.filter((entry) => isOf(wanted.artifacts, entry)),
    others: changed.filter(
      (entry) =>
        !isOf(wanted.outputs, entry) && entry.mode !== SUBMODULE && !isInput.has(entry.name),
    ),
  };
}

export function isOf(set: PathSet, { name, mode }: Entry): boolean {
  return mode !== GONE && mode !== SUBMODULE && isText(name) && set.has(textOf(name), EXACT);
}

/** `:100644 100755 BLOB BLOB M`, and the name by itself. */
/** What is not the same in two commits or trees. */
export async function readDiff(
  store: GitStore,
  from: string,
  to: string,
): Promise<readonly Entry[]> {
  const words = ['diff-tree', '-r', '-z', '--raw', '--no-renames'];
  const said = await store.names([...words, from, to]);
  const entries: Entry[] = [];
  for (let at = 0; at + 1 < said.length; at += 2) {
    const [, mode = GONE, , blob = ''] = said[at]!.split(' ');
    entries.push({ name: said[at + 1]!, mode, blob });
  }
  return entries;
}

/** All files of a commit or a tree. */
export async function readTree(store: GitStore, tree: string): Promise<readonly Entry[]> {
  const lines = await store.names(['ls-tree', '-r', '-z', '--full-tree', tree]);
  // `100644 blob BLOB`, a tabulator, and the name.
  return lines.map((line) => {
    const tab = line.indexOf('\t');
    const [mode = '', , blob = ''] = line.slice(0, tab).split(' ');
    return { name: line.slice(tab + 1), mode, blob };
  });
}

export const LINK = '120000';
/** Longest path that a system takes. */
const TARGET_BYTES = 4096;

/** Where links lead, by their names; nothing of those that lead where no path could. */
export async function linkTargets(
  store: GitStore,
  entries: readonly Entry[],
): Promise<ReadonlyMap<string, string>> {
  const links = entries.filter(({ mode }) => mode === LINK);
  if (links.length === 0) return new Map();
  const sizes = await sizesOf(store, links);
  const readable = links.filter((_, at) => (sizes[at] ?? Infinity) <= TARGET_BYTES);
  const said = await store.run(['cat-file', '--batch'], { input: hashLines(readable) });
  const targets = new Map<string, string>();
  let at = 0;
  for (const { name } of readable) {
    const start = said.indexOf('\n', at) + 1;
    const size = Number(said.toString('latin1', at, start).split(' ')[2]);
    targets.set(textOf(name), said.toString('utf8', start, start + size));
    at = start + size + 1;
  }
  return targets;
}

/** In the order of the entries; Infinity of what is not there. */
export async function sizesOf(
  store: GitStore,
  entries: readonly Entry[],
): Promise<readonly number[]> {
  if (entries.length === 0) return [];
  const input = hashLines(entries);
  const said = await store.text(['cat-file', '--batch-check=%(objectsize)'], { input });
  return said.split('\n').map((line) => (/^\d+$/.test(line) ? Number(line) : Infinity));
}

function hashLines(entries: readonly Entry[]): string {
  return entries.map(({ blob }) => `${blob}\n`).join('');
}

export function textOf(name: string): string {
  return Buffer.from(name, 'latin1').toString('utf8');
}

/** Where it is not, nobody can say here what a pattern would say of it. */
function isText(name: string): boolean {
  return Buffer.from(textOf(name), 'utf8').toString('latin1') === name;
}

export function indexInfo(entries: readonly Entry[]): Buffer {
  const lines = entries.map(({ mode, blob, name }) => `${mode} ${blob}\t${name}\0`);
  return Buffer.from(lines.join(''), 'latin1');
}
