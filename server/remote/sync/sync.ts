import { displayText, inShort } from '../../domain/display-text.ts';
import type { HostDefinition } from '../../domain/host.ts';
import { type Link, LinkError } from '../channel.ts';
import { HostShell, ShellLost } from '../host-shell.ts';
import { machineWord } from '../machine-word.ts';
import { said } from './bundles.ts';
import { GitError } from './git-store.ts';
import { GitTrees, type TreeShell } from './git-trees.ts';
import type { ResultWish } from './keep-result.ts';
import { readFolder, readRepository } from './repository.ts';
import { RsyncTrees } from './rsync-trees.ts';
import type { RsyncPlace } from './rsync.ts';
import { SentTrees, type TreeWish } from './sent-trees.ts';
import { SyncRefused } from './sync-refused.ts';
import { SYNC_SCRIPT } from './sync-script.ts';

export interface SyncOptions {
  readonly board: string;
  /** What the repository is called. */
  readonly repo: string;
  /** Where the board keeps what it knows of trees on machines. */
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
  readonly newWord: () => string;
  /** Further words for the system's ssh, such as a configuration of its own. */
  readonly sshOptions?: readonly string[];
}

/** A host, and the way to it. */
export interface Place {
  readonly link: Link;
  readonly host: HostDefinition;
  /** The way leads to this very machine. */
  readonly isHere?: boolean;
}

export type Prepared =
  | { readonly folder: string; readonly notices: readonly string[] }
  /** A sentence for the user. */
  | { readonly refusal: string; readonly mayPass: boolean };

export type Collected =
  | { readonly notices: readonly string[] }
  /** A sentence for the user: what came back of it may not be all. */
  | { readonly failure: string; readonly mayPass: boolean };

/**
 * How the files of the tasks of a board get to machines, and what they make of them comes back.
 *
 * Invariant: one of these at a time has the folder of a board.
 *
 * Everything here may be asked for again, after whatever has happened in between, and throws
 * `ShellLost` when the machine is not there, or goes before it is done.
 */
export class Sync {
  readonly #options: SyncOptions;
  readonly #trees: SentTrees;
  readonly #git: GitTrees;
  readonly #rsync: RsyncTrees;
  readonly #shells = new Map<Link, OpenShell>();

  constructor(options: SyncOptions) {
    this.#options = options;
    this.#trees = new SentTrees(options.folder, options.env);
    this.#git = new GitTrees(this.#trees);
    this.#rsync = new RsyncTrees(this.#trees);
  }

  /** Makes the folder that a task runs in, with its files. */
  async prepare(place: Place, wish: TreeWish, signal?: AbortSignal): Promise<Prepared> {
    const { sync, name } = place.host;
    try {
      if (sync === 'none') return await this.#asItIs(place, wish);
      return await this.#send(place, wish, signal);
    } catch (error) {
      const { why, mayPass } = refusalOf(error);
      return { refusal: `The files of the task did not get to ${name}: ${why}.`, mayPass };
    }
  }

  /** Brings back what a task has made, once nothing of it runs any more. */
  async collect(place: Place, wish: ResultWish, signal?: AbortSignal): Promise<Collected> {
    const { sync, name } = place.host;
    if (sync === 'none') return { notices: [] };
    try {
      return await this.#alone(place, async (shell) => {
        const trees = await this.#open(place, shell, sync === 'git' ? '' : 'none');
        if (trees === undefined)
          throw new SyncRefused('nothing was sent there', { mayPass: false });
        const how = { ...this.#how(place), signal };
        if (sync === 'rsync') return { notices: await this.#rsync.bringBack(trees, wish, how) };
        return { notices: await this.#git.bringBack(trees, wish, signal) };
      });
    } catch (error) {
      const { why, mayPass } = refusalOf(error);
      const failure = `What ${wish.task} has made on ${name} did not come back: ${why}.`;
      return { failure, mayPass };
    }
  }

  /** Removes the trees of these terms; whatever came back stays. */
  async discard(place: Place, terms: readonly number[]): Promise<void> {
    if (place.host.sync === 'none' || terms.length === 0) return;
    await this.#alone(place, async (shell) => {
      if (await this.#hasTrees(place, shell)) await shell.ask('il_forget', ...terms);
    });
    await this.#trees.forget(terms);
  }

