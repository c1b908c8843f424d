import { keyOf } from '../yaml/find.ts';
import { taskNode, type Vocabulary } from '../vocabulary.ts';
import type { YamlList, YamlMap, YamlPair, YamlTree } from '../yaml/tree.ts';
import { written } from '../yaml/written.ts';
import type { Edit } from './fix.ts';

/** A list below a key of a task, and what is to stand in it, too. */
interface Addition {
  readonly task: string;
  readonly key: 'depends_on' | 'after' | 'reads' | 'writes';
  readonly value: string;
}

/** A text and what its keys mean. */
interface Written {
  readonly tree: YamlTree;
  readonly words: Vocabulary;
}

/** Writes one more item into a list of a task, in the way in which the list is written, or begins one. */
export function addToList(
  { tree, words }: Written,
  { task, key, value }: Addition,
): Edit | undefined {
  const map = taskNode(tree, words, task);
  if (map?.kind !== 'map') return undefined;
  const pair = map.pairs.find((one) => keyOf(tree, one) === key);
  if (pair === undefined) return newKey(tree, map, { key, value });
  if (pair.value?.kind === 'list') return newItem(tree, pair.value, value);
  return emptyValue(pair, value);
}

function newItem(tree: YamlTree, list: YamlList, value: string): Edit | undefined {
  const last = list.items.at(-1);
  if (list.indent === undefined) {
    const item = written(value, { style: 'plain', isInBrackets: true });
    if (last?.value === undefined) {
      const start = list.start + 1;
      return list.isClosed ? insert(start, item) : undefined;
    }
    return insert(last.value.end, `, ${item}`);
  }
  if (last === undefined) return undefined;
  const item = written(value, { style: 'plain', isInBrackets: false });
  return insert(lineEnd(tree, last.end), `${newline(tree)}${' '.repeat(list.indent)}- ${item}`);
}

function newKey(
  tree: YamlTree,
  map: YamlMap,
  { key, value }: Pick<Addition, 'key' | 'value'>,
): Edit | undefined {
  const item = written(value, { style: 'plain', isInBrackets: true });
  const [first] = map.pairs;
  if (map.indent === undefined) {
    const rest = first === undefined ? ' ' : ',';
    return insert(map.start + 1, ` ${key}: [${item}]${rest}`);
  }
  if (first === undefined) return undefined;
  return insert(first.start, `${key}: [${item}]${newline(tree)}${' '.repeat(map.indent)}`);
}

/** The key is there, and nothing behind it but a comment, perhaps. */
function emptyValue({ colon, value }: YamlPair, item: string): Edit | undefined {
  if (colon === undefined || value !== undefined) return undefined;
  return insert(colon + 1, ` [${written(item, { style: 'plain', isInBrackets: true })}]`);
}

export function insert(at: number, text: string): Edit {
  return { range: { start: at, end: at }, text };
}

/** How lines end here. */
export function newline({ text }: YamlTree): string {
  return text.includes('\r\n') ? '\r\n' : '\n';
}

export function lineEnd({ text }: YamlTree, offset: number): number {
  const end = text.indexOf('\n', offset);
  if (end < 0) return text.length;
  return text[end - 1] === '\r' ? end - 1 : end;
}
