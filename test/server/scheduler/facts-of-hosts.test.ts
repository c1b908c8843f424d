import { expect, test } from 'vitest';
import type { BoardModel } from '../../../server/scheduler/model/board-model.ts';
import type { TaskEntry } from '../../../server/scheduler/model/run-model.ts';
import { allOf, copyOf } from '../../support/board-copy.ts';
import { Play } from '../../support/board-play.ts';
import { play } from '../../support/board-script.ts';
import { taskId } from '../../support/snapshots.ts';

/** What is found on a board at the end of a story is found on a board from its facts. */
function check(
  name: string,
  [text, script]: readonly [text: string, script: string],
  [find, expected]: readonly [find: (board: BoardModel) => unknown, expected: unknown],
): void {
  test(name, () => {
    const on = new Play(text);
    play(on, script);
    expect(find(on.board)).toStrictEqual(expected);
    const copy = copyOf(on.board);
    expect(find(copy)).toStrictEqual(expected);
    expect(allOf(copy)).toStrictEqual(allOf(on.board));
  });
}

const entryOf = (board: BoardModel, id: string): TaskEntry | undefined =>
  [...board.runs.values()].flatMap((run) => run.find(taskId(id)) ?? [])[0];

check(
  'where a task was tried last',
  ['host h1\na: on h1\nb: needs a', 'decide; a completes'],
  [(board) => entryOf(board, 'a')?.ranAt, 'h1'],
);
check(
  'where it was tried last after its plan was edited',
  ['host h1\na: on h1\nb: needs a', 'decide; a completes; revise only-run: a: on h1 | b: needs a'],
  [(board) => entryOf(board, 'a')?.ranAt, 'h1'],
);
check(
  'who works in a tree of its own',
  ['host h1: apart\na: on h1', 'decide'],
  [(board) => entryOf(board, 'a')?.claim?.isApart, true],
);
check(
  'who works in one after its plan was edited',
  [
    'host h1: apart\na: on h1, writes x\nb: needs a',
    'decide; revise only-run: a: on h1, writes x | b',
  ],
  [(board) => entryOf(board, 'a')?.claim?.isApart, true],
);
check(
  'who was lost in a tree of its own',
  ['host h1: apart\na: on h1, writes x\nb', 'decide; a is lost; revise only-run: a: on h1'],
  [
    (board) => {
      const [left] = board.owners.leftovers.values();
      return [left?.owner.tree, left?.isApart, entryOf(board, 'a')?.leftover];
    },
    ['#101', true, undefined],
  ],
);
check(
  'how busy a host is',
  ['host h1: busy load:1.5\na', 'decide'],
  [({ workers }) => workers.places.get('h1')?.load, 1.5],
);
