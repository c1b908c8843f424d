/** Choices that follow from a number. */
export class Choices {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  /** From zero, below the limit. */
  next(limit: number): number {
    this.#state = (this.#state + 0x6d_2b_79_f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  }

  isSo(chances = 2): boolean {
    return this.next(chances) === chances - 1;
  }

  of<T>(choices: readonly T[]): T {
    return choices[this.next(choices.length)]!;
  }
}

interface Hands {
  /** What the plan says, and in which words. */
  readonly content: Choices;
  /** How it is written; nothing writes it as a formatter does. */
  readonly layout?: Choices;
  /** Whether comments stand in columns that belong to nothing. */
  readonly areCommentsOdd?: boolean;
}

const WORDS = [
  'x',
  'build',
  'a b',
  'src/**',
  '10m',
  '3',
  'null',
  'a#b',
  "it's",
  '"q: [1]"',
  "'s, #'",
];
const KEYS = ['run', 'writes', 'depends_on', 'title', 'env', '"quoted key"', 'reads', 'x y'];
const TEXT = ['echo one', '  deeper', '# no comment', '- no item', 'key: no key', '\ttab', '[', ''];
const FAR = 12;
const SECTIONS = ['version', 'name', 'limits', 'hazards', 'defaults', 'agents', 'other', 'more'];

/** A plan with everything that plans are written with, tidy or not. */
export function writtenPlan(hands: Hands): string {
  return new PlanWriter(hands).write();
}

class PlanWriter {
  readonly #content: Choices;
  readonly #layout: Choices | undefined;
  readonly #areCommentsOdd: boolean;
  #text = '';
  /** Comments further right would be part of the text before them. */
  #commentLimit = FAR;
  /** Empty lines would be part of the text before them. */
  #isOpen = false;

  constructor({ content, layout, areCommentsOdd = false }: Hands) {
    this.#content = content;
    this.#layout = layout;
    this.#areCommentsOdd = areCommentsOdd;
  }

  write(): string {
    this.#spareLines(this.#any(3));
    const keys = SECTIONS.filter(() => this.#content.isSo(4));
    this.#map(0, [...keys, 'tasks'], 2);
    if (this.#content.isSo()) this.#comment(0);
    this.#spareLines(this.#any(3));
    return this.#text;
  }

  /** How far something is pushed; nothing in a tidy plan. */
  #any(limit: number): number {
    return this.#layout?.next(limit) ?? 0;
  }

  #map(column: number, keys: readonly string[], depth: number): void {
    keys.forEach((key, index) => {
      if (index > 0) this.#before(column);
      this.#pair(column, key, depth);
    });
  }

  /** What may stand above a line. */
  #before(column: number): void {
    if (this.#content.isSo(5)) this.#spareLines(1 + this.#any(3));
    if (this.#content.isSo(4)) {
      this.#comment(column);
      if (this.#content.isSo(4)) this.#spareLines(1 + this.#any(2));
    }
    this.#text += ' '.repeat(column);
    this.#isOpen = false;
    this.#commentLimit = FAR;
  }

  #spareLines(count: number): void {
    if (this.#isOpen) return;
    // Behind a text, more blanks than it is indented by would be part of it.
    const limit = this.#commentLimit === FAR ? 4 : 2;
    for (let index = 0; index < count; index += 1)
      this.#text += `${' '.repeat(this.#any(limit))}\n`;
  }

  #comment(column: number): void {
    const isOdd = this.#areCommentsOdd && this.#commentLimit > 0;
    const at = isOdd ? this.#any(this.#commentLimit) : column;
    this.#text += `${' '.repeat(at)}# ${this.#content.of(['one', 'two: [', "isn't", '"'])}`;
    this.#endLine();
    this.#isOpen = false;
  }

  #endLine(): void {
    this.#text += `${' '.repeat(this.#any(3))}\n`;
  }

  #lineWithComment(): void {
    if (this.#content.isSo(5)) this.#text += '  # behind';
    this.#endLine();
  }

