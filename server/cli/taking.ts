import type { ClaimReply } from '../engine/board-calls.ts';
import type { Grant, LedgerEntry } from '../engine/store-port.ts';
import type { Worker } from '../scheduler/model/workers.ts';
import { isOfBoard } from '../board/board-mirror.ts';
import { type ForeignClaim, isClaimedBy } from '../board/claims-in-plans.ts';
import { asksOf, canBeStopped } from '../domain/asks.ts';
import type { PlanTask } from '../plans/plan.ts';
import { claimRefusal } from './claim-text.ts';
import { EXIT } from './exit-code.ts';
import { type FoundTask, severalPlans, type TaskName } from './find-task.ts';
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
  /** Whether a task that no run has yet is asked for, with what it needs. */
  readonly startsRun: boolean;
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
    const found = name && (await this.#find(name, advice));
    if (found?.kind === 'refused') return { ...found, mayPass: MAY_COME.has(found.why) };
    const task = found && { run: found.run.manifest.id, task: found.entry.id };
    const others = this.#claimsOfOthers();
    const other = task && others.find((each) => each.run === task.run && each.task === task.task);
    if (other !== undefined) return { ...claimedInFile(other), mayPass: true };
    const operation = world.ids.operation();
    const reply: ClaimReply = await keeper.calls.claim({
      worker,
      operation,
      ...(task ? { task } : others.length > 0 && { except: others.map(nameOnly) }),
      ...(leaseMs !== undefined && { leaseMs }),
    });
    if (reply.kind === 'granted') return reply;
    const who = { worker: worker.id, task: task?.task, now: clock.now() };
    return {
      ...claimRefusal(reply, who),
      mayPass: reply.kind !== 'ended' && reply.kind !== 'unknown',
    };
  }

  /** Files of boards change without a word to anybody, so they are read now. */
  #claimsOfOthers(): readonly ForeignClaim[] {
    const { args, board, open } = this.#use;
    const runs = [...open.keeper.board.runs.values()];
    if (!runs.some(({ manifest }) => manifest.root === args.folder && isOfBoard(manifest)))
      return [];
    board.load();
    return board.claimsOfOthers(this.#wish.worker.id);
  }

  /**
   * A task that no run has yet is asked for, if it is one to claim. Agents ask only for what a file
   * says is their own: a person decides what else is to be done.
   */
  async #find(name: TaskName, advice: string): Promise<FoundTask> {
    const { board } = this.#use;
    const { worker, startsRun } = this.#wish;
    const found = findLiveTask(this.#use, name, advice);
    if (found.kind === 'found' || found.why !== 'not-running' || name.run !== undefined)
      return found;
    const claimable = board.plans.all.filter(
      ({ path, plan }) =>
        (name.plan === undefined || name.plan === path) &&
        plan.tasks.some(
          (task) =>
            task.id === name.task &&
            (isClaimedBy(task, worker.id) || (startsRun && isToClaim(task))),
        ),
    );
    const [own, other] = claimable;
    if (own === undefined) return found;
    if (other !== undefined) {
      const message = severalPlans(
        name.task,
        claimable.map(({ path }) => path),
      );
      return { kind: 'refused', why: 'ambiguous', message, code: EXIT.usage };
    }
    const result = await board.run({
      plan: own.path,
      tasks: [{ id: name.task }],
      requestedBy: 'command line',
      claimant: worker.id,
    });
    if (result.kind === 'accepted') return findLiveTask(this.#use, name, advice);
    const { why, message } = result;
    return { kind: 'refused', why, message, code: EXIT.refused };
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

function claimedInFile({ message }: ForeignClaim): Refused {
  return { kind: 'refused', why: 'blocked', message, code: EXIT.refused };
}

function nameOnly({ run, task }: ForeignClaim): Pick<ForeignClaim, 'run' | 'task'> {
  return { run, task };
}

/** Whether a worker does it: what a command does is run, and a terminal takes what is for one. */
function isToClaim(task: PlanTask): boolean {
  return !canBeStopped(asksOf(task.asks).doer);
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
