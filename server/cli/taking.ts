import type { ClaimReply } from '../engine/board-calls.ts';
import type { Grant, LedgerEntry } from '../engine/store-port.ts';
import type { Worker } from '../scheduler/model/workers.ts';
import { claimRefusal } from './claim-text.ts';
import { EXIT } from './exit-code.ts';
import type { TaskName } from './find-task.ts';
import { noPlan } from './no-plan.ts';
import { findLiveTask } from './not-running.ts';
import type { BoardUse } from './open-board.ts';
import type { Refused } from './say.ts';

/** When something has happened, others may be about to claim as well. */
const AGAIN_MS = 50;

interface Wish {
  readonly worker: Worker;
  /** Absent: whatever comes first. */
  readonly name: TaskName | undefined;
  readonly leaseMs: number | undefined;
  readonly isWaiting: boolean;
  /** Told once, with why nothing can be had yet. */
  readonly waits: (message: string) => void;
}

export type Taken = { readonly kind: 'granted'; readonly grant: Grant } | Refused;

type Try = Extract<Taken, { kind: 'granted' }> | (Refused & { readonly mayPass: boolean });

/** A worker's way to a task: at once or not at all, or for as long as nobody interrupts. */
export class Taking {
  readonly #use: Omit<BoardUse, 'terminal'>;
  readonly #wish: Wish;
  #wake: (() => void) | undefined;
  #isNews = false;
  #isInterrupted = false;

  constructor(use: Omit<BoardUse, 'terminal'>, wish: Wish) {
    this.#use = use;
    this.#wish = wish;
  }

  async perform(): Promise<Taken> {
    const { isWaiting, waits } = this.#wish;
    for (let hasSaid = false; ; hasSaid = true) {
      const answer = await this.#try();
      if (answer.kind === 'granted') return answer;
      if (!isWaiting || !answer.mayPass) return this.#withoutPlan() ?? answer;
      if (!hasSaid) waits(answer.message);
      await this.#news();
      if (this.#isInterrupted) return INTERRUPTED;
    }
  }

  changed(entries: readonly LedgerEntry[]): void {
    if (!entries.some(isNews)) return;
    this.#isNews = true;
    this.#wake?.();
  }

  interrupt(): void {
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

  async #try(): Promise<Try> {
    const { open, world, takePart } = this.#use;
    const { worker, name, leaseMs } = this.#wish;
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
