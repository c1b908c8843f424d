import { statSync } from 'node:fs';
import { StoreError } from '../engine/store-error.ts';

/** Something has the name and is no file: to open a pipe is to wait for ever for its other end. */
export function isSpecial(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isFile() === false;
}

export function refuseSpecial(file: string): void {
  if (!isSpecial(file)) return;
  throw new StoreError(
    'world',
    `Interlock could not use ${file}: it is no regular file. Move it away, and start Interlock again.`,
  );
}
