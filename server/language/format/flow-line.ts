import type { YamlList, YamlMap, YamlNode, YamlPair } from '../yaml/tree.ts';

/** How a collection in brackets on one line is to be written; nothing where that is not certain. */
export function flowLine(text: string, node: YamlMap | YamlList): string | undefined {
  const written = text.slice(node.start, node.end);
  const line = render(text, node);
  return withoutBlanks(line) === withoutBlanks(written) ? line : undefined;
}

function render(text: string, node: YamlNode): string {
  if (node.kind === 'scalar') return text.slice(node.start, node.end);
  if (node.kind === 'list') {
    const items = node.items.map(({ value }) => (value === undefined ? '' : render(text, value)));
    return `[${items.join(', ')}${lastComma(text, node)}]`;
  }
  const pairs = node.pairs.map((pair) => renderPair(text, pair)).join(', ');
  // In a list, one pair needs no brackets.
  if (text[node.start] !== '{') return pairs;
  return pairs === '' ? '{}' : `{ ${pairs}${lastComma(text, node)} }`;
}

function renderPair(text: string, { key, colon, value }: YamlPair): string {
  const name = text.slice(key.start, key.end);
  if (colon === undefined) return name;
  return value === undefined ? `${name}:` : `${name}: ${render(text, value)}`;
}

function lastComma(text: string, { start, end }: YamlNode): string {
  return /,[ \t]*[\]}]$/.test(text.slice(start, end)) ? ',' : '';
}

function withoutBlanks(text: string): string {
  return text.replaceAll(/[ \t]/g, '');
}
