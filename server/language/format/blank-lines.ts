import type { Edit } from '../fixes/fix.ts';
import type { LinePlans } from './line-plan.ts';

/** Takes away empty lines: all at the start and at the end, and what follows another one. */
export function blankLineEdits(plans: LinePlans): Edit[] {
  const { lines, text } = plans;
  const edits: Edit[] = [];
  for (let index = 0; index < lines.length; index += 1) {
    const first = index;
    while (index < lines.length && isSpare(plans, index)) index += 1;
    if (index === first) continue;
    const isInside = first > 0 && index < lines.length;
    const start = lines[isInside ? first + 1 : first]?.start ?? text.length;
    const end = lines[index]?.start ?? text.length;
    if (start < end) edits.push({ range: { start, end }, text: '' });
  }
  return edits;
}

/** Empty, and no part of a text. */
function isSpare(plans: LinePlans, index: number): boolean {
  return plans.isBlank(index) && plans.get(index) === undefined;
}
