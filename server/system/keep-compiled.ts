import {
  closeSync,
  existsSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  type Stats,
  writeSync,
} from 'node:fs';
import { createRequire, enableCompileCache } from 'node:module';
import path from 'node:path';
import { Script } from 'node:vm';
import { textHash } from '../domain/text-hash.ts';
import { readWithin } from './bounded-read.ts';
import { stateHome } from './state-home.ts';

/**
 * Compiling takes longer than most of what is then done. What was compiled is kept where something is
 * kept anyway.
 *
 * Invariant: compiled code is read only from a folder of this user that others cannot write to.
 */
export function keepCompiled(env: NodeJS.ProcessEnv): void {
  const folder = compiledFolder(stateHome(env));
  if (folder !== undefined) enableCompileCache(folder);
}

/** A program as it was loaded, and how to keep what was compiled of it by then for the next time. */
export interface LoadedProgram {
  readonly program: ReturnType<NodeJS.Require>;
  readonly keep: () => void;
}

/**
 * Loads a program of CommonJS that runs for a few milliseconds. `keepCompiled` keeps only what is compiled
 * when a file is loaded, and most functions are compiled when they are called first, which for such a program
 * takes longer than all else that it does. So this keeps what was compiled by the end of its work.
 *
 * The file holds the function that Node.js would make of a module, with `exports, require, module, __filename,
 * __dirname`: to put it around the text here would fill the young heap, and start a garbage collection.
 */
export function loadProgram(file: string, env: NodeJS.ProcessEnv): LoadedProgram {
  const folder = compiledFolder(stateHome(env));
  const kept = folder && path.join(folder, keptName(file));
  const mark = markOf(file);
  const cachedData = kept && dataAfter(mark, readWithin(kept, KEPT_LIMIT));
  const source = readFileSync(file, 'utf8');
  const script = new Script(source, { filename: file, ...(cachedData && { cachedData }) });
  const module: { readonly exports: ReturnType<NodeJS.Require> } = { exports: {} };
  const own = createRequire(file);
  script.runInThisContext()(module.exports, own, module, file, path.dirname(file));
  const keep = (): void => {
    if (kept === undefined || (cachedData !== undefined && script.cachedDataRejected !== true))
      return;
    writeWhole(kept, Buffer.concat([mark, script.createCachedData()]));
  };
  return { program: module.exports, keep };
}

const KEPT_LIMIT = 4 * 1024 * 1024;

/** What one Node.js has compiled is of no use for another, and two versions of Interlock may take turns. */
function keptName(file: string): string {
  return `${path.basename(file)}-${process.version}-${process.arch}-${textHash(file)}`;
}

/** V8 itself looks only at the length of the source. */
function markOf(file: string): Buffer {
  const { mtimeMs, size, ino } = statSync(file);
  return Buffer.from(`${mtimeMs} ${size} ${ino}\n`);
}

function dataAfter(mark: Buffer, bytes: Buffer | undefined): Buffer | undefined {
  const isOfThis = bytes?.subarray(0, mark.length).equals(mark) === true;
  return isOfThis ? bytes.subarray(mark.length) : undefined;
}

/** What is read back as code must never be there in part, also after a loss of power. */
function writeWhole(file: string, bytes: Buffer): void {
  const fresh = `${file}.${process.pid}`;
  try {
    const opened = openSync(fresh, 'wx', 0o600);
    try {
      writeSync(opened, bytes);
      fsyncSync(opened);
    } finally {
      closeSync(opened);
    }
    renameSync(fresh, file);
  } catch {
    // It works without, only slower.
    rmSync(fresh, { force: true });
  }
}

/** Where compiled code may be kept; undefined if that is nowhere. */
export function compiledFolder(home: string): string | undefined {
  const folder = path.join(home, 'compiled');
  try {
    if (!existsSync(home) || !isPrivate(statSync(home))) return undefined;
    if (!existsSync(folder)) mkdirSync(folder, { mode: 0o700 });
    // The user may have put a link in the place of the state directory, but nobody makes one of this.
    return isPrivate(lstatSync(folder)) ? folder : undefined;
  } catch {
    // It works without, only slower.
    return undefined;
  }
}

function isPrivate(stats: Stats): boolean {
  const own = process.geteuid?.();
  if (!stats.isDirectory()) return false;
  return own === undefined || (stats.uid === own && (stats.mode & 0o022) === 0);
}
