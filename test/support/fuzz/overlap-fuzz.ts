import { overlap } from '../../../server/domain/paths/overlap.ts';
import { parsePathSet, parsePattern } from '../../../server/domain/paths/path-set.ts';
import { Random } from '../../sim/random.ts';
import { GlobLanguage } from '../glob-oracle.ts';
import { realisticList } from '../realistic-globs.ts';

interface Totals {
  pairs: number;
  overlaps: number;
  disjoint: number;
  /** The budget ended first. */
  undecided: number;
}

/** Every list of a crowd is compared with every other, and the crowd takes less time than its pairs. */
const CROWD = 80;

/**
 * Decides random pairs of lists, and throws where the oracle says otherwise, or where the example is
 * not a path of both or not the shortest one.
 */
export function fuzzOverlaps({ seed, count }: { seed: number; count: number }): Totals {
  const totals: Totals = { pairs: 0, overlaps: 0, disjoint: 0, undecided: 0 };
  for (let crowd = 0; totals.pairs < count; crowd += 1) {
    const random = new Random(seed * 1_000_003 + crowd);
    const lists = Array.from({ length: CROWD }, () => listOf(random)).map((patterns) => ({
      patterns,
      paths: parsePathSet(patterns),
      language: new GlobLanguage(patterns),
    }));
    const pairs = lists.flatMap((a, at) => lists.slice(at).map((b) => [a, b] as const));
    for (const [a, b] of pairs.slice(0, count - totals.pairs)) comparePair(a, b, totals);
  }
  return totals;
}

interface List {
  readonly patterns: readonly string[];
  readonly paths: ReturnType<typeof parsePathSet>;
  readonly language: GlobLanguage;
}

/** The shortest path is looked for by the oracle for one pair in so many: that takes long. */
const MEASURED = 16;

function comparePair(a: List, b: List, totals: Totals): void {
  totals.pairs += 1;
  const found = overlap(a.paths, b.paths, { foldCase: false });
  if (found.kind === 'may-overlap') {
    totals.undecided += 1;
    return;
  }
  const isShared = found.kind === 'overlaps';
  totals[isShared ? 'overlaps' : 'disjoint'] += 1;
  const name = `${a.patterns.join(' ')} & ${b.patterns.join(' ')}`;
  if (a.language.meets(b.language) !== isShared)
    throw new Error(`${name}: ${JSON.stringify(found)}, and the oracle says otherwise`);
  if (!isShared) return;
  const example = String(found.example);
  if (!a.language.has(example) || !b.language.has(example))
    throw new Error(`${name}: "${example}" is not a path of both`);
  if (totals.pairs % MEASURED > 0) return;
  const shortest = a.language.shortestShared(b.language);
  if (Array.from(example).length !== shortest)
    throw new Error(`${name}: "${example}" is longer than ${shortest} characters`);
}

const LETTERS = ['a', 'a', 'b', '*', '?', '[ab]', '[!a]', '[a-c]', 'c', '-', '{a,b}', '{ab,*c}'];

/** As people write them, or of few letters, so that much overlaps by a hair. */
function listOf(random: Random): readonly string[] {
  if (random.chance(0.3)) return realisticList(() => random.next());
  const list = Array.from({ length: 1 + random.below(3) }, () => patternOf(random));
  return list.map((pattern, at) => (at > 0 && random.chance(0.5) ? `!${pattern}` : pattern));
}

function patternOf(random: Random): string {
  const names = Array.from({ length: 1 + random.below(4) }, () => {
    if (random.chance(0.25)) return '**';
    return Array.from({ length: 1 + random.below(4) }, () => random.pick(LETTERS)).join('');
  });
  const pattern = names.join('/');
  // One that stands for too many alternatives is refused, and means nothing.
  return parsePattern(pattern).kind === 'glob' ? pattern : patternOf(random);
}
