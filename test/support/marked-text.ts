/** A text with the marks taken out, and what stood between each «» as offsets into it. */
export interface MarkedText {
  readonly text: string;
  /** In the order of their opening marks. */
  readonly ranges: readonly { readonly start: number; readonly end: number }[];
}

export function readMarks(marked: string): MarkedText {
  let text = '';
  const ranges: { start: number; end: number }[] = [];
  const open: number[] = [];
  for (const char of marked) {
    if (char === '«') {
      open.push(ranges.length);
      ranges.push({ start: text.length, end: text.length });
    } else if (char === '»') {
      const range = ranges[open.pop() ?? -1];
      if (range === undefined) throw new Error('A "»" has no "«" before it.');
      range.end = text.length;
    } else text += char;
  }
  if (open.length > 0) throw new Error('A "«" has no "»" behind it.');
  return { text, ranges };
}

/** A text without its one `¦`, and where that stood. */
export function readCursor(marked: string): { readonly text: string; readonly offset: number } {
  const parts = marked.split('¦');
  if (parts.length !== 2) throw new Error(`There is one "¦", not ${parts.length - 1}.`);
  return { text: parts.join(''), offset: parts[0]!.length };
}
