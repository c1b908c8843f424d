import { refusePath } from '../domain/paths/relative-path.ts';
import { literalPath } from './definition.ts';
import { keyOf, pairsAt } from './yaml/find.ts';
import { OF_PLANS, type Vocabulary } from './vocabulary.ts';
import { scalarText, type Span, type YamlNode, type YamlPair, type YamlTree } from './yaml/tree.ts';

/** Something to be opened: an address, or a file of the folder, if it is there. */
export type Link = Span &
  (
    | { readonly kind: 'url'; readonly url: string }
    | { readonly kind: 'file'; readonly path: string }
  );

const URL = /https?:\/\/[^\s<>"'`{}|\\^[\]]*[^\s<>"'`{}|\\^[\].,;:!?)]/g;
/** A path of at least two names, which no ordinary word of a command is. */
const PATH = /(?<![\w./$*~@+-])(?:\.\/)?[\w.@+][\w.@+-]*(?:\/[\w.@+-]+)+(?![\w/*$-])/g;

/** The links of all tasks, in the order of the text. */
export function linksOf(tree: YamlTree, { base }: Vocabulary = OF_PLANS): readonly Link[] {
  const tasks =
    base.length === 0 ? pairsAt(tree, ['tasks']).map(({ value }) => value) : [tree.root];
  return tasks.flatMap((value) => {
    if (value?.kind !== 'map') return [];
    const folder = folderOf(tree, value.pairs);
    return value.pairs.flatMap((pair) => linksOfKey(tree, pair, folder));
  });
}

function linksOfKey(tree: YamlTree, pair: YamlPair, folder: string): readonly Link[] {
  if (pair.value === undefined) return [];
  switch (keyOf(tree, pair)) {
    case 'title':
    case 'description':
    case 'prompt':
      return urlsIn(tree.text, pair.value);
    case 'reads':
    case 'writes':
      return itemsOf(pair.value).flatMap((node) => patternLink(tree, node));
    case 'run':
      return pathsIn(tree.text, pair.value, folder);
    default:
      return [];
  }
}

/** What the paths of a task's command count from. */
function folderOf(tree: YamlTree, pairs: readonly YamlPair[]): string {
  const written = pairs.findLast((pair) => keyOf(tree, pair) === 'cwd');
  const value = (
    written ?? pairsAt(tree, ['defaults']).findLast((pair) => keyOf(tree, pair) === 'cwd')
  )?.value;
  const cwd = value?.kind === 'scalar' ? scalarText(tree.text, value) : '';
  return cwd === '' || cwd === '.' ? '' : `${cwd.replace(/^\.\//, '').replace(/\/$/, '')}/`;
}

function urlsIn(text: string, { start, end }: Span): readonly Link[] {
  return Array.from(text.slice(start, end).matchAll(URL), ({ 0: url, index }) => ({
    kind: 'url',
    url,
    start: start + index,
    end: start + index + url.length,
  }));
}

function patternLink({ text }: YamlTree, node: YamlNode): readonly Link[] {
  if (node.kind !== 'scalar' || node.style === 'block') return [];
  const path = literalPath(scalarText(text, node));
  return path === undefined ? [] : [{ kind: 'file', path, start: node.start, end: node.end }];
}

function pathsIn(text: string, { start, end }: Span, folder: string): readonly Link[] {
  return Array.from(text.slice(start, end).matchAll(PATH)).flatMap(({ 0: word, index }) => {
    const path = folder + word.replace(/^\.\//, '');
    const place = { start: start + index, end: start + index + word.length };
    return refusePath(path) === undefined ? { kind: 'file', path, ...place } : [];
  });
}

function itemsOf(node: YamlNode): readonly YamlNode[] {
  return node.kind === 'list' ? node.items.flatMap(({ value }) => value ?? []) : [];
}
