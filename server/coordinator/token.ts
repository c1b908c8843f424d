import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { isRecord } from './messages.ts';

/**
 * How to reach the coordinator that listens now: what a file says that only this user can read.
 *
 * The socket is in it too: what each process calls the temporary directory may differ, and a token
 * and a socket of two coordinators must not be mixed.
 */
export interface Pass {
  readonly token: string;
  readonly endpoint: string;
}

const TOKEN_BYTES = 32;

export function newToken(): string {
  return randomBytes(TOKEN_BYTES).toString('base64url');
}

/** Only whoever holds the board's lock writes; a temporary file is what a killed one left behind. */
export function writePass(directory: string, pass: Pass): void {
  const temporary = `${passFile(directory)}.new`;
  rmSync(temporary, { force: true });
  writeFileSync(temporary, JSON.stringify(pass), { mode: 0o600, flag: 'wx' });
  renameSync(temporary, passFile(directory));
}

/** Nothing when nobody has ever listened, or whoever did has stopped. */
export function readPass(directory: string): Pass | undefined {
  try {
    // To open a pipe would be to wait for its other end.
    if (!statSync(passFile(directory)).isFile()) return undefined;
    const pass: unknown = JSON.parse(readFileSync(passFile(directory), 'utf8'));
    return isPass(pass) ? pass : undefined;
  } catch {
    return undefined;
  }
}

/** One that leads to somebody else stays. */
export function removePass(directory: string, pass: Pass): void {
  try {
    if (leadsTo(directory, pass)) rmSync(passFile(directory), { force: true });
  } catch {
    // It leads to nobody who listens, and the next one replaces it.
  }
}

/** Whether whoever looks finds this one. */
export function leadsTo(directory: string, { token, endpoint }: Pass): boolean {
  const found = readPass(directory);
  return found?.token === token && found.endpoint === endpoint;
}

/** Takes as long whatever is claimed: the length and the letters of a token are not to be guessed. */
export function isSameToken(token: string, claimed: unknown): boolean {
  const [ours, theirs] = [token, typeof claimed === 'string' ? claimed : ''].map((text) =>
    createHash('sha256').update(text).digest(),
  );
  return ours !== undefined && theirs !== undefined && timingSafeEqual(ours, theirs);
}

function passFile(directory: string): string {
  return path.join(directory, 'token');
}

function isPass(value: unknown): value is Pass {
  return (
    isRecord(value) && typeof value['token'] === 'string' && typeof value['endpoint'] === 'string'
  );
}
