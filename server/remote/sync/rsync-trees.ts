import { mkdirSync, rmSync } from 'node:fs';
import { displayLine } from '../../domain/display-text.ts';
import { parsePathSet } from '../../domain/paths/path-set.ts';
import { said } from './bundles.ts';
import type { TreeShell } from './git-trees.ts';
import { keepResult, type ResultWish } from './keep-result.ts';
import { readFolder } from './repository.ts';
import { removeUnsafe, whileRoom } from './received-folder.ts';
import { isOf, readTree } from './result.ts';
import { rsync, type RsyncPlace } from './rsync.ts';
import type { SentTrees, TreeWish } from './sent-trees.ts';
import type { Snapshot } from './snapshot.ts';
import { SyncRefused } from './sync-refused.ts';

export interface Sending {
  readonly snapshot: Snapshot;
  readonly wish: TreeWish;
  readonly place: RsyncPlace;
  readonly env: NodeJS.ProcessEnv;
  readonly signal: AbortSignal | undefined;
}

/**
 * Trees on machines that rsync fills. Which files are sent, and what they were, git says here, whether
 * they are in a repository or not; there it is not needed.
 */
export class RsyncTrees {
  readonly #trees: SentTrees;

  constructor(trees: SentTrees) {
    this.#trees = trees;
  }

  /** Answers with the folder there. Throws `SyncRefused`. */
  async send({ shell, home }: TreeShell, sending: Sending): Promise<string> {
    const { snapshot, wish, place, env, signal } = sending;
    const { term, cwd } = wish;
    const tree = `${home}/t/${term}`;
    const begun = await shell.ask('il_bare', term);
    if (begun.status === NO_RSYNC)
      throw new SyncRefused('it has no rsync; install it, or set "sync" to "git"', LASTING);
    if (begun.status !== 0 && begun.status !== READY)
      throw new SyncRefused(said(begun.lines, 'the disk there may be full'));
    if (begun.status === 0) {
      const files = await readTree(this.#trees.store, snapshot.sent);
      const names = Buffer.from(files.map(({ name }) => `${name}\0`).join(''), 'latin1');
      const last = begun.lines.find((line) => /^\d+$/.test(line));
      // What lies in the newest tree beside it already is copied there instead of sent.
      const copied = last === undefined ? [] : [`--copy-dest=${home}/t/${last}`];
      const options = ['--ignore-missing-args', ...copied];
      const [from, to] = [{ here: snapshot.top }, { there: tree }];
      await rsync({ place, options, from, to, names, env, signal });
    }
    const folder = [snapshot.prefix, cwd].filter((each) => each !== '').join('/');
    const { status } = await shell.ask('il_filled', term, folder);
    if (status !== 0)
      throw new SyncRefused(
        `there is no folder "${cwd}" in what was sent: git ignores it, or it is empty`,
        LASTING,
      );
    return [tree, folder].filter((each) => each !== '').join('/');
  }

  /** Answers with what the user should know. Throws `SyncRefused`. */
  async bringBack(
    { shell, home }: TreeShell,
    wish: ResultWish,
    { place, env, signal }: Pick<Sending, 'env' | 'place' | 'signal'>,
  ): Promise<readonly string[]> {
    const { root, term, outputs, artifacts } = wish;
    const { store } = this.#trees;
    const repository = await this.#trees.read(root, readFolder);
    if (typeof repository === 'string') throw new SyncRefused(repository, LASTING);
    const wanted = {
      outputs: parsePathSet(outputs, repository.prefix),
      artifacts: parsePathSet(artifacts, repository.prefix),
    };
    const starts = [...new Set([...wanted.outputs.starts, ...wanted.artifacts.starts])];
    const { status, lines } = await shell.ask('il_present', term, ...starts);
    if (status !== 0)
      throw new SyncRefused(`its tree of term ${term} is not there any more`, LASTING);
    const present = lines.flatMap((line) => starts[Number(line)] ?? []);
    if (present.length === 0) return [];
    const folder = store.fileOf(`came-${term}`);
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const names = Buffer.from(present.map((start) => `./${start}\0`).join(''));
    const [from, to] = [{ there: `${home}/t/${term}` }, { here: folder }];
    const options = [
      '-r',
      '--ignore-missing-args',
      '--exclude=.git',
      '--exclude=.interlock-part',
      '--safe-links',
    ];
    await whileRoom(folder, signal, async (each) => {
      await rsync({ place, options, from, to, names, env, signal: each });
    });
    const unsafe = await removeUnsafe(folder);
    const index = store.fileOf(`index-came-${term}`);
    rmSync(index, { force: true });
    const inFolder = { cwd: folder, env: { GIT_WORK_TREE: folder, GIT_INDEX_FILE: index } };
    await store.run(['add', '-A', '-f', '.'], inFolder);
    const entries = await readTree(store, await store.text(['write-tree'], inFolder));
    const changes = {
      outputs: entries.filter((entry) => isOf(wanted.outputs, entry)),
      artifacts: entries.filter((entry) => isOf(wanted.artifacts, entry)),
    };
    const notices = await this.#trees.alone(async () => {
      signal?.throwIfAborted();
      return await keepResult(store, { wish, repository, changes });
    });
    rmSync(folder, { recursive: true, force: true });
    rmSync(index, { force: true });
    if (unsafe.length === 0) return notices;
    const more = unsafe.length > 1 ? ` and ${unsafe.length - 1} more` : '';
    return [
      ...notices,
      `Not taken: ${displayLine(unsafe[0] ?? '')}${more}, which ${wish.task} has made on ${wish.host}: no file of a task is called that.`,
    ];
  }
}

const NO_RSYNC = 10;
const READY = 15;
const LASTING = { mayPass: false };
