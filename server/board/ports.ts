import type { Alarm, AttemptProofs, Clock, Ids } from '../engine/ports.ts';
import type { UserHosts } from './host-ports.ts';
import type { MachineFacts } from '../doctor/ports.ts';
import type { Store } from '../engine/store-port.ts';
import type { PathRules } from '../domain/paths/overlap.ts';
import type { PlanSource } from '../plans/plan-source.ts';
import type { Machines } from './session-ports.ts';
import type { Keeper, KeeperOptions } from '../keeper/keeper.ts';

export interface FolderEntry {
  readonly name: string;
  readonly isFolder: boolean;
}

/** Plans on disk. Paths are relative to a workspace folder, with `/`. */
export interface PlanFiles {
  /** In the order of their paths; what other programs use as well comes last. */
  list(root: string): readonly PlanSource[];
  /** The board of this path, with its tasks as they are now; nothing when there is none. */
  board(root: string, path: string): PlanSource | undefined;
  /** Nothing for what is no folder that can be read. */
  entries(root: string, folder: string): readonly FolderEntry[];
  /**
   * What is below a folder, all the way down; a file is below itself. `node_modules` and `.git` are
   * left out below other folders: nobody means them who writes "**".
   */
  filesBelow(root: string, start: string): AsyncIterable<string>;
  /** Nothing when the file is gone or cannot be read. */
  read(root: string, file: string): string | undefined;
  /** Whether a path leads to a file that could be opened. */
  isFile(root: string, path: string): boolean;
}

/** `path` is relative to the folder, with `/`, and empty for the folder itself. */
export type RealPath =
  | { readonly kind: 'inside'; readonly path: string }
  /** It leads out of the folder, or nowhere. */
  | { readonly kind: 'refused'; readonly message: string };

/** What a board needs of the machine it is on. */
export interface BoardWorld {
  readonly files: PlanFiles;
  readonly shared: SharedFiles;
  readonly ids: Ids;
  readonly alarm: Alarm;
  /** How many tasks run at once where a plan does not say. */
  readonly defaultParallel: number;
  hash(text: string): string;
  /** The folder without links on the way to it; nothing when it does not exist. */
  realFolder(folder: string): string | undefined;
  /** Whether the working tree keeps the file out of its repository. */
  isIgnored(file: string): Promise<boolean>;
  readonly hosts: UserHosts;
  /** Who sits before this machine, as the system calls them. */
  readonly userName: string;
  /** A real folder and those above it, the nearest first, up to those of other users. */
  foldersUpFrom(folder: string): readonly string[];
  /** Where a real folder lies in its working tree, with `/`; empty where it is all of it. */
  folderInTree(folder: string): string;
  /** Which names are one name where a folder lies. */
  rulesOf(folder: string): PathRules;
  /** Where a path of a folder really is. What is claimed and what is edited is compared by that. */
  realInTree(root: string, file: string): RealPath;
  /** For whoever wants to know what is wrong with a folder, or with the machine where none is. */
  facts(root: string | undefined): MachineFacts;
  /** Where everything about the board of a folder is kept, and whether anything is kept there yet. */
  stateFolder(root: string): { readonly path: string; readonly isThere: boolean };
  /** This machine and the hosts of the user, as far as they have to do with the board of a folder, where there is one. */
  machines(root: string | undefined): Machines;
  /** Opens the store of a folder; throws a `StoreError` when that cannot be done. */
  open(root: string, options: OpenOptions): OpenBoard;
}

type OpenOptions = Omit<KeeperOptions, 'rules' | 'name'>;

export interface OpenBoard {
  readonly keeper: Keeper;
  readonly store: Store;
  readonly clock: Clock;
  /** Something the user should know of, for instance that a damaged file was moved aside. */
  readonly notice: string | undefined;
  /** What the user should know of boards around this one that are in use now. */
  neighbours(): string | undefined;
  logFile(attempt: AttemptName): string;
  /** Which attempts at a task have a log, the oldest first. */
  loggedAttempts(run: string, task: string): readonly Pick<AttemptName, 'revision' | 'attempt'>[];
  /** What is kept of the output of an attempt, in order, also while it runs. */
  readLog(file: string): AsyncIterable<Uint8Array>;
  /** The same for as long as it comes; `onGrown` is called when there is more to read. */
  openLog(file: string, onGrown: () => void): OpenLog;
  readonly alarm: Alarm;
  readonly proofs: AttemptProofs;
  readonly mark: MirrorMark;
  /** The name of the process that decides now; nothing where none does. */
  decider(): string | undefined;
}

/**
 * One try at a task, which has a log of its own. A task begins anew with each revision, and counts its
 * attempts from one again.
 */
export interface AttemptName {
  readonly run: string;
  readonly task: string;
  readonly revision: number;
  readonly attempt: number;
}

/** What an attempt prints, while it does. */
interface OpenLog extends AsyncDisposable {
  /** At first all that is kept, then what has come since; nothing while there is no log. */
  read(): AsyncIterable<Uint8Array>;
}

/** Files that others change too. */
export interface SharedFiles {
  /**
   * Changes a file whole: whoever reads it finds what was there before, or all of the new. Where
   * somebody else has changed it meanwhile, `change` is asked again, with what they have written.
   */
  change(root: string, file: string, change: (text: string) => TextChange): FileChange;
  /** The time of day, in milliseconds since 1970: others compare it with theirs. */
  timeOfDay(): number;
}

export type TextChange =
  | { readonly kind: 'write'; readonly text: string }
  | { readonly kind: 'keep' }
  /** It is not whole: somebody may be writing it. */
  | { readonly kind: 'later' };

export type FileChange =
  | { readonly kind: 'written' | 'kept' | 'gone' | 'busy' }
  /** The message is what comes behind "because". */
  | { readonly kind: 'failed'; readonly message: string };

/** Up to which entry of the ledger the files of boards say what it says. */
export interface MirrorMark {
  read(): number | undefined;
  write(sequence: number): void;
}
