import * as z from 'zod/mini';
import { key } from './facts.ts';
import {
  agentName,
  count,
  glob,
  list,
  longText,
  type RefusalSort,
  text,
  variable,
  word,
  wordsOf,
} from './kinds.ts';
import { SHARED } from './shared.ts';

const ROLES = [
  { text: 'runner', summary: 'Interlock starts it; it needs a command.' },
  { text: 'agent', summary: 'An agent claims it and does it.' },
  { text: 'human', summary: 'Nobody runs it; a person claims and completes it.' },
] as const;

const AT_KEY: { readonly sort: RefusalSort } = { sort: 'key' };

const SCRIPT = z.pipe(
  text().check(
    z.refine((script) => script.trim() !== '', {
      error: '"run" has no command.',
      params: { ...AT_KEY },
    }),
  ),
  z.transform((script) => ({ kind: 'shell' as const, script })),
);

const PROGRAM = z.pipe(
  list(text(), 'a program and its arguments').check(
    z.refine(([file = '']) => file !== '', {
      error: '"run" names no program.',
      params: { ...AT_KEY },
    }),
  ),
  z.transform(([file = '', ...args]) => ({ kind: 'program' as const, file, args })),
);

const CACHE = z.object(
  {
    inputs: z.optional(
      key(list(glob(), 'path patterns'), {
        kind: 'globs',
        summary: 'The files whose contents decide whether the task must run again.',
        detail: 'Left out, they are what the task `reads`.',
        example: '[src/**, package-lock.json]',
      }),
    ),
    outputs: z.optional(
      key(list(glob(), 'path patterns'), {
        kind: 'globs',
        summary: 'The files that the task makes, kept to be put back.',
        detail: 'Left out, they are what the task `writes`.',
        example: '[dist/**]',
      }),
    ),
    env: z.optional(
      key(list(variable(), 'variable names'), {
        kind: 'names',
        summary: 'The environment variables whose values count as inputs.',
        detail: '',
        example: '[NODE_ENV]',
        default: '[]',
      }),
    ),
  },
  '"{key}" holds keys: { inputs: [src/**], outputs: [dist/**] }.',
);

/** The keys of a task. */
export const TASK = z.object({
  title: z.optional(
    key(text(), {
      kind: 'text',
      summary: 'What people see of the task, next to its id.',
      detail: '',
      example: 'Add the users endpoint',
    }),
  ),
  description: z.optional(
    key(longText('A description'), {
      kind: 'text',
      summary: 'What there is to say about the task, at most 256 KiB.',
      detail: 'For people and agents; nothing is run of it.',
      example: '|\n  The endpoint lists users, a page at a time.',
    }),
  ),
  run: z.optional(
    key(z.union([SCRIPT, PROGRAM]), {
      kind: 'command',
      summary: 'The command that does the task.',
      detail:
        'A text is a shell script, given to `sh -c`. A list is a program and its arguments, run without a shell. Without `run` and `agent`, some worker claims the task.',
      example: 'npm run gen:schema',
    }),
  ),
  agent: z.optional(
    key(agentName(), {
      kind: 'agent',
      summary: 'The agent that does the task: a name of "agents".',
      detail: 'It is started with the `prompt` of the task.',
      example: 'claude',
      isLater: true,
    }),
  ),
  prompt: z.optional(
    key(longText('A prompt'), {
      kind: 'text',
      summary: 'What the agent is asked to do, at most 256 KiB.',
      detail: '',
      example: '|\n  Implement GET /users …',
      isLater: true,
    }),
  ),
  role: z.optional(
    key(word(wordsOf(ROLES)), {
      kind: 'word',
      summary: 'Who does the task.',
      detail: 'With `run` it is `runner`. Without `run` and `role`, anyone may claim it.',
      example: 'human',
      values: ROLES,
    }),
  ),
  depends_on: z.optional(
    key(list(text(), 'task ids'), {
      kind: 'task-ids',
      summary: 'The tasks that must complete first.',
      detail:
        'When one of them fails, this task is skipped. `other-plan/id` is a task of another plan.',
      example: '[schema, database/migrate]',
      default: '[]',
    }),
  ),
  after: z.optional(
    key(list(text(), 'task ids'), {
      kind: 'task-ids',
      summary: 'The tasks that must have ended first, whether they completed or not.',
      detail: '`other-plan/id` is a task of another plan.',
      example: '[lint]',
      default: '[]',
    }),
  ),
  reads: z.optional(
    key(list(glob(), 'path patterns'), {
      kind: 'globs',
      summary: 'The files that the task reads.',
      detail:
        'Patterns count from the workspace folder: `*` within a name, `**` over folders, `?`, `[a-z]`, `{a,b}`; a path such as `docs` is all below it too, with or without a slash at its end; a leading `!` takes paths away. A task that writes them, with no order between the two, is a hazard.',
      example: '[src/schema/**]',
      default: '[]',
    }),
  ),
  writes: z.optional(
    key(list(glob(), 'path patterns'), {
      kind: 'globs',
      summary: 'The files that the task writes; it owns them while it runs.',
      detail:
        'Patterns as in `reads`. Two tasks that write the same files, with no order between them, are a hazard.',
      example: '[src/api/**, "!src/api/legacy/**"]',
      default: '[]',
    }),
  ),
  shards: z.optional(
    key(count({ from: 1, to: 1000 }), {
      kind: 'count',
      summary: 'Into how many copies the task is split.',
      detail:
        'Each has `INTERLOCK_SHARD=k/n` in its environment; the task is complete when all are.',
      example: '4',
      default: '1',
      isLater: true,
    }),
  ),
  cache: z.optional(
    key(CACHE, {
      kind: 'keys',
      summary: 'Skips the task when nothing that counts has changed since it last completed.',
      detail: '',
      example: '{ inputs: [src/**], outputs: [dist/**] }',
      isLater: true,
    }),
  ),
  artifacts: z.optional(
    key(list(glob(), 'path patterns'), {
      kind: 'globs',
      summary: 'The files that are kept with the run.',
      detail: 'Patterns as in `reads`.',
      example: '[coverage/**]',
      default: '[]',
      isLater: true,
    }),
  ),
  ...SHARED,
});
