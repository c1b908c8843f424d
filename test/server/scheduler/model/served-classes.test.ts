import { expect, test } from 'vitest';
import { parseTaskId } from '../../../../server/domain/ids.ts';
import { priorityIndex } from '../../../../server/domain/priority.ts';
import { Play } from '../../../support/board-play.ts';

const CLASSES = ['critical', 'high', 'normal', 'low'] as const;

function classOf(play: Play, task: string): string | undefined {
  return CLASSES.find((name) => priorityIndex(name) === play.entry(task).rank);
}

/** Cancels the tasks one after the other, and says in which class `task` is served after each. */
function check(
  name: string,
  { board, cancel, task }: { board: string; cancel: string; task: string },
  expected: string,
): void {
  test(name, () => {
    const play = new Play(board);
    const said = [classOf(play, task)];
    for (const id of cancel.split(' ').filter(Boolean)) {
      cancelTask(play, id);
      said.push(classOf(play, task));
    }
    expect(said.join(' ')).toBe(expected);
  });
}

function cancelTask(play: Play, id: string): void {
  const { run, id: task } = play.entry(id);
  const event = { kind: 'taskCancelled', at: play.now } as const;
  expect(play.apply({ kind: 'taskMoved', run: run.manifest.id, task, event })).toBe('moved');
}

check(
  'what a higher task waits for is served in its class',
  { board: 'a: priority low\nb: after a, priority high', cancel: '', task: 'a' },
  'high',
);
check(
  'through others as well',
  { board: 'a: priority low\nb: after a\nc: after b, priority critical', cancel: '', task: 'a' },
  'critical',
);
check(
  'it falls back once that one has ended',
  { board: 'a: priority low\nb: after a, priority high', cancel: 'b', task: 'a' },
  'high low',
);
check(
  'it stays as long as another one of that class waits',
  {
    board: 'a: priority low\nb: after a, priority high\nc: after a, priority high',
    cancel: 'b c',
    task: 'a',
  },
  'high high low',
);
check(
  'it falls through all classes that wait',
  {
    board: 'a: priority low\nb: after a, priority critical\nc: after a, priority high\nd: after a',
    cancel: 'b c d',
    task: 'a',
  },
  'critical high normal low',
);
check(
  'what is behind falls too',
  {
    board: 'a: priority low\nb: after a, priority low\nc: after b, priority high',
    cancel: 'c',
    task: 'a',
  },
  'high low',
);
check(
  'a lower one that waits lowers nobody',
  { board: 'a: priority high\nb: after a, priority low', cancel: 'b', task: 'a' },
  'high high',
);
check(
  'what has ended when a run is taken up raises nobody',
  { board: 'a: priority low\nb: after a, priority high, cancelled', cancel: '', task: 'a' },
  'low',
);

test('whoever is retried is served for those that wait for it by now', () => {
  const play = new Play('a: priority low\nb: after a, priority high\nc: after a');
  cancelTask(play, 'a');
  cancelTask(play, 'b');
  const { run, id: task } = play.entry('a');
  const event = { kind: 'taskRetried', at: play.now } as const;
  play.apply({ kind: 'taskMoved', run: run.manifest.id, task, event });
  expect(classOf(play, 'a')).toBe('normal');
});

/** Looked at from each of them again, a hub of this size took minutes. */
test('many tasks that wait for one are cancelled one after the other', () => {
  const count = 20_000;
  const waiting = Array.from({ length: count }, (_, number) => `t${number}: after hub`);
  const play = new Play(
    ['hub: priority low', 'top: after hub, priority high', ...waiting].join('\n'),
  );
  const [run] = play.board.runs.values();
  for (let number = 0; number < count; number += 1) {
    const entry = run?.find(parseTaskId(`t${number}`)!);
    const event = { kind: 'taskCancelled', at: play.now } as const;
    play.apply({ kind: 'taskMoved', run: run!.manifest.id, task: entry!.id, event });
  }
  expect(classOf(play, 'hub')).toBe('high');
  cancelTask(play, 'top');
  expect(classOf(play, 'hub')).toBe('low');
});
