import { isScalar, type Node, visit } from 'yaml';
import { lowerBound } from './lower-bound.ts';
import type { TextRange } from './plan.ts';

/** What nests deeper is refused anyway. */
const PATH_LIMIT = 200;

/** What the parser takes for the end of a text where it stands last, though it closes nothing. */
const NO_END = /\\"|''/;

/** Whether the parser may have missed that nothing closes a quote. */
export function mayHideOpenQuotes(text: string): boolean {
  return NO_END.test(text);
}

/**
 * The texts of a document whose quotes nothing closes, in their order: they go on to where the parser gives
 * up, which says nothing of where the slip is.
 */
export function openQuotes(contents: Node | null, text: string): readonly TextRange[] {
  const found: TextRange[] = [];
  visit(contents, (_, node, path) => {
    if (path.length > PATH_LIMIT) return visit.SKIP;
    if (!isScalar(node) || (node.type !== 'QUOTE_DOUBLE' && node.type !== 'QUOTE_SINGLE'))
      return undefined;
    const [start, end] = node.range ?? [0, 0];
    if (!isClosed(text.slice(start, end))) found.push({ start, end });
    return undefined;
  });
  return found;
}

/** Where the one is that makes the parser give up at an offset: from its quote to the end of its line. */
export function quoteOpenAt(
  offset: number,
  open: readonly TextRange[],
  text: string,
): TextRange | undefined {
  const last = open[lowerBound(open, ({ start }) => start >= offset) - 1];
  return last === undefined || offset > last.end ? undefined : firstLineOf(last, text);
}

export function firstLineOf({ start, end }: TextRange, text: string): TextRange {
  const lineEnd = text.slice(start, end).search(/\s*(?:\n|$)/);
  return { start, end: start + Math.max(1, lineEnd) };
}

function isClosed(written: string): boolean {
  const quote = written[0];
  for (let at = 1; at < written.length; at += 1) {
    const isEscape = quote === '"' && written[at] === '\\';
    const isTwice = quote === "'" && written[at] === quote && written[at + 1] === quote;
    if (isEscape || isTwice) at += 1;
    else if (written[at] === quote) return true;
  }
  return false;
}
