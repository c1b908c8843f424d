import { expect, test } from 'vitest';
import { lastLineOf } from '../../../server/board/last-line.ts';
import { runId, taskId } from '../../support/runs.ts';

function check(name: string, pieces: readonly string[], expected: string | undefined): void {
  test(name, async () => {
    const tries = { revision: 1, attempts: 1, failures: 0, losses: 0 };
    const record = {
      run: runId(1),
      plan: 'interlock.yaml',
      task: taskId('a'),
      state: { kind: 'pending', tries } as const,
      runStatus: 'active' as const,
    };
    const open = {
      logFile: () => 'log',
      async *readLog() {
        for (const piece of pieces) yield new TextEncoder().encode(piece);
      },
    };
    expect(await lastLineOf(open, record)).toBe(expected);
  });
}

check('the last line counts, with or without an end', ['one\ntwo\n', 'th', 'ree'], 'three');
check('lines with nothing in them do not', ['one\n', '\n  \n'], 'one');
check('what is written over itself is as it was last', ['10%\r20%\r'], '20%');
check('colours and titles are no words', ['\u001B[1;31mred\u001B[0m\u001B]0;title\u0007'], 'red');
check('of a long log the end is enough', ['x'.repeat(9000), '\nend'], 'end');
check('nothing was said', [], undefined);
