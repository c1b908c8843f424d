import { askedSentences } from '../cli/asked-text.ts';
import type { BoardUse } from '../cli/open-board.ts';
import type { TaskName } from '../cli/find-task.ts';
import type { RunId, TaskId, WorkerId } from '../domain/ids.ts';

export interface HeldTask {
  readonly run: RunId;
  readonly task: TaskId;
  readonly term: number;
  /** Absent: until it is released. */
  readonly leaseMs?: number;
}

type PastClaim = HeldTask & { readonly plan: string };

/** A renewal may be late, and the next one is still in time. */
const RENEWALS_IN_A_LEASE = 3;
/** Whoever decides may be about to change. */
const AGAIN_MS = 1000;

/**
 * The tasks that an agent has, renewed for as long as it is connected: a model may think for longer than
 * any lease. Each is also remembered after it was lost, so that what is said of it is said of that claim.
 */
export class HeldTasks implements Disposable {
  readonly #use: Pick<BoardUse, 'open' | 'world' | 'terminal'>;
  readonly #worker: () => WorkerId;
  readonly #tell: (note: string) => void;
  readonly #lost: (claim: HeldTask) => void;
  /** By their terms: two plans may have tasks of one name. */
  readonly #held = new Map<number, HeldTask>();
  /** Of each task the newest claim, the newest last. */
  readonly #last = new Map<string, PastClaim>();
  readonly #due = new Map<number, Disposable>();
  readonly #asked = new Set<string>();
  #isOver = false;

  constructor(
    use: Pick<BoardUse, 'open' | 'world' | 'terminal'>,
    agent: {
      readonly worker: () => WorkerId;
      readonly tell: (note: string) => void;
      readonly lost: (claim: HeldTask) => void;
    },
  ) {
    this.#use = use;
    this.#worker = agent.worker;
    this.#tell = agent.tell;
    this.#lost = agent.lost;
  }

  get all(): readonly HeldTask[] {
    return [...this.#held.values()];
  }

  /** What it has of tasks of this name; where it has none, the newest that it had. */
  claimsOf({ task, plan }: Pick<TaskName, 'task' | 'plan'>): readonly PastClaim[] {
    const known = [...this.#last.values()].filter(
      (each) => each.task === task && (plan === undefined || each.plan === plan),
    );
    const held = known.filter(({ term }) => this.#held.has(term));
    return held.length > 0 ? held : known.slice(-1);
  }

  /** Begins with it: a claim counts once it was renewed. Answers whether it is still there. */
  async begin(granted: HeldTask): Promise<boolean> {
    const held = this.keep(granted);
    await this.#renew(held);
    return this.#held.get(held.term) === held;
  }

  keep({ run, task, term, leaseMs }: HeldTask): HeldTask {
    const held = { run, task, term, ...(leaseMs !== undefined && { leaseMs }) };
    this.#held.set(term, held);
    const plan = this.#use.open.keeper.board.runs.get(run)?.manifest.plan ?? '';
    const key = `${plan}\n${task}`;
    this.#last.delete(key);
    this.#last.set(key, { plan, ...held });
    if (leaseMs !== undefined) this.#renewIn(held, leaseMs / RENEWALS_IN_A_LEASE);
    return held;
  }

  /** The agent has called a tool. That is told where it is limited how long it may be silent. */
  tellOfLife(): void {
    const { open, world } = this.#use;
    for (const { run, task, term } of this.#held.values()) {
      const entry = open.keeper.board.find(run, task);
      if (entry?.asks.stuckAfterMs === undefined) continue;
      const by = { kind: 'worker', worker: this.#worker() } as const;
      const request = { run, task, term, by, says: { kind: 'progressed' } } as const;
      // Lost on the way, it is made up for by the next call.
      void open.keeper.calls.say(request, world.ids.operation()).catch(() => undefined);
    }
  }

  /** Claims that were here before, or whose connection was closed, end soon unless they are renewed. */
  async renewNow(term: number): Promise<void> {
    const held = this.#held.get(term);
    if (held !== undefined && !this.#isOver) await this.#renew(held);
  }

  /** It has ended, or is somebody else's. */
  remove(term: number): void {
    this.#held.delete(term);
    this.#due.get(term)?.[Symbol.dispose]();
    this.#due.delete(term);
  }

  [Symbol.dispose](): void {
    this.#isOver = true;
    for (const due of this.#due.values()) due[Symbol.dispose]();
    this.#due.clear();
  }

  #renewIn(held: HeldTask, delayMs: number): void {
    this.#due.get(held.term)?.[Symbol.dispose]();
    const due = this.#use.open.alarm.after(delayMs, () => void this.#renew(held));
    this.#due.set(held.term, due);
  }

  async #renew(held: HeldTask): Promise<void> {
    const { open, world, terminal } = this.#use;
    const { run, task, term, leaseMs = AGAIN_MS } = held;
    const by = { kind: 'worker', worker: this.#worker() } as const;
    const says = { kind: 'renew', isAutomatic: true } as const;
    const request = { run, task, term, by, says };
    try {
      const reply = await open.keeper.calls.say(request, world.ids.operation());
      if (this.#isOver || this.#held.get(term) !== held) return;
      if (reply.kind !== 'accepted') {
        this.remove(term);
        this.#lost(held);
        return;
      }
      for (const sentence of askedSentences(reply.asked)) {
        if (this.#asked.has(sentence)) continue;
        this.#asked.add(sentence);
        this.#tell(sentence);
      }
      if (held.leaseMs !== undefined) this.#renewIn(held, leaseMs / RENEWALS_IN_A_LEASE);
    } catch (error) {
      if (this.#isOver || this.#held.get(term) !== held) return;
      terminal.err(`"${task}" could not be renewed and is tried again: ${String(error)}\n`);
      this.#renewIn(held, Math.min(AGAIN_MS, leaseMs / RENEWALS_IN_A_LEASE));
    }
  }
}
