import { type Scanner, type Surroundings, trimmedEnd } from './scalars.ts';
import {
  isGap,
  type YamlItem,
  type YamlMap,
  type YamlNode,
  type YamlPair,
  type YamlScalar,
} from './tree.ts';

/** A plan nests less deep; what does is one text to us. */
const DEPTH_LIMIT = 60;

/** What begins with a bracket, to the one that closes it, or as far as it can go without. */
export function readFlow(scanner: Scanner, { parent, depth }: Surroundings): YamlNode {
  return new FlowReader(scanner, parent).node(depth);
}

/** What stands between two commas. */
interface Entry {
  readonly start: number;
  readonly first: YamlNode | undefined;
  readonly colon: number | undefined;
  readonly value: YamlNode | undefined;
  readonly end: number;
}

class FlowReader {
  readonly #in: Scanner;
  readonly #parent: number;
  /** What would close each bracket that is open. */
  readonly #closers: string[] = [];

  constructor(scanner: Scanner, parent: number) {
    this.#in = scanner;
    this.#parent = parent;
  }

  node(depth: number): YamlNode {
    const char = this.#char;
    if (char === '"' || char === "'") return this.#in.quoted(this.#parent);
    if (char !== '[' && char !== '{') return this.#plain();
    return depth > DEPTH_LIMIT ? this.#restOfLine() : this.#collection(depth);
  }

  #collection(depth: number): YamlNode {
    const start = this.#in.at;
    const isMap = this.#char === '{';
    const entries: Entry[] = [];
    this.#closers.push(isMap ? '}' : ']');
    this.#in.at += 1;
    let slot = this.#in.at;
    let isClosed = false;
    while (this.#skip()) {
      if (isCloser(this.#char)) {
        isClosed = this.#closes();
        break;
      }
      if (this.#char === ',') entries.push(nothingAt(slot, this.#in.at));
      else entries.push(this.#entry(depth));
      if (this.#skip() && this.#char === ',') this.#in.at += 1;
      slot = this.#in.at;
    }
    this.#closers.pop();
    if (isClosed) this.#in.at += 1;
    const common = { indent: undefined, isClosed, start, end: this.#in.at };
    return isMap
      ? { kind: 'map', ...common, pairs: entries.map(toPair) }
      : { kind: 'list', ...common, items: entries.map(toItem) };
  }

  /** Not where it closes another bracket, and the one for this was forgotten. */
  #closes(): boolean {
    return this.#char === this.#closers.at(-1) || !this.#closers.includes(this.#char ?? '');
  }

  #entry(depth: number): Entry {
    const scanner = this.#in;
    const start = scanner.at;
    if (this.#char === '\r') {
      // Alone, it is a line end to some and a blank to us: neither begins anything.
      scanner.at += 1;
      return nothingAt(start, start);
    }
    if (this.#char === '?' && isGap(scanner.text[start + 1])) {
      scanner.at += 1;
      this.#skip();
    }
    const isKeyed = !this.#isColon(false);
    const isOpen = isKeyed && !isCloser(this.#char) && this.#char !== ',';
    const first = isOpen && scanner.at < scanner.here.end ? this.node(depth + 1) : undefined;
    const end = scanner.at;
    scanner.skipBlanks();
    const isPlain = first?.kind === 'scalar' && first.style === 'plain';
    if (!this.#isColon(first !== undefined && !isPlain)) {
      scanner.at = end;
      return { start, first, colon: undefined, value: undefined, end };
    }
    const colon = scanner.at;
    scanner.at += 1;
    const isThere = this.#skip() && !isCloser(this.#char) && this.#char !== ',';
    const value = isThere ? this.node(depth + 1) : undefined;
    return { start, first, colon, value, end: value?.end ?? colon + 1 };
  }

  /** A text without quotes, with the lines that go on with it. */
  #plain(): YamlScalar {
    const scanner = this.#in;
    const start = scanner.at;
    let end = this.#plainEnd();
    for (let next = scanner.line + 1; end === this.#endOfLine(); next += 1) {
      const line = scanner.lines[next];
      if (line === undefined || !scanner.belongs(next, this.#parent)) break;
      if (scanner.isEmpty(line)) continue;
      if (/[,[\]{}#"'?:]/.test(scanner.text[line.content] ?? '')) break;
      if (scanner.colonOf(line.content, line) !== undefined) break;
      scanner.goTo(next);
      end = this.#plainEnd();
    }
    scanner.at = end;
    return { kind: 'scalar', style: 'plain', start, end };
  }

  #plainEnd(): number {
    const { text, at: start, here } = this.#in;
    let at = start;
    for (; at < here.end; at += 1) {
      const char = text[at]!;
      if (at > start && ',[]{}'.includes(char)) break;
      if (char === '#' && at > start && isGap(text[at - 1])) break;
      if (at > start && char === ':' && endsKey(text[at + 1])) break;
    }
    return trimmedEnd(text, start, at);
  }

  #endOfLine(): number {
    return trimmedEnd(this.#in.text, this.#in.here.start, this.#in.here.end);
  }

  #restOfLine(): YamlScalar {
    const start = this.#in.at;
    this.#in.at = this.#in.here.end;
    return { kind: 'scalar', style: 'plain', start, end: this.#in.at };
  }

  get #char(): string | undefined {
    return this.#in.text[this.#in.at];
  }

  /** In front of a colon that parts a key from its value. */
  #isColon(isAnywhere: boolean): boolean {
    return this.#char === ':' && (isAnywhere || endsKey(this.#in.text[this.#in.at + 1]));
  }

  /** To what comes next inside of the brackets; whether there is anything. */
  #skip(): boolean {
    const scanner = this.#in;
    let from = { line: scanner.line, at: scanner.at };
    for (;;) {
      scanner.skipBlanks();
      const isComment = this.#char === '#' && isGap(scanner.text[scanner.at - 1]);
      if (scanner.at < scanner.here.end && !isComment) return true;
      if (isComment) {
        scanner.comment();
        from = { line: scanner.line, at: scanner.at };
      }
      if (!this.#goesOn(scanner.line + 1)) break;
      scanner.goTo(scanner.line + 1);
    }
    // Empty lines at the end are whoever's they look like.
    if (scanner.here.content === scanner.here.end) {
      scanner.line = from.line;
      scanner.at = Math.max(from.at, scanner.here.end);
    }
    return false;
  }

  #goesOn(index: number): boolean {
    const { lines, text } = this.#in;
    const line = lines[index];
    if (line === undefined) return false;
    if (this.#in.belongs(index, this.#parent)) return true;
    return isCloser(text[line.content]) && this.#in.indentOf(index) >= this.#parent;
  }
}

function nothingAt(start: number, end: number): Entry {
  return { start, first: undefined, colon: undefined, value: undefined, end };
}

function toPair({ start, first, colon, value, end }: Entry): YamlPair {
  const span = { start: first?.start ?? start, end: first?.end ?? colon ?? start };
  const key: YamlScalar =
    first?.kind === 'scalar' ? first : { kind: 'scalar', style: 'plain', ...span };
  return { key, colon, value, start, end };
}

function toItem(entry: Entry): YamlItem {
  const { start, first, colon, end } = entry;
  if (colon === undefined) return { start, value: first, end };
  const pairs = [toPair(entry)];
  const value: YamlMap = { kind: 'map', indent: undefined, isClosed: true, pairs, start, end };
  return { start, value, end };
}

function isCloser(char: string | undefined): boolean {
  return char === ']' || char === '}';
}

function endsKey(char: string | undefined): boolean {
  return isGap(char) || ',[]{}'.includes(char ?? '');
}
