import { parsePriority, PRIORITIES, type Priority } from '../../domain/priority.ts';
import type { BoardConfig } from './board-config.ts';

/** A board may have words of its own, from the lowest to the highest: they are spread over the classes. */
export function classOfPriority(
  text: string,
  { priorities }: Pick<BoardConfig, 'priorities'>,
): Priority | undefined {
  const known = parsePriority(text);
  const rank = priorities.indexOf(text);
  if (known !== undefined || rank < 0 || priorities.length < 2) return known;
  const share = 1 - rank / (priorities.length - 1);
  return PRIORITIES[Math.round(share * (PRIORITIES.length - 1))];
}
