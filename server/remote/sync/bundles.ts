import { createHash } from 'node:crypto';
import {
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { appendFile } from 'node:fs/promises';
import path from 'node:path';
import { inShort } from '../../domain/display-text.ts';
import type { HostShell } from '../host-shell.ts';
import { Pace } from '../pace.ts';
import type { GitStore } from './git-store.ts';
import { makeSure, RESULT_BYTES } from './room.ts';
import { SyncRefused } from './sync-refused.ts';
import { takeResult } from './take-result.ts';

interface Sending {
  readonly store: GitStore;
  /** Several may be sent the same at the same time. */
  readonly host: string;
  readonly shell: HostShell;
  readonly commit: string;
  readonly signal: AbortSignal | undefined;
}

/**
 * Brings a commit to a machine, with whatever it does not have yet. What has arrived before a connection
 * was lost is not sent again.
 */
export async function sendCommit(sending: Sending): Promise<void> {
  const { store, shell, commit, signal } = sending;
  if ((await shell.ask('il_has', commit)).status === 0) return;
  const known = (await shell.ask('il_known')).lines.filter((line) => HASH.test(line));
  const [file, reference] = await bundleOf(sending, await ours(store, known));
  const name = path.basename(file);
  const bytes = statSync(file).size;
  const pace = new Pace();
  for (let at = await sizeThere(shell, name); at < bytes;) {
    signal?.throwIfAborted();
    const piece = readPiece(file, { at, most: pace.bytes });
    // The machine has to say that it has it before there is more.
    const { status, lines } = await pace.time(
      piece.length,
      async () => await shell.put(piece, name, at),
    );
    if (status !== 0) throw new SyncRefused(said(lines, 'the disk there may be full'));
    at += piece.length;
  }
  const { status, lines } = await shell.ask('il_take', name, reference);
  rmSync(file, { force: true });
  if (status !== 0) throw new SyncRefused(said(lines, 'git there does not take what was sent'));
}

const HASH = /^[\da-f]{40,64}$/;
const SIZE = /^\d{1,15}$/;

/** What both of us have; others may have put more there. */
async function ours(store: GitStore, known: readonly string[]): Promise<readonly string[]> {
  const input = known.map((hash) => `${hash}\n`).join('');
  const answers = await store.text(['cat-file', '--batch-check=%(objectname) %(objecttype)'], {
    input,
  });
  return answers
    .split('\n')
    .flatMap((line) => (line.endsWith(' commit') ? [line.slice(0, -7)] : []));
}

/** The same as the last time where that did not get there whole. */
async function bundleOf(
  { store, host, commit }: Sending,
  known: readonly string[],
): Promise<readonly [file: string, reference: string]> {
  const key = createHash('sha256')
    .update([host, ...known].join('\n'))
    .digest('hex')
    .slice(0, 16);
  const file = store.fileOf(`${commit}-${key}.bundle`);
  const reference = `refs/interlock/out/${commit}-${key}`;
  if (existsSync(file)) return [file, reference];
  await store.run(['update-ref', reference, commit]);
  const without = known.map((hash) => `^${hash}`);
  await store.run(['bundle', 'create', '-q', `${file}.new`, reference, ...without]);
  renameSync(`${file}.new`, file);
  return [file, reference];
}

async function sizeThere(shell: HostShell, name: string): Promise<number> {
  const { lines } = await shell.ask('il_part', name);
  return SIZE.test(lines[0] ?? '') ? Number(lines[0]) : 0;
}

function readPiece(
  file: string,
  { at, most }: { readonly at: number; readonly most: number },
): Buffer {
  const piece = Buffer.alloc(most);
  const opened = openSync(file, 'r');
  try {
    return piece.subarray(0, readSync(opened, piece, 0, most, at));
  } finally {
    closeSync(opened);
  }
}

interface Fetching {
  readonly store: GitStore;
  readonly shell: HostShell;
  readonly term: number;
  readonly result: string;
  readonly bytes: number;
  readonly signal: AbortSignal | undefined;
}

/** Brings what became of a term here, from where it was left. */
export async function fetchResult(fetching: Fetching): Promise<void> {
  const { store, shell, term, result, bytes, signal } = fetching;
  const file = store.fileOf(`${term}-${result}.result`);
  const { packed } = RESULT_BYTES;
  await makeSure(bytes, { most: packed, folder: store.folder, what: 'what came back' });
  const pace = new Pace();
  for (let at = sizeOf(file); at < bytes; at = sizeOf(file)) {
    signal?.throwIfAborted();
    const most = Math.min(pace.bytes, bytes - at);
    const { pieces } = await pace.time(
      most,
      async () => await shell.askForPieces([most], 'il_get', term, result, at, most),
    );
    const [piece] = pieces;
    // It has said how much there is, so each piece is whole.
    if (piece?.length !== most) throw new SyncRefused('what it has made cannot be read there');
    await appendFile(file, piece, { mode: 0o600 });
  }
  try {
    await takeResult(store, { file, term, result });
  } finally {
    rmSync(file, { force: true });
  }
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

/** What no term needs any more that is sent or has come back. */
export async function tidy(store: GitStore): Promise<void> {
  const list = ['for-each-ref', '--format=%(objectname) %(refname)', 'refs/interlock'];
  const listed = await store.ask(list);
  if (listed === undefined) return;
  const references = listed.split('\n').map((line) => line.split(' '));
  const live = new Set(
    references.flatMap(([hash = '', name = '']) => (name.endsWith('/sent') ? [hash] : [])),
  );
  for (const [hash = '', name = ''] of references)
    if (name.startsWith('refs/interlock/out/') && !live.has(hash))
      await store.ask(['update-ref', '-d', name]);
  for (const name of readdirSync(store.folder))
    if (/\.bundle(?:\.new)?$/.test(name) && !live.has(name.split('-', 1)[0]!))
      rmSync(store.fileOf(name), { force: true });
  await store.ask(['gc', '--auto', '-q'], { settings: ['gc.auto=6700', 'gc.autoDetach=false'] });
}

export function said(lines: readonly string[], otherwise: string): string {
  return inShort(lines[0]?.replace(/^(?:fatal|error): /, '') ?? otherwise);
}
