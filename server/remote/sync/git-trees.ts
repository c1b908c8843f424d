import { existsSync } from 'node:fs';
import { parsePathSet } from '../../domain/paths/path-set.ts';
import type { HostShell } from '../host-shell.ts';
import { bringHome, writeFiles } from './bring-home.ts';
import { fetchResult, said, sendCommit, SyncRefused, tidy } from './bundles.ts';
import { GitStore } from './git-store.ts';
import { pathspecs } from './pathspecs.ts';
import { PutFiles } from './put-files.ts';
import { readRepository, type Repository } from './repository.ts';
import { type Changes, type Entry, readChanges, textOf } from './result.ts';
import { makeBranch } from './result-branch.ts';
import { NextTurn } from './next-turn.ts';
import { type Snapshot, takeSnapshot } from './snapshot.ts';

/** What a task is to find on a machine, and what of it comes back. */
export interface TreeWish {
  /** The workspace folder, on this machine. */
  readonly root: string;
  /** Where the task runs, from there. */
  readonly cwd: string;
  readonly term: number;
}

export interface ResultWish extends Omit<TreeWish, 'cwd'> {
  readonly task: string;
  readonly host: string;
  /** Patterns of what comes back into the working tree: what the task makes for others. */
  readonly outputs: readonly string[];
  /** Patterns of what is kept with the run. */
  readonly artifacts: readonly string[];
  /** Where that is kept, and what may not come into the working tree. */
  readonly keptFolder: string;
}

/** A shell on a machine, in the folder of our trees. */
export interface TreeShell {
  readonly shell: HostShell;
  readonly home: string;
}

/**
 * Working trees of git repositories on machines. What is known of one from its being sent to its coming
 * back are references in a store of ours, so that whoever comes after a crash knows it too.
 */
export class GitTrees {
  readonly #store: GitStore;
  readonly #env: NodeJS.ProcessEnv;
  readonly #snapshots = new Map<string, NextTurn<Snapshot | string>>();
  #begun: Promise<void> | undefined;

  constructor(folder: string, env: NodeJS.ProcessEnv) {
    this.#store = new GitStore(folder, env);
    this.#env = env;
  }

  /**
   * What a term is to find: the working tree as it is when this is called first. Answers with a sentence
   * where that cannot be sent.
   */
  async begin({ root, term }: TreeWish): Promise<Snapshot | string> {
    const before = await this.#remembered(root, term);
    if (before !== undefined) return before;
    const turn = this.#snapshots.get(root) ?? new NextTurn(async () => await this.#take(root));
    this.#snapshots.set(root, turn);
    const snapshot = await turn.run();
    if (typeof snapshot !== 'string') await this.#remember(term, snapshot);
    return snapshot;
  }

