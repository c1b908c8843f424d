import { readFlow } from './flow.ts';
import { Scanner, type Surroundings, trimmedEnd } from './scalars.ts';
import {
  isGap,
  readLines,
  type YamlItem,
  type YamlList,
  type YamlMap,
  type YamlNode,
  type YamlPair,
  type YamlScalar,
  type YamlTree,
} from './tree.ts';

/** A plan nests less deep; what does is one text to us. */
const DEPTH_LIMIT = 60;

/**
 * Reads a text as YAML of the kind that plans are written in. Never throws: what is half typed is
 * read as what it is about to be, by its indentation and by what stands around it. Takes time in
 * proportion to the text.
 */
export function readTree(text: string): YamlTree {
  const scanner = new Scanner(text, readLines(text));
  const reader = new BlockReader(scanner);
  scanner.goTo(0);
  const root = reader.below({ parent: -1, depth: 0 }, -1);
  return { text, lines: scanner.lines, root, comments: scanner.comments };
}

class BlockReader {
  readonly #in: Scanner;

  constructor(scanner: Scanner) {
    this.#in = scanner;
  }

  /** What is on the next lines, indented at least so far; lists may be less indented than that. */
  below(around: Surroundings, listFrom: number): YamlNode | undefined {
    this.#toContent();
    const { lines, line } = this.#in;
    if (line >= lines.length) return undefined;
    const column = this.#in.indentOf(line);
    const isInside = column > around.parent || (this.#isDash() && column >= listFrom);
    return isInside ? this.#node(column, around) : undefined;
  }

  /** What begins here, in this column. */
  #node(column: number, around: Surroundings): YamlNode | undefined {
    const inner = { parent: around.parent, depth: around.depth + 1 };
    if (inner.depth > DEPTH_LIMIT) return this.#leftOut(around);
    if (this.#isDash()) return this.#list(column, inner);
    if (this.#isKey() || this.#isHalfTyped(column)) return this.#map(column, inner);
    return this.#inline(inner);
  }

  #map(indent: number, { depth }: Surroundings): YamlMap {
    const pairs: YamlPair[] = [];
    const start = this.#in.at;
    const around = { parent: indent, depth };
    do {
      pairs.push(this.#pair(around));
      this.#takeStray(pairs, around);
    } while (this.#isAt(indent) && !this.#isDash());
    const end = pairs.at(-1)!.end;
    return { kind: 'map', indent, isClosed: true, pairs, start, end };
  }

  /** Lines that are indented as no line should be belong to what is above them. */
  #takeStray(pairs: YamlPair[], around: Surroundings): void {
    this.#toContent();
    while (this.#isInside(around.parent) || (this.#isAt(around.parent) && this.#isDash())) {
      const last = pairs.pop()!;
      const stray = this.below(around, around.parent);
      const value = stray === undefined ? last.value : merged(last.value, stray);
      pairs.push({ ...last, value, end: Math.max(last.end, value?.end ?? 0) });
      this.#toContent();
    }
  }

  #pair(around: Surroundings): YamlPair {
    const scanner = this.#in;
    const start = scanner.at;
    const isExplicit = scanner.text[start] === '?' && isGap(scanner.text[start + 1]);
    if (isExplicit) {
      scanner.at += 1;
      scanner.skipBlanks();
    }
    const colon = scanner.colonOf(scanner.at, scanner.here);
    const key = this.#key(colon, around);
    if (colon !== undefined) return this.#valued(start, { key, colon }, around);
    scanner.endLine();
    this.#toContent();
    const isNext = this.#isAt(around.parent) && scanner.text[scanner.at] === ':';
    if (isExplicit && isNext && isGap(scanner.text[scanner.at + 1]))
      return this.#valued(start, { key, colon: scanner.at }, around);
    const value = this.below(around, around.parent);
    return { key, colon, value, start, end: value?.end ?? Math.max(key.end, start + 1) };
  }

  #key(colon: number | undefined, { parent }: Surroundings): YamlScalar {
    const scanner = this.#in;
    const quote = scanner.text[scanner.at];
    if (quote === '"' || quote === "'") return scanner.quoted(parent);
    const start = scanner.at;
    const end = colon ?? scanner.plainEnd(start);
    scanner.at = trimmedEnd(scanner.text, start, end);
    return { kind: 'scalar', style: 'plain', start, end: scanner.at };
  }

