import type { Hazard } from '../domain/paths/hazard.ts';
import { type Budget, overlap, type PathRules } from '../domain/paths/overlap.ts';
import { parsePathSet, type PathSet } from '../domain/paths/path-set.ts';
import type { Mention, PlanTask, Problem, TextRange } from './plan.ts';

/** For finding the two patterns to underline; past it the first two that may be meant are. */
const STEP_LIMIT = 2000;

/** To read a pattern takes about as long. */
const STEPS_FOR_SET = 25;

/** One of the two tasks of a hazard, as the plan that is looked at sees it. */
export interface HazardSide {
  readonly task: PlanTask;
  readonly name: string;
  /** Whether it is a task of that plan. */
  readonly isOwn: boolean;
  /** A place of its plan, seen from that plan. */
  readonly placeOf: (range: TextRange) => TextRange;
}

interface Side extends HazardSide {
  readonly verb: 'writes' | 'reads';
  readonly mentions: readonly Mention[];
}

/** A problem at the pattern of each of the two tasks that is in the plan, pointing at the other's. */
export function hazardProblems(
  hazard: Hazard,
  [first, second]: readonly [HazardSide, HazardSide],
  mentionsOf: CollidingMentions,
): readonly Problem[] {
  const a: Side = { ...first, verb: 'writes', mentions: first.task.writeMentions };
  const b: Side =
    hazard.kind === 'write-write'
      ? { ...second, verb: 'writes', mentions: second.task.writeMentions }
      : { ...second, verb: 'reads', mentions: second.task.readMentions };
  const colliding = mentionsOf.find(hazard, a.mentions, b.mentions);
  if (colliding === undefined) return [];
  const [mentionA, mentionB] = colliding;
  const { example } = hazard;
  return [
    ...(a.isOwn
      ? [problemAt({ mention: mentionA, own: a, other: b, otherMention: mentionB, example })]
      : []),
    ...(b.isOwn
      ? [problemAt({ mention: mentionB, own: b, other: a, otherMention: mentionA, example })]
      : []),
  ];
}

interface Finding {
  readonly mention: Mention;
  readonly own: Side;
  readonly other: Side;
  readonly otherMention: Mention;
  readonly example: string | undefined;
}

function problemAt({ mention, own, other, otherMention, example }: Finding): Problem {
  const { name, verb, placeOf } = other;
  const does = verb === own.verb ? `also ${verb}` : verb;
  const what = example === undefined ? 'may touch the same files' : `${does} "${example}"`;
  return {
    code: 'hazard',
    severity: 'warning',
    message: `Task "${name}" ${what}, and nothing says which of the two goes first.`,
    range: mention.range,
    related: [{ message: `"${name}" ${verb} it here.`, range: placeOf(otherMention.range) }],
  };
}

/**
 * Which two patterns are underlined. That is looked for once: a hazard is made anew when the patterns
 * of its tasks change.
 */
export class CollidingMentions {
  readonly #rules: PathRules;
  readonly #known = new WeakMap<Hazard, readonly [number, number] | 'none'>();
  /** Of each list, however many hazards its task has. */
  readonly #sets = new WeakMap<readonly Mention[], Sets>();
  /** Of all searches so far. */
  #stepsTaken = 0;

  constructor(rules: PathRules) {
    this.#rules = rules;
  }

  get stepsTaken(): number {
    return this.#stepsTaken;
  }

  find(
    hazard: Hazard,
    a: readonly Mention[],
    b: readonly Mention[],
  ): readonly [Mention, Mention] | undefined {
    const known = this.#known.get(hazard) ?? this.#collidingPlaces(a, b) ?? 'none';
    this.#known.set(hazard, known);
    if (known === 'none') return undefined;
    const [one, other] = [a[known[0]], b[known[1]]];
    return one === undefined || other === undefined ? undefined : [one, other];
  }

  /** The first pattern of each list that overlap, with what either list takes away left out. */
  #collidingPlaces(
    a: readonly Mention[],
    b: readonly Mention[],
  ): readonly [number, number] | undefined {
    if (a.length === 1 && b.length === 1) return [0, 0];
    const budget = { stepsLeft: STEP_LIMIT };
    const places = this.#firstToMeet([this.#setsOf(a), this.#setsOf(b)], budget);
    this.#stepsTaken += STEP_LIMIT - budget.stepsLeft;
    return places;
  }

  #firstToMeet(
    [ofA, ofB]: readonly [Sets, Sets],
    budget: Budget,
  ): readonly [number, number] | undefined {
    for (const [place, paths] of ofA)
      for (const [otherPlace, otherPaths] of ofB) {
        const { kind } = overlap(paths(), otherPaths(), { ...this.#rules, budget });
        // Where this is not known in time, it is of use all the same to see one pattern of each.
        if (kind !== 'disjoint' || budget.stepsLeft < 0) return [place, otherPlace];
      }
    return undefined;
  }

  #setsOf(mentions: readonly Mention[]): Sets {
    const known = this.#sets.get(mentions);
    if (known !== undefined) return known;
    const sets = setsOf(mentions);
    this.#stepsTaken += sets.size * STEPS_FOR_SET;
    this.#sets.set(mentions, sets);
    return sets;
  }
}

type Sets = ReadonlyMap<number, () => PathSet>;

/** What each pattern of a list stands for, without what the list takes away; mostly the first will do. */
function setsOf(mentions: readonly Mention[]): Sets {
  const texts = mentions.map(({ text }) => text);
  const takenAway = texts.filter((text) => text.startsWith('!'));
  const sets = new Map<number, () => PathSet>();
  for (const [place, text] of texts.entries()) {
    if (text.startsWith('!')) continue;
    let set: PathSet | undefined;
    sets.set(place, () => (set ??= parsePathSet([text, ...takenAway])));
  }
  return sets;
}
