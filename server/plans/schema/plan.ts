import * as z from 'zod/mini';
import { key } from './facts.ts';
import {
  agentName,
  capability,
  count,
  limitName,
  list,
  processors,
  size,
  taskId,
  text,
  version,
  word,
  wordsOf,
} from './kinds.ts';
import { DEFAULTS, AMOUNT } from './shared.ts';
import { TASK } from './task.ts';

const RULES = [
  { text: 'wait', summary: 'The task that comes second waits until the other one is done.' },
  { text: 'warn', summary: 'Both run; both are marked.' },
  { text: 'ignore', summary: 'Both run, and nothing is said.' },
] as const;

const RULES_OF_PEOPLE = [
  { text: 'ask', summary: 'The task waits, and the person is asked.' },
  ...RULES,
] as const;

const HAZARDS = z.object(
  {
    'write-write': z.optional(
      key(word(wordsOf(RULES)), {
        kind: 'word',
        summary: 'When two tasks write the same files.',
        detail: '',
        example: 'wait',
        default: 'wait',
        values: RULES,
      }),
    ),
    'read-write': z.optional(
      key(word(wordsOf(RULES)), {
        kind: 'word',
        summary: 'When one task reads what another one writes.',
        detail: '',
        example: 'warn',
        default: 'warn',
        values: RULES,
      }),
    ),
    human: z.optional(
      key(word(wordsOf(RULES_OF_PEOPLE)), {
        kind: 'word',
        summary: 'When a task would write what a person is editing.',
        detail: '',
        example: 'ask',
        default: 'ask',
        values: RULES_OF_PEOPLE,
      }),
    ),
    worktrees: z.optional(
      key(word(wordsOf(RULES)), {
        kind: 'word',
        summary: 'When the two work in different working trees, so that the files meet in a merge.',
        detail: '',
        example: 'warn',
        default: 'warn',
        values: RULES,
      }),
    ),
  },
  '"{key}" holds keys: { write-write: wait }.',
);

/** Any other name is a limit of the user's own, `OWN_LIMIT`. */
export const LIMITS = z.catchall(
  z.object(
    {
      parallel: z.optional(
        key(count({ from: 1, to: 10_000 }), {
          kind: 'count',
          summary: 'How many tasks run at once on this machine.',
          detail:
            'Every task takes one place, whatever else it takes. Each host has `slots` of its own.',
          example: '4',
          default: "the machine's number of cores",
        }),
      ),
      cpu: z.optional(
        key(processors(), {
          kind: 'number',
          summary: 'How many processors the running tasks may take together.',
          detail: 'Tasks say how much they take in `resources`.',
          example: '8',
          default: "the machine's number of cores",
        }),
      ),
      memory: z.optional(
        key(size(), {
          kind: 'size',
          summary: 'How much memory the running tasks may take together.',
          detail: 'Tasks say how much they take in `resources`.',
          example: '16GiB',
          default: "the machine's memory",
        }),
      ),
      queue: z.optional(
        key(count({ from: 1, to: 1_000_000 }), {
          kind: 'count',
          summary: 'How many tasks may wait before new runs are refused.',
          detail: '',
          example: '10000',
          default: '10000',
          isLater: true,
        }),
      ),
    },
    '"{key}" holds names and numbers: { parallel: 4 }.',
  ),
  AMOUNT,
);

export const LIMIT_NAME = limitName();

const AGENT = z.object(
  {
    command: z.optional(
      key(z.union([text(), list(text(), 'a program and its arguments')]), {
        kind: 'command',
        summary: 'How the agent is started.',
        detail: '`${prompt}` stands for the prompt of the task. A list is run without a shell.',
        example: '[claude, -p, "${prompt}"]',
      }),
    ),
    capabilities: z.optional(
      key(list(capability(), 'capabilities'), {
        kind: 'capabilities',
        summary: 'What the agent is capable of: it gets tasks that need no more.',
        detail: '',
        example: '[code, web]',
        default: '[]',
      }),
    ),
  },
  'An agent holds keys: { command: [claude, -p, "${prompt}"] }.',
);

export const AGENTS = z.record(agentName(), AGENT, '"{key}" holds names, and below each its keys.');

/** The keys of a plan. */
export const PLAN = z.object({
  version: z.optional(
    key(version(), {
      kind: 'count',
      summary: 'The version of the language that the plan is written in.',
      detail: 'There is one: `1`.',
      example: '1',
      default: '1',
    }),
  ),
  name: z.optional(
    key(text(), {
      kind: 'text',
      summary: 'What the plan is called where people see it.',
      detail: '',
      example: 'checkout',
      default: "the folder's name",
    }),
  ),
  limits: z.optional(
    key(LIMITS, {
      kind: 'amount',
      summary: 'How much there is of what tasks share.',
      detail:
        'Of any other name the tasks that take it in `resources` run at once only while there is enough: `db: 1` lets one at a time use the database. Amounts are numbers or sizes.',
      example: '{ parallel: 4, memory: 16GiB, db: 1 }',
    }),
  ),
  hazards: z.optional(
    key(HAZARDS, {
      kind: 'keys',
      summary: 'What happens when two workers want the same files, with at least one writing.',
      detail: 'Tasks that an order separates are never a hazard.',
      example: '{ write-write: wait, read-write: warn }',
    }),
  ),
  defaults: z.optional(
    key(DEFAULTS, {
      kind: 'keys',
      summary: 'What tasks say that do not say it themselves.',
      detail: 'Of `env`, `resources` and `retry` a task takes each name that it does not set.',
      example: '{ priority: normal, retry: { attempts: 2 } }',
    }),
  ),
  agents: z.optional(
    key(AGENTS, {
      kind: 'names',
      summary: 'The agents that tasks may name, and how each is started.',
      detail: '',
      example: '\n  claude: { command: [claude, -p, "${prompt}"], capabilities: [code] }',
      isLater: true,
    }),
  ),
  tasks: z.optional(
    key(z.record(taskId(), TASK), {
      kind: 'names',
      summary: 'The tasks of the plan: the id of each, and below it its keys.',
      detail:
        'An id starts with a letter or digit and has at most 64 of: letters, digits, `.` `_` `-`. Ids differ in more than case.',
      example: '\n  build: { run: npm run build, writes: [dist/**] }',
    }),
  ),
});
