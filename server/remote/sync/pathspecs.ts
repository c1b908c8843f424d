import type { Part, Segment } from '../../domain/paths/glob.ts';
import { parsePattern } from '../../domain/paths/path-set.ts';

/**
 * What git calls at least the paths that a list of patterns stands for. Which of them it really stands
 * for is for `PathSet` to say.
 */
export function pathspecs(patterns: readonly string[]): readonly string[] {
  return patterns.flatMap((text) => {
    const parsed = parsePattern(text);
    if (parsed.kind === 'refused' || parsed.takesAway) return [];
    return parsed.glob.alternatives.flatMap(specsOf);
  });
}

/**
 * For git `docs/**` is what is below `docs` and not `docs` itself, which may be a file; and a name is
 * a folder too only where no wildcard stands before it.
 */
function specsOf(segments: readonly Segment[]): readonly string[] {
  const names = segments.map(segmentText);
  const end = segments.findLastIndex(({ kind }) => kind !== 'globstar') + 1;
  const last = segments[end - 1];
  const isOpen = end < names.length || (last?.kind === 'name' && last.literal !== undefined);
  const start = names.slice(0, end);
  const texts = isOpen && end > 0 ? [start, [...start, '**']] : [names];
  return texts.map((each) => `:(glob,icase)${each.join('/')}`);
}

function segmentText(segment: Segment): string {
  if (segment.kind === 'globstar') return '**';
  return segment.parts.map(partText).join('');
}

function partText(part: Part): string {
  if (part.kind === 'literal') return part.text.replaceAll(/[*?[\\]/g, String.raw`\$&`);
  return part.kind === 'many' ? '*' : '?';
}
