import { addToList } from './add-to-list.ts';
import type { Fix } from './fix.ts';
import type { Vocabulary } from '../vocabulary.ts';
import type { YamlTree } from '../yaml/tree.ts';

/** What a task has written and not declared. */
export interface Undeclared {
  readonly task: string;
  /** From the top of the working tree. */
  readonly paths: readonly string[];
}

interface Place {
  readonly tree: YamlTree;
  readonly words: Vocabulary;
  /** Where the workspace folder lies in its working tree. */
  readonly folder: string;
}

/** So many are offered at once. */
const OFFERED = 5;
/** What would mean something else in a pattern. */
const SPECIAL = /[*?[\]{}\\]|^[!~]/;

/** Declares what was written. */
export function declareFixes(
  { task, paths }: Undeclared,
  { tree, words, folder }: Place,
): readonly Fix[] {
  const top = folder === '' ? '' : `${folder}/`;
  const inFolder = paths
    .filter((path) => path.startsWith(top))
    .map((path) => path.slice(top.length));
  const sayable = inFolder.filter((path) => !SPECIAL.test(path)).slice(0, OFFERED);
  return sayable.flatMap((path) => {
    const edit = addToList({ tree, words }, { task, key: 'writes', value: path });
    const title = `Add "${path}" to the writes of "${task}"`;
    const kind = 'quickfix';
    return edit === undefined
      ? []
      : [{ title, kind, isPreferred: false, problem: undefined, edits: [edit] }];
  });
}
