/**
 * The shape of a YAML text, however broken: what a reader of the lines would take it for. Offsets
 * are into the text, and no part ends behind the end of its last line.
 */
export interface YamlTree {
  readonly text: string;
  readonly lines: readonly Line[];
  readonly root: YamlNode | undefined;
  /** From each "#" to the end of its line. */
  readonly comments: readonly Span[];
}

export interface Span {
  readonly start: number;
  readonly end: number;
}

/** One line without what ends it. */
export interface Line extends Span {
  /** Where something is written; its end where nothing is. */
  readonly content: number;
}

export type YamlNode = YamlScalar | YamlMap | YamlList;

export interface YamlScalar extends Span {
  readonly kind: 'scalar';
  readonly style: 'plain' | 'single' | 'double' | 'block';
}

export interface YamlMap extends Span {
  readonly kind: 'map';
  /** The column of its keys; nothing in brackets. */
  readonly indent: number | undefined;
  readonly isClosed: boolean;
  readonly pairs: YamlPair[];
}

export interface YamlList extends Span {
  readonly kind: 'list';
  /** The column of its dashes; nothing in brackets. */
  readonly indent: number | undefined;
  readonly isClosed: boolean;
  readonly items: YamlItem[];
}

export interface YamlPair extends Span {
  /** Empty where a colon stands alone. */
  readonly key: YamlScalar;
  /** Absent while a key is being typed. */
  readonly colon: number | undefined;
  readonly value: YamlNode | undefined;
}

/** From its dash, or in brackets what stands between two commas. */
export interface YamlItem extends Span {
  readonly value: YamlNode | undefined;
}

export function readLines(text: string): readonly Line[] {
  const lines: Line[] = [];
  let start = text.startsWith('\uFEFF') ? 1 : 0;
  for (;;) {
    const newline = text.indexOf('\n', start);
    const stop = newline < 0 ? text.length : newline;
    const end = stop > start && text[stop - 1] === '\r' ? stop - 1 : stop;
    let content = start;
    while (content < end && isBlank(text[content])) content += 1;
    lines.push({ start, content, end });
    if (newline < 0) return lines;
    start = newline + 1;
  }
}

export function isBlank(char: string | undefined): boolean {
  return char === ' ' || char === '\t';
}

/** The end of a span without the line breaks and the empty lines that it may end with. */
export function endOfText(text: string, { start, end }: Span): number {
  return start + text.slice(start, end).trimEnd().length;
}

/** What ends a word that could be a key or a dash. */
export function isGap(char: string | undefined): boolean {
  return char === undefined || char === ' ' || char === '\t' || char === '\n' || char === '\r';
}

const ESCAPES: Readonly<Record<string, string>> = {
  '0': '\0',
  a: '\u0007',
  b: '\b',
  e: '\u001B',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  N: '\u0085',
  _: '\u00A0',
  L: '\u2028',
  P: '\u2029',
};

/** What a key or a value in one line means: the text without its quotes. */
export function scalarText(text: string, { style, start, end }: YamlScalar): string {
  const written = text.slice(start, end);
  if (style === 'single') return unquoted(written, "'").replaceAll("''", "'");
  if (style !== 'double') return written;
  const escape = /\\(?:x[\da-fA-F]{2}|u[\da-fA-F]{4}|U[\da-fA-F]{8}|.)/gs;
  return unquoted(written, '"').replace(escape, meaningOf);
}

/** Of an escape: `\n`, `\x41`. */
function meaningOf(escape: string): string {
  const char = escape.slice(1);
  if (char.length === 1) return ESCAPES[char] ?? char;
  const code = Number.parseInt(escape.slice(2), 16);
  return code <= 0x10_ff_ff ? String.fromCodePoint(code) : '';
}

function unquoted(written: string, quote: string): string {
  const isClosed = written.length > 1 && written.endsWith(quote);
  return written.slice(1, isClosed ? -1 : undefined);
}
