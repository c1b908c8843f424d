import { displayText } from '../domain/display-text.ts';
import type { WorkerId } from '../domain/ids.ts';
import { formatDuration, type Instant } from '../domain/time.ts';
import type { Grant, LedgerEntry } from '../engine/store-port.ts';
import { claimText } from './claim-text.ts';
import { EXIT, type ExitCode } from './exit-code.ts';
import { findTask, readTaskName, type TaskName } from './find-task.ts';
import { type BoardUse, withBoard } from './open-board.ts';
import { OptionReader } from './options.ts';
import { sayJson, sayRefused } from './say.ts';
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
    const waits = (message: string): void => terminal.err(`${message} Waiting.\n`);
    const mine = new Taking(board, { worker, name, leaseMs, isWaiting, waits });
    taking = mine;
    if (isWaiting) terminal.onInterrupt(() => mine.interrupt());
    const taken = await mine.perform();
    if (taken.kind === 'granted') return sayGranted(board, worker.id, taken.grant);
    await open.keeper.calls.leave(worker.id);
    return sayRefused(args, terminal, taken);
  };
  return await withBoard(args, terminal, { how, use });
}

/** A task for a person is claimed by one, whoever says nothing else is an agent. */
function readWorkerFor(
  { args, open }: BoardUse,
  reader: OptionReader,
  name: TaskName | undefined,
): ReturnType<typeof readWorker> {
  const found = name === undefined ? undefined : findTask(open.keeper.board, args.folder, name);
  const isForPerson = found?.kind === 'found' && found.entry.asks.doer.kind === 'person';
  return readWorker(reader, { defaultKind: isForPerson ? 'person' : 'agent' });
}

/** A claim as programs are told of it. */
export interface ClaimedTask extends Grant {
  readonly plan: string | undefined;
  readonly worker: WorkerId;
  readonly expiresAt: Instant | undefined;
  /** The folder that its paths count from. */
  readonly board: string;
  readonly title: string;
  readonly reads: readonly string[];
  readonly writes: readonly string[];
  readonly cwd: string;
}

export function claimedTask(
  { args, open }: Pick<BoardUse, 'args' | 'open'>,
  worker: WorkerId,
  grant: Grant,
): ClaimedTask {
  const entry = open.keeper.board.find(grant.run, grant.task);
  const { title = '', reads = [], writes = [], cwd = '' } = entry?.definition ?? {};
  const expiresAt = entry?.claim?.holder.expiresAt;
  const plan = entry?.run.manifest.plan;
  return { ...grant, plan, worker, expiresAt, board: args.folder, title, reads, writes, cwd };
}

function sayGranted(use: BoardUse, worker: WorkerId, grant: Grant): ExitCode {
  const { args, terminal } = use;
  const claimed = claimedTask(use, worker, grant);
  if (args.isJson) {
    sayJson(terminal, claimed);
    return EXIT.done;
  }
  const { title, writes } = claimed;
  const isLeased = grant.leaseMs !== undefined;
  const lease =
    grant.leaseMs === undefined ? 'until released' : `lease ${formatDuration(grant.leaseMs)}`;
  terminal.out(claimText({ ...grant, lease, isLeased, title: displayText(title), writes }));
  return EXIT.done;
}
