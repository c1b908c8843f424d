import { createHash, randomBytes } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  linkSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import type { AttemptName, MirrorMark } from '../board/ports.ts';
import { newestBoardFile } from '../domain/board-file-name.ts';
import { StoreError } from '../engine/store-error.ts';
import {
  conflictNotice,
  conflictsOf,
  type IsInUse,
  neighbourNotice,
  nestedRepositories,
  type Place,
} from './board-neighbours.ts';
import { readTextWithin } from './bounded-read.ts';
import { makeFolder } from './make-folder.ts';
import { DiskMirrorMark } from './mirror-mark.ts';
import { stateHome } from './state-home.ts';
import { pointTo, stateHomeOf } from './state-pointer.ts';
import { birthOf, isSameFolder, TreeIndex } from './tree-index.ts';
import { foldersUpFrom, workingTreeOf } from './working-tree.ts';

/**
 * Where everything about one repository is kept: outside of it, for this user only.
 *
 * All worktrees of a repository share one board. Which one, the `TreeIndex` knows by the git directory that
 * they share, or else by the folder: one that gets a `.git`, or loses it, keeps its board. See decision 30.
 */
export class BoardDirectory {
  /** What its repository is called. */
  readonly repository: string;
  /** The top of the working tree. */
  readonly tree: string;
  /** The git directory, if there is one. */
  readonly #common: string | undefined;
  readonly #home: string;
  readonly #boards: string;
  readonly #index: TreeIndex;
  #name: string;

  constructor(folder: string, env: NodeJS.ProcessEnv) {
    const { top, common } = workingTreeOf(realFolder(folder));
    const home = stateHomeOf(common, env);
    this.#home = home;
    this.tree = top;
    this.#common = common;
    this.#boards = path.join(home, 'boards');
    this.#index = new TreeIndex(path.join(home, 'trees'));
    this.repository = repositoryName(common ?? top);
    this.#name = this.#find() ?? this.#choose();
  }

