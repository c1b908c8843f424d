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
    return parsed.glob.alternatives.map(
      (segments) => `:(glob,icase)${segments.map(segmentText).join('/')}`,
    );
  });
}

function segmentText(segment: Segment): string {
  if (segment.kind === 'globstar') return '**';
  return segment.parts.map(partText).join('');
}

function partText(part: Part): string {
  if (part.kind === 'literal') return part.text.replaceAll(/[*?[\\]/g, String.raw`\$&`);
  return part.kind === 'many' ? '*' : '?';
}
