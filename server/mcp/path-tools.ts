import * as z from 'zod';
import { freePaths, readPatterns, takePaths } from '../cli/owning.ts';
import type { PathCheck } from '../cli/path-check.ts';
import { pathInTree } from '../cli/path-in-tree.ts';
import { shortName } from '../board/file-claim-text.ts';
import { displayLine } from '../domain/display-text.ts';
import { parseDuration } from '../plans/quantities.ts';
import type { AgentDesk } from './agent-desk.ts';
import { type Answer, type Refusal, TEXTS, type ToolBox, wrongCall } from './tool-box.ts';

/** Nobody is about to write more than that. */
const PATHS_LIMIT = 200;
const HAZARDS_LIMIT = 100;

const LOOKS = { readOnlyHint: true, openWorldHint: false } as const;
const CHANGES = { readOnlyHint: false, destructiveHint: false, openWorldHint: false } as const;
const PATHS = z
  .array(z.string())
  .min(1)
  .max(PATHS_LIMIT)
  .describe('Files, from the folder of the board, or absolute.');
const PATTERNS = z
  .array(z.string())
  .max(PATHS_LIMIT)
  .describe('Files, folders as "src/api/", or patterns as "src/**/*.ts", from the folder.');

/** Who is at work on which files. */
export function addPathTools(tools: ToolBox): void {
  addLooks(tools);
  tools.add('own_paths', {
    title: 'Take paths',
    description:
      'Takes files that you are going to change without a task, so that others see it and their tasks wait. Refused where somebody writes them already.',
    input: z.object({
      paths: PATTERNS.min(1),
      for: z.string().default('10m').describe('For how long, as 10m or 1h; call again to go on.'),
    }),
    output: { paths: TEXTS, until: z.number().optional() },
    annotations: { ...CHANGES, idempotentHint: true },
    isAboutPaths: true,
    perform: async ({ paths, for: duration }, { desk }) => await own(desk, { paths, duration }),
  });
  tools.add('free_paths', {
    title: 'Let go of paths',
    description: 'Lets go of what own_paths has taken: of these paths, or of all of them.',
    input: z.object({ paths: PATTERNS.default([]) }),
    output: { freed: TEXTS },
    annotations: { ...CHANGES, idempotentHint: true },
    perform: async ({ paths }, { desk }) => {
      const read = readPatterns({ words: paths, folder: desk.use.args.folder });
      if (read.kind === 'refused') return wrongCall(read.message);
      const wish = { worker: desk.worker.id, patterns: read.texts };
      const outcome = await freePaths(desk.use, wish);
      if (outcome.kind === 'refused')
        return { ...outcome, next: 'Go on: there is nothing to free.' };
      const { freed } = outcome;
      const message = displayLine(`Let go of ${freed.join(', ')}.`);
      return { freed, message, next: 'Others can write them now.' };
    },
  });
  tools.add('ask_release', {
    title: 'Ask for a file',
    description:
      'Asks whoever writes a file to let go of it. They hear of it in their window, or when their claim is renewed; nothing is taken from them.',
    input: z.object({ path: z.string() }),
    output: { asked: TEXTS.describe('Who was asked.') },
    annotations: CHANGES,
    perform: async ({ path }, { desk }) => await askRelease(desk, path),
  });
}

function addLooks(tools: ToolBox): void {
  tools.add('check_paths', {
    title: 'Check who writes files',
    description:
      'Says of each file whether you may write it now, who else is at work on it and until when, and what to do instead. Call it before you write a file that your task does not name.',
    input: z.object({ paths: PATHS }),
    output: {
      files: z.array(
        z.object({
          path: z.string(),
          mayWrite: z.boolean(),
          sentences: TEXTS,
          advice: z.string().optional(),
        }),
      ),
    },
    annotations: LOOKS,
    isAboutPaths: true,
    perform: async ({ paths }, { desk }) => await check(desk, paths),
  });
  tools.add('hazards', {
    title: 'Show what would collide',
    description:
      'Shows where two tasks of the plans write the same files, or one writes what another reads, with no order between them.',
    input: z.object({}),
    output: {
      hazards: z.array(z.object({ plan: z.string(), message: z.string() })),
      left: z.int(),
    },
    annotations: LOOKS,
    perform: async (_, { desk }) => showHazards(desk),
  });
}

