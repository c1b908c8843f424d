import { rmSync } from 'node:fs';
import path from 'node:path';
import { parsePathSet } from '../../domain/paths/path-set.ts';
import { pathspecs } from './pathspecs.ts';
import { textOf } from './result.ts';
import type { GitStore } from './git-store.ts';
import { commit, type Snapshot, stdinOf } from './snapshot.ts';

interface Inputs {
  readonly term: number;
  /** Patterns of what the task reads. */
  readonly reads: readonly string[];
}

/**
 * Adds what git ignores and the task says that it reads, such as what another task has built. A pattern
 * that could begin anywhere names none of it: who reads all there is does not mean `.env` and every
 * package.
 */
export async function withInputs(
  store: GitStore,
  snapshot: Snapshot,
  { term, reads }: Inputs,
): Promise<Snapshot> {
  const { top, prefix, sent, settings } = snapshot;
  const named = reads.filter((text) => text.startsWith('!') || isNamed(text));
  const specs = pathspecs(named);
  if (specs.length === 0) return snapshot;
  const wanted = parsePathSet(named, prefix);
  const index = store.fileOf(`index-in-${term}.${process.pid}`);
  rmSync(index, { force: true });
  const options = {
    cwd: path.join(top, prefix),
    settings,
    env: { GIT_WORK_TREE: top, GIT_INDEX_FILE: index },
  };
  try {
    await store.run(['read-tree', sent], options);
    const list = ['ls-files', '-z', '-o', '-i', '--exclude-standard', '--full-name', '--'];
    const found = await store.names([...list, ...specs], options);
    const inputs = found.filter(
      (name) => !name.endsWith('/') && wanted.has(textOf(name), { foldCase: false }),
    );
    if (inputs.length === 0) return snapshot;
    const add = ['update-index', '-z', '--add', '--remove', '--stdin'];
    await store.run(add, { ...options, cwd: top, input: stdinOf(inputs) });
    const tree = await store.text(['write-tree'], options);
    const message = 'What git ignores and the task reads';
    return {
      ...snapshot,
      plain: sent,
      sent: await commit(store, { tree, parents: [sent], message }),
    };
  } finally {
    rmSync(index, { force: true });
  }
}

function isNamed(pattern: string): boolean {
  return parsePathSet([pattern]).starts.every((start) => start !== '');
}
