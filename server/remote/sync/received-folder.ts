import { lstat, readdir, rm } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { nameFault } from './received-names.ts';
import { freeBytes, RESERVE_BYTES, RESULT_BYTES, sizeText } from './room.ts';
import { SyncRefused } from './sync-refused.ts';

const LOOK_MS = 500;
/** So many times as long as a look took it rests. */
const PAUSES = 4;
const MOST_FILES = 500_000;

/**
 * Runs something that fills a folder with what a host sends, and stops it where that is more than is
 * taken: a copying program asks nobody how much there is. Throws `SyncRefused`.
 */
export async function whileRoom(
  folder: string,
  signal: AbortSignal | undefined,
  fill: (signal: AbortSignal) => Promise<void>,
  most = RESULT_BYTES.unpacked,
): Promise<void> {
  const full = new AbortController();
  const done = new AbortController();
  const filling = fill(AbortSignal.any([full.signal, ...(signal === undefined ? [] : [signal])]));
  const watch = async (): Promise<void> => {
    while (!done.signal.aborted) {
      const startedAt = performance.now();
      const why = await tooMuch(folder, most);
      if (why !== undefined) full.abort(new SyncRefused(why, { mayPass: false }));
      const pauseMs = LOOK_MS + PAUSES * (performance.now() - startedAt);
      await delay(pauseMs, undefined, { signal: done.signal, ref: false }).catch(() => {});
    }
  };
  const watching = watch();
  try {
    await filling;
  } catch (error) {
    throw full.signal.aborted ? full.signal.reason : error;
  } finally {
    done.abort();
    await watching;
  }
  const why = await tooMuch(folder, most);
  if (why !== undefined) throw new SyncRefused(why, { mayPass: false });
}

async function tooMuch(folder: string, most: number): Promise<string | undefined> {
  let [files, bytes] = [0, 0];
  for await (const { place } of entriesBelow(folder)) {
    files += 1;
    bytes += (await lstat(place).catch(() => undefined))?.size ?? 0;
    if (files > MOST_FILES) return `what came back has more than ${MOST_FILES} files`;
    if (bytes > most) return `what came back has more than ${sizeText(most)}`;
  }
  const free = await freeBytes(folder);
  return free < RESERVE_BYTES ? `only ${sizeText(free)} are free here in ${folder}` : undefined;
}

/** Removes what may not be here whatever it is called in a tree; returns the names that were refused. */
export async function removeUnsafe(folder: string): Promise<readonly string[]> {
  const refused: string[] = [];
  for await (const { place, name, isKnown } of entriesBelow(folder)) {
    if (isKnown && nameFault(name) === undefined) continue;
    refused.push(place.subarray(Buffer.byteLength(folder) + 1).toString('utf8'));
    await rm(place, { recursive: true, force: true });
  }
  return refused;
}

interface Below {
  /** Names are bytes. */
  readonly place: Buffer;
  readonly name: string;
  /** A file, a folder or a link. */
  readonly isKnown: boolean;
}

/** All that is in a folder and below; follows no link, and goes into no folder that was removed. */
async function* entriesBelow(top: string): AsyncGenerator<Below> {
  const folders = [Buffer.from(top)];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    // It may be gone by now.
    const entries = await readdir(folder, { withFileTypes: true, encoding: 'buffer' }).catch(
      () => [],
    );
    for (const entry of entries) {
      const place = Buffer.concat([folder, Buffer.from('/'), entry.name]);
      const isFolder = entry.isDirectory();
      const isKnown = isFolder || entry.isFile() || entry.isSymbolicLink();
      yield { place, name: entry.name.toString('utf8'), isKnown };
      if (isFolder) folders.push(place);
    }
  }
}
