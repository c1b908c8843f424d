import { expect, test } from 'vitest';
import { decideTurn } from '../../../server/scheduler/decide.ts';
import { why } from '../../../server/scheduler/predicate/why.ts';
import { PathIndex } from '../../../server/domain/paths/path-index.ts';
import { parsePathSet } from '../../../server/domain/paths/path-set.ts';
import { Play } from '../../support/board-play.ts';
import { play } from '../../support/board-script.ts';

/** `*a???[o]` and `*a???[i]`: nobody tells them apart but who reads them letter by letter. */
function endsWith(letter: string, length: number): string {
  return `*a${'?'.repeat(length)}[${letter}]`;
}

/** Two comparisons of this length are made for one question, and not three. */
const LONG = 9;
/** One is too long for a question already. */
const TOO_LONG = 10;

function claimedIn(on: Play): readonly string[] {
  return on.turn().flatMap((decision) => (decision.kind === 'claim' ? [decision.task] : []));
}

/** Whom `why` names. */
function inTheWayOf(on: Play, task: string): readonly string[] {
  return why(decideTurn(on.board, on.now), on.entry(task)).map(({ reason }) =>
    reason.kind === 'hazard' && reason.owner.kind === 'task' ? reason.owner.task : reason.kind,
  );
}

/** Only an exact comparison tells these from those with another letter. */
function patternsWith(letter: string): readonly string[] {
  return Array.from({ length: 30 }, (_, n) => `[x]${letter}[p]${n}[q]`);
}

test('an owner is compared once, however many of its patterns look alike', () => {
  const index = new PathIndex<string>({ foldCase: false });
  index.add(parsePathSet(patternsWith('o')), 'first');
  const asked = parsePathSet(patternsWith('i'));
  expect(index.overlaps(asked, () => true)).toStrictEqual([]);
  expect(index.anyOverlap(asked, () => true)).toBeUndefined();
});

test('what can be told apart is', () => {
  const on = new Play(
    `a: writes ${endsWith('o', LONG)}, running\nb: writes ${endsWith('i', LONG)}`,
  );
  expect(inTheWayOf(on, 'b')).toStrictEqual([]);
  expect(claimedIn(on)).toStrictEqual(['b']);
});

test('what takes too long to tell waits, and says so', () => {
  const on = new Play(
    `a: writes ${endsWith('o', TOO_LONG)}, running\nb: writes ${endsWith('i', TOO_LONG)}`,
  );
  expect(claimedIn(on)).toStrictEqual([]);
  expect(inTheWayOf(on, 'b')).toStrictEqual(['a']);
});

test('who is only warned of does not use up what it takes to tell who is waited for', () => {
  const isolated = `isolated, writes ${endsWith('o', TOO_LONG)}, running`;
  const on = new Play(
    `warned: ${isolated}\na: writes ${endsWith('o', LONG)}, running\nb: writes ${endsWith('i', LONG)}`,
  );
  expect(inTheWayOf(on, 'b')).toStrictEqual([]);
  expect(claimedIn(on)).toStrictEqual(['b']);
});

test('who was taken to be in the way is so for as long as it is at work, whoever asks', () => {
  const ids = ['a', 'c', 'd'];
  const others = ids.map((id) => `${id}: writes ${id}${endsWith('o', LONG)}, running`);
  const on = new Play(`${others.join('\n')}\nb: writes ${endsWith('i', LONG)}`);
  const claimed = [claimedIn(on)];
  for (const id of ids) {
    play(on, `runner/local completes ${id}`);
    const isOpen = inTheWayOf(on, 'b').length === 0;
    claimed.push(claimedIn(on));
    expect(isOpen).toBe(on.entry('b').claim !== undefined);
  }
  expect(claimed.flat()).toStrictEqual(['b']);
  expect(claimed[0]).toStrictEqual([]);
});
