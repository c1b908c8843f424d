import { expect, test } from 'vitest';
import { snapshotOf, taskId } from '../../support/snapshots.ts';

/** The order in which the tasks of a run would start. */
function check(name: string, text: string, expected: string): void {
  test(name, () => {
    expect(snapshotOf(text).runs[0]?.plan.order.join(' ')).toBe(expected);
  });
}

check('tasks without an order go by their ids', 'b\na\nc', 'a b c');
check('a task that others wait for goes first', 'a\nz\ny: needs z', 'z a y');
check(
  'the longest chain counts, not the number of waiting tasks',
  'a\nb: needs a\nc: needs a\nx\ny: after x\nz: after y',
  'x a y b c z',
);
check('capital letters go before small ones', 'a\nB', 'B a');
check('a cycle goes last', 'a: needs b\nb: needs a\nc', 'c a b');

test('what a task writes is read once', () => {
  const task = snapshotOf('a: writes x !y').runs[0]?.plan.tasks.get(taskId('a'));
  expect([task?.writes.include.length, task?.writes.exclude.length]).toStrictEqual([1, 1]);
});
