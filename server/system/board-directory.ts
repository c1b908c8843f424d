import { createHash, randomBytes } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import type { AttemptName, MirrorMark } from '../board/ports.ts';
import { StoreError } from '../engine/store-error.ts';
import { neighbourNotice, neighboursOf, noteFolder } from './board-neighbours.ts';
import { DiskMirrorMark } from './mirror-mark.ts';
import { stateHome } from './state-home.ts';

/** Where everything about one repository is kept: outside of it, for this user only. */
export class BoardDirectory {
  /** Absolute. Exists once `create` has been called. */
  readonly path: string;
  /** What its repository is called. */
  readonly repository: string;
  /** All of it belongs to the board. */
  readonly #folder: string;

  constructor(folder: string, env: NodeJS.ProcessEnv) {
    const { key, top } = boardOf(folder);
    this.#folder = top;
    const hash = createHash('sha256').update(key).digest('hex').slice(0, 16);
    this.repository = repositoryName(key);
    const name = this.repository.replaceAll(/[^A-Za-z0-9._-]/g, '-').slice(0, 40);
    this.path = path.join(stateHome(env), 'boards', `${name}-${hash}`);
  }

  create(): void {
    try {
      makeFolder(this.path);
      chmodSync(this.path, 0o700);
    } catch (cause) {
      const message = `Interlock cannot keep its state in ${this.path}. Make that folder, or the one above it, writable.`;
      throw new StoreError('world', message, { cause });
    }
    noteFolder({ directory: this.path, folder: this.#folder });
  }

  /** What the user should know of boards around it that are in use now. */
  get neighbours(): string | undefined {
    const place = { directory: this.path, folder: this.#folder };
    return neighbourNotice(this.#folder, neighboursOf(place));
  }

  get databaseFile(): string {
    return path.join(this.path, 'board.db');
  }

  /** How far the files of boards say what the ledger says. */
  get mark(): MirrorMark {
    return new DiskMirrorMark(path.join(this.path, 'mirrored'));
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

/** All worktrees of a repository share one board, so the key is the git directory they share. */
function boardOf(folder: string): { readonly key: string; readonly top: string } {
  const start = realpathSync(folder);
  for (let at = start; ; at = path.dirname(at)) {
    const common = gitCommonDirectory(path.join(at, '.git'));
    if (common !== undefined) return { key: common, top: at };
    if (path.dirname(at) === at) return { key: start, top: start };
  }
}

/** Where a real folder lies in its working tree; empty where it is all of it, or in none. */
export function folderInTree(folder: string): string {
  for (let at = folder; ; at = path.dirname(at)) {
    if (gitCommonDirectory(path.join(at, '.git')) !== undefined)
      return path.relative(at, folder).replaceAll(path.sep, '/');
    if (path.dirname(at) === at) return '';
  }
}

/** A worktree's `.git` is a file that leads to its own git directory, and from there to the shared one. */
function gitCommonDirectory(dotGit: string): string | undefined {
  try {
    if (statSync(dotGit).isDirectory()) return realpathSync(dotGit);
    const target = /^gitdir: (.+)$/m.exec(readFileSync(dotGit, 'utf8'))?.[1];
    if (target === undefined) return undefined;
    const own = path.resolve(path.dirname(dotGit), target);
    try {
      return realpathSync(
        path.resolve(own, readFileSync(path.join(own, 'commondir'), 'utf8').trim()),
      );
    } catch {
      return realpathSync(own);
    }
  } catch {
    return undefined;
  }
}

function repositoryName(key: string): string {
  return path.basename(path.basename(key) === '.git' ? path.dirname(key) : key);
}

/** One level at a time: in some places Node.js's own recursive way tries for ever. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(path.dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process may have made it in this moment.
    if (!existsSync(folder)) throw error;
  }
}
