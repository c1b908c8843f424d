import type { Mention, PlanTask, Problem, TextRange } from '../plan.ts';

/*
 * What is read of one text knows places in that text; a board is written in many.
 */

export function inFile({ start, end }: TextRange, file: string): TextRange {
  return { file, start, end };
}

export function placedProblem(problem: Problem, file: string): Problem {
  const related = problem.related.map(({ message, range }) => ({
    message,
    range: inFile(range, file),
  }));
  return { ...problem, range: inFile(problem.range, file), related };
}

export function placedTask(task: PlanTask, file: string): PlanTask {
  const placed = (mentions: readonly Mention[]): readonly Mention[] =>
    mentions.map(({ text, range }) => ({ text, range: inFile(range, file) }));
  return {
    ...task,
    idRange: inFile(task.idRange, file),
    range: inFile(task.range, file),
    dependsOnMentions: placed(task.dependsOnMentions),
    afterMentions: placed(task.afterMentions),
    readMentions: placed(task.readMentions),
    writeMentions: placed(task.writeMentions),
    ...(task.hostMentions && { hostMentions: placed(task.hostMentions) }),
  };
}
