import type { Mention, Problem, TextRange } from './plan.ts';

/** Places that count from somewhere in a text, as places in the text. */
export function movedRange({ start, end }: TextRange, by: number): TextRange {
  return { start: start + by, end: end + by };
}

export function movedMention({ text, range }: Mention, by: number): Mention {
  return { text, range: movedRange(range, by) };
}

export function movedMentions(mentions: readonly Mention[], by: number): readonly Mention[] {
  return mentions.map((mention) => movedMention(mention, by));
}

export function movedProblem(problem: Problem, by: number): Problem {
  const related = problem.related.map(({ message, range }) => ({
    message,
    range: movedRange(range, by),
  }));
  const range = movedRange(problem.range, by);
  const { within } = problem;
  return { ...problem, range, related, ...(within && { within: movedRange(within, by) }) };
}
