import { expect, test } from 'vitest';
import { exitCodeOf } from '../../../server/board/task-end.ts';
import { parseTaskId } from '../../../server/domain/ids.ts';
import { type Failure, NEW_TASK, type TaskState } from '../../../server/domain/task.ts';
import { instant } from '../../../server/domain/time.ts';

const span = { tries: NEW_TASK.tries, startedAt: instant(0), finishedAt: instant(1) };

const failed = (failure: Failure): TaskState => ({ kind: 'failed', failure, ...span });

const check = (behaviour: string, state: TaskState | undefined, code: number): void =>
  test(behaviour, () => expect(exitCodeOf(state)).toBe(code));

check('a completed task is 0', { kind: 'completed', ...span }, 0);
check('a command that failed has its own code', failed({ kind: 'exit', code: 77 }), 77);
check('a signal is as in a shell', failed({ kind: 'signal', signal: 'SIGKILL' }), 137);
check(
  'a signal that few know is one all the same',
  failed({ kind: 'signal', signal: 'SIGXX' }),
  128,
);
check('a timeout is as timeout tells it', failed({ kind: 'timeout', limitMs: 1 }), 124);
check(
  'what never began is as a command that is not found',
  failed({ kind: 'not-started', message: '' }),
  127,
);
check('cancelled is as interrupted', { kind: 'cancelled', ...span }, 130);
check('skipped is a failure', { kind: 'skipped', because: parseTaskId('api')!, ...span }, 1);
check('what nobody knows is no success', undefined, 1);
