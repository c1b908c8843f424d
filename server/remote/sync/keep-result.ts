import { displayLine } from '../../domain/display-text.ts';
import { bringHome, writeFiles } from './bring-home.ts';
import type { GitStore } from './git-store.ts';
import { PutFiles } from './put-files.ts';
import type { Repository } from './repository.ts';
import { type Found, refusedLinks } from './received-links.ts';
import { type Changes, type Entry, LINK, linkTargets, readTree, textOf } from './result.ts';
import type { TreeWish } from './sent-trees.ts';

/** What of a tree comes back. */
export interface ResultWish extends Omit<TreeWish, 'cwd' | 'reads'> {
  readonly task: string;
  readonly host: string;
  /** Patterns of what comes back into the working tree: what the task makes for others. */
  readonly outputs: readonly string[];
  /** Patterns of what is kept with the run. */
  readonly artifacts: readonly string[];
  /** Where that is kept, and what may not come into the working tree. */
  readonly keptFolder: string;
}

interface Result {
  readonly wish: ResultWish;
  readonly repository: Repository;
  readonly changes: Pick<Changes, 'artifacts' | 'outputs'>;
}

/** Puts what has come where it belongs. Answers with what the user should know. */
export async function keepResult(
  store: GitStore,
  { wish, repository, changes }: Result,
): Promise<readonly string[]> {
  const { term, keptFolder, task, host } = wish;
  const { top, settings } = repository;
  const artifacts = await withoutLinksOut(store, changes.artifacts);
  await writeFiles({ store, top, settings, term }, artifacts, `${keptFolder}/artifacts`);
  if (changes.outputs.length === 0) return [];
  const putFiles = new PutFiles(store, top);
  const before = await blobsBefore(store, { term, entries: changes.outputs });
  const folder = `${keptFolder}/outputs`;
  const refused = await bringHome(
    {
      store,
      top,
      settings,
      term,
      keptFolder: folder,
      known: (name) =>
        [before.get(name), putFiles.blobOf(name)].filter((each) => each !== undefined),
      putBefore: () => putFiles.names,
      onPut: (name, blob) => putFiles.add(name, blob),
    },
    changes.outputs,
  );
  putFiles.save();
  const [first] = refused;
  if (first === undefined) return [];
  const more = refused.size > 1 ? ` and ${refused.size - 1} more` : '';
  return [
    `Not put here: ${displayLine(textOf(first[0]))}${more}, which ${task} has made on ${host}, because ${first[1]}. It is in ${folder}.`,
  ];
}

/** Whoever opens what is kept is led nowhere else. */
async function withoutLinksOut(
  store: GitStore,
  entries: readonly Entry[],
): Promise<readonly Entry[]> {
  const links = await linkTargets(store, entries);
  const names = entries.map(({ name }) => textOf(name));
  const refused = refusedLinks({ links, names, earlier: new Map(), look: nothingElse });
  return entries.filter(
    ({ name, mode }) => mode !== LINK || (links.has(textOf(name)) && !refused.has(textOf(name))),
  );
}

function nothingElse(): Found {
  return { kind: 'absent' };
}

/** What these files were when they were sent. */
async function blobsBefore(
  store: GitStore,
  { term, entries }: { readonly term: number; readonly entries: readonly Entry[] },
): Promise<ReadonlyMap<string, string>> {
  const sent = await readTree(store, `refs/interlock/${term}/sent`);
  const wanted = new Set(entries.map(({ name }) => name));
  return new Map(
    sent.flatMap(({ name, blob }) => (wanted.has(name) ? [[name, blob] as const] : [])),
  );
}
