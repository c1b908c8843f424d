import { createHash } from 'node:crypto';

/** The machine whose name is in no settings of hosts. */
export const LOCAL = 'local';

const HASH_LENGTH = 6;

/**
 * What a board has for its name there, and for its tmux server. Two hosts of the settings may be one
 * machine, and each of them has what it started for itself.
 */
export function machineWord(board: string, place: string): string {
  if (place === LOCAL) return board;
  return `${board}-${createHash('sha256').update(place).digest('hex').slice(0, HASH_LENGTH)}`;
}
