import { existsSync, readdirSync, rmSync } from 'node:fs';
import { tidy } from './bundles.ts';
import { GitStore } from './git-store.ts';
import { withInputs } from './inputs.ts';
import { NextTurn } from './next-turn.ts';
import type { readFolder, readRepository, Repository } from './repository.ts';
import { type Snapshot, takeSnapshot } from './snapshot.ts';

/** What a task is to find on a machine. */
export interface TreeWish {
  /** The workspace folder, on this machine. */
  readonly root: string;
  /** Where the task runs, from there. */
  readonly cwd: string;
  readonly term: number;
  /** Patterns of what the task reads, from the workspace folder. */
  readonly reads: readonly string[];
}

/**
 * What was sent for each term of a board, to whatever host. It is known by references in a store of ours, so that whoever comes after
 * a crash knows it too.
 */
export class SentTrees {
  readonly store: GitStore;
  readonly #env: NodeJS.ProcessEnv;
  readonly #snapshots = new Map<string, NextTurn<Snapshot | string>>();
  #begun: Promise<void> | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor(folder: string, env: NodeJS.ProcessEnv) {
    this.store = new GitStore(folder, env);
    this.#env = env;
  }

  /**
   * What a term is to find: the working tree as it is when this is called first. Answers with a sentence
   * where that cannot be sent.
   */
  async begin({ root, term, reads }: TreeWish, read: ReadRoot): Promise<Snapshot | string> {
    const before = await this.#remembered(term, async () => await read(root, this.#env));
    if (before !== undefined) return before;
    const turn =
      this.#snapshots.get(root) ?? new NextTurn(async () => await this.#take(root, read));
    this.#snapshots.set(root, turn);
    const plain = await turn.run();
    if (typeof plain === 'string') return plain;
    const snapshot = await withInputs(this.store, plain, { term, reads });
    await this.#remember(term, snapshot);
    return snapshot;
  }

  /** The repository, or a sentence. */
  async read(root: string, read: ReadRoot): Promise<Repository | string> {
    return await read(root, this.#env);
  }

  /** One after the other changes what is here, from whatever host it comes. */
  async alone<T>(act: () => Promise<T>): Promise<T> {
    const done = this.#last.then(act);
    this.#last = done.catch(() => {});
    return await done;
  }

  async hash(term: number, name: 'base' | 'head' | 'plain' | 'sent'): Promise<string | undefined> {
    if (!existsSync(this.store.fileOf('HEAD'))) return undefined;
    return await this.store.ask(['rev-parse', '-q', '--verify', `refs/interlock/${term}/${name}`]);
  }

  async forget(terms: readonly number[]): Promise<void> {
    if (!existsSync(this.store.fileOf('HEAD'))) return;
    for (const term of terms)
      for (const name of ['sent', 'plain', 'head', 'base', 'result'])
        await this.store.ask(['update-ref', '-d', `refs/interlock/${term}/${name}`]);
    for (const name of readdirSync(this.store.folder))
      if (terms.some((term) => name.startsWith(`${term}-`)) && name.endsWith('.result'))
        rmSync(this.store.fileOf(name), { force: true });
    await tidy(this.store);
  }

  async #take(root: string, read: ReadRoot): Promise<Snapshot | string> {
    const repository = await read(root, this.#env);
    if (typeof repository === 'string') return repository;
    this.#begun ??= this.store.begin(repository.objectFormat);
    await this.#begun;
    return await takeSnapshot(this.store, repository);
  }

  async #remembered(
    term: number,
    read: () => Promise<Repository | string>,
  ): Promise<Snapshot | undefined> {
    const [head, sent, base] = await Promise.all(
      (['head', 'sent', 'base'] as const).map(async (name) => await this.hash(term, name)),
    );
    if (head === undefined || sent === undefined) return undefined;
    const repository = await read();
    if (typeof repository === 'string') return undefined;
    const { top, prefix, objectFormat, settings } = repository;
    return { top, head, sent, base, prefix, objectFormat, settings, notices: [] };
  }

  async #remember(term: number, { head, sent, base, plain }: Snapshot): Promise<void> {
    const lines = Object.entries({ head, sent, base, plain }).flatMap(([name, hash]) =>
      hash === undefined ? [] : [`update refs/interlock/${term}/${name} ${hash}\n`],
    );
    await this.store.run(['update-ref', '--stdin'], { input: lines.join('') });
  }
}

export type ReadRoot = typeof readRepository | typeof readFolder;
