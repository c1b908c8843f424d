import { StoreError } from '../engine/store-error.ts';

/** What the system says of a folder that cannot be used becomes a sentence; mistakes of ours do not. */
export function usingFolder<T>(folder: string, use: () => T): T {
  try {
    return use();
  } catch (cause) {
    if (!(cause instanceof Error && 'syscall' in cause && 'code' in cause)) throw cause;
    const message =
      `Interlock could not use the folder ${folder} (${String(cause.code)}). If something else has ` +
      'that name, delete it; make the folder above it writable, and free its disk.';
    throw new StoreError('world', message, { cause });
  }
}
