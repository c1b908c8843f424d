import { createHash } from 'node:crypto';
import type { LedgerEntry } from '../../server/engine/store-port.ts';

/** Whoever reads the ledger afterwards finds what was told, word for word. */
export function digestOf(entries: readonly LedgerEntry[]): string {
  const text = entries.map(({ sequence, event }) => JSON.stringify([sequence, event])).join('\n');
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
