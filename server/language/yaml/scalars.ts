import { isBlank, isGap, type Line, type Span, type YamlScalar } from './tree.ts';

/** What surrounds a value: nothing of it may stand further left than this column allows. */
export interface Surroundings {
  /** The column of the key or dash that it belongs to; -1 at the top. */
  readonly parent: number;
  readonly depth: number;
}

/** Walks through the lines of a text and reads what is written on them. */
export class Scanner {
  readonly text: string;
  readonly lines: readonly Line[];
  readonly comments: Span[] = [];
  at = 0;
  /** The line that `at` is in. */
  line = 0;

  constructor(text: string, lines: readonly Line[]) {
    this.text = text;
    this.lines = lines;
  }

  get here(): Line {
    return this.lines[this.line]!;
  }

  indentOf(index: number): number {
    const { start, content } = this.lines[index]!;
    return content - start;
  }

  isEmpty({ content, end }: Line): boolean {
    return content === end;
  }

  skipBlanks(): void {
    while (this.at < this.here.end && isBlank(this.text[this.at])) this.at += 1;
  }

  /** Whether a line may belong to a value that began on a line before it. */
  belongs(index: number, parent: number): boolean {
    const line = this.lines[index];
    if (line === undefined) return false;
    return this.isEmpty(line) || this.indentOf(index) > parent;
  }

  goTo(index: number): void {
    this.line = index;
    this.at = this.lines[index]?.content ?? this.text.length;
  }

  /** From a "#" to the end of the line. */
  comment(): void {
    this.comments.push({ start: this.at, end: this.here.end });
    this.at = this.here.end;
  }

  /** To the next line; whatever else is on this one is left out. */
  endLine(): void {
    for (; this.at < this.here.end; this.at += 1)
      if (this.text[this.at] === '#' && isGap(this.text[this.at - 1])) this.comment();
    this.goTo(this.line + 1);
  }

  /** Where the key that begins at an offset has its colon, if there is a key. */
  colonOf(from: number, { end }: Line): number | undefined {
    const { text } = this;
    const quote = text[from];
    if (quote === '"' || quote === "'") {
      const close = closingQuote(text, quote, { start: from + 1, end });
      let at = close === undefined ? end : close + 1;
      while (at < end && isBlank(text[at])) at += 1;
      return at < end && text[at] === ':' && isGap(text[at + 1]) ? at : undefined;
    }
    if (quote === '[' || quote === '{' || quote === '#') return undefined;
    for (let at = from; at < end; at += 1) {
      if (text[at] === '#' && isBlank(text[at - 1])) return undefined;
      if (text[at] === ':' && (at + 1 === end || isGap(text[at + 1]))) return at;
    }
    return undefined;
  }

  /** A text in quotes; one without its closing quote ends with its line. */
  quoted(parent: number): YamlScalar {
    const { text, at: start, line: first } = this;
    const style = text[start] === '"' ? 'double' : 'single';
    for (let index = first; index === first || this.belongs(index, parent); index += 1) {
      const { content, end } = this.lines[index]!;
      const searched = { start: index === first ? start + 1 : content, end };
      const close = closingQuote(text, text[start]!, searched);
      if (close === undefined) continue;
      this.line = index;
      this.at = close + 1;
      return { kind: 'scalar', style, start, end: this.at };
    }
    this.at = trimmedEnd(text, start, this.here.end);
    return { kind: 'scalar', style, start, end: this.at };
  }

  /** The lines below a "|" or ">". */
  block(parent: number): YamlScalar {
    const start = this.at;
    let end = trimmedEnd(this.text, start, this.here.end);
    const comment = this.text.slice(start, end).search(/\s#/);
    if (comment >= 0) {
      end = trimmedEnd(this.text, start, start + comment);
      this.at = start + comment;
    } else this.at = this.here.end;
    this.endLine();
    for (; this.belongs(this.line, parent); this.line += 1)
      if (!this.isEmpty(this.here)) ({ end } = this.here);
    this.goTo(this.line);
    return { kind: 'scalar', style: 'block', start, end };
  }

  /** A text without quotes, with the lines that go on with it. */
  plain(parent: number): YamlScalar {
    const start = this.at;
    let end = this.plainEnd(start);
    let hasComment = this.#isComment(end);
    for (let index = this.line + 1; !hasComment && this.belongs(index, parent); index += 1) {
      const line = this.lines[index]!;
      if (this.isEmpty(line)) continue;
      if (this.text[line.content] === '#' || this.colonOf(line.content, line) !== undefined) break;
      this.goTo(index);
      end = this.plainEnd(line.content);
      hasComment = this.#isComment(end);
    }
    this.at = end;
    return { kind: 'scalar', style: 'plain', start, end };
  }

  plainEnd(from: number): number {
    const { end } = this.here;
    for (let at = from; at < end; at += 1)
      if (this.text[at] === '#' && at > from && isBlank(this.text[at - 1]))
        return trimmedEnd(this.text, from, at);
    return trimmedEnd(this.text, from, end);
  }

  #isComment(end: number): boolean {
    return end < this.here.end && this.text.slice(end, this.here.end).trimStart().startsWith('#');
  }
}

export function trimmedEnd(text: string, start: number, end: number): number {
  let at = end;
  while (at > start && isGap(text[at - 1])) at -= 1;
  return at;
}

/** Where a text in quotes ends, if it does. */
function closingQuote(text: string, quote: string, { start, end }: Span): number | undefined {
  for (let at = start; at < end; at += 1) {
    if (quote === '"' && text[at] === '\\') at += 1;
    else if (text[at] === quote) {
      if (quote === '"' || text[at + 1] !== quote || at + 1 >= end) return at;
      at += 1;
    }
  }
  return undefined;
}
