import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { BOARD_FILE_NAME, BOARD_FOLDER_NAME, isPlanFileName } from '../plans/plan-file-names.ts';

/**
 * The folder that somebody in `start` means: this one if a plan is in it or below it, else the nearest
 * one above it with a plan, within the repository. Outside of a repository nobody looks further.
 * `upwards` are `start` and the folders above it that may be looked at.
 */
export function findFolder(
  start: string,
  upwards: readonly string[],
  hasPlanBelow: () => boolean,
): string {
  if (hasPlan(start)) return start;
  const top = upwards.findIndex(isRepository);
  if (top < 0 || hasPlanBelow()) return start;
  return upwards.slice(0, top + 1).find(hasPlan) ?? start;
}

/** Whether a plan of the folder itself is in it. */
export function hasPlan(folder: string): boolean {
  try {
    // A board is one of the folder that it lies in.
    const board = path.join(folder, BOARD_FOLDER_NAME, BOARD_FILE_NAME);
    return readdirSync(folder).some(isPlanFileName) || existsSync(board);
  } catch {
    return false;
  }
}

function isRepository(folder: string): boolean {
  return existsSync(path.join(folder, '.git'));
}
