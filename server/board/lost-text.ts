import { displayText } from '../domain/display-text.ts';
import type { LostClaim } from '../scheduler/model/losses.ts';

/** Tells a worker that a claim of its own is over. */
export function lostSentence({ task, term }: Pick<LostClaim, 'task' | 'term'>): string {
  return displayText(
    `You have lost "${task}" (term ${term}): stop working on it. Other workers may have changed its files since, and whatever you do for it now does not count.`,
  );
}

/** Why it may not write: it goes on as if the claim were still its own. */
export function untoldText(claims: readonly LostClaim[]): string {
  const [first] = claims;
  const how =
    first === undefined
      ? ''
      : ` (tool "status", or interlock renew ${first.task} --term ${first.term})`;
  return `${claims.map(lostSentence).join(' ')} Ask the board before you write again${displayText(how)}, then read the files again.`;
}
