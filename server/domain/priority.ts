import { assert, unreachable } from './assert.ts';

/** The class a task is served in. A class has a share of the turns, so even the lowest gets some. */
export type Priority = 'critical' | 'high' | 'normal' | 'low';

type ClassIndex = 0 | 1 | 2 | 3;

/** From the highest to the lowest. */
export const PRIORITIES: readonly [Priority, Priority, Priority, Priority] = [
  'critical',
  'high',
  'normal',
  'low',
];

/** Other schedulers' words for two of them are understood; anything else is `undefined`. */
export function parsePriority(text: string): Priority | undefined {
  switch (text) {
    case 'critical':
    case 'urgent':
      return 'critical';
    case 'normal':
    case 'medium':
      return 'normal';
    case 'high':
    case 'low':
      return text;
    default:
      return undefined;
  }
}

/** The place in `PRIORITIES`. */
export function priorityIndex(priority: Priority): ClassIndex {
  switch (priority) {
    case 'critical':
      return 0;
    case 'high':
      return 1;
    case 'normal':
      return 2;
    case 'low':
      return 3;
    default:
      return unreachable(priority);
  }
}

/** What each class has earned and not yet spent, by its index. */
export type Credits = readonly [number, number, number, number];

export const NO_CREDITS: Credits = [0, 0, 0, 0];

const CLASS_INDEXES: readonly ClassIndex[] = [0, 1, 2, 3];
/** Out of 100 turns that all classes contend for. */
const WEIGHTS: Credits = [50, 30, 15, 5];

interface Turn {
  readonly index: ClassIndex;
  readonly credits: Credits;
}

/**
 * Whose turn it is, by smooth weighted round robin: each contending class earns its weight, the
 * richest one is served and pays what all of them earned. The higher class wins a tie. A class that
 * does not contend keeps its credit.
 *
 * Bit `i` of `contending` says that class `i` has something to start: 1 is critical, 8 is low. This
 * runs a million times a second, hence a mask, and nothing is allocated but the result.
 *
 * Invariant: credits sum to 0 and none ever leaves -100…100, whoever contends when. So a class that
 * keeps contending has its turn after a bounded number of others.
 */
export function takeTurn(credits: Credits, contending: number): Turn {
  assert(contending >= 1 && contending <= 0b1111, 'a turn has one to four contending classes');
  const left: [number, number, number, number] = [credits[0], credits[1], credits[2], credits[3]];
  let earned = 0;
  let richest: ClassIndex | undefined;
  for (const index of CLASS_INDEXES) {
    if ((contending & (1 << index)) === 0) continue;
    left[index] += WEIGHTS[index];
    earned += WEIGHTS[index];
    if (richest === undefined || left[index] > left[richest]) richest = index;
  }
  assert(richest !== undefined, 'the mask of contending classes is a whole number');
  left[richest] -= earned;
  return { index: richest, credits: left };
}
