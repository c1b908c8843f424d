import type { Edit } from '../fixes/fix.ts';
import type { Span, YamlItem, YamlList, YamlMap, YamlNode, YamlPair } from '../yaml/tree.ts';
import { moveBlockText } from './block-text.ts';
import { flowLine } from './flow-line.ts';
import type { LinePlans, Move } from './line-plan.ts';

const STEP = 2;

/** Where a value stands, seen from what it belongs to. */
interface Owner {
  /** The column of the key or dash. */
  readonly parent: Move;
  /** Behind the colon or dash. */
  readonly from: number;
  /** The column that a value on the same line is to have. */
  readonly behind: number;
}

/**
 * Gives each line of a tree its place. What is only in part to be formatted keeps its column, and
 * so does what is around it: only what is whole moves.
 */
export class Layout {
  readonly spacing: Edit[] = [];
  readonly #plans: LinePlans;
  readonly #isWhole: (span: Span) => boolean;
  /** Whether all that was seen is written as plans are. */
  isCertain = true;

  constructor(plans: LinePlans, isWhole: (span: Span) => boolean) {
    this.#plans = plans;
    this.#isWhole = isWhole;
  }

  place(root: YamlMap): void {
    this.#block(root, this.#isWhole(root) ? 0 : (root.indent ?? 0));
  }

  #block(node: YamlMap | YamlList, to: number): void {
    const from = node.indent ?? 0;
    const parent = { from, to };
    if (node.kind === 'map') for (const pair of node.pairs) this.#pair(pair, parent);
    else for (const item of node.items) this.#item(item, parent);
  }

  #pair({ start, key, colon, value }: YamlPair, parent: Move): void {
    if (colon === undefined || key.start !== start || !this.#isAt(start, parent)) return;
    this.#plans.begin(start, parent.to);
    this.#space(key.end, colon, '');
    const behind = parent.to + (key.end - key.start) + 2;
    this.#value(value, { parent, from: colon + 1, behind });
  }

  #item({ start, value }: YamlItem, parent: Move): void {
    if (!this.#isAt(start, parent)) return;
    this.#plans.begin(start, parent.to);
    this.#value(value, { parent, from: start + 1, behind: parent.to + STEP });
  }

  /** What is in no column of its own is not written as plans are. */
  #isAt(start: number, { from }: Move): boolean {
    if (this.#plans.columnOf(start) !== from) this.isCertain = false;
    return this.isCertain;
  }

  #value(value: YamlNode | undefined, owner: Owner): void {
    if (value === undefined) return;
    const { parent, from, behind } = owner;
    const isBehind = this.#plans.lineOf(value.start) === this.#plans.lineOf(from);
    const isBlock = value.kind !== 'scalar' && value.indent !== undefined;
    const isMoved = this.#isWhole(value);
    const column = this.#plans.columnOf(value.start);
    if (isBlock) {
      if (isBehind && isMoved) this.#space(from, value.start, ' ');
      this.#block(value, isMoved ? parent.to + STEP : column);
      return;
    }
    const own = isMoved ? parent.to + STEP : column;
    if (isBehind) this.#space(from, value.start, ' ');
    else this.#plans.begin(value.start, own);
    this.#text(value, { parent, first: { from: column, to: isBehind ? behind : own } });
  }

  #text(value: YamlNode, { parent, first }: { readonly parent: Move; readonly first: Move }): void {
    if (value.kind === 'scalar' && value.style === 'block') {
      const isWhole = this.#isWhole(value);
      if (!moveBlockText(this.#plans, value, { parent, isWhole })) this.isCertain = false;
      return;
    }
    if (value.kind !== 'scalar') this.#flow(value);
    this.#goOn(value, { parent, first });
  }

  /** The further lines go with the first character if they are aligned to it, else with its owner. */
  #goOn(value: YamlNode, { parent, first }: { readonly parent: Move; readonly first: Move }): void {
    const plans = this.#plans;
    const [from, to] = [plans.lineOf(value.start), plans.lineOf(value.end)];
    const isText = value.kind === 'scalar';
    const further = Array.from({ length: to - from }, (_, index) => from + 1 + index);
    const isAligned = further.every(
      (index) => plans.isBlank(index) || plans.spacesOf(index) >= first.from,
    );
    const shift = isAligned ? first.to - first.from : parent.to - parent.from;
    if (isText && further.length > 0) plans.runOver(from);
    for (const index of further) {
      const endsInText = isText && index < to;
      const indent = plans.isBlank(index) ? undefined : plans.spacesOf(index) + shift;
      if (indent !== undefined && indent < 0) this.isCertain = false;
      else if (isText || indent !== undefined) plans.goOn(index, { indent, endsInText });
    }
  }

  /** Of what is in brackets, all that is on one line. */
  #flow(node: YamlMap | YamlList): void {
    const { text } = this.#plans;
    if (!node.isClosed) this.isCertain = false;
    const written = text.slice(node.start, node.end);
    if (!written.includes('\n')) {
      const line = flowLine(text, node);
      if (line === undefined) this.isCertain = false;
      else if (line !== written)
        this.spacing.push({ range: { start: node.start, end: node.end }, text: line });
      return;
    }
    if (node.kind === 'map' && node.pairs.some(isExplicit)) this.isCertain = false;
    for (const { value } of node.kind === 'map' ? node.pairs : node.items)
      if (value !== undefined && value.kind !== 'scalar') this.#flow(value);
  }

  #space(start: number, end: number, wanted: string): void {
    if (this.#plans.text.slice(start, end) !== wanted)
      this.spacing.push({ range: { start, end }, text: wanted });
  }
}

/** Behind a "?". */
function isExplicit({ key, start }: YamlPair): boolean {
  return key.start !== start;
}
