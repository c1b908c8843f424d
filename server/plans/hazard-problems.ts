import type { Hazard } from '../domain/paths/hazard.ts';
import type { TaskId } from '../domain/ids.ts';
import { overlap, type PathRules } from '../domain/paths/overlap.ts';
import { parsePathSet } from '../domain/paths/path-set.ts';
import type { Mention, PlanTask, Problem } from './plan.ts';

/** For finding the two patterns to underline; past it the first two that may be meant are. */
const STEP_LIMIT = 20_000;

interface Side {
  readonly task: PlanTask;
  readonly verb: 'writes' | 'reads';
  readonly mentions: readonly Mention[];
}

/** A problem at the pattern of each of the two tasks, pointing at the other's. */
export function hazardProblems(
  hazard: Hazard,
  byId: ReadonlyMap<TaskId, PlanTask>,
  rules: PathRules,
): readonly Problem[] {
  const [first, second] = [byId.get(hazard.first), byId.get(hazard.second)];
  if (first === undefined || second === undefined) return [];
  const a: Side = { task: first, verb: 'writes', mentions: first.writeMentions };
  const b: Side =
    hazard.kind === 'write-write'
      ? { task: second, verb: 'writes', mentions: second.writeMentions }
      : { task: second, verb: 'reads', mentions: second.readMentions };
  const colliding = collidingMentions(a.mentions, b.mentions, rules);
  if (colliding === undefined) return [];
  const [mentionA, mentionB] = colliding;
  return [
    problemAt({ mention: mentionA, other: b, otherMention: mentionB, example: hazard.example }),
    problemAt({ mention: mentionB, other: a, otherMention: mentionA, example: hazard.example }),
  ];
}

interface Finding {
  readonly mention: Mention;
  readonly other: Side;
  readonly otherMention: Mention;
  readonly example: string | undefined;
}

function problemAt({ mention, other, otherMention, example }: Finding): Problem {
  const what =
    example === undefined ? 'may touch the same files' : `also ${other.verb} "${example}"`;
  return {
    code: 'hazard',
    severity: 'warning',
    message: `Task "${other.task.id}" ${what}, and nothing says which of the two goes first.`,
    range: mention.range,
    related: [{ message: `"${other.task.id}" ${other.verb} it here.`, range: otherMention.range }],
  };
}

/** The first pattern of each list that overlap, with what either list takes away left out. */
function collidingMentions(
  a: readonly Mention[],
  b: readonly Mention[],
  rules: PathRules,
): readonly [Mention, Mention] | undefined {
  const [onlyA, onlyB] = [a[0], b[0]];
  if (a.length === 1 && b.length === 1 && onlyA && onlyB) return [onlyA, onlyB];
  const budget = { stepsLeft: STEP_LIMIT };
  const excludedByA = parsePathSet(a.map(({ text }) => text)).exclude;
  const excludedByB = parsePathSet(b.map(({ text }) => text)).exclude;
  for (const one of a)
    for (const other of b) {
      const paths = { ...parsePathSet([one.text]), exclude: excludedByA };
      const otherPaths = { ...parsePathSet([other.text]), exclude: excludedByB };
      if (overlap(paths, otherPaths, { ...rules, budget }).kind !== 'disjoint') return [one, other];
    }
  return undefined;
}
