import { displayText } from '../domain/display-text.ts';
import type { ClaimReply } from '../engine/board-calls.ts';
import type { Grant, LedgerEntry } from '../engine/store-port.ts';
import { formatDuration } from '../domain/time.ts';
import type { Worker } from '../scheduler/model/workers.ts';
import { claimRefusal, claimText } from './claim-text.ts';
import { EXIT, type ExitCode } from './exit-code.ts';
import { findTask, readTaskName, type TaskName } from './find-task.ts';
import { noPlan } from './no-plan.ts';
import { findLiveTask } from './not-running.ts';
import { type BoardUse, withBoard } from './open-board.ts';
import { OptionReader } from './options.ts';
import { type Refused, sayJson, sayRefused } from './say.ts';
import type { Arguments, Terminal } from './terminal.ts';
import { readWorker } from './worker.ts';

/** When something has happened, others may be about to claim as well. */
const AGAIN_MS = 50;

/** An agent or a person takes a task. */
export async function claim(args: Arguments, terminal: Terminal): Promise<ExitCode> {
  const { words, options } = args;
  const reader = new OptionReader(options);
  const leaseMs = reader.durationMs('lease');
  const name = words[0] === undefined ? undefined : readTaskName(words[0], options);
  if (reader.refusal !== undefined) return sayRefused(args, terminal, reader.refusal);
  if (name?.kind === 'refused') return sayRefused(args, terminal, name);
  let changed: ((entries: readonly LedgerEntry[]) => void) | undefined;
  const how = {
    command: 'claim',
    carriesOn: 'recent',
    changed: (entries: readonly LedgerEntry[]) => changed?.(entries),
  } as const;
  const use = async (board: BoardUse): Promise<ExitCode> => {
    const taking = new Taking(board, { reader, name, leaseMs });
    changed = (entries) => taking.changed(entries);
    return await taking.perform();
  };
  return await withBoard(args, terminal, { how, use });
}

interface Wish {
  readonly reader: OptionReader;
  /** Absent: whatever comes first. */
  readonly name: TaskName | undefined;
  readonly leaseMs: number | undefined;
}

type Try =
  | { readonly kind: 'granted'; readonly grant: Grant }
  | (Refused & { readonly mayPass: boolean });

class Taking {
  readonly #use: BoardUse;
  readonly #wish: Wish;
  readonly #isWaiting: boolean;
  #wake: (() => void) | undefined;
  #isNews = false;
  #isInterrupted = false;

  constructor(use: BoardUse, wish: Wish) {
    this.#use = use;
    this.#wish = wish;
    this.#isWaiting = use.args.options['wait'] === true;
  }

  async perform(): Promise<ExitCode> {
    const { args, terminal, open } = this.#use;
    const read = this.#readWorker();
    if (read.kind === 'refused') return sayRefused(args, terminal, read);
    const worker = { ...read.worker, root: args.folder, since: open.clock.now() };
    if (this.#isWaiting) terminal.onInterrupt(() => this.#interrupted());
    for (let hasSaid = false; ; hasSaid = true) {
      const answer = await this.#try(worker);
      if (answer.kind === 'granted') return this.#granted(worker, answer.grant);
      if (!this.#isWaiting || !answer.mayPass) {
        await open.keeper.calls.leave(worker.id);
        return sayRefused(args, terminal, this.#withoutPlan() ?? answer);
      }
      if (!hasSaid) terminal.err(`${answer.message} Waiting.\n`);
      await this.#news();
      if (!this.#isInterrupted) continue;
      await open.keeper.calls.leave(worker.id);
      return sayRefused(args, terminal, INTERRUPTED);
    }
  }

  changed(entries: readonly LedgerEntry[]): void {
    if (!entries.some(isNews)) return;
    this.#isNews = true;
    this.#wake?.();
  }

  #interrupted(): void {
    this.#isInterrupted = true;
    this.#wake?.();
  }

  /** Where nothing can ever be asked for, it is of no use to say that nothing is there to claim. */
  #withoutPlan(): Refused | undefined {
    const { args, board, open } = this.#use;
    if (open.keeper.board.runs.size > 0) return undefined;
    board.load();
    return board.plans.all.length === 0 ? noPlan(args.folder) : undefined;
  }

  /** A task for a person is claimed by one, whoever says nothing else is an agent. */
  #readWorker(): ReturnType<typeof readWorker> {
    const { args, open } = this.#use;
    const { name, reader } = this.#wish;
    const found = name === undefined ? undefined : findTask(open.keeper.board, args.folder, name);
    const isForPerson = found?.kind === 'found' && found.entry.asks.doer.kind === 'person';
    return readWorker(reader, { defaultKind: isForPerson ? 'person' : 'agent' });
  }

