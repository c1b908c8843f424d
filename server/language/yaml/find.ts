import { scalarText, type YamlMap, type YamlNode, type YamlPair, type YamlTree } from './tree.ts';

/** The pair that a path of keys leads to. Of keys that are there twice, the later one. */
export function pairAt(tree: YamlTree, keys: readonly string[]): YamlPair | undefined {
  let node: YamlNode | undefined = tree.root;
  let found: YamlPair | undefined;
  for (const key of keys) {
    if (node?.kind !== 'map') return undefined;
    found = node.pairs.findLast((pair) => keyOf(tree, pair) === key);
    node = found?.value;
  }
  return found;
}

/** The pairs of the mapping at a path; none where there is no mapping. */
export function pairsAt(tree: YamlTree, keys: readonly string[]): YamlMap['pairs'] {
  const node = keys.length === 0 ? tree.root : pairAt(tree, keys)?.value;
  return node?.kind === 'map' ? node.pairs : [];
}

export function keyOf({ text }: YamlTree, { key }: YamlPair): string {
  return scalarText(text, key);
}
