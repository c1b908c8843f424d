import {
  closeSync,
  fchmodSync,
  fstatSync,
  fsyncSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeSync,
} from 'node:fs';
import path from 'node:path';
import type { FileChange, SharedFiles, TextChange } from '../board/ports.ts';
import { bytesOf, openRegular, readWithin } from './bounded-read.ts';
import { pathInside } from './path-inside.ts';

type Change = (text: string) => TextChange;

const LIMIT_BYTES = 1024 * 1024;
/** Others that change the same file again and again may go first so often. */
const ATTEMPTS = 20;
/** Nobody takes this long to write a small file: whoever began has died. */
const DEAD_AFTER_MS = 10_000;
/** How long a program that has emptied a file is given to fill it again. */
const FILL = { steps: 125, stepMs: 2 } as const;
/** A program may be about to empty the file that it has found under the name: it is looked for so often. */
const LOOKS = 3;
const OWNER_MAY_WRITE = 0o200;

/**
 * A change goes to a new file beside the old one, and takes the old one's name when it is whole. Whoever
 * changes a file has another one beside it all the while, of a name that only one process can make at a
 * time.
 *
 * Programs that know nothing of this write into the old file. What they have written is looked for
 * just before the name changes hands, and in the old file just after: until then nobody else of us
 * changes the new one, and it can be put right.
 */
export class DiskSharedFiles implements SharedFiles {
  readonly #written = new Map<string, string>();

  /** Whether a file is as it was left here: nobody has written it since. */
  hasWritten(file: string, stats: Stats): boolean {
    return this.#written.get(file) === markOf(stats);
  }

  timeOfDay(): number {
    return Date.now();
  }

  change(root: string, file: string, change: Change): FileChange {
    try {
      const target = realpathSync(path.join(root, file));
      const inside = pathInside(realpathSync(root), target) ?? '';
      if (inside === '') return { kind: 'failed', message: 'it lies outside of the folder.' };
      const found = statSync(target);
      if (!found.isFile() || found.size > LIMIT_BYTES)
        return { kind: 'failed', message: 'it is no file of at most 1 MiB.' };
      return this.#changeFile(target, change);
    } catch (error) {
      const code = codeOf(error);
      if (code === 'ENOENT') return { kind: 'gone' };
      // Windows lets nobody replace what somebody has open.
      if (code === 'EBUSY' || (code === 'EPERM' && process.platform === 'win32'))
        return { kind: 'busy' };
      return { kind: 'failed', message: `of the system: ${code}.` };
    }
  }

  #changeFile(target: string, change: Change): FileChange {
    const beside = path.join(path.dirname(target), `.${path.basename(target)}.interlock`);
    const own = openBeside(beside);
    if (own === undefined) return { kind: 'busy' };
    const moved = (stats: Stats): void => void this.#written.set(target, markOf(stats));
    try {
      return changedUntilItHolds({ target, fresh: `${beside}.new`, moved }, change);
    } finally {
      closeSync(own);
      rmSync(beside, { force: true });
    }
  }
}

function markOf({ ino, size, mtimeMs }: Stats): string {
  return `${ino} ${size} ${mtimeMs}`;
}

function changedUntilItHolds(places: Places, change: Change): FileChange {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const result = replaced(places, change);
    if (result !== 'again') return result;
  }
  return { kind: 'busy' };
}

interface Places {
  readonly target: string;
  /** What is to be `target`. */
  readonly fresh: string;
  /** It is `target` now. */
  readonly moved: (stats: Stats) => void;
}

function replaced(places: Places, change: Change): FileChange | 'again' {
  const { target, fresh, moved } = places;
  const old = openRegular(target);
  if (old === undefined) return { kind: 'failed', message: 'it is no file of at most 1 MiB.' };
  try {
    const before = readWhole(old);
    const text = before.toString('utf8');
    if (!Buffer.from(text).equals(before)) return { kind: 'failed', message: 'it is not UTF-8.' };
    const wanted = change(text);
    if (wanted.kind === 'keep') return { kind: 'kept' };
    if (wanted.kind === 'later') return { kind: 'busy' };
    const mode = fstatSync(old).mode | OWNER_MAY_WRITE;
    const stats = writeWhole(fresh, { text: wanted.text, mode });
    if (!isSame(target, { old, before })) return 'again';
    renameSync(fresh, target);
    moved(stats);
    return afterwards(places, { old, before, change, written: wanted.text });
  } finally {
    closeSync(old);
    rmSync(fresh, { force: true });
  }
}

interface Replaced {
  readonly old: number;
  readonly before: Buffer;
  readonly change: Change;
  readonly written: string;
}

/** Whoever had the old file open may have written into it after all: that is not to be lost. */
function afterwards(places: Places, { old, before, change, written }: Replaced): FileChange {
  for (let step = 0; step <= FILL.steps; step += 1) {
    const bytes = readWhole(old);
    const isUntouched = bytes.equals(before);
    if (isUntouched && step + 1 >= LOOKS) break;
    const theirs = bytes.toString('utf8');
    const wanted = isUntouched || bytes.length === 0 ? undefined : change(theirs);
    if (wanted !== undefined && wanted.kind !== 'later') {
      const text = wanted.kind === 'write' ? wanted.text : theirs;
      return changedUntilItHolds(places, (now) =>
        now === written ? { kind: 'write', text } : { kind: 'keep' },
      );
    }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, FILL.stepMs);
  }
  return { kind: 'written' };
}

function writeWhole(
  fresh: string,
  { text, mode }: { readonly text: string; readonly mode: number },
): Stats {
  // What is there is of somebody who has died.
  rmSync(fresh, { force: true });
  const own = openSync(fresh, 'wx', 0o600);
  try {
    fchmodSync(own, mode & 0o777);
    const bytes = Buffer.from(text);
    for (let at = 0; at < bytes.length;) at += writeSync(own, bytes, at);
    fsyncSync(own);
    return fstatSync(own);
  } finally {
    closeSync(own);
  }
}

function isSame(
  target: string,
  { old, before }: { readonly old: number; readonly before: Buffer },
): boolean {
  // The last look is the shortest, for whoever comes behind it is not seen.
  if (readWithin(target, LIMIT_BYTES)?.equals(before) !== true) return false;
  const [known, there] = [fstatSync(old), statSync(target)];
  return there.ino === known.ino && there.dev === known.dev && there.size === before.length;
}

function readWhole(opened: number): Buffer {
  // One byte more than it may have: a file that has grown since is not what it was.
  return bytesOf(opened, Math.min(fstatSync(opened).size, LIMIT_BYTES + 1));
}

/** Nothing while another process has it. */
function openBeside(beside: string): number | undefined {
  for (let attempt = 0; attempt < 2; attempt += 1) {
    try {
      return openSync(beside, 'wx', 0o600);
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error;
    }
    if (!removeDead(beside)) return undefined;
  }
  return undefined;
}

/** It is renamed first: of several who want it gone one succeeds, and none removes a new one. */
function removeDead(beside: string): boolean {
  const found = statSync(beside, { throwIfNoEntry: false });
  if (found === undefined) return true;
  if (Date.now() - found.mtimeMs < DEAD_AFTER_MS) return false;
  const aside = `${beside}.${process.pid}`;
  try {
    renameSync(beside, aside);
    const isIt = statSync(aside).ino === found.ino;
    if (isIt) rmSync(aside);
    else renameSync(aside, beside);
    return isIt;
  } catch {
    return false;
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}
