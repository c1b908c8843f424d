import { expect, test } from 'vitest';
import { Play } from '../../../support/board-play.ts';

function cycleOf(play: Play, task: string): string | undefined {
  const { run, id } = play.entry(task);
  return run.cycles.through(id)?.join(' ');
}

function move(play: Play, task: string, kind: 'taskCancelled' | 'taskRetried'): void {
  const { run, id } = play.entry(task);
  play.apply({ kind: 'taskMoved', run: run.manifest.id, task: id, event: { kind, at: play.now } });
}

test('a cycle keeps its tasks as long as none of them has ended', () => {
  const play = new Play('a: needs b\nb: needs a\nc: needs b');
  expect(['a', 'b', 'c'].map((id) => cycleOf(play, id))).toStrictEqual(['a b', 'a b', undefined]);
  move(play, 'b', 'taskCancelled');
  expect(cycleOf(play, 'a')).toBeUndefined();
  move(play, 'b', 'taskRetried');
  expect(cycleOf(play, 'a')).toBe('a b');
});

test('where one cycle is broken, another one may be left', () => {
  const play = new Play('a: needs d\nc: needs c, after a\nd: needs c');
  expect(cycleOf(play, 'c')).toBe('a d c');
  move(play, 'd', 'taskCancelled');
  move(play, 'a', 'taskCancelled');
  expect([cycleOf(play, 'a'), cycleOf(play, 'c')]).toStrictEqual([undefined, 'c']);
});

/** Walked for each of them again, a cycle of this size took a minute. */
test('each task of a large cycle may be asked about', () => {
  const count = 40_000;
  const name = (number: number): string => `t${number % count}`;
  const lines = Array.from(
    { length: count },
    (_, number) => `${name(number)}: needs ${name(number + 1)}`,
  );
  const [run] = new Play(lines.join('\n')).board.runs.values();
  const lengths = new Set(run?.entries.map(({ id }) => run.cycles.through(id)?.length));
  expect([...lengths]).toStrictEqual([count]);
});
