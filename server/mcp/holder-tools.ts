import * as z from 'zod';
import { EXIT } from '../cli/exit-code.ts';
import { readTaskName, type TaskName } from '../cli/find-task.ts';
import { type HolderWord, tellBoard } from '../cli/holding.ts';
import { type InsideTask, insideOf } from '../board/inside-task.ts';
import type { Saying } from '../scheduler/requests/settle.ts';
import type { AgentDesk } from './agent-desk.ts';
import { type Answer, type Refusal, TASK, type ToolBox, wrongCall } from './tool-box.ts';

const MESSAGE_LIMIT = 64 * 1024;

const TERM = z
  .int()
  .positive()
  .optional()
  .describe('Which claim it is, as claim_task said; default: the newest that you had.');

/** What whoever has a task says of it: that it goes on, or how it has ended. */
export function addHolderTools(tools: ToolBox): void {
  for (const word of ['renew', 'done', 'fail', 'release'] as const) addHolderTool(tools, word);
}

interface HolderTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly accepted: (task: string) => Answer;
}

const HOLDER_TOOLS: Readonly<Record<HolderWord, HolderTool>> = {
  renew: {
    name: 'renew_task',
    title: 'Keep a task',
    description:
      'Says whether a task that you have claimed is still yours, and keeps it for another lease. That is done for you while you are connected: call it before a long step whose result must count.',
    accepted: (task) => ({ message: `"${task}" is yours.`, next: 'Go on with it.' }),
  },
  done: {
    name: 'complete_task',
    title: 'Complete a task',
    description:
      'Says that a task that you have claimed is done. Refused where the claim was lost: then what you did for it does not count.',
    accepted: (task) => ({
      message: `"${task}" is completed.`,
      next: 'Call claim_task for more, or stop.',
    }),
  },
  fail: {
    name: 'fail_task',
    title: 'Fail a task',
    description:
      'Says that a task that you have claimed cannot be done, and why. Whoever reads its log sees your message.',
    accepted: (task) => ({
      message: `"${task}" has failed.`,
      next: 'Call claim_task for more, or stop.',
    }),
  },
  release: {
    name: 'release_task',
    title: 'Release a task',
    description:
      'Releases a task that you have claimed, for somebody else. Undo first what you have left half done.',
    accepted: (task) => ({
      message: `"${task}" is released.`,
      next: 'Call claim_task for more, or stop.',
    }),
  },
};

function addHolderTool(tools: ToolBox, word: HolderWord): void {
  const { name, accepted, ...texts } = HOLDER_TOOLS[word];
  const message = z
    .string()
    .describe('Why it cannot be done: what was tried, and what is missing.');
  const input = z.object({ task: TASK, term: TERM, ...(word === 'fail' && { message }) });
  tools.add(name, {
    ...texts,
    input,
    output: {
      task: z.string(),
      term: z.int(),
      remainingMs: z.number().optional().describe('For how long it is yours now.'),
    },
    annotations: {
      readOnlyHint: false,
      openWorldHint: false,
      // They settle only the caller's own claim and delete nothing. With "destructive" Codex asks a
      // person first, and a headless Codex refuses: it could never complete a task.
      destructiveHint: false,
      idempotentHint: true,
    },
    perform: async (given, { desk }) => {
      const why = 'message' in given ? String(given['message']) : undefined;
      const found = readTaskName(given.task, {});
      if (found.kind === 'refused') return wrongCall(found.message);
      return await say(desk, { word, name: found, term: given.term, why, accepted });
    },
  });
}

interface HolderSaying {
  readonly word: HolderWord;
  readonly name: TaskName;
  readonly term: number | undefined;
  readonly why: string | undefined;
  readonly accepted: HolderTool['accepted'];
}

async function say(
  desk: AgentDesk,
  { word, name, term: wanted, why, accepted }: HolderSaying,
): Promise<(Answer & { task: string; term: number; remainingMs?: number }) | Refusal> {
  const { task } = name;
  const known = desk.held.claimsOf(name);
  const inside = insideOf(desk.use.terminal.env);
  if (inside?.task === task && known.length === 0 && (wanted ?? inside.term) === inside.term)
    return await announce(desk, { word, name, why, inside });
  if (wanted === undefined && known.length > 1)
    return wrongCall(
      `You have several tasks "${task}": ${known.map(({ plan }) => `${plan}:${task}`).join(', ')}. Say which.`,
    );
  const term = wanted ?? known[0]?.term;
  if (term === undefined)
    return wrongCall(`You have not claimed "${task}": call claim_task first.`);
  const message = why?.slice(0, MESSAGE_LIMIT).toWellFormed();
  const run = known.find((each) => each.term === term)?.run;
  const by = { kind: 'worker', worker: desk.worker.id } as const;
  const said = { kind: 'said', word, name: { ...name, run }, term, message, by } as const;
  const heard = await tellBoard(desk.use, { ...said, says: sayingOf(word, message) });
  if (heard.kind === 'refused') {
    if (heard.code === EXIT.usage) return wrongCall(heard.message);
    desk.held.remove(term);
    return { ...heard, next: 'Stop working on it. Call claim_task for something else, or stop.' };
  }
  if (word !== 'renew') desk.held.remove(term);
  const left = heard.kind === 'heard' ? heard.reply.remainingMs : undefined;
  return { ...accepted(task), task, term, ...(left !== undefined && { remainingMs: left }) };
}

/** An agent that the command of a task has started says how that command ends. */
async function announce(
  desk: AgentDesk,
  {
    word,
    name,
    why,
    inside: { run, term, proof },
  }: Pick<HolderSaying, 'word' | 'name' | 'why'> & { inside: InsideTask },
): Promise<(Answer & { task: string; term: number; remainingMs?: number }) | Refusal> {
  const { task } = name;
  const message = why?.slice(0, MESSAGE_LIMIT).toWellFormed();
  const by = { kind: 'command', ...(proof !== undefined && { proof }) } as const;
  const said = { kind: 'said', word, name: { ...name, run }, term, message, by } as const;
  const heard = await tellBoard(desk.use, { ...said, says: sayingOf(word, message) });
  if (heard.kind === 'refused')
    return { ...heard, next: 'Stop working on it: what you do for it now does not count.' };
  return { task, term, ...ANNOUNCED[word](task) };
}

const ANNOUNCED: Readonly<Record<HolderWord, (task: string) => Answer>> = {
  renew: (task) => ({
    message: `"${task}" is kept while its command runs.`,
    next: 'Go on with it.',
  }),
  done: (task) => ({
    message: `"${task}" is completed when its command ends with exit code 0.`,
    next: 'End now.',
  }),
  fail: (task) => ({ message: `"${task}" has failed when its command ends.`, next: 'End now.' }),
  release: (task) => ({
    message: `"${task}" is tried again later, when its command has ended.`,
    next: 'End now.',
  }),
};

function sayingOf(word: HolderWord, message: string | undefined): Saying {
  switch (word) {
    case 'renew':
      return { kind: 'renew' };
    case 'done':
      return { kind: 'completed' };
    case 'fail':
      return {
        kind: 'failed',
        failure: { kind: 'exit', code: 1, ...(message !== undefined && { message }) },
      };
    case 'release':
      return { kind: 'released', reason: 'released' };
    default:
      return word satisfies never;
  }
}