  /** The pair whose colon is known. */
  #valued(
    start: number,
    { key, colon }: { readonly key: YamlScalar; readonly colon: number },
    around: Surroundings,
  ): YamlPair {
    const scanner = this.#in;
    scanner.at = colon + 1;
    scanner.skipBlanks();
    // Behind a colon on a line of its own, keys may follow as they do behind a dash.
    const isOwnLine = colon === scanner.here.content;
    const column = scanner.at - scanner.here.start;
    const written = (): YamlNode | undefined =>
      isOwnLine ? this.#node(column, around) : this.#inline(around);
    const value = this.#isLineDone() ? this.#onNextLine(around) : written();
    return { key, colon, value, start, end: value?.end ?? colon + 1 };
  }

  #onNextLine(around: Surroundings): YamlNode | undefined {
    this.#in.endLine();
    return this.below(around, around.parent);
  }

  #list(indent: number, { depth }: Surroundings): YamlList {
    const items: YamlItem[] = [];
    const { at: start } = this.#in;
    const around = { parent: indent, depth };
    do {
      items.push(this.#item(around));
      this.#toContent();
      // What is indented too far for the last item is no item either.
      while (this.#isInside(indent)) {
        const last = items.pop()!;
        const stray = this.below(around, indent + 1);
        const value = stray === undefined ? last.value : merged(last.value, stray);
        items.push({ start: last.start, end: value?.end ?? last.end, value });
        this.#toContent();
      }
    } while (this.#isAt(indent) && this.#isDash());
    return { kind: 'list', indent, isClosed: true, items, start, end: items.at(-1)!.end };
  }

  #item(around: Surroundings): YamlItem {
    const scanner = this.#in;
    const start = scanner.at;
    scanner.at += 1;
    scanner.skipBlanks();
    const column = scanner.at - scanner.here.start;
    if (this.#isLineDone()) scanner.endLine();
    else {
      const value = this.#node(column, around);
      return { start, end: value?.end ?? start + 1, value };
    }
    const value = this.below(around, around.parent + 1);
    return { start, end: value?.end ?? start + 1, value };
  }

  /** A value that begins on this line, and is no mapping by indentation. */
  #inline(around: Surroundings): YamlNode {
    const scanner = this.#in;
    const char = scanner.text[scanner.at];
    const rest = scanner.text.slice(scanner.at, Math.min(scanner.here.end, scanner.at + 200));
    if (/^[|>][-+\d]{0,3}\s*(?:\s#.*)?$/.test(rest)) return scanner.block(around.parent);
    const node = this.#ofLine(char, around);
    scanner.endLine();
    return node;
  }

  #ofLine(char: string | undefined, around: Surroundings): YamlNode {
    if (char === '"' || char === "'") return this.#in.quoted(around.parent);
    if (char === '[' || char === '{') return readFlow(this.#in, around);
    return this.#in.plain(around.parent);
  }

  /** The line of something too deep; the lines below it come one by one. */
  #leftOut({ parent }: Surroundings): YamlScalar {
    const node = this.#in.plain(parent);
    this.#in.endLine();
    return node;
  }

  #toContent(): void {
    const scanner = this.#in;
    for (; scanner.line < scanner.lines.length; scanner.goTo(scanner.line + 1)) {
      const { here } = scanner;
      scanner.at = here.content;
      if (scanner.isEmpty(here)) continue;
      if (scanner.text[here.content] === '#') scanner.comment();
      else if (!isMarker(scanner.text.slice(here.start, here.start + 4))) return;
    }
  }

  #isAt(column: number): boolean {
    return this.#in.line < this.#in.lines.length && this.#in.indentOf(this.#in.line) === column;
  }

  #isInside(column: number): boolean {
    return this.#in.line < this.#in.lines.length && this.#in.indentOf(this.#in.line) > column;
  }

  #isDash(): boolean {
    const { text, at } = this.#in;
    return text[at] === '-' && isGap(text[at + 1]);
  }

  #isKey(): boolean {
    const { text, at, here } = this.#in;
    return (text[at] === '?' && isGap(text[at + 1])) || this.#in.colonOf(at, here) !== undefined;
  }

  /** Whether a word without a colon has keys below it, in the same column. */
  #isHalfTyped(column: number): boolean {
    const { lines, text, line } = this.#in;
    if (/["'[{|>#]/.test(text[this.#in.at] ?? '')) return false;
    for (let index = line + 1; index < lines.length; index += 1) {
      const below = lines[index]!;
      if (this.#in.isEmpty(below) || text[below.content] === '#') continue;
      const indent = this.#in.indentOf(index);
      if (indent < column) return false;
      if (indent === column) return this.#in.colonOf(below.content, below) !== undefined;
    }
    return false;
  }

  #isLineDone(): boolean {
    const { text, at, here } = this.#in;
    return at >= here.end || text[at] === '#';
  }
}

/** Keys that are indented wrongly are still keys of what is above them; otherwise the later counts. */
function merged(above: YamlNode | undefined, stray: YamlNode): YamlNode {
  if (above?.kind === 'map' && stray.kind === 'map' && above.indent !== undefined)
    return { ...above, pairs: [...above.pairs, ...stray.pairs], end: stray.end };
  return above === undefined || stray.kind !== 'scalar' ? stray : above;
}

/** Where a document begins or ends, or says of which version it is. */
function isMarker(lineStart: string): boolean {
  return /^(?:(?:---|\.\.\.)\s?$|%)/.test(lineStart);
}
