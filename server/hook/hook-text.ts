import { FileClaimText, writingAdvice } from '../board/file-claim-text.ts';
import { shellNote } from '../board/observed-text.ts';
import { untoldText } from '../board/lost-text.ts';
import type { HookReply } from '../scheduler/requests/hook.ts';
import type { HookAnswer } from './hook-answer.ts';
import { FILES_LIMIT } from './hook-input.ts';

/** Refused as a whole: none of the files past the limit is known to be free. */
export const TOO_MANY_FILES: HookAnswer = {
  kind: 'refuse',
  reason: `Interlock looks at no more than ${FILES_LIMIT} files in one call, and this one writes more. Split it into smaller ones.`,
};

/** What the agent reads: what it must not write now, or what it should know; undefined if there is nothing. */
export function answerOf(reply: HookReply, when: 'before' | 'after'): HookAnswer | undefined {
  const refusal = refusalText(reply);
  if (when === 'before')
    return refusal === undefined ? undefined : { kind: 'refuse', reason: refusal };
  const reasons = [...(refusal === undefined ? [] : [refusal]), ...reply.touched.map(shellNote)];
  return reasons.length === 0 ? undefined : { kind: 'tell', reason: reasons.join('\n') };
}

/** Who writes each file, and what to do instead; undefined if it may write all. */
function refusalText({ refused, now }: HookReply): string | undefined {
  if (refused.length === 0) return undefined;
  const text = new FileClaimText('agent');
  return refused
    .map(({ path, lost, claims }) => {
      if (lost.length > 0) return untoldText(lost);
      const sentences = claims.map((claim) => text.sentence(claim, now));
      return [...sentences, writingAdvice(path, claims) ?? []].flat().join(' ');
    })
    .join('\n');
}
