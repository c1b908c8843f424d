import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { readBundleHeader } from './bundle-header.ts';
import { GitError, GitOverrun, type GitStore } from './git-store.ts';
import { makeSure, RESULT_BYTES, sizeText } from './room.ts';
import { type RawTree, treeFault } from './received-trees.ts';
import { SyncRefused } from './sync-refused.ts';

interface Received {
  /** The bundle as it has come; not checked by anybody. */
  readonly file: string;
  readonly term: number;
  readonly result: string;
}

/** More than the largest known monorepos have in one change. */
const MOST_OBJECTS = 1_000_000;
const TREE_BYTES = 32 * 1024 * 1024;
const LIMIT_MS = 30 * 60_000;
/** What the files of a pack may make git allocate at once: a small delta can claim any size. */
const MEMORY = { GIT_ALLOC_LIMIT: '1g' };
const LASTING = { mayPass: false };

/**
 * Takes what a host has sent into our store. It is unpacked into a quarantine, where git checks every
 * object (`index-pack --strict`) and we check every tree, because what git checks depends on its version.
 * Only then do the objects move into the store and get a reference. Throws `SyncRefused`.
 */
export async function takeResult(store: GitStore, received: Received): Promise<void> {
  const reference = `refs/interlock/${received.term}/result`;
  const quarantine = store.fileOf(`quarantine-${received.term}`);
  const header = readBundleHeader(received.file, { reference, hash: received.result });
  if ('fault' in header) throw new SyncRefused(refusal(header.fault), LASTING);
  if (header.objects > MOST_OBJECTS)
    throw new SyncRefused(refusal(`it has ${header.objects} objects`), LASTING);
  rmSync(quarantine, { recursive: true, force: true });
  try {
    await unpack(store, { quarantine, file: received.file, packAt: header.packAt });
    await check(store, { quarantine, result: received.result });
    moveIn(store, quarantine);
    await store.run(['update-ref', reference, received.result]);
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    throw new SyncRefused(refusal(error.message), { mayPass: !(error instanceof GitOverrun) });
  } finally {
    rmSync(quarantine, { recursive: true, force: true });
  }
}

function refusal(why: string): string {
  return `what came back is not taken here: ${why}`;
}

async function unpack(
  store: GitStore,
  { quarantine, file, packAt }: { quarantine: string; file: string; packAt: number },
): Promise<void> {
  mkdirSync(path.join(quarantine, 'info'), { recursive: true, mode: 0o700 });
  writeFileSync(path.join(quarantine, 'info', 'alternates'), `${store.fileOf('objects')}\n`);
  await store.run(['index-pack', '--stdin', '--strict', '--fix-thin'], {
    ...within(quarantine),
    inputFile: file,
    inputAt: packAt,
    settings: ['core.bigFileThreshold=64m', 'pack.threads=1'],
  });
}

function within(quarantine: string): { env: Record<string, string>; limitMs: number } {
  return { env: { ...MEMORY, GIT_OBJECT_DIRECTORY: quarantine }, limitMs: LIMIT_MS };
}

async function check(
  store: GitStore,
  { quarantine, result }: { quarantine: string; result: string },
): Promise<void> {
  const hashes = await hashesIn(store, quarantine);
  const input = hashes.map((hash) => `${hash}\n`).join('');
  // A thin pack is completed with objects that we have: those are the user's own.
  const before = await linesOf(store, ['cat-file', '--batch-check=%(objectname)'], { input });
  const found = await linesOf(store, ['cat-file', '--batch-check=%(objecttype) %(objectsize)'], {
    ...within(quarantine),
    input,
  });
  let unpacked = 0;
  const trees: string[] = [];
  const commits = new Set<string>();
  for (const [at, hash] of hashes.entries()) {
    if (before[at] === hash) continue;
    const [type, size = ''] = found[at]?.split(' ') ?? [];
    unpacked += Number(size);
    if (type === 'tree') trees.push(hash);
    if (type === 'commit') commits.add(hash);
    if (type !== 'blob' && Number(size) > TREE_BYTES)
      throw new SyncRefused(refusal(`a ${type} of it has ${sizeText(Number(size))}`), LASTING);
  }
  await makeSure(unpacked, {
    most: RESULT_BYTES.unpacked,
    folder: store.folder,
    what: 'what came back, unpacked,',
  });
  for (const batch of batches(trees)) {
    const said = await store.run(['cat-file', '--batch'], {
      ...within(quarantine),
      input: batch.map((hash) => `${hash}\n`).join(''),
    });
    for (const tree of treesIn(said)) {
      const fault = treeFault(tree, result.length / 2);
      if (fault !== undefined) throw new SyncRefused(refusal(fault), LASTING);
    }
  }
  await listFiles(store, { quarantine, result, commits });
}

/**
 * A few trees that hold each other many times stand for any number of files. `ls-tree` tells as it
 * goes, and is stopped; `diff-tree`, which comes later, would keep all of them in memory first.
 */
async function listFiles(
  store: GitStore,
  {
    quarantine,
    result,
    commits,
  }: { quarantine: string; result: string; commits: ReadonlySet<string> },
): Promise<void> {
  for (const parents of ['', '^1', '^2', '^1^2']) {
    const words = ['rev-parse', '-q', '--verify', `${result}${parents}^{commit}`];
    const commit = await store.ask(words, within(quarantine));
    if (commit === undefined || !commits.has(commit)) continue;
    await store.run(['ls-tree', '-r', '-z', '--full-tree', commit], within(quarantine));
  }
}

/** What the index of the one pack lists. */
async function hashesIn(store: GitStore, quarantine: string): Promise<readonly string[]> {
  const folder = path.join(quarantine, 'pack');
  const index = readdirSync(folder).find((name) => name.endsWith('.idx'));
  if (index === undefined) throw new SyncRefused(refusal('it has no pack'), LASTING);
  const lines = await linesOf(store, ['show-index'], { inputFile: path.join(folder, index) });
  return lines.map((line) => line.split(' ')[1] ?? '');
}

async function linesOf(
  store: GitStore,
  args: readonly string[],
  options: Parameters<GitStore['run']>[1],
): Promise<readonly string[]> {
  const said = (await store.run(args, options)).toString('latin1').trimEnd();
  return said === '' ? [] : said.split('\n');
}

const TREES_AT_ONCE = 500;

function batches(hashes: readonly string[]): readonly (readonly string[])[] {
  const count = Math.ceil(hashes.length / TREES_AT_ONCE);
  return Array.from({ length: count }, (_, at) =>
    hashes.slice(at * TREES_AT_ONCE, (at + 1) * TREES_AT_ONCE),
  );
}

/** `HASH tree SIZE`, a line end, so many bytes, and a line end. */
function* treesIn(said: Buffer): Generator<RawTree> {
  for (let at = 0; at < said.length;) {
    const end = said.indexOf('\n', at);
    const [hash = '', , size] = said.toString('latin1', at, end).split(' ');
    const data = said.subarray(end + 1, end + 1 + Number(size));
    yield { hash, data };
    at = end + 1 + data.length + 1;
  }
}

/** The index last: git reads no pack that has none. */
function moveIn(store: GitStore, quarantine: string): void {
  const [from, to] = [path.join(quarantine, 'pack'), store.fileOf('objects/pack')];
  mkdirSync(to, { recursive: true });
  const names = readdirSync(from).toSorted(
    (one, other) => Number(one.endsWith('.idx')) - Number(other.endsWith('.idx')),
  );
  for (const name of names) renameSync(path.join(from, name), path.join(to, name));
}
