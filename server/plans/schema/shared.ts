import * as z from 'zod/mini';
import { boundedLease } from '../../domain/asks.ts';
import { parsePriority, PRIORITIES } from '../../domain/priority.ts';
import { key } from './facts.ts';
import { RETRY, TIMEOUT } from './failure.ts';
import {
  amount,
  capability,
  durationThat,
  folder,
  host,
  list,
  processors,
  size,
  text,
  timeLimit,
  variable,
  word,
  wordsOf,
} from './kinds.ts';

const PRIORITY_WORDS = [
  {
    text: 'critical',
    summary: 'Served first; the only class that is served when the machine is at its limit.',
  },
  { text: 'high', summary: 'Served about twice as often as normal.' },
  { text: 'normal', summary: 'The class of every task that does not say.' },
  {
    text: 'low',
    summary: 'Served last, but never forgotten; waits while the machine is under load.',
  },
  { text: 'urgent', summary: 'Another word for critical.' },
  { text: 'medium', summary: 'Another word for normal.' },
] as const;

const PRIORITY = z.pipe(
  word(PRIORITIES, ['urgent', 'medium']),
  z.transform((written) => parsePriority(written) ?? 'normal'),
);

const WAYS = [
  {
    text: 'process',
    summary: 'A process of its own, in the background; its output is in its log.',
  },
  {
    text: 'terminal',
    summary: 'A terminal of the editor, where you can see it and type; its output is only there.',
  },
  {
    text: 'tmux',
    summary:
      'A tmux session, here or on a host, that you can attach to and type into; it outlives the editor and a lost connection.',
  },
] as const;

const ISOLATIONS = [
  { text: 'none', summary: 'The task works in the tree that the plan lies in.' },
  { text: 'worktree', summary: 'A git worktree and a branch of its own; overlaps become merges.' },
] as const;

export const VARIABLES = z.record(variable(), text(), '"{key}" holds names and texts.');

export const AMOUNT = amount();

/** Any other name is that of a limit. */
export const RESOURCES = z.catchall(
  z.object(
    {
      cpu: z.optional(
        key(processors(), {
          kind: 'number',
          summary: 'How many processors the task takes while it runs.',
          detail: 'A number of them, which need not be whole.',
          example: '2',
          default: '0',
        }),
      ),
      memory: z.optional(
        key(size(), {
          kind: 'size',
          summary: 'How much memory the task takes while it runs.',
          detail: '',
          example: '1GiB',
          default: '0KiB',
        }),
      ),
    },
    '"{key}" holds amounts of the limits: { cpu: 2, memory: 1GiB }.',
  ),
  AMOUNT,
);

