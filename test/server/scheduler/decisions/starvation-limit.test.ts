import { expect, test } from 'vitest';
import { Play } from '../../../support/board-play.ts';

const MANY = Array.from({ length: 250 }, (_, n) => `t${1000 + n}: agent, capable gpu`).join('\n');

/** The tasks of which one turn counts that they starve. */
function starvedIn(on: Play): readonly string[] {
  return on
    .turn()
    .flatMap((decision) => (decision.kind === 'count-starvation' ? [decision.task] : []));
}

test('one cycle counts a hundred starving tasks at most, and names them', () => {
  const on = new Play(MANY);
  on.wait(130_000);
  const starved = starvedIn(on);
  expect(starved).toHaveLength(100);
  const report = on.events.findLast((event) => event.kind === 'cycleRan')?.report;
  expect([report?.starved.count, report?.skipped.capability?.count]).toStrictEqual([100, 250]);
});

test('many tasks of one kind do not hide one of another', () => {
  const on = new Play(`${MANY}\nz: agent, capable tpu, priority low`);
  on.wait(130_000);
  expect(starvedIn(on)).toContain('z');
});

test('the others are counted when those need attention', () => {
  const on = new Play(MANY);
  on.wait(130_000);
  const flagged = new Set<string>();
  for (let cycle = 0; cycle < 31; cycle += 1) {
    for (const decision of on.turns())
      if (decision.kind === 'flag-starved') flagged.add(decision.task);
    on.wait(15_000);
  }
  expect(flagged.size).toBe(250);
});

test('news in between counts nobody else', () => {
  const on = new Play(`worker bot\n${MANY}`);
  on.wait(130_000);
  const first = starvedIn(on);
  on.wait(1000);
  on.apply({ kind: 'boardResumed', at: on.now });
  expect([first.length, starvedIn(on)]).toStrictEqual([100, []]);
});
