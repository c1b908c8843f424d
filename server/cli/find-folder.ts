import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { isPlanFileName } from '../plans/interlock-yaml.ts';
import { BOARD_FILE_NAME, BOARD_FOLDER_NAME } from '../plans/kanban/board-place.ts';

/**
 * The folder that somebody in `start` means: this one if a plan is in it or below it, else the nearest
 * one above it with a plan, within the repository. Outside of a repository nobody looks further.
 */
export function findFolder(start: string, hasPlanBelow: () => boolean): string {
  if (hasPlan(start) || !isInRepository(start) || hasPlanBelow()) return start;
  for (let at = start; !isRepository(at);) {
    at = path.dirname(at);
    if (hasPlan(at)) return at;
  }
  return start;
}

function hasPlan(folder: string): boolean {
  try {
    // A board is one of the folder that it lies in.
    const board = path.join(folder, BOARD_FOLDER_NAME, BOARD_FILE_NAME);
    return readdirSync(folder).some(isPlanFileName) || existsSync(board);
  } catch {
    return false;
  }
}

function isInRepository(start: string): boolean {
  for (let at = start; ; at = path.dirname(at)) {
    if (isRepository(at)) return true;
    if (path.dirname(at) === at) return false;
  }
}

function isRepository(folder: string): boolean {
  return existsSync(path.join(folder, '.git'));
}
