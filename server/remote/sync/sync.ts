import { unreachable } from '../../domain/assert.ts';
import type { HostDefinition } from '../../domain/host.ts';
import type { Link } from '../channel.ts';
import { HostShell } from '../host-shell.ts';
import { said, SyncRefused } from './bundles.ts';
import { GitError } from './git-store.ts';
import { GitTrees, type ResultWish, type TreeShell, type TreeWish } from './git-trees.ts';
import { SYNC_SCRIPT } from './sync-script.ts';

export interface SyncOptions {
  readonly board: string;
  /** What the repository is called. */
  readonly repo: string;
  /** Where the board keeps what it knows of trees on machines. */
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
  readonly newWord: () => string;
}

/** A host, and the way to it. */
export interface Place {
  readonly link: Link;
  readonly host: HostDefinition;
}

export type Prepared =
  | { readonly folder: string; readonly notices: readonly string[] }
  /** A sentence for the user. */
  | { readonly refusal: string; readonly mayPass: boolean };

export interface Collected {
  readonly notices: readonly string[];
  /** A sentence for the user: nothing came back, and it may be asked for again. */
  readonly failed?: string;
}

/**
 * How the files of a task get to a machine, and what it makes of them comes back.
 *
 * Everything here may be asked for again, after whatever has happened in between, and throws
 * `ShellLost` or `LinkError` when the machine goes before it is done.
 */
export class Sync {
  readonly #options: SyncOptions;
  readonly #git: GitTrees;
  readonly #shells = new Map<Link, OpenShell>();

  constructor(options: SyncOptions) {
    this.#options = options;
    this.#git = new GitTrees(options.folder, options.env);
  }

  /** Makes the folder that a task runs in, with its files. */
  async prepare(place: Place, wish: TreeWish, signal?: AbortSignal): Promise<Prepared> {
    const { host } = place;
    try {
      switch (host.sync) {
        case 'none':
          return await this.#asItIs(place, wish);
        case 'git':
          return await this.#send(place, wish, signal);
        case 'rsync':
          return { refusal: `"sync": "rsync" of ${host.name} is not there yet.`, mayPass: false };
        default:
          return unreachable(host.sync);
      }
    } catch (error) {
      if (!(error instanceof SyncRefused || error instanceof GitError)) throw error;
      return {
        refusal: `The files of the task did not get to ${host.name}: ${error.message}.`,
        mayPass: true,
      };
    }
  }

  /** Brings back what a task has made, once nothing of it runs any more. */
  async collect(place: Place, wish: ResultWish, signal?: AbortSignal): Promise<Collected> {
    if (place.host.sync === 'none') return { notices: [] };
    try {
      return await this.#alone(place, async (shell) => {
        const trees = await this.#open(place, shell, '');
        if (trees === undefined) throw new SyncRefused('nothing was sent there');
        return { notices: await this.#git.bringBack(trees, wish, signal) };
      });
    } catch (error) {
      if (!(error instanceof SyncRefused || error instanceof GitError)) throw error;
      const { task } = wish;
      const failed = `What ${task} has made on ${place.host.name} did not come back: ${error.message}.`;
      return { notices: [], failed };
    }
  }

  /** Removes the trees of these terms; whatever came back stays. */
  async discard(place: Place, terms: readonly number[]): Promise<void> {
    if (place.host.sync === 'none' || terms.length === 0) return;
    await this.#alone(place, async (shell) => {
      if ((await this.#open(place, shell, '')) !== undefined)
        await shell.ask('il_forget', ...terms);
    });
    await this.#git.forget(terms);
  }

  /** Terms that have a tree there, whoever of this board has made it. */
  async terms(place: Place): Promise<readonly number[]> {
    if (place.host.sync === 'none') return [];
    return await this.#alone(place, async (shell) => {
      if ((await this.#open(place, shell, '')) === undefined) return [];
      const { lines } = await shell.ask('il_terms');
      return lines.map(Number).filter((term) => Number.isSafeInteger(term));
    });
  }

  close(): void {
    for (const { shell } of this.#shells.values())
      shell.then((each) => each.close()).catch(() => {});
    this.#shells.clear();
  }

  async #asItIs(place: Place, { cwd }: TreeWish): Promise<Prepared> {
    const { name, folder } = place.host;
    const wanted = [folder, this.#options.repo, cwd].filter((each) => each !== '').join('/');
    const { status, lines } = await this.#alone(
      place,
      async (shell) => await shell.ask('il_there', wanted),
    );
    const found = lines[0]?.slice('folder '.length);
    if (status === 0 && found !== undefined) return { folder: found, notices: [] };
    return {
      refusal: `There is no folder ${wanted} on ${name}. Make it, or set "sync" of the host to "git" to have the files sent.`,
      mayPass: false,
    };
  }

  async #send(place: Place, wish: TreeWish, signal?: AbortSignal): Promise<Prepared> {
    const snapshot = await this.#git.begin(wish);
    if (typeof snapshot === 'string') return { refusal: snapshot, mayPass: false };
    signal?.throwIfAborted();
    return await this.#alone(place, async (shell) => {
      const trees = await this.#open(place, shell, snapshot.objectFormat);
      if (trees === undefined) throw new SyncRefused('its folder could not be made');
      const folder = await this.#git.send(trees, { snapshot, wish, signal });
      return { folder, notices: snapshot.notices };
    });
  }

  /** Nothing where nothing was ever sent, and no format says that something is to be. */
  async #open(
    { host }: Place,
    shell: HostShell,
    objectFormat: string,
  ): Promise<TreeShell | undefined> {
    const { board, repo } = this.#options;
    const { status, lines } = await shell.ask('il_open', host.folder, repo, board, objectFormat);
    if (status === NOTHING_SENT) return undefined;
    if (status === NO_GIT)
      throw new SyncRefused('it has no git; install it, or set "sync" to "none"');
    if (status === NOT_OURS)
      throw new SyncRefused(
        `${host.folder}/${repo}--interlock/${board} there is not ours; move it away`,
      );
    const home = lines.find((line) => line.startsWith('home /'))?.slice('home '.length);
    if (status !== 0 || home === undefined)
      throw new SyncRefused(said(lines, 'nothing can be written there; is the disk full?'));
    return { shell, home };
  }

  /** A machine does one thing after the other, in a shell of its own. */
  async #alone<T>(place: Place, act: (shell: HostShell) => Promise<T>): Promise<T> {
    const { link } = place;
    const open = this.#shells.get(link) ?? this.#greet(place);
    const done = open.last.then(async () => await act(await open.shell));
    this.#shells.set(link, { ...open, last: done.catch(() => {}) });
    return await done;
  }

  #greet({ link }: Place): OpenShell {
    const greet = async (): Promise<HostShell> =>
      await HostShell.greet(await link.open(), {
        hello: this.#options.newWord(),
        script: SYNC_SCRIPT,
        onLost: () => this.#shells.delete(link),
      });
    const shell = greet();
    shell.catch(() => this.#shells.delete(link));
    return { shell, last: Promise.resolve() };
  }
}

interface OpenShell {
  readonly shell: Promise<HostShell>;
  readonly last: Promise<unknown>;
}

const NO_GIT = 10;
const NOT_OURS = 11;
const NOTHING_SENT = 14;
