import { isMap, isScalar, isSeq, type Pair } from 'yaml';
import { didYouMean } from './closest.ts';
import type { KeyTable } from './keys.ts';
import type { Mention } from './plan.ts';
import { type ProblemList, rangeOf, scalarText } from './yaml-document.ts';

/** A key as it is written; a key that is no plain word reads as nothing. */
export function keyText(pair: Pair): string {
  return isScalar(pair.key) ? scalarText(pair.key) : '';
}

/** The key of a pair when this version acts on it; reports the ones that it does not. */
export function readKey(pair: Pair, table: KeyTable, problems: ProblemList): string | undefined {
  const key = keyText(pair);
  if (table.now.includes(key)) return key;
  if (table.later.includes(key)) {
    problems.warning('not-yet', rangeOf(pair.key), `This version does not act on "${key}" yet.`);
    return undefined;
  }
  const hint = didYouMean(key, [...table.now, ...table.later]);
  const message = `"${key}" is not a key of ${table.of}.${hint}`;
  problems.warning('unknown-key', rangeOf(pair.key), message);
  return undefined;
}

/** The pairs of a mapping whose keys this version acts on. */
export function readKeys(
  pair: Pair,
  { table, example }: { readonly table: KeyTable; readonly example: string },
  problems: ProblemList,
): readonly Pair[] {
  if (isMap(pair.value))
    return pair.value.items.filter((item) => readKey(item, table, problems) !== undefined);
  problems.error('wrong-type', rangeOf(pair.value), `${table.of} holds keys: ${example}.`);
  return [];
}

/** One of a few words. */
export function readWord<Word extends string>(
  pair: Pair,
  words: readonly Word[],
  problems: ProblemList,
): Word | undefined {
  const text = isScalar(pair.value) ? scalarText(pair.value) : '';
  const found = words.find((word) => word === text);
  if (found === undefined) refuseWord(pair, { words, also: [] }, problems);
  return found;
}

/** Says which words there are; `also` are understood, but not the ones to be told about. */
export function refuseWord(
  pair: Pair,
  { words, also }: { readonly words: readonly string[]; readonly also: readonly string[] },
  problems: ProblemList,
): void {
  const choice = `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
  const text = isScalar(pair.value) ? scalarText(pair.value) : '';
  const rule = `"${keyText(pair)}" is ${choice}.${didYouMean(text, [...words, ...also])}`;
  problems.error('wrong-type', rangeOf(pair.value), rule);
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