  /** Absolute. Exists once `create` has been called. */
  get path(): string {
    return path.join(this.#boards, this.#name);
  }

  create(): void {
    try {
      // Of several processes that open a folder for the first time, the first one decides.
      this.#note();
      if (this.#common !== undefined) pointTo(this.#home, this.#common);
      makeFolder(this.path);
      chmodSync(this.path, 0o700);
      const birth = birthOf(this.#common ?? this.tree);
      const file = path.join(this.path, BIRTH);
      if (birth !== undefined && !existsSync(file)) writeFileSync(file, birth, { mode: 0o600 });
    } catch (cause) {
      const message = `Interlock cannot keep its state in ${this.path}. Make that folder, or the one above it, writable.`;
      throw new StoreError('world', message, { cause });
    }
  }

  /** Where the working tree was when it was opened before, if it is not there any more. */
  get movedFrom(): string | undefined {
    const known = this.#index.find(this.tree);
    const isMoved = known !== undefined && !isSameFolder(known.path, this.tree);
    return isMoved ? known.path : undefined;
  }

  /** From now on the working tree is where it is now. */
  moved(): void {
    this.#index.replace(this.tree, { kind: 'tree', board: this.#name });
  }

  /** What the user should know of boards around it that are in use now. */
  neighbours(isInUse: IsInUse): string | undefined {
    return neighbourNotice(this.#place, nestedRepositories(this.#place, isInUse));
  }

  /** Why nothing may be decided for this board now; undefined if nothing is in the way. */
  conflict(isInUse: IsInUse): string | undefined {
    return conflictNotice(this.#place, conflictsOf(this.#place, isInUse));
  }

  get #place(): Place {
    const board = this.#name;
    return { board, tree: this.tree, boards: this.#boards, index: this.#index };
  }

  /** The name that is noted. */
  #find(): string | undefined {
    for (const folder of this.#keys) {
      const board = this.#index.find(folder)?.board;
      if (board !== undefined) return board;
    }
    return undefined;
  }

  /** The folders by which the board may be known; what all worktrees share first. */
  get #keys(): readonly string[] {
    const common = this.#common;
    if (common === undefined) return [this.tree];
    const main = path.basename(common) === '.git' ? [path.dirname(common)] : [];
    return [...new Set([common, ...main, this.tree])];
  }

  /** A name for a folder that nobody has noted. Before there was an index, names followed from paths. */
  #choose(): string {
    const first = this.#common ?? this.tree;
    const old = this.#keys.find((key) => this.#isBoardOf(key));
    if (old !== undefined) return boardName(old);
    const isFree = !existsSync(path.join(this.#boards, boardName(first)));
    return boardName(first, isFree ? undefined : birthOf(first));
  }

  /** Whether the board that a path is the name of is that of the folder there now, as far as can be told. */
  #isBoardOf(key: string): boolean {
    const directory = path.join(this.#boards, boardName(key));
    if (!existsSync(directory)) return false;
    const noted = readTextWithin(path.join(directory, BIRTH), WORD_BYTES);
    const birth = birthOf(key);
    return noted === undefined || birth === undefined || noted === birth;
  }

  #note(): void {
    const board = this.#name;
    const git =
      this.#common === undefined
        ? undefined
        : this.#index.add(this.#common, { kind: 'git', board });
    if (git !== undefined) this.#name = git.board;
    if (git !== undefined && this.#common !== undefined && !isSameFolder(git.path, this.#common))
      this.#index.replace(this.#common, git);
    const tree = this.#index.add(this.tree, { kind: 'tree', board: this.#name });
    if (tree === undefined || tree.board === this.#name) return;
    // A folder without a repository was noted by another process; one with a repository follows that.
    if (git === undefined) this.#name = tree.board;
    else this.#index.replace(this.tree, { kind: 'tree', board: this.#name });
  }

  get databaseFile(): string {
    return path.join(this.path, newestBoardFile(namesIn(this.path)));
  }

  /** How far the files of boards say what the ledger says. */
  get mark(): MirrorMark {
    return new DiskMirrorMark(path.join(this.path, 'mirrored'));
  }

  /** The key from which the proofs of commands follow. */
  get keyFile(): string {
    return path.join(this.path, 'attempt-key');
  }

  /** What is left behind by commands, for whoever comes after the process that started them. */
  get commandsFolder(): string {
    return path.join(this.path, 'commands');
  }

  /**
   * What the board is called on machines: like no other, wherever that lies, and short, because a socket
   * is named after it.
   */
  get machineName(): string {
    this.create();
    const file = path.join(this.path, 'machine');
    for (;;) {
      const name = wordIn(file);
      if (name !== undefined && MACHINE_NAME.test(name)) return name;
      if (name !== undefined) rmSync(file);
      const made = `${file}.${process.pid}`;
      writeFileSync(made, `${randomBytes(6).toString('hex')}\n`, { mode: 0o600 });
      nameOnce(made, file);
    }
  }

  runFolder(run: string): string {
    return path.join(this.path, 'runs', run);
  }

  logFile({ run, task, revision, attempt }: AttemptName): string {
    return path.join(this.runFolder(run), `${task}.${revision}.${attempt}.log`);
  }

  /** Which attempts at a task have a log, the oldest first. */
  loggedAttempts(run: string, task: string): readonly Pick<AttemptName, 'revision' | 'attempt'>[] {
    const found = namesIn(this.runFolder(run)).flatMap((name) => {
      const rest = name.startsWith(`${task}.`) ? name.slice(task.length) : '';
      const [, revision, attempt] = /^\.(\d+)\.(\d+)\.log$/.exec(rest) ?? [];
      return revision === undefined ? [] : { revision: Number(revision), attempt: Number(attempt) };
    });
    return found.toSorted((a, b) => a.revision - b.revision || a.attempt - b.attempt);
  }
}

const MACHINE_NAME = /^[0-9a-f]{12}$/;

/** Nothing where there is no such file. */
function wordIn(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    if (existsSync(file)) throw error;
    return undefined;
  }
}

/** Where somebody else was faster, theirs counts. */
function nameOnce(made: string, file: string): void {
  try {
    linkSync(made, file);
  } catch (error) {
    if (!existsSync(file)) throw error;
  } finally {
    rmSync(made);
  }
}

/** Of a run that has been pruned: none. */
function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** The tree of the board's key when the board was made: another one may have its path by now. */
const BIRTH = 'tree';
const WORD_BYTES = 256;

function boardName(key: string, birth?: string): string {
  const text = birth === undefined ? key : `${key}\0${birth}`;
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 16);
  const name = repositoryName(key)
    .replaceAll(/[^A-Za-z0-9._-]/g, '-')
    .slice(0, 40);
  return `${name}-${hash}`;
}

/** The folder without links on the way to it. */
function realFolder(folder: string): string {
  try {
    return realpathSync(folder);
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause);
    const isGone = code === 'ENOENT' || code === 'ENOTDIR';
    const message = isGone
      ? `The folder ${folder} is not there any more. Open it where it is now.`
      : `The folder ${folder} cannot be read (${code}). Make it, and the folders above it, readable.`;
    throw new StoreError('world', message, { cause });
  }
}

/**
 * The folder without links on the way to it, by the path at which it was opened first: a folder that is
 * mounted at two paths, or found by names in other capitals, is one folder. Undefined if it is none.
 */
export function namedFolder(folder: string, env: NodeJS.ProcessEnv): string | undefined {
  try {
    const real = realpathSync.native(folder);
    if (!statSync(real).isDirectory()) return undefined;
    const index = new TreeIndex(path.join(stateHome(env), 'trees'));
    for (const at of foldersUpFrom(real)) {
      const known = index.find(at)?.path ?? at;
      const named = path.join(known, path.relative(at, real));
      if (known !== at && isSameFolder(named, real)) return named;
    }
    return real;
  } catch {
    return undefined;
  }
}

function repositoryName(key: string): string {
  return path.basename(path.basename(key) === '.git' ? path.dirname(key) : key);
}
