import { crc32 } from 'node:zlib';

type Value = string | number | null;

/**
 * A number that a row is kept with. SQLite notices when its own structure is damaged, and not when a
 * digit in a row has become another one.
 */
export function rowSum(...values: readonly Value[]): number {
  return crc32(values.join('\n'));
}

/** A row says something that nobody has written. */
export class DamagedRow extends Error {}

export function checkSum(table: string, said: number, values: readonly Value[]): void {
  if (rowSum(...values) !== said) throw new DamagedRow(`a row of ${table} is damaged`);
}