async function check(
  { use, checker, worker }: AgentDesk,
  paths: readonly string[],
): Promise<
  (Answer & { files: Pick<PathCheck, 'path' | 'mayWrite' | 'sentences' | 'advice'>[] }) | Refusal
> {
  // Whoever decides has seen everything that this process could look at.
  await use.takePart();
  // The server may have been stopped: what happened meanwhile is read before this is answered.
  await use.open.keeper.calls.greet(worker);
  const files = [];
  for (const path of paths) {
    const inTree = pathInTree(use.args.folder, use.world, path);
    if (inTree === undefined)
      return wrongCall(`"${path}" is not in the working tree of ${use.args.folder}.`);
    const { writers: _, path: __, ...says } = checker.check(inTree);
    files.push({ ...says, path });
  }
  const held = files.filter(({ mayWrite }) => !mayWrite);
  const message =
    held.length === 0
      ? 'Nobody else writes these files now.'
      : `Somebody else writes ${held.map(({ path }) => path).join(', ')} now.`;
  const next =
    held.length === 0
      ? 'Write them; call own_paths before, where you have no task that names them.'
      : 'Do something else meanwhile, or call ask_release.';
  return { files, message: displayLine(message), next };
}

async function own(
  { use, worker }: AgentDesk,
  { paths, duration }: { readonly paths: readonly string[]; readonly duration: string },
): Promise<(Answer & { paths: readonly string[]; until?: number }) | Refusal> {
  const durationMs = parseDuration(duration);
  if (durationMs === undefined || durationMs <= 0)
    return wrongCall(`"for" is a duration such as 10m or 1h, not "${duration}".`);
  const read = readPatterns({ words: paths, folder: use.args.folder });
  if (read.kind === 'refused') return wrongCall(read.message);
  const wish = { worker: worker.id, patterns: read.texts, durationMs, isReading: false };
  const taken = await takePaths(use, wish);
  if (taken.kind === 'refused')
    return { ...taken, next: 'Do something else meanwhile, or call ask_release.' };
  const { until } = taken;
  return {
    paths: read.texts,
    ...(until !== undefined && { until }),
    message: displayLine(`${read.texts.join(', ')}: yours for ${duration}.`),
    next: 'Write them now, and call free_paths when you are done.',
  };
}

async function askRelease(
  { use, checker }: AgentDesk,
  path: string,
): Promise<(Answer & { asked: readonly string[] }) | Refusal> {
  await use.takePart();
  const inTree = pathInTree(use.args.folder, use.world, path);
  if (inTree === undefined)
    return wrongCall(`"${path}" is not in the working tree of ${use.args.folder}.`);
  const { writers } = checker.check(inTree);
  if (writers.length === 0)
    return { asked: [], message: `Nobody writes ${path} now.`, next: 'Write it.' };
  const asked: string[] = [];
  for (const claim of writers)
    if (claim.hears && (await checker.claims.askRelease(claim, inTree)))
      asked.push(shortName(claim));
  const message =
    asked.length === 0
      ? `${path} is written by a command: nobody hears, and it is free when that ends.`
      : `${asked.join(', ')} will hear that you ask for ${path}.`;
  return {
    asked,
    message: displayLine(message),
    next: 'Do something else meanwhile, and check_paths again.',
  };
}

async function showHazards({
  use: { board },
}: AgentDesk): Promise<Answer & { hazards: { plan: string; message: string }[]; left: number }> {
  await board.loadInSlices();
  const all = board.plans.all.flatMap(({ path, plan }) =>
    plan.problems
      .filter(({ code }) => code === 'hazard')
      .map(({ message }) => ({ plan: path, message: displayLine(message) })),
  );
  const hazards = all.slice(0, HAZARDS_LIMIT);
  const message =
    all.length === 0 ? 'No two tasks would collide.' : `${all.length} places collide.`;
  const next =
    all.length === 0 ? 'Go on.' : 'Tell the user, who can give the tasks an order in the plan.';
  return { hazards, left: all.length - hazards.length, message, next };
}
