import { createHash, randomBytes } from 'node:crypto';
import { chmodSync, existsSync, linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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
import {
  boardKeys,
  boardsOf,
  findBoard,
  namesIn,
  nameStart,
  repositoryName,
  treesOf,
} from './find-board.ts';
import { makeFolder } from './make-folder.ts';
import { DiskMirrorMark } from './mirror-mark.ts';
import { pointTo } from './state-pointer.ts';
import { birthOf, isSameFolder, type TreeIndex } from './tree-index.ts';

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
    const { tree, common, home, noted } = findBoard(folder, env);
    this.#home = home;
    this.tree = tree;
    this.#common = common;
    this.#boards = boardsOf(home);
    this.#index = treesOf(home);
    this.repository = repositoryName(common ?? tree);
    this.#name = noted ?? this.#choose();
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

  /** A name for a folder that nobody has noted. Before there was an index, names followed from paths. */
  #choose(): string {
    const first = this.#common ?? this.tree;
    const keys = boardKeys({ tree: this.tree, common: this.#common });
    const old = keys.find((key) => this.#isBoardOf(key));
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

/** The tree of the board's key when the board was made: another one may have its path by now. */
const BIRTH = 'tree';
const WORD_BYTES = 256;

function boardName(key: string, birth?: string): string {
  const text = birth === undefined ? key : `${key}\0${birth}`;
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 16);
  return `${nameStart(key)}-${hash}`;
}
