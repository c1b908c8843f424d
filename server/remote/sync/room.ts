import { statfs } from 'node:fs/promises';
import { SyncRefused } from './sync-refused.ts';

const [KIB, MIB, GIB] = [1024, 1024 ** 2, 1024 ** 3];

/** The most that comes back of one attempt, packed, and unpacked. */
export const RESULT_BYTES = { packed: 8 * GIB, unpacked: 32 * GIB };
/** So much of a disk is left to everybody else. */
export const RESERVE_BYTES = 128 * MIB;

/** Throws `SyncRefused` where something so large is not received; asked before any of it comes. */
export async function makeSure(
  bytes: number,
  { most, folder, what }: { readonly most: number; readonly folder: string; readonly what: string },
): Promise<void> {
  if (bytes > most)
    throw new SyncRefused(
      `${what} has ${sizeText(bytes)}, and at most ${sizeText(most)} are taken`,
      {
        mayPass: false,
      },
    );
  const free = await freeBytes(folder);
  if (bytes + RESERVE_BYTES > free)
    throw new SyncRefused(
      `${what} has ${sizeText(bytes)}, and only ${sizeText(free)} are free here in ${folder}`,
    );
}

export async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

export function sizeText(bytes: number): string {
  const [unit, name] =
    bytes >= GIB
      ? [GIB, 'GiB']
      : bytes >= MIB
        ? [MIB, 'MiB']
        : bytes >= KIB
          ? [KIB, 'KiB']
          : [1, 'bytes'];
  return `${Math.round(bytes / unit)} ${name}`;
}