  /** Terms that have a tree there, whoever of this board has made it. */
  async terms(place: Place): Promise<readonly number[]> {
    if (place.host.sync === 'none') return [];
    return await this.#alone(place, async (shell) => {
      if (!(await this.#hasTrees(place, shell))) return [];
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
    const { sync } = place.host;
    const read = sync === 'git' ? readRepository : readFolder;
    const snapshot = await this.#trees.begin(wish, read);
    if (typeof snapshot === 'string') return { refusal: snapshot, mayPass: false };
    signal?.throwIfAborted();
    return await this.#alone(place, async (shell) => {
      const format = sync === 'git' ? snapshot.objectFormat : 'none';
      const trees = await this.#open(place, shell, format);
      if (trees === undefined) throw new SyncRefused('its folder could not be made');
      const folder =
        sync === 'git'
          ? await this.#git.send(trees, { snapshot, wish, signal })
          : await this.#rsync.send(trees, { snapshot, wish, signal, ...this.#how(place) });
      return { folder, notices: snapshot.notices };
    });
  }

  #how({ host, isHere }: Place): { readonly place: RsyncPlace; readonly env: NodeJS.ProcessEnv } {
    const { sshOptions = [], env } = this.#options;
    return { place: { ssh: isHere === true ? undefined : host.ssh, sshOptions }, env };
  }

  /** Nothing where nothing was ever sent, and no format says that something is to be. */
  async #open(
    { host }: Place,
    shell: HostShell,
    objectFormat: string,
  ): Promise<TreeShell | undefined> {
    const { repo } = this.#options;
    const word = machineWord(this.#options.board, host.name);
    const { status, lines } = await shell.ask('il_open', host.folder, repo, word, objectFormat);
    if (status === NOTHING_SENT) return undefined;
    if (status === NO_GIT)
      throw new SyncRefused('it has no git; install it, or set "sync" to "none"', {
        mayPass: false,
      });
    if (status === NOT_OURS)
      throw new SyncRefused(
        `${host.folder}/${repo}--interlock/${word} there is not ours; move it away`,
        { mayPass: false },
      );
    const home = lines.find((line) => line.startsWith('home /'))?.slice('home '.length);
    if (status !== 0 || home === undefined)
      throw new SyncRefused(said(lines, 'nothing can be written there; its disk may be full'));
    return { shell, home, host: host.name };
  }

  /** Nobody has asked for anything: what is in the way is said to whoever sends something. */
  async #hasTrees(place: Place, shell: HostShell): Promise<boolean> {
    try {
      return (await this.#open(place, shell, '')) !== undefined;
    } catch (error) {
      const { why, mayPass } = refusalOf(error);
      // Whoever reaches it again tries again.
      if (mayPass) throw new ShellLost(why, { cause: error });
      return false;
    }
  }

  /**
   * A machine does one thing after the other, in a shell of its own. Nobody keeps a channel that he does
   * not need: a server gives only so many.
   */
  async #alone<T>(place: Place, act: (shell: HostShell) => Promise<T>): Promise<T> {
    const { link } = place;
    const open = this.#shells.get(link) ?? this.#greet(place);
    const done = open.last.then(async () => await act(await open.shell));
    const last = done.then(nothing, nothing);
    this.#shells.set(link, { ...open, last });
    try {
      return await done;
    } finally {
      if (this.#shells.get(link)?.last === last) {
        this.#shells.delete(link);
        open.shell.then((shell) => shell.close(), nothing);
      }
    }
  }

  #greet({ link }: Place): OpenShell {
    // Another one may have taken its place.
    const forget = (): void => {
      if (this.#shells.get(link)?.shell === shell) this.#shells.delete(link);
    };
    const greet = async (): Promise<HostShell> => {
      const channel = await link.open().catch(asLost);
      const hello = this.#options.newWord();
      return await HostShell.greet(channel, {
        hello,
        script: SYNC_SCRIPT,
        onLost: forget,
        answerMs: ANSWER_MS,
      });
    };
    const shell = greet();
    shell.catch(forget);
    return { shell, last: Promise.resolve() };
  }
}

/** Whoever asks again finds the same, whether it was lost before or later. */
function asLost(error: unknown): never {
  if (error instanceof LinkError) throw new ShellLost(error.message, { cause: error });
  throw error;
}

function nothing(): void {}

/** Whatever else went wrong is for somebody else. */
function refusalOf(error: unknown): { readonly why: string; readonly mayPass: boolean } {
  if (!(error instanceof SyncRefused || error instanceof GitError)) throw error;
  const why = inShort(displayText(error.message), 400).replace(/\.$/, '');
  return { why, mayPass: error instanceof GitError || error.mayPass };
}

interface OpenShell {
  readonly shell: Promise<HostShell>;
  readonly last: Promise<unknown>;
}

/** A large tree on a slow disk takes long. */
const ANSWER_MS = 30 * 60_000;
const NO_GIT = 10;
const NOT_OURS = 11;
const NOTHING_SENT = 14;