/** What a task may say, and `defaults` for all tasks. */
export const SHARED = {
  cwd: z.optional(
    key(folder(), {
      kind: 'folder',
      summary: 'The folder that the command runs in.',
      detail:
        'Relative to the workspace folder, with `/` on every system; it cannot leave it. Patterns in `reads` and `writes` count from the workspace folder all the same.',
      example: 'packages/api',
      default: '.',
    }),
  ),
  env: z.optional(
    key(VARIABLES, {
      kind: 'variables',
      summary: 'Environment variables for the command.',
      detail:
        'They are added to a clean environment: `PATH`, `HOME` and a few more. Of `defaults` a task takes each variable that it does not set itself.',
      example: '{ NODE_ENV: test }',
      default: '{}',
    }),
  ),
  priority: z.optional(
    key(PRIORITY, {
      kind: 'word',
      summary: 'Which class the task is served in when not everything can start at once.',
      detail:
        'Ready tasks take turns by class, 50 : 30 : 15 : 5, so that none waits for ever. Inside a class the longest chain of waiting tasks goes first.',
      example: 'high',
      default: 'normal',
      values: PRIORITY_WORDS,
    }),
  ),
  resources: z.optional(
    key(RESOURCES, {
      kind: 'amount',
      summary: 'How much of the limits the task takes while it runs.',
      detail:
        'Names are those of `limits`, and `cpu` and `memory`, which every machine has. A task starts only when all of it is free.',
      example: '{ cpu: 2, memory: 1GiB, db: 1 }',
      default: '{}',
    }),
  ),
  in: z.optional(
    key(word(wordsOf(WAYS)), {
      kind: 'word',
      summary: 'How the command is run.',
      detail:
        'In a `terminal` it can be typed to. Whoever has the folder open in VS Code gets one for each such task; it does not count in `parallel`. Without a window it waits, and `interlock terminal TASK` takes it in any other terminal. On a host there are no terminals: `tmux` is what can be typed to there. Only a task with `run` has a way to be run.',
      example: 'tmux',
      default: 'process',
      values: WAYS,
    }),
  ),
  on: z.optional(
    key(z.union([host(), list(host(), 'host names')]), {
      kind: 'hosts',
      summary: 'The machine that the task runs on, or several to choose from.',
      detail:
        '`local` is this one; any other name is one of your hosts: those of the setting `interlock.hosts`, or of `hosts.json`. Of several that can take the task the one with room is chosen where its data is.',
      example: '[build-1, build-2]',
      default: 'local',
      values: [{ text: 'local', summary: 'This machine.' }],
    }),
  ),
  needs: z.optional(
    key(list(capability(), 'capabilities'), {
      kind: 'capabilities',
      summary: 'What the worker that does the task must be capable of.',
      detail: 'Only workers that have all of these capabilities may claim it.',
      example: '[web, "gpu:a100"]',
      default: '[]',
    }),
  ),
  isolation: z.optional(
    key(word(wordsOf(ISOLATIONS)), {
      kind: 'word',
      summary: 'Whether the task works in a tree of its own.',
      detail: '',
      example: 'worktree',
      default: 'none',
      isLater: true,
      values: ISOLATIONS,
    }),
  ),
  retry: z.optional(
    key(RETRY, {
      kind: 'keys',
      summary: 'How often, how soon and after which exit codes a failed command runs again.',
      detail:
        'A lost lease, a lost host or a failed start does not count as a failure of the command.',
      example: '{ attempts: 3, backoff: 1s }',
      default: '{ attempts: 1 }',
    }),
  ),
  timeout: z.optional(
    key(TIMEOUT, {
      kind: 'time-limits',
      summary: 'How long the command may take.',
      detail:
        'One duration is the hard limit. `{ soft, hard }` first asks it to end with SIGTERM, then makes it with SIGKILL.',
      example: '{ soft: 10m, hard: 12m }',
    }),
  ),
  stuck_after: z.optional(
    key(timeLimit(), {
      kind: 'duration',
      summary: 'After how long without output and without a changed file the task needs attention.',
      detail:
        'It is only flagged, never ended, until it shows that it works. For runners and agents only: people take the time they need. Left out it is `5m` for a task that an agent claims (`role: agent`); a command that Interlock runs is not flagged then, as many print nothing until they end. Of a command, output counts. An agent that has claimed the task shows that it works by a tool or command that it calls, by its hook, or by a changed file that the task writes; renewals that its server sends by itself do not count.',
      example: '10m',
      default: '5m',
    }),
  ),
  lease: z.optional(
    key(
      durationThat((ms) => (boundedLease(ms) === ms ? undefined : '"{key}" is from 1s to 24h.')),
      {
        kind: 'duration',
        summary: 'How long a claim lives when its worker does not renew it.',
        detail:
          'When it has run out, the task goes back to the queue. Left out it is `30s` for runners and `5m` for agents; a person has the task until it is released.',
        example: '10m',
      },
    ),
  ),
};

/** The keys of `defaults`. */
export const DEFAULTS = z.object(SHARED, '"{key}" holds keys: { retry: { attempts: 2 } }.');

export type SharedKey = keyof typeof SHARED;

export function isSharedKey(name: string): name is SharedKey {
  return Object.hasOwn(SHARED, name);
}