  /** Answers with the folder there. Throws `SyncRefused`. */
  async send(
    { shell, home }: TreeShell,
    {
      snapshot,
      wish,
      signal,
    }: { snapshot: Snapshot; wish: TreeWish; signal: AbortSignal | undefined },
  ): Promise<string> {
    const { head, sent, prefix } = snapshot;
    const { term, cwd } = wish;
    await sendCommit({ store: this.#store, shell, commit: sent, signal });
    signal?.throwIfAborted();
    const folder = [prefix, cwd].filter((each) => each !== '').join('/');
    const { status, lines } = await shell.ask('il_tree', term, sent, head, folder);
    if (status === NO_FOLDER)
      throw new SyncRefused(
        `there is no folder "${cwd}" in what was sent: git ignores it, or it is empty`,
      );
    if (status !== 0) throw new SyncRefused(said(lines, 'the disk there may be full'));
    return [`${home}/t/${term}`, folder].filter((each) => each !== '').join('/');
  }

  /** Answers with what the user should know. Throws `SyncRefused`. */
  async bringBack(
    { shell }: TreeShell,
    wish: ResultWish,
    signal?: AbortSignal,
  ): Promise<readonly string[]> {
    const { root, term, outputs, artifacts } = wish;
    const store = this.#store;
    const repository = await readRepository(root, this.#env);
    if (typeof repository === 'string') throw new SyncRefused(repository);
    const patterns = pathspecs([...outputs, ...artifacts]);
    const answer = await shell.ask('il_changes', term, repository.prefix, ...patterns);
    if (answer.status !== 0)
      throw new SyncRefused(said(answer.lines, `there is no tree of term ${term} there`));
    const { result, head, own, hasOutputs, bytes } = readAnswer(answer.lines);
    const notices = ownNotices(wish, own);
    if (result === undefined) return notices;
    await fetchResult({ store, shell, term, result, bytes, signal });
    const sent = await this.#hash(term, 'sent');
    const ofTree = hasOutputs ? `${result}^1` : result;
    if (sent === undefined || (await store.ask(['rev-parse', `${ofTree}^1`])) !== sent)
      throw new SyncRefused(`what came back for term ${term} does not begin with what was sent`);
    const changes = await readChanges(
      store,
      { sent, result: ofTree, ignored: hasOutputs ? result : undefined },
      {
        outputs: parsePathSet(outputs, repository.prefix),
        artifacts: parsePathSet(artifacts, repository.prefix),
      },
    );
    notices.push(...(await this.#keep({ wish, repository, changes })));
    const branch = await makeBranch(store, {
      ...wish,
      commonFolder: repository.commonFolder,
      base: await this.#hash(term, 'base'),
      committed: await this.#committed(term, head),
      changed: changes.others,
    });
    return branch === undefined ? notices : [...notices, branch];
  }

  async forget(terms: readonly number[]): Promise<void> {
    if (!existsSync(this.#store.fileOf('HEAD'))) return;
    for (const term of terms)
      for (const name of ['sent', 'head', 'base', 'result'])
        await this.#store.ask(['update-ref', '-d', `refs/interlock/${term}/${name}`]);
    await tidy(this.#store);
  }

  async #take(root: string): Promise<Snapshot | string> {
    const repository = await readRepository(root, this.#env);
    if (typeof repository === 'string') return repository;
    this.#begun ??= this.#store.begin(repository.objectFormat);
    await this.#begun;
    return await takeSnapshot(this.#store, repository);
  }

  async #remembered(root: string, term: number): Promise<Snapshot | undefined> {
    const [head, sent, base] = await Promise.all(
      ['head', 'sent', 'base'].map(async (name) => await this.#hash(term, name)),
    );
    if (head === undefined || sent === undefined) return undefined;
    const repository = await readRepository(root, this.#env);
    if (typeof repository === 'string') return undefined;
    const { prefix, objectFormat } = repository;
    return { head, sent, base, prefix, objectFormat, notices: [] };
  }

  async #remember(term: number, { head, sent, base }: Snapshot): Promise<void> {
    const lines = Object.entries({ head, sent, base }).flatMap(([name, hash]) =>
      hash === undefined ? [] : [`update refs/interlock/${term}/${name} ${hash}\n`],
    );
    await this.#store.run(['update-ref', '--stdin'], { input: lines.join('') });
  }

  async #hash(term: number, name: string): Promise<string | undefined> {
    if (!existsSync(this.#store.fileOf('HEAD'))) return undefined;
    return await this.#store.ask(['rev-parse', '-q', '--verify', `refs/interlock/${term}/${name}`]);
  }

  /** What the task has committed itself, where that goes on from what the user has. */
  async #committed(term: number, now: string | undefined): Promise<string | undefined> {
    const [head, base] = await Promise.all([this.#hash(term, 'head'), this.#hash(term, 'base')]);
    if (now === undefined || head === undefined || head !== base) return undefined;
    const isOnTop = await this.#store.ask(['merge-base', '--is-ancestor', head, now]);
    return isOnTop === undefined ? undefined : now;
  }

  async #keep({
    wish,
    repository,
    changes,
  }: {
    wish: ResultWish;
    repository: Repository;
    changes: Changes;
  }): Promise<readonly string[]> {
    const { term, keptFolder, task, host } = wish;
    const { top, settings } = repository;
    const store = this.#store;
    await writeFiles({ store, top, settings, term }, changes.artifacts, `${keptFolder}/artifacts`);
    if (changes.outputs.length === 0) return [];
    const putFiles = new PutFiles(store, top);
    const before = await this.#before(term, changes.outputs);
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
        onPut: (name, blob) => putFiles.add(name, blob),
      },
      changes.outputs,
    );
    putFiles.save();
    const [first] = refused;
    if (first === undefined) return [];
    const more = refused.size > 1 ? ` and ${refused.size - 1} more` : '';
    return [
      `Not put here: ${textOf(first[0])}${more}, which ${task} has made on ${host}, because ${first[1]}. It is in ${folder}.`,
    ];
  }

  /** What these files were when they were sent. */
  async #before(term: number, entries: readonly Entry[]): Promise<ReadonlyMap<string, string>> {
    const listed = await this.#store.names([
      'ls-tree',
      '-r',
      '-z',
      '--full-tree',
      `refs/interlock/${term}/sent`,
    ]);
    const wanted = new Set(entries.map(({ name }) => name));
    return new Map(
      listed.flatMap((line) => {
        const tab = line.indexOf('\t');
        const name = line.slice(tab + 1);
        const blob = line.slice(0, tab).split(' ')[2];
        return wanted.has(name) && blob !== undefined ? [[name, blob] as const] : [];
      }),
    );
  }
}

const NO_FOLDER = 12;

interface ResultAnswer {
  /** Absent: nothing has changed. */
  readonly result: string | undefined;
  readonly bytes: number;
  readonly head: string | undefined;
  readonly hasOutputs: boolean;
  readonly own: readonly string[];
}

function readAnswer(lines: readonly string[]): ResultAnswer {
  const all = (name: string): readonly string[] =>
    lines.flatMap((line) => (line.startsWith(`${name} `) ? [line.slice(name.length + 1)] : []));
  const hash = (name: string): string | undefined => all(name).find((each) => HASH.test(each));
  return {
    result: hash('result'),
    head: hash('head'),
    bytes: Number(all('bundle')[0]) || 0,
    hasOutputs: lines.includes('outputs'),
    own: all('own'),
  };
}

const HASH = /^[\da-f]{40,64}$/;

function ownNotices({ task, host }: ResultWish, own: readonly string[]): string[] {
  if (own.length === 0) return [];
  return [
    `${task} has made repositories of their own on ${host}, which do not come back: ${own.slice(0, 3).join(', ')}.`,
  ];
}
