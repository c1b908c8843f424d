import * as z from 'zod/mini';
import { key } from './facts.ts';
import { count, duration, exitCode, list, number, timeLimit } from './kinds.ts';

/** The keys of `retry`. */
export const RETRY = z.object(
  {
    attempts: z.optional(
      key(count({ from: 1, to: 1000 }), {
        kind: 'count',
        summary: 'How often the command may run in all, the first time included.',
        detail: 'With `1` a failed command is not run again.',
        example: '3',
        default: '1',
      }),
    ),
    backoff: z.optional(
      key(duration(), {
        kind: 'duration',
        summary: 'How long to wait before the first repetition.',
        detail:
          'Up to a fifth is added or taken away, so that tasks which failed together do not all come back together.',
        example: '1s',
        default: '100ms',
      }),
    ),
    factor: z.optional(
      key(number({ from: 1, to: 100 }), {
        kind: 'number',
        summary: 'How many times as long each further wait is.',
        detail:
          'With `backoff: 1s` and `factor: 2` the waits are 1s, 2s, 4s and so on, up to `max`.',
        example: '2',
        default: '2',
      }),
    ),
    max: z.optional(
      key(duration(), {
        kind: 'duration',
        summary: 'No wait is longer than this.',
        detail: '',
        example: '30s',
        default: '30s',
      }),
    ),
    on: z.optional(
      key(list(exitCode(), 'exit codes'), {
        kind: 'exit-codes',
        summary: 'The exit codes that are worth another try.',
        detail:
          'Left out or empty, every failure is. A command that a signal or a time limit ended has no exit code, and is tried again only when this is left out.',
        example: '[75, 111]',
        default: '[]',
      }),
    ),
  },
  '"{key}" holds keys: { attempts: 2 }.',
);

const LIMITS_OF_TIME = z.object(
  {
    soft: z.optional(
      key(timeLimit(), {
        kind: 'duration',
        summary: 'When the command is asked to end.',
        detail: 'It gets SIGTERM, and five seconds to clean up before SIGKILL.',
        example: '10m',
      }),
    ),
    hard: z.optional(
      key(timeLimit(), {
        kind: 'duration',
        summary: 'When the command is made to end.',
        detail: 'It gets SIGKILL then, whatever time is left of the five seconds after `soft`.',
        example: '12m',
      }),
    ),
  },
  '"{key}" holds keys: { soft: 10m, hard: 12m }.',
);

/** One limit is the hard one. The order of two is for whoever reads both, right or wrong. */
export const TIMEOUT = z.union([timeLimit(), LIMITS_OF_TIME]);
