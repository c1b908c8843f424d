import { expect, test } from 'vitest';
import { decideTurn } from '../../../server/scheduler/decide.ts';
import { explain } from '../../../server/scheduler/predicate/explain.ts';
import { TURN_STEPS } from '../../../server/scheduler/model/ownership.ts';
import { why } from '../../../server/scheduler/predicate/why.ts';
import { PathIndex } from '../../../server/domain/paths/path-index.ts';
import { parsePathSet } from '../../../server/domain/paths/path-set.ts';
import { Play } from '../../support/board-play.ts';
import { play } from '../../support/board-script.ts';

/** Two that have nothing in common; but to see that takes twice as long with each letter. */
function held(folder: string, length: number): string {
  return `${folder}/*a${'?'.repeat(length)}`;
}

function notHeld(folder: string, length: number): string {
  return `!${held(folder, length)}*`;
}

/** Two comparisons of this length are made for one question, and not three. */
const LONG = 6;
/** One is too long for a question already. */
const TOO_LONG = 9;

function claimedIn(on: Play): readonly string[] {
  return on.turn().flatMap((decision) => (decision.kind === 'claim' ? [decision.task] : []));
}

/** Whom `why` names. */
function inTheWayOf(on: Play, task: string): readonly string[] {
  return why(decideTurn(on.board, on.now), on.entry(task)).map(({ reason }) =>
    reason.kind === 'hazard' && reason.owner.kind === 'task' ? reason.owner.task : reason.kind,
  );
}

test('an owner is compared once, however many of its patterns are met', () => {
  const index = new PathIndex<string>({ foldCase: false });
  const folders = Array.from({ length: 30 }, (_, number) => `f${number}`);
  index.add(parsePathSet(folders.map((folder) => held(folder, 2))), 'first');
  const asked = parsePathSet(folders.flatMap((folder) => [`${folder}/*`, notHeld(folder, 2)]));
  expect(index.overlaps(asked, () => true)).toStrictEqual([]);
  expect(index.anyOverlap(asked, () => true)).toBeUndefined();
});

test('what can be told apart is', () => {
  const on = new Play(`a: writes ${held('x', LONG)}, running\nb: writes ** ${notHeld('x', LONG)}`);
  expect(inTheWayOf(on, 'b')).toStrictEqual([]);
  expect(claimedIn(on)).toStrictEqual(['b']);
});

test('what takes too long to tell waits, and says so', () => {
  const on = new Play(
    `a: writes ${held('x', TOO_LONG)}, running\nb: writes ** ${notHeld('x', TOO_LONG)}`,
  );
  expect(claimedIn(on)).toStrictEqual([]);
  expect(inTheWayOf(on, 'b')).toStrictEqual(['a']);
});

test('who is only warned of does not use up what it takes to tell who is waited for', () => {
  const isolated = `warned: isolated, writes ${held('x', TOO_LONG)}, running`;
  const asking = `b: writes ** ${notHeld('x', TOO_LONG)} ${notHeld('y', LONG)}`;
  const on = new Play(`${isolated}\na: writes ${held('y', LONG)}, running\n${asking}`);
  expect(inTheWayOf(on, 'b')).toStrictEqual([]);
  expect(claimedIn(on)).toStrictEqual(['b']);
});

test('who was taken to be in the way is so for as long as it is at work, whoever asks', () => {
  const ids = ['a', 'c', 'd'];
  const others = ids.map((id) => `${id}: writes ${held(id, LONG)}, running`);
  const spared = ids.map((id) => notHeld(id, LONG));
  const on = new Play(`${others.join('\n')}\nb: writes ** ${spared.join(' ')}`);
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

test('a turn with very many dear questions takes no more steps than a few of them', () => {
  const ids = Array.from({ length: 60 }, (_, number) => `b${number}`);
  const asking = ids.map((id) => `${id}: writes x/** ${notHeld('x', LONG)} other/${id}`);
  const on = new Play(
    `a: writes ${held('x', LONG)}, running\n${asking.join('\n')}\nplain: writes docs/**`,
  );
  const turn = decideTurn(on.board, on.now);
  const claimed = turn.decisions.flatMap((each) => (each.kind === 'claim' ? [each.task] : []));
  // A question that has begun is ended, and each may look at what is seen at a glance.
  expect(turn.steps.stepsLeft).toBeLessThan(0);
  expect(TURN_STEPS - turn.steps.stepsLeft).toBeLessThan(TURN_STEPS + 60 * 5000);
  // Paths that are soon compared are compared whatever else there is.
  expect(claimed).toContain('plain');
  const last = on.entry('b59');
  expect(
    why(turn, last)
      .map(({ reason }) => explain(reason))
      .join('; '),
  ).toContain('waits for a, which writes files that may be the same too');
});
