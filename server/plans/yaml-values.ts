import { isScalar, isSeq, type Pair } from 'yaml';
import type { Mention } from './plan.ts';
import { keyText, type ProblemList, rangeOf, scalarText } from './yaml-document.ts';

/** Values of files that are not ours to describe; those of plans are read by their schema. */

/** A text; numbers and `true` count as the characters they are written with. */
export function readText(node: unknown, key: string, problems: ProblemList): string | undefined {
  if (isScalar(node) && node.value !== null) {
    const text = scalarText(node);
    if (!text.includes('\0')) return text;
    problems.error('wrong-type', rangeOf(node), `"${key}" cannot contain a NUL character.`);
    return undefined;
  }
  problems.error('wrong-type', rangeOf(node), `"${key}" is a text.`);
  return undefined;
}

/** A list of texts with their places; entries that are no texts are reported and left out. */
export function readList(pair: Pair, of: string, problems: ProblemList): readonly Mention[] {
  const { value } = pair;
  if (!isSeq(value)) {
    if (isScalar(value) && value.value === null) return [];
    const hint = isScalar(value) ? ` Put it in brackets: [${value.source ?? ''}].` : '';
    const rule = `"${keyText(pair)}" is a list of ${of}.${hint}`;
    problems.error('wrong-type', rangeOf(value), rule);
    return [];
  }
  return value.items.flatMap((item) => {
    const text = readText(item, keyText(pair), problems);
    return text === undefined ? [] : [{ text, range: rangeOf(item) }];
  });
}
