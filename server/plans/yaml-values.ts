import { isMap, isScalar, isSeq, type Pair } from 'yaml';
import type { Mention } from './plan.ts';
import { type ProblemList, rangeOf, scalarText } from './yaml-document.ts';

/** A key as it is written; a key that is no plain word reads as nothing. */
export function keyText(pair: Pair): string {
  return isScalar(pair.key) ? scalarText(pair.key) : '';
}

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

export function readCount(node: unknown, key: string, problems: ProblemList): number | undefined {
  if (isScalar(node) && typeof node.value === 'number' && Number.isInteger(node.value))
    return node.value;
  problems.error('wrong-type', rangeOf(node), `"${key}" is a whole number.`);
  return undefined;
}

/** A list of texts with their places; entries that are no texts are reported and left out. */
export function readList(pair: Pair, of: string, problems: ProblemList): readonly Mention[] {
  if (!isSeq(pair.value)) {
    if (isScalar(pair.value) && pair.value.value === null) return [];
    const hint = isScalar(pair.value) ? ` Put it in brackets: [${pair.value.source ?? ''}].` : '';
    problems.error(
      'wrong-type',
      rangeOf(pair.value),
      `"${keyText(pair)}" is a list of ${of}.${hint}`,
    );
    return [];
  }
  return pair.value.items.flatMap((item) => {
    const text = readText(item, keyText(pair), problems);
    return text === undefined ? [] : [{ text, range: rangeOf(item) }];
  });
}

export function readTextMap(
  pair: Pair,
  key: string,
  problems: ProblemList,
): readonly { readonly name: Mention; readonly value: string }[] {
  if (!isMap(pair.value)) {
    problems.error('wrong-type', rangeOf(pair.value), `"${key}" holds names and texts.`);
    return [];
  }
  return pair.value.items.flatMap((item) => {
    const name = { text: keyText(item), range: rangeOf(item.key) };
    const value = readText(item.value, name.text, problems);
    return value === undefined ? [] : [{ name, value }];
  });
}
