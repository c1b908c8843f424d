import type { Vocabulary } from '../vocabulary.ts';
import { nodeAt, type YamlPlace } from '../yaml/node-at.ts';
import type { YamlTree } from '../yaml/tree.ts';

export interface Cursor {
  readonly tree: YamlTree;
  readonly offset: number;
  /** Left out: those of plans. */
  readonly words?: Vocabulary;
}

/** A place with what the schema calls it: keys, ids and names, without the numbers of items. */
export interface Spot extends YamlPlace {
  readonly tree: YamlTree;
  readonly words: Vocabulary;
  readonly keys: readonly string[];
  /** What is typed of it before the cursor. */
  readonly before: string;
}

/** What is at a cursor; nothing outside of what is written in the words of plans. */
export function placeAt({ tree, offset, words }: Cursor): YamlPlace | undefined {
  const isInside = offset >= (words?.start ?? 0) && offset <= tree.text.length;
  return isInside ? nodeAt(tree, offset) : undefined;
}
