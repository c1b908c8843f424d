import { expect, test } from 'vitest';
import { explain } from '../../../server/scheduler/predicate/explain.ts';
import { impossibilityOf } from '../../../server/scheduler/predicate/impossible.ts';
import { boardOf } from '../../support/snapshots.ts';

/** What can never start, as it is said when the run is asked for. */
function check(name: string, text: string, expected: readonly string[]): void {
  test(name, () => {
    const board = boardOf(text);
    const found = [...board.runs.values()].flatMap((run) =>
      run.entries.flatMap((entry) => {
        const why = impossibilityOf(board, entry);
        return why === undefined ? [] : [{ entry, why }];
      }),
    );
    const said = found.map(
      ({ entry, why }) => `${entry.definition.id} ${explain({ kind: 'unsatisfiable', ...why })}`,
    );
    expect(said).toStrictEqual(expected);
  });
}

check('a run in which everything can start says nothing', 'a\nb: needs a', []);
check(
  'whatever can never start is said at once, though it waits for others',
  'run the-run-1: limits db:2\na\nb: needs a, takes db:3\nc: needs a, takes gpu:1\nd: on nowhere',
  [
    'b can never start: it needs 3 of db, and there are 2',
    'c can never start: it needs gpu, and no limit has that name',
    'd can never start: nowhere is not among your hosts',
  ],
);
check('each task of a cycle is named with the whole cycle', 'a: needs b\nb: needs a\nc: needs a', [
  'a can never start: it is in a dependency cycle (a → b → a)',
  'b can never start: it is in a dependency cycle (a → b → a)',
]);
