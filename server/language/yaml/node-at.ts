import {
  isBlank,
  type Line,
  scalarText,
  type Span,
  type YamlItem,
  type YamlList,
  type YamlMap,
  type YamlNode,
  type YamlPair,
  type YamlScalar,
  type YamlTree,
} from './tree.ts';

type YamlPath = readonly (string | number)[];

/** What an editor's cursor stands at. */
export interface YamlPlace {
  /**
   * The keys and the numbers of items that lead here from the top. Of a key: to the mapping that it
   * is in. Of a value: its key is the last one. Of an item: its number is.
   */
  readonly path: YamlPath;
  readonly role: 'key' | 'value' | 'item';
  /** What is written, with its quotes; empty at the cursor where nothing is written yet. */
  readonly range: Span;
  /** What is written, without quotes. */
  readonly text: string;
  readonly style: YamlScalar['style'];
  readonly isInBrackets: boolean;
  /** First on its line: a value here may turn out to be a key, and an item needs a dash if `needsDash`. */
  readonly isAtLineStart: boolean;
  /** An item would be here, once it has its dash. */
  readonly needsDash: boolean;
  /** The mapping of a key or a value, the list of an item; nothing around the value of a text. */
  readonly around: YamlMap | YamlList | undefined;
}

/**
 * What is at an offset, or what would be if something were typed there. Nothing in comments, in
 * texts below "|", and where nothing could be typed that means something.
 */
export function nodeAt(tree: YamlTree, offset: number): YamlPlace | undefined {
  if (isInComment(tree, offset)) return undefined;
  const line = lineAt(tree, offset);
  const finder = new Finder(tree, { offset, line });
  if (line.content === line.end) return finder.open(offset - line.start);
  return offset < line.content ? undefined : finder.written();
}

/** The line that an offset is in. */
function lineAt({ lines }: YamlTree, offset: number): Line {
  return lines[lastBefore(lines, offset)] ?? lines[0]!;
}

