import path from 'node:path';
import { lostSentence } from '../board/lost-text.ts';
import { displayText } from '../domain/display-text.ts';
import { asksOf, type Doer } from '../domain/asks.ts';
import type { WorkerId } from '../domain/ids.ts';
import { formatDuration, type Instant } from '../domain/time.ts';
import type { Grant, LedgerEntry } from '../engine/store-port.ts';
import { claimLines } from './claim-text.ts';
import { EXIT, type ExitCode } from './exit-code.ts';
import { findTask, readTaskName, type TaskName } from './find-task.ts';
import { type BoardUse, withBoard } from './open-board.ts';
import { OptionReader } from './options.ts';
import { errLine, outLine, sayJson, sayRefused } from './say.ts';
import { Taking } from './taking.ts';
import type { Arguments, Terminal } from './terminal.ts';
import { readWorker } from './worker.ts';

/** An agent or a person takes a task. */
export async function claim(args: Arguments, terminal: Terminal): Promise<ExitCode> {
  const { words, options } = args;
  const reader = new OptionReader(options);
  const leaseMs = reader.durationMs('lease');
  const name = words[0] === undefined ? undefined : readTaskName(words[0], options);
  if (reader.refusal !== undefined) return sayRefused(args, terminal, reader.refusal);
  if (name?.kind === 'refused') return sayRefused(args, terminal, name);
  let taking: Taking | undefined;
  const how = {
    command: 'claim',
    carriesOn: 'recent',
    changed: (entries: readonly LedgerEntry[]) => taking?.changed(entries),
  } as const;
  const use = async (board: BoardUse): Promise<ExitCode> => {
    const { open } = board;
    const read = readWorkerFor(board, reader, name);
    if (read.kind === 'refused') return sayRefused(args, terminal, read);
    const worker = { ...read.worker, root: args.folder, since: open.clock.now() };
    const isWaiting = options['wait'] === true;
    const waits = (message: string): void => errLine(terminal, `${message} Waiting.`);
    const mine = new Taking(board, { worker, name, leaseMs, isWaiting, startsRun: true, waits });
    taking = mine;
    if (isWaiting) terminal.onInterrupt(() => mine.interrupt());
    const taken = await mine.perform();
    await tellLosses(board, worker.id);
    if (taken.kind === 'granted') return sayGranted(board, worker.id, taken.grant);
    await open.keeper.calls.leave(worker.id);
    return sayRefused(args, terminal, taken);
  };
  return await withBoard(args, terminal, { how, use });
}

/** Whatever it came for, it hears now of the claims that it lost meanwhile. */
async function tellLosses({ open, terminal }: BoardUse, worker: WorkerId): Promise<void> {
  const { calls, board } = open.keeper;
  const lost = board.losses.of(worker);
  for (const each of lost) errLine(terminal, lostSentence(each));
  if (lost.length > 0)
    await calls.told(
      worker,
      lost.map(({ term }) => term),
    );
}

/** A task for a person is claimed by one, whoever says nothing else is an agent. */
function readWorkerFor(
  use: BoardUse,
  reader: OptionReader,
  name: TaskName | undefined,
): ReturnType<typeof readWorker> {
  const isForPerson = name !== undefined && doerOf(use, name)?.kind === 'person';
  return readWorker(reader, { defaultKind: isForPerson ? 'person' : 'agent' });
}

/** Whom a task is for, in a run or, where none has it yet, in its plan. */
function doerOf({ args, board, open }: BoardUse, name: TaskName): Doer | undefined {
  const found = findTask(open.keeper.board, args.folder, name);
  if (found.kind === 'found') return found.entry.asks.doer;
  board.load();
  const planned = board.plans.all
    .filter((plan) => name.plan === undefined || name.plan === plan.path)
    .flatMap(({ plan }) => plan.tasks.filter(({ id }) => id === name.task));
  return planned[0] && asksOf(planned[0].asks).doer;
}

/** A claim as programs are told of it. */
export interface ClaimedTask extends Grant {
  readonly plan: string | undefined;
  readonly worker: WorkerId;
  readonly expiresAt: Instant | undefined;
  /** The folder that its paths count from. */
  readonly board: string;
  readonly title: string;
  /** What the plan says now; the ledger keeps no prose. */
  readonly description?: string;
  readonly reads: readonly string[];
  readonly writes: readonly string[];
  /** From `board`. */
  readonly cwd: string;
  /** The same, absolute. */
  readonly directory: string;
}

export function claimedTask(
  { args, board, open }: Pick<BoardUse, 'args' | 'board' | 'open'>,
  worker: WorkerId,
  grant: Grant,
): ClaimedTask {
  const entry = open.keeper.board.find(grant.run, grant.task);
  const { title = '', reads = [], writes = [], cwd = '' } = entry?.definition ?? {};
  const expiresAt = entry?.claim?.holder.expiresAt;
  const plan = entry?.run.manifest.plan;
  board.load();
  const description =
    plan === undefined
      ? undefined
      : board.plans.get(plan)?.plan.tasks.find(({ id }) => id === grant.task)?.description;
  return {
    ...grant,
    plan,
    worker,
    expiresAt,
    board: args.folder,
    title,
    ...(description !== undefined && { description }),
    reads,
    writes,
    cwd,
    directory: path.join(args.folder, cwd),
  };
}

function sayGranted(use: BoardUse, worker: WorkerId, grant: Grant): ExitCode {
  const { args, terminal } = use;
  const claimed = claimedTask(use, worker, grant);
  if (args.isJson) {
    sayJson(terminal, claimed);
    return EXIT.done;
  }
  const { title, description, writes } = claimed;
  const isLeased = grant.leaseMs !== undefined;
  const lease =
    grant.leaseMs === undefined ? 'until released' : `lease ${formatDuration(grant.leaseMs)}`;
  const text = { title: displayText(title), description, writes };
  for (const line of claimLines({ ...grant, ...text, worker, lease, isLeased }))
    outLine(terminal, line);
  return EXIT.done;
}
