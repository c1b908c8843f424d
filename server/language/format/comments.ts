import type { LinePlans, Move } from './line-plan.ts';

/**
 * How far each line that is only a comment is to be indented. Nothing if there is a line of which
 * nobody knows what it is.
 */
export function commentIndents(plans: LinePlans): ReadonlyMap<number, number> | undefined {
  const indents = new Map<number, number>();
  const next = nextMoves(plans);
  let around: Around = { open: [], latest: undefined };
  for (const index of plans.lines.keys()) {
    const known = plans.get(index);
    const kind = known === undefined ? kindOf(plans, index) : 'written';
    if (kind === 'unknown') return undefined;
    if (kind === 'comment') {
      const to = indentOf(plans.spacesOf(index), around, next[index]);
      if (to !== undefined) indents.set(index, to);
    }
    for (const move of known?.moves ?? []) around = inside(around, move);
  }
  return indents;
}

/** What a comment may belong to that is above it. */
interface Around {
  /** What it would be part of if it were indented like it, outermost first. */
  readonly open: readonly Move[];
  readonly latest: Move | undefined;
}

/** Dashes may stand below their key, and then are part of it all the same. */
function inside({ open }: Around, move: Move): Around {
  const { from, to } = move;
  const isAround = (one: Move): boolean => one.from < from || (one.from === from && one.to < to);
  return { open: [...open.filter(isAround), move], latest: move };
}

/** Of what comes next, if it is indented so or below what is above; else of what is above. */
function indentOf(
  column: number,
  { open, latest }: Around,
  next: Move | undefined,
): number | undefined {
  if (next !== undefined && (next.from === column || next.to > (latest?.to ?? -1))) return next.to;
  const same = open.find(({ from }) => from === column);
  return (same ?? latest ?? next)?.to;
}

/** For each line, where the next thing begins. */
function nextMoves(plans: LinePlans): readonly (Move | undefined)[] {
  const moves: (Move | undefined)[] = [];
  let next: Move | undefined;
  for (let index = plans.lines.length - 1; index >= 0; index -= 1) {
    next = plans.get(index)?.moves[0] ?? next;
    moves[index] = next;
  }
  return moves;
}

function kindOf(plans: LinePlans, index: number): 'blank' | 'comment' | 'mark' | 'unknown' {
  const { start, content, end } = plans.lines[index]!;
  if (content === end) return 'blank';
  if (plans.text[content] === '#') return 'comment';
  return /^(?:---|\.\.\.)(?:\s|$)|^%/.test(plans.text.slice(start, end)) ? 'mark' : 'unknown';
}
