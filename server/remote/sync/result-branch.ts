import { rmSync } from 'node:fs';
import { GitError, type GitStore } from './git-store.ts';
import { type Entry, indexInfo } from './result.ts';

interface BranchWish {
  readonly task: string;
  readonly term: number;
  readonly host: string;
  readonly commonFolder: string;
  /** What the user had; absent where nothing was committed. */
  readonly base: string | undefined;
  /** What the task itself has committed last, on top of that. */
  readonly committed: string | undefined;
  readonly changed: readonly Entry[];
}

/**
 * Puts what a task has changed onto a branch, on top of the very commit that the user had: what was not
 * committed then is not in it, so that it can be merged beside that. Answers with a sentence.
 */
export async function makeBranch(store: GitStore, wish: BranchWish): Promise<string | undefined> {
  const { task, term, host, base, committed, changed, commonFolder } = wish;
  const start = committed ?? base;
  const tip = await tipOf(store, { start, changed, message: `What ${task} changed on ${host}` });
  if (tip === undefined || tip === base) return undefined;
  const branch = branchName(task, term);
  const inRepository = { env: { GIT_DIR: commonFolder } };
  const existing = await store.ask(
    ['rev-parse', '-q', '--verify', `refs/heads/${branch}`],
    inRepository,
  );
  if (existing !== undefined) {
    const [before, now] = await Promise.all(
      [existing, tip].map((each) => store.ask(['rev-parse', `${each}^{tree}`], inStore(wish))),
    );
    if (before === now) return madeBranch(wish, branch);
    return `There is a branch ${branch} already that is not of this attempt. What ${task} changed on ${host} is commit ${tip} in ${store.folder}.`;
  }
  await giveObjects(store, { tip, base, commonFolder, term });
  try {
    const nothing = '0'.repeat(tip.length);
    await store.run(['update-ref', `refs/heads/${branch}`, tip, nothing], inRepository);
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    return `The branch ${branch} could not be made: ${error.message}. What ${task} changed on ${host} is commit ${tip}.`;
  }
  return madeBranch(wish, branch);
}

function madeBranch({ task, host }: BranchWish, branch: string): string {
  return `What else ${task} changed on ${host} is on the branch ${branch}.`;
}

function inStore({ commonFolder }: BranchWish): { env: Record<string, string> } {
  return { env: { GIT_ALTERNATE_OBJECT_DIRECTORIES: `${commonFolder}/objects` } };
}

async function tipOf(
  store: GitStore,
  {
    start,
    changed,
    message,
  }: { start: string | undefined; changed: readonly Entry[]; message: string },
): Promise<string | undefined> {
  if (changed.length === 0) return start;
  const index = store.fileOf('index-of-branch');
  const env = { GIT_INDEX_FILE: index };
  rmSync(index, { force: true });
  if (start !== undefined) await store.run(['read-tree', start], { env });
  await store.run(['update-index', '-z', '--index-info'], { env, input: indexInfo(changed) });
  const tree = await store.text(['write-tree', '--missing-ok'], { env });
  rmSync(index, { force: true });
  if (start === undefined)
    return await store.text(['commit-tree', tree], { input: `${message}\n`, env: NOW });
  if ((await store.text(['rev-parse', `${start}^{tree}`])) === tree) return start;
  const words = ['commit-tree', tree, '-p', start];
  return await store.text(words, { input: `${message}\n`, env: NOW });
}

/** A commit that people see has a date. */
const NOW = { GIT_AUTHOR_DATE: '', GIT_COMMITTER_DATE: '' };

/** Nothing of the repository's own settings is asked: no transport, no filter, no hook. */
async function giveObjects(
  store: GitStore,
  { tip, base, commonFolder, term }: GivenObjects,
): Promise<void> {
  const pack = store.fileOf(`give-${term}.pack`);
  const revisions = base === undefined ? `${tip}\n` : `${tip}\n^${base}\n`;
  await store.run(['pack-objects', '--revs', '--stdout', '-q'], {
    input: revisions,
    outputFile: pack,
  });
  await store.run(['index-pack', '--stdin'], {
    inputFile: pack,
    env: { GIT_OBJECT_DIRECTORY: `${commonFolder}/objects` },
  });
  rmSync(pack, { force: true });
}

interface GivenObjects {
  readonly tip: string;
  readonly base: string | undefined;
  readonly commonFolder: string;
  readonly term: number;
}

/** A task may be called what git refuses as a name. */
function branchName(task: string, term: number): string {
  const name = task.replaceAll(/\.{2,}/g, '-').replace(/(?:\.lock|\.)$/, '-');
  return `interlock/${name}/${term}`;
}
