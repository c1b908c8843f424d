import type { YamlPlace } from '../yaml/node-at.ts';
import type { YamlTree } from '../yaml/tree.ts';

export interface Cursor {
  readonly tree: YamlTree;
  readonly offset: number;
  /** Where the top of the text stands in a plan; a task alone is in a task. */
  readonly base?: readonly string[];
}

/** A place with what the schema calls it: keys, ids and names, without the numbers of items. */
export interface Spot extends YamlPlace {
  readonly tree: YamlTree;
  readonly keys: readonly string[];
  /** What is typed of it before the cursor. */
  readonly before: string;
}
