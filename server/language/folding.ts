import type { PlanInFolder } from './plan-in-folder.ts';
import { endOfText, type Span, type YamlNode, type YamlPair, type YamlTree } from './yaml/tree.ts';
import { fileOf } from '../plans/plan-source.ts';

export interface Fold extends Span {
  readonly isComment: boolean;
  /** How many others it lies in; where not all are wanted, the deepest are left out first. */
  readonly depth: number;
}

/** Every key with what is below it, from sections and tasks to texts, and comments that belong together. */
export function foldsOfTree(tree: YamlTree): readonly Fold[] {
  const folds: Fold[] = [];
  const addNode = (node: YamlNode | undefined, depth: number): void => {
    if (node?.kind === 'map') for (const pair of node.pairs) addPair(pair, depth);
    if (node?.kind === 'list')
      for (const item of node.items) {
        if (item.value?.kind === 'map') add(item, depth);
        addNode(item.value, depth + 1);
      }
  };
  const addPair = (pair: YamlPair, depth: number): void => {
    add(pair, depth);
    addNode(pair.value, depth + 1);
  };
  const add = ({ start, end }: Span, depth: number): void => {
    folds.push({ start, end, isComment: false, depth });
  };
  addNode(tree.root, 0);
  return [...folds, ...foldsOfComments(tree)];
}

/** In a file that is no YAML: each task. */
export function foldsOfTasks(plan: PlanInFolder, file: string): readonly Fold[] {
  const text = plan.texts.get(file) ?? '';
  return plan.plan.tasks
    .filter(({ range }) => fileOf(range, plan) === file)
    .map(({ range }) => ({
      start: range.start,
      end: endOfText(text, range),
      isComment: false,
      depth: 0,
    }));
}

/** Runs of lines that are all comment. */
function foldsOfComments({ comments, lines }: YamlTree): readonly Fold[] {
  const runs: Fold[] = [];
  const starts = new Set(comments.map(({ start }) => start));
  let isRunning = false;
  for (const { content, end } of lines) {
    const isComment = starts.has(content);
    const run =
      isComment && isRunning ? runs.pop()! : { start: content, isComment: true, depth: 0 };
    if (isComment) runs.push({ ...run, end });
    isRunning = isComment;
  }
  return runs;
}
