import * as z from 'zod';
import { findAttempt } from '../cli/find-attempt.ts';
import { readTaskName } from '../cli/find-task.ts';
import { noPlan } from '../cli/no-plan.ts';
import { findNewestLog } from '../cli/newest-log.ts';
import { statusModel } from '../cli/status-model.ts';
import { tailOf } from '../cli/tail.ts';
import { explainTask } from '../cli/why.ts';
import { displayText } from '../domain/display-text.ts';
import type { AgentDesk } from './agent-desk.ts';
import { type Answer, type Refusal, TASK, TEXTS, type ToolBox, wrongCall } from './tool-box.ts';

const LOOKS = { readOnlyHint: true, openWorldHint: false } as const;
/** A model reads all of it. */
const TASKS_LIMIT = 100;
const LOG_LINES = { default: 100, most: 1000 };
const LOG_BYTES = 64 * 1024;

const STATUS_INPUT = z.object({
  states: z
    .array(z.string())
    .optional()
    .describe('Only tasks in these states, as ready, running, waiting, failed, attention.'),
  limit: z.int().min(1).max(1000).default(TASKS_LIMIT).describe('At most so many tasks.'),
});

const STATUS_OUTPUT = {
  worker: z.string().describe('Who you are on the board.'),
  held: z.array(z.object({ task: z.string(), term: z.int() })).describe('What you have claimed.'),
  counts: z.record(z.string(), z.int()).describe('How many tasks are in each state.'),
  tasks: z.array(
    z.object({
      plan: z.string(),
      id: z.string(),
      title: z.string(),
      state: z.string(),
      detail: z.string().describe('What it waits for, who has it, or how it ended.'),
    }),
  ),
  left: z.int().describe('How many tasks there are beside these.'),
  taken: z
    .array(z.object({ worker: z.string(), paths: TEXTS }))
    .describe('Paths that somebody has taken without a task.'),
};

/** What there is, and why. */
export function addLookTools(tools: ToolBox): void {
  tools.add('status', {
    title: 'Show the board',
    description:
      'Shows the tasks of this folder with their states and who has them, what you have claimed, and which paths are taken without a task.',
    input: STATUS_INPUT,
    output: STATUS_OUTPUT,
    annotations: LOOKS,
    perform: async (input, { desk }) => showStatus(desk, input),
  });
  tools.add('why', {
    title: 'Say why a task is not running',
    description:
      'Says what keeps a task from starting, a sentence for each thing that is in its way and what would clear it; or how it ended.',
    input: z.object({ task: TASK }),
    output: { task: z.string(), sentences: TEXTS },
    annotations: LOOKS,
    perform: async ({ task }, { desk }) => {
      const name = readTaskName(task, {});
      if (name.kind === 'refused') return wrongCall(name.message);
      const found = explainTask(desk.use, name, 'agent');
      if (found.kind === 'refused') return wrongCall(found.message);
      const { sentences } = found;
      const next = 'Clear what you can, or claim another task.';
      return { task: name.task, sentences, message: sentences.join(' '), next };
    },
  });
  tools.add('read_log', {
    title: 'Read the log of a task',
    description:
      'Reads the end of what a task has written. Without a task it is that of the one that failed last, or ran last.',
    input: z.object({
      task: TASK.optional(),
      lines: z.int().min(1).max(LOG_LINES.most).default(LOG_LINES.default),
    }),
    output: { task: z.string(), attempt: z.int(), text: z.string(), file: z.string() },
    annotations: LOOKS,
    perform: async ({ task, lines }, { desk }) => readLog(desk, { task, lines }),
  });
}

async function showStatus(
  desk: AgentDesk,
  { states, limit }: z.output<typeof STATUS_INPUT>,
): Promise<(Answer & z.input<z.ZodObject<typeof STATUS_OUTPUT>>) | Refusal> {
  const { board, open, args } = desk.use;
  await board.loadInSlices();
  if (board.plans.all.length === 0)
    return { ...noPlan(args.folder), next: 'Ask the user for a plan, or for its folder.' };
  const { tasks, taken, runs } = statusModel(board, open);
  const counts: Record<string, number> = {};
  for (const { state } of tasks) counts[state] = (counts[state] ?? 0) + 1;
  const wanted = states === undefined ? tasks : tasks.filter(({ state }) => states.includes(state));
  const shown = wanted.slice(0, limit);
  const said = Object.entries(counts).map(([state, count]) => `${count} ${state}`);
  return {
    message: `${tasks.length} tasks: ${said.join(', ')}.`,
    next:
      runs.length === 0
        ? 'Nothing can be claimed until tasks are run: ask the user for it, or for leave to call "interlock run".'
        : 'Call claim_task to take one, or why to see what a task waits for.',
    worker: desk.worker.id,
    held: desk.held.all.map(({ task, term }) => ({ task, term })),
    counts,
    tasks: shown.map(({ plan, id, title, state, detail }) => ({ plan, id, title, state, detail })),
    left: wanted.length - shown.length,
    taken: taken.map(({ worker, reads, writes }) => ({ worker, paths: [...writes, ...reads] })),
  };
}

interface LogWish {
  readonly task: string | undefined;
  readonly lines: number;
}

function readLog(
  { use: { open, args } }: AgentDesk,
  { task, lines }: LogWish,
): (Answer & { task: string; attempt: number; text: string; file: string }) | Refusal {
  const name = task === undefined ? undefined : readTaskName(task, {});
  if (name?.kind === 'refused') return wrongCall(name.message);
  const tried =
    name === undefined ? findNewestLog(open, args) : findAttempt(open, args.folder, name);
  if (tried.kind === 'refused') return wrongCall(tried.message);
  const file = open.logFile(tried);
  const text = displayLines(
    tailOf(file, { lineCount: lines, byteCount: LOG_BYTES, hasColors: false }),
  );
  const message = `The end of the log of "${tried.task}", attempt ${tried.attempt}.`;
  const next = 'The whole log is in "file".';
  return { task: tried.task, attempt: tried.attempt, text, file, message, next };
}

function displayLines(text: string): string {
  return text.split('\n').map(displayText).join('\n');
}
