import type { Segment } from './glob.ts';

/**
 * What every path of a pattern starts and ends with: its text before the first wildcard and behind
 * the last one. Two patterns whose ends do not fit have no path in common, which is quickly seen.
 */
export interface LiteralEnds {
  readonly prefix: string;
  readonly suffix: string;
}

export function literalEnds(segments: readonly Segment[]): LiteralEnds {
  return { prefix: prefixOf(segments), suffix: suffixOf(segments) };
}

/** Whether some path could have the ends of both. */
export function endsFit(a: LiteralEnds, b: LiteralEnds, foldCase: boolean): boolean {
  const [one, other] = foldCase ? [foldEnds(a), foldEnds(b)] : [a, b];
  return (
    (one.prefix.startsWith(other.prefix) || other.prefix.startsWith(one.prefix)) &&
    (one.suffix.endsWith(other.suffix) || other.suffix.endsWith(one.suffix))
  );
}

/** Letter by letter: of a whole word, the small form of a letter depends on the ones around it. */
export function foldLetters(text: string): string {
  return Array.from(text, (char) => char.toUpperCase().toLowerCase()).join('');
}

function foldEnds({ prefix, suffix }: LiteralEnds): LiteralEnds {
  return { prefix: foldLetters(prefix), suffix: foldLetters(suffix) };
}

function prefixOf(segments: readonly Segment[]): string {
  let prefix = '';
  for (const [index, segment] of segments.entries()) {
    if (segment.kind === 'globstar') return prefix;
    if (index > 0) prefix += '/';
    if (segment.literal !== undefined) {
      prefix += segment.literal;
      continue;
    }
    for (const part of segment.parts) {
      if (part.kind !== 'literal') return prefix;
      prefix += part.text;
    }
  }
  return prefix;
}

function suffixOf(segments: readonly Segment[]): string {
  let suffix = '';
  for (const [index, segment] of segments.toReversed().entries()) {
    // The slash before a name is not certain: "**" may stand for no folder at all.
    if (segment.kind === 'globstar') return suffix;
    if (index > 0) suffix = `/${suffix}`;
    if (segment.literal !== undefined) {
      suffix = segment.literal + suffix;
      continue;
    }
    for (const part of segment.parts.toReversed()) {
      if (part.kind !== 'literal') return suffix;
      suffix = part.text + suffix;
    }
  }
  return suffix;
}