/** The last that begins at an offset or before it; -1 if none does. */
export function lastBefore(spans: readonly Span[], offset: number): number {
  let low = -1;
  let high = spans.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (spans[middle]!.start <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}

function isInComment({ comments }: YamlTree, offset: number): boolean {
  const comment = comments[lastBefore(comments, offset)];
  return comment !== undefined && offset <= comment.end;
}

/** What is known of a place while it is looked for. */
interface Spot {
  readonly path: YamlPath;
  readonly role: YamlPlace['role'];
  readonly around: YamlPlace['around'];
}

class Finder {
  readonly #tree: YamlTree;
  readonly #offset: number;
  readonly #line: Line;

  constructor(tree: YamlTree, { offset, line }: { readonly offset: number; readonly line: Line }) {
    this.#tree = tree;
    this.#offset = offset;
    this.#line = line;
  }

  /** On a line where something is written. */
  written(): YamlPlace | undefined {
    const { root } = this.#tree;
    return root && this.#inNode(root, { path: [], role: 'value', around: undefined });
  }

  /** On an empty line: by the column, what is above it goes on there. */
  open(column: number): YamlPlace | undefined {
    const spot: Spot = { path: [], role: 'value', around: undefined };
    const { root } = this.#tree;
    return root === undefined ? this.#nothing(spot) : this.#openIn(root, spot, column);
  }

  #inNode(node: YamlNode, spot: Spot): YamlPlace | undefined {
    if (this.#offset < node.start) return undefined;
    if (node.kind === 'scalar') return this.#touches(node) ? this.#scalar(node, spot) : undefined;
    if (node.indent === undefined) return this.#inBrackets(node, spot);
    if (node.kind === 'map') return this.#inPairs(node, spot);
    const index = lastBefore(node.items, this.#offset);
    const item = node.items[index];
    if (item === undefined) return undefined;
    const inner: Spot = { path: [...spot.path, index], role: 'item', around: node };
    if (item.value === undefined) return this.#behind(item.start, inner);
    return this.#inNode(item.value, inner);
  }

  #inPairs(node: YamlMap, spot: Spot): YamlPlace | undefined {
    const pair = node.pairs[lastBefore(node.pairs, this.#offset)];
    return pair && this.#inPair(pair, node, spot);
  }

  #inPair(pair: YamlPair, around: YamlMap, { path }: Spot): YamlPlace | undefined {
    const { key, colon, value } = pair;
    if (this.#touches(key)) return this.#scalar(key, { path, role: 'key', around });
    const inner: Spot = { path: [...path, this.#textOf(key)], role: 'value', around };
    if (value !== undefined) return this.#inNode(value, inner);
    return colon === undefined ? undefined : this.#behind(colon, inner);
  }

  /** Behind a dash or a colon that nothing follows yet. */
  #behind(mark: number, spot: Spot): YamlPlace | undefined {
    const isHere = mark >= this.#line.start && this.#offset > mark;
    return isHere && this.#isBlankFrom(mark + 1) ? this.#nothing(spot) : undefined;
  }

  #inBrackets(node: YamlMap | YamlList, spot: Spot): YamlPlace | undefined {
    const hasBrackets = '[{'.includes(this.#tree.text[node.start] ?? '');
    if (hasBrackets && this.#offset === node.start) return undefined;
    if (this.#offset > node.end || (hasBrackets && node.isClosed && this.#offset === node.end))
      return undefined;
    return node.kind === 'map' ? this.#inFlowMap(node, spot) : this.#inFlowList(node, spot);
  }

  #inFlowMap(node: YamlMap, spot: Spot): YamlPlace | undefined {
    const pair = node.pairs[lastBefore(node.pairs, this.#offset)];
    const { colon, value, end } = pair ?? {};
    if (pair !== undefined && this.#offset <= (end ?? 0) && !isEmptyEntry(pair))
      return this.#inPair(pair, node, spot);
    if (colon !== undefined && value === undefined && this.#isBlankFrom(colon + 1))
      return this.#nothing({
        path: [...spot.path, this.#textOf(pair!.key)],
        role: 'value',
        around: node,
      });
    return this.#isFreeBehind(pair, node)
      ? this.#nothing({ path: spot.path, role: 'key', around: node })
      : undefined;
  }

  #inFlowList(node: YamlList, spot: Spot): YamlPlace | undefined {
    const index = lastBefore(node.items, this.#offset);
    const item = node.items[index];
    const at = (number: number): Spot => {
      const path = [...spot.path, number];
      return { path, role: 'item', around: node };
    };
    if (item?.value !== undefined && this.#touches(item.value))
      return this.#inNode(item.value, at(index));
    if (!this.#isFreeBehind(item, node)) return undefined;
    const isInIt = item !== undefined && this.#offset <= item.end;
    return this.#nothing(at(isInIt ? index : index + 1));
  }

  /** Whether there is a place for another entry: between two commas, or behind the last. */
  #isFreeBehind(last: YamlItem | YamlPair | undefined, { start }: Span): boolean {
    const { text } = this.#tree;
    const isWritten = last !== undefined && !isEmptyEntry(last) && this.#offset >= last.end;
    const from = last === undefined ? start + 1 : isWritten ? last.end : last.start;
    const before = text.slice(from, this.#offset).replaceAll(/#.*/g, '');
    if (/[^\s,]/.test(before) || (isWritten && !before.includes(','))) return false;
    return /^[ \t]*(?:[,\]}#\r\n]|$)/.test(text.slice(this.#offset, this.#line.end + 1));
  }

  #openIn(node: YamlNode, spot: Spot, column: number): YamlPlace | undefined {
    if (node.kind === 'scalar') return undefined;
    if (node.indent === undefined) return this.#inBrackets(node, spot);
    if (column < node.indent) return undefined;
    return node.kind === 'map'
      ? this.#openInMap(node, spot, column)
      : this.#openInList(node, spot, column);
  }

  #openInMap(node: YamlMap, { path }: Spot, column: number): YamlPlace | undefined {
    if (column === node.indent) return this.#nothing({ path, role: 'key', around: node });
    const pair = node.pairs[lastBefore(node.pairs, this.#offset)];
    if (pair?.colon === undefined) return undefined;
    const inner: Spot = { path: [...path, this.#textOf(pair.key)], role: 'value', around: node };
    return pair.value === undefined
      ? this.#nothing(inner)
      : this.#openIn(pair.value, inner, column);
  }

  #openInList(node: YamlList, { path }: Spot, column: number): YamlPlace | undefined {
    const index = lastBefore(node.items, this.#offset);
    const item = node.items[index];
    if (column === node.indent) {
      const spot: Spot = { path: [...path, index + 1], role: 'item', around: node };
      return { ...this.#nothing(spot), needsDash: true };
    }
    if (item === undefined) return undefined;
    const inner: Spot = { path: [...path, index], role: 'item', around: node };
    return item.value === undefined
      ? this.#nothing(inner)
      : this.#openIn(item.value, inner, column);
  }

  #scalar(scalar: YamlScalar, spot: Spot): YamlPlace | undefined {
    if (scalar.style === 'block') return undefined;
    const { start, end, style } = scalar;
    return this.#place(spot, { range: { start, end }, text: this.#textOf(scalar), style });
  }

  #nothing(spot: Spot): YamlPlace {
    const range = { start: this.#offset, end: this.#offset };
    return this.#place(spot, { range, text: '', style: 'plain' });
  }

  #place(
    { path, role, around }: Spot,
    what: Pick<YamlPlace, 'range' | 'text' | 'style'>,
  ): YamlPlace {
    const isInBrackets = around !== undefined && around.indent === undefined;
    const { text } = this.#tree;
    const { start } = lineAt(this.#tree, what.range.start);
    const isAtLineStart = text.slice(start, what.range.start).trim() === '';
    return { path, role, ...what, isInBrackets, isAtLineStart, needsDash: false, around };
  }

  #isBlankFrom(start: number): boolean {
    for (let at = start; at < this.#offset; at += 1)
      if (!isBlank(this.#tree.text[at])) return false;
    return true;
  }

  #textOf(scalar: YamlScalar): string {
    return scalarText(this.#tree.text, scalar);
  }

  #touches({ start, end }: Span): boolean {
    return start <= this.#offset && this.#offset <= end;
  }
}

function isEmptyEntry(entry: YamlItem | YamlPair): boolean {
  if (entry.value !== undefined) return false;
  return !('key' in entry) || (entry.colon === undefined && entry.key.start === entry.key.end);
}