  async #try(worker: Worker): Promise<Try> {
    const { open, world, takePart } = this.#use;
    const { name, leaseMs } = this.#wish;
    const { keeper, clock } = open;
    this.#isNews = false;
    // Whoever decides has seen everything that this process could look at.
    await takePart();
    const advice = `"interlock run ${name?.task}" asks for it, and then it can be claimed.`;
    const found = name && findLiveTask(this.#use, name, advice);
    if (found?.kind === 'refused') return { ...found, mayPass: MAY_COME.has(found.why) };
    const task = found && { run: found.run.manifest.id, task: found.entry.id };
    const operation = world.ids.operation();
    const reply: ClaimReply = await keeper.calls.claim({
      worker,
      operation,
      ...(task && { task }),
      ...(leaseMs !== undefined && { leaseMs }),
    });
    if (reply.kind === 'granted') return reply;
    const who = { worker: worker.id, task: task?.task, now: clock.now() };
    return {
      ...claimRefusal(reply, who),
      mayPass: reply.kind !== 'ended' && reply.kind !== 'unknown',
    };
  }

  async #news(): Promise<void> {
    if (!this.#isNews && !this.#isInterrupted)
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    this.#wake = undefined;
    if (this.#isInterrupted) return;
    await new Promise<void>((resolve) => {
      this.#use.open.alarm.after(AGAIN_MS, resolve);
    });
  }

  #granted(worker: Worker, grant: Grant): ExitCode {
    const { args, terminal, open } = this.#use;
    const entry = open.keeper.board.find(grant.run, grant.task);
    const { title = '', reads = [], writes = [], cwd = '' } = entry?.definition ?? {};
    const expiresAt = entry?.claim?.holder.expiresAt;
    const plan = entry?.run.manifest.plan;
    if (args.isJson) {
      const files = { title, reads, writes, cwd };
      sayJson(terminal, {
        ...grant,
        plan,
        worker: worker.id,
        expiresAt,
        board: args.folder,
        ...files,
      });
    } else {
      const lease =
        grant.leaseMs === undefined ? 'until released' : `lease ${formatDuration(grant.leaseMs)}`;
      const isLeased = grant.leaseMs !== undefined;
      terminal.out(claimText({ ...grant, lease, isLeased, title: displayText(title), writes }));
    }
    return EXIT.done;
  }
}

/** Somebody may write it into a plan, or ask for it. */
const MAY_COME: ReadonlySet<string> = new Set(['not-running', 'unknown-task', 'no-plan']);

const INTERRUPTED = {
  kind: 'refused',
  why: 'interrupted',
  message: 'Nothing was claimed.',
  code: EXIT.interrupted,
} as const;

/** Whatever can make a task takeable, or is about the one who waits. */
function isNews({ event }: LedgerEntry): boolean {
  if (event.kind === 'taskMoved')
    return event.event.kind !== 'leaseRenewed' && event.event.kind !== 'taskStarted';
  return (
    event.kind !== 'workerSeen' && event.kind !== 'cycleRan' && event.kind !== 'starvationCounted'
  );
}
