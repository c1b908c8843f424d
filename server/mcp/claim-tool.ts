import * as z from 'zod';
import { claimedTask } from '../cli/claim.ts';
import { readTaskName } from '../cli/find-task.ts';
import type { Refused } from '../cli/say.ts';
import { Taking } from '../cli/taking.ts';
import { displayText } from '../domain/display-text.ts';
import { parseDuration } from '../plans/quantities.ts';
import type { Grant } from '../engine/store-port.ts';
import type { AgentDesk } from './agent-desk.ts';
import {
  type Answer,
  type Refusal,
  TASK,
  TEXTS,
  type ToolBox,
  type ToolContext,
  wrongCall,
} from './tool-box.ts';
import { Waiting } from './waiting.ts';

/** An agent that waits for longer has forgotten what for. */
const WAIT_LIMIT_S = 3600;

const INPUT = z.object({
  task: TASK.optional().describe('Only this task; default: whatever comes first that you can do.'),
  wait_seconds: z
    .int()
    .min(0)
    .max(WAIT_LIMIT_S)
    .default(0)
    .describe('How long to wait where there is nothing to take now; at most 50 for most clients.'),
  lease: z
    .string()
    .optional()
    .describe('How long it stays yours after you are gone, as 30s or 5m; default: the task says.'),
});

const OUTPUT = {
  run: z.string(),
  plan: z.string().optional(),
  task: z.string(),
  term: z.int().describe('The number of this claim; later claims have higher ones.'),
  worker: z.string().describe('Who you are on the board.'),
  title: z.string(),
  description: z.string().optional(),
  reads: TEXTS,
  writes: TEXTS.describe('What it may write, from the folder "board".'),
  cwd: z.string(),
  board: z.string(),
  leaseMs: z.number().optional().describe('Absent: until you release it.'),
};

type Claimed = Answer & z.input<z.ZodObject<typeof OUTPUT>>;

/** Taking a task. */
export function addClaimTool(tools: ToolBox): void {
  tools.add('claim_task', {
    title: 'Claim a task',
    description:
      'Takes a task for you, and nobody else may do it then: the one that you name, or the first that you can do. Answers what to do, which files it may write, and the term of your claim. Nothing to take is an error that says why.',
    input: INPUT,
    output: OUTPUT,
    annotations: {
      readOnlyHint: false,
      openWorldHint: false,
      destructiveHint: false,
      idempotentHint: true,
    },
    perform: claimTask,
  });
}

async function claimTask(
  { task, wait_seconds: waitSeconds, lease }: z.output<typeof INPUT>,
  { desk, signal, stillWaits }: ToolContext,
): Promise<Claimed | Refusal> {
  const { open } = desk.use;
  const name = task === undefined ? undefined : readTaskName(task, {});
  if (name?.kind === 'refused') return wrongCall(name.message);
  const leaseMs = lease === undefined ? undefined : parseDuration(lease);
  if (lease !== undefined && !(leaseMs !== undefined && leaseMs > 0))
    return wrongCall(`"lease" is a duration such as 30s or 5m, not "${lease}".`);
  const { worker } = desk;
  const isWaiting = waitSeconds > 0;
  const asked = { ...worker, isIdle: isWaiting };
  const wish = { worker: asked, name, leaseMs, isWaiting, startsRun: false, waits: stillWaits };
  const taking = new Taking(desk.use, wish);
  using waiting = new Waiting(open.alarm, { taking, stillWaits });
  waiting.endIn(waitSeconds * 1000);
  signal.addEventListener('abort', () => taking.interrupt(), { once: true });
  const taken = await desk.whileTaking(taking, async () => await taking.perform());
  // Whoever works is not to be woken, and whoever has stopped waiting is not to be waited for.
  await open.keeper.calls.greet(worker);
  if (taken.kind === 'refused') return nothingToTake(taken, isWaiting);
  // Nobody has heard that it was granted.
  if (signal.aborted) return await giveBack(desk, taken.grant);
  if (!(await desk.held.begin(taken.grant)))
    return { ...wrongCall('The claim was lost at once.'), next: 'Call claim_task again.' };
  return claimed(desk, taken.grant);
}

function claimed(desk: AgentDesk, grant: Grant): Claimed {
  const { use, worker } = desk;
  const {
    plan,
    expiresAt: _,
    title,
    cwd: __,
    directory,
    ...all
  } = claimedTask(use, worker.id, grant);
  return {
    ...all,
    title: displayText(title),
    ...(plan !== undefined && { plan }),
    cwd: directory,
    message: `"${grant.task}" is yours, with term ${grant.term}.`,
    next: 'Do it now, and write only what it may write. Then call complete_task, or fail_task with the reason, or release_task. It is renewed for as long as you are connected.',
  };
}

function nothingToTake(taken: Refused, isWaiting: boolean): Refusal {
  if (taken.why === 'interrupted')
    return {
      ...taken,
      next: 'There was nothing to take in that time. Call claim_task again, or stop.',
    };
  const next = isWaiting
    ? 'Waiting would not help.'
    : 'Call claim_task with wait_seconds to wait for it, or status to see what there is.';
  return { ...taken, next };
}

async function giveBack(desk: AgentDesk, { task, run, term }: Grant): Promise<Refusal> {
  const says = { kind: 'released', reason: 'released' } as const;
  const { open, world } = desk.use;
  const by = { kind: 'worker', worker: desk.worker.id } as const;
  await open.keeper.calls.say({ run, task, term, by, says }, world.ids.operation());
  return wrongCall('The request was cancelled.');
}