  #pair(column: number, key: string, depth: number): void {
    // A key without quotes may not go on with a blank and a word.
    this.#text += `${key}${' '.repeat(this.#any(2))}:`;
    this.#value(column, depth, true);
  }

  #value(column: number, depth: number, isOfKey: boolean): void {
    const deep = depth > 0 ? 5 : 0;
    switch (this.#content.next(6 + deep)) {
      case 0:
        return this.#blockText(column);
      case 1:
        return this.#behind(this.#flow(2));
      case 2:
        return this.#flowOverLines(column);
      case 3:
        return this.#quotedOverLines(column);
      case 4:
        return this.#lineWithComment();
      case 5:
        return this.#onNextLine(column, this.#content.of(WORDS));
      case 6:
        return this.#behind(this.#content.of(WORDS));
      case 7:
        return this.#list(column, depth, isOfKey);
      default:
        return isOfKey ? this.#mapBelow(column, depth) : this.#mapBehind(column, depth);
    }
  }

  #behind(text: string): void {
    this.#text += ` ${' '.repeat(this.#any(4))}${text}`;
    this.#lineWithComment();
  }

  #onNextLine(column: number, text: string): void {
    this.#lineWithComment();
    const below = this.#below(column);
    // The parser takes a comment further left for the end of a key without a value.
    const limit = this.#commentLimit;
    this.#commentLimit = 0;
    this.#before(below);
    this.#commentLimit = limit;
    this.#text += text;
    this.#lineWithComment();
  }

  /** A column further right: two, or one to eight. */
  #below(column: number): number {
    return column + (this.#layout === undefined ? 2 : 1 + this.#layout.next(8));
  }

  #keys(): readonly string[] {
    const keys = KEYS.filter(() => this.#content.isSo(3));
    return keys.length === 0 ? ['run'] : keys;
  }

  #mapBelow(column: number, depth: number): void {
    this.#lineWithComment();
    const below = this.#below(column);
    this.#before(below);
    this.#map(below, this.#keys(), depth - 1);
  }

  /** Behind a dash. */
  #mapBehind(column: number, depth: number): void {
    const gap = 1 + this.#any(4);
    this.#text += ' '.repeat(gap);
    this.#map(column + 1 + gap, this.#keys(), depth - 1);
  }

  #list(column: number, depth: number, isOfKey: boolean): void {
    this.#lineWithComment();
    const isFlush = isOfKey && this.#any(3) === 1;
    const below = isFlush ? column : this.#below(column);
    for (let count = 1 + this.#content.next(3); count > 0; count -= 1) {
      this.#before(below);
      this.#text += '-';
      this.#value(below, depth - 1, false);
    }
  }

  #blockText(column: number): void {
    const { step, header } = this.#header();
    const isKept = header.includes('+');
    this.#text += ` ${' '.repeat(this.#any(3))}${header}`;
    this.#lineWithComment();
    const at = step === 0 ? this.#below(column) : column + step;
    const pad = ' '.repeat(at);
    const lines = Array.from({ length: this.#content.next(5) }, () => this.#content.of(TEXT));
    const first = lines.findIndex((line) => line !== '');
    // The first line says how far all are indented, unless the header does.
    if (step === 0 && first >= 0) lines[first] = `"${lines[first]!.trim()}`;
    const last = isKept ? lines.length : lines.findLastIndex((line) => line !== '') + 1;
    for (const line of lines.slice(0, last))
      this.#text += line === '' ? `${' '.repeat(this.#any(column + 1))}\n` : `${pad}${line}\n`;
    this.#commentLimit = column + 1;
    this.#isOpen = isKept;
  }

  #header(): { readonly step: number; readonly header: string } {
    const step = this.#content.isSo(3) ? 1 + this.#content.next(4) : 0;
    const digit = step === 0 ? '' : String(step);
    const chomp = this.#content.of(['', '', '-', '+']);
    const marks = this.#content.isSo() ? digit + chomp : chomp + digit;
    return { step, header: this.#content.of(['|', '>']) + marks };
  }

  #flow(depth: number): string {
    const [space, edge] = [' '.repeat(this.#any(3)), ' '.repeat(this.#any(3))];
    const comma = this.#layout === undefined ? ', ' : `${space},${edge} `;
    const items = Array.from({ length: this.#content.next(4) }, (_, index) =>
      this.#flowItem(depth, index),
    );
    if (this.#content.isSo()) return `[${space}${items.join(comma)}${edge}]`;
    const colon = this.#layout === undefined ? ': ' : `:${space} `;
    const pairs = items.map((item, index) => `k${index}${colon}${item}`);
    const inner = this.#layout === undefined ? ' ' : edge;
    return pairs.length === 0 ? `{${edge}}` : `{${inner}${pairs.join(comma)}${inner}}`;
  }

  #flowItem(depth: number, index: number): string {
    if (depth > 0 && this.#content.isSo(4)) return this.#flow(depth - 1);
    return this.#content.of(['a', 'b c', '"d, e"', "'f: ]'", '1.50', `x${index}`, '"src/[a]{b}"']);
  }

  #flowOverLines(column: number): void {
    const pad = ' '.repeat(column + 2);
    this.#text += ` ${' '.repeat(this.#any(3))}[`;
    this.#lineWithComment();
    for (let count = this.#content.next(4); count > 0; count -= 1) {
      if (this.#content.isSo(6)) this.#text += `${pad}# inside\n`;
      if (this.#content.isSo(9)) this.#spareLines(1 + this.#any(2));
      this.#text += `${pad}${this.#flowItem(1, count)},`;
      this.#endLine();
    }
    this.#text += `${' '.repeat(column + 1)}]`;
    this.#lineWithComment();
  }

  #quotedOverLines(column: number): void {
    const pad = ' '.repeat(column + 1 + this.#content.next(2));
    const [open, close] = this.#content.of([
      ['"', ' \\"# no: comment"'],
      ["'", " ''# no: comment'"],
      ['plain', ' text'],
    ]);
    this.#text += ` ${' '.repeat(this.#any(3))}${open} one\n`;
    if (this.#content.isSo()) this.#text += '\n';
    this.#text += `${pad}two\n${pad}three${close}`;
    this.#lineWithComment();
  }
}
