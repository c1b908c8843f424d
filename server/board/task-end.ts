import { unreachable } from '../domain/assert.ts';
import type { Failure, TaskState } from '../domain/task.ts';

/** Exit codes as shells have them, for what ends otherwise than by an exit. */
const TIMED_OUT = 124;
const NOT_STARTED = 127;
const SIGNALLED = 128;
const INTERRUPTED = 130;

/** They have the same number on all systems that have them. */
const SIGNALS: Readonly<Record<string, number>> = {
  SIGHUP: 1,
  SIGINT: 2,
  SIGQUIT: 3,
  SIGILL: 4,
  SIGTRAP: 5,
  SIGABRT: 6,
  SIGFPE: 8,
  SIGKILL: 9,
  SIGSEGV: 11,
  SIGPIPE: 13,
  SIGALRM: 14,
  SIGTERM: 15,
};

/** How a task has ended, as the exit code of a program that had done all of it. */
export function exitCodeOf(state: TaskState | undefined): number {
  if (state === undefined) return 1;
  switch (state.kind) {
    case 'completed':
      return 0;
    case 'failed':
      return exitCodeOfFailure(state.failure);
    case 'cancelled':
      return INTERRUPTED;
    case 'skipped':
    case 'pending':
    case 'claimed':
    case 'running':
    case 'attention':
      return 1;
    default:
      return unreachable(state);
  }
}

function exitCodeOfFailure(failure: Failure): number {
  switch (failure.kind) {
    case 'exit':
      return failure.code;
    case 'signal':
      return SIGNALLED + (SIGNALS[failure.signal] ?? 0);
    case 'timeout':
      return TIMED_OUT;
    case 'not-started':
      return NOT_STARTED;
    default:
      return unreachable(failure);
  }
}
