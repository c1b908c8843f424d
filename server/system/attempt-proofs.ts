import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import {
  closeSync,
  constants,
  fstatSync,
  linkSync,
  openSync,
  readSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import type { AttemptTerm, AttemptProofs } from '../engine/ports.ts';

const KEY_BYTES = 32;
const TRIES = 5;

/** Windows has neither: a link or a pipe there is not opened by its name. */
const TO_READ = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);

/**
 * Proofs that follow from a key of the board: HMAC-SHA256 of run, task and term. Every process of this
 * user that has the board works out the same ones, so a proof that one process gave to a command is
 * accepted by the process that takes the board over, and none is stored.
 *
 * The key is a file in the board's directory that only this user can read. It is read each time, so that
 * all processes use the one that is there. One that is missing or damaged is replaced: commands that
 * were started before that cannot prove themselves any more, and are judged by their exit codes.
 */
export class KeyedProofs implements AttemptProofs {
  readonly #file: string;

  constructor(file: string) {
    this.#file = file;
  }

  of(attempt: AttemptTerm): string {
    return proofFrom(this.#key(), attempt);
  }

  isOf(attempt: AttemptTerm, proof: string): boolean {
    const key = readKey(this.#file);
    if (!Buffer.isBuffer(key)) return false;
    const [ours, theirs] = [proofFrom(key, attempt), proof].map((text) => Buffer.from(text));
    if (ours === undefined || theirs === undefined || ours.length !== theirs.length) return false;
    return timingSafeEqual(ours, theirs);
  }

  /** Of several processes that make a key at once, the first one decides: each reads it again. */
  #key(): Buffer {
    for (let tries = 0; tries < TRIES; tries += 1) {
      const key = readKey(this.#file);
      if (Buffer.isBuffer(key)) return key;
      if (key === 'damaged') rmSync(this.#file, { recursive: true, force: true });
      makeKey(this.#file);
    }
    throw new Error(`another process keeps replacing ${this.#file}`);
  }
}

function proofFrom(key: Buffer, { run, task, term }: AttemptTerm): string {
  return createHmac('sha256', key).update(`${run}\0${task}\0${term}`).digest('hex');
}

function makeKey(file: string): void {
  const made = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`;
  writeFileSync(made, randomBytes(KEY_BYTES), { mode: 0o600, flag: 'wx' });
  try {
    linkSync(made, file);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  } finally {
    rmSync(made, { force: true });
  }
}

/** Throws where the system only fails now, such as for too many open files: the key may be a good one. */
function readKey(file: string): Buffer | 'missing' | 'damaged' {
  let opened: number;
  try {
    opened = openSync(file, TO_READ);
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT') return 'missing';
    if (DAMAGED.has(code)) return 'damaged';
    throw error;
  }
  try {
    const stats = fstatSync(opened);
    if (!stats.isFile() || stats.size !== KEY_BYTES || !isTrusted(file, stats.uid))
      return 'damaged';
    const key = Buffer.alloc(KEY_BYTES);
    return readSync(opened, key, 0, KEY_BYTES, 0) === KEY_BYTES ? key : 'damaged';
  } catch (error) {
    if (codeOf(error) === 'EISDIR') return 'damaged';
    throw error;
  } finally {
    closeSync(opened);
  }
}

/** A link, a directory, a socket, or a file of another user. */
const DAMAGED: ReadonlySet<string> = new Set(['ELOOP', 'EISDIR', 'ENXIO', 'EACCES', 'EPERM']);

/** Made by this user, or by the user whose directory it is in, where this process runs as root. */
function isTrusted(file: string, owner: number): boolean {
  const user = process.getuid?.();
  return user === undefined || owner === user || owner === statSync(path.dirname(file)).uid;
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
