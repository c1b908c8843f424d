import { agentNamed, markedName } from '../cli/agent-name.ts';
import type { BoardUse } from '../cli/open-board.ts';
import { PathChecker } from '../cli/path-check.ts';
import type { Taking } from '../cli/taking.ts';
import { displayText } from '../domain/display-text.ts';
import { assert } from '../domain/assert.ts';
import type { LedgerEntry } from '../engine/store-port.ts';
import type { Worker } from '../scheduler/model/workers.ts';
import { HeldTasks } from './held-tasks.ts';

export interface AgentIdentity {
  /** What the user calls it; absent: what its program calls itself. */
  readonly name: string | undefined;
  readonly needs: string | undefined;
}

/** One agent at the board: who it is, what it has, and what it has not been told yet. */
export class AgentDesk {
  readonly use: BoardUse;
  readonly held: HeldTasks;
  readonly #identity: AgentIdentity;
  readonly #takings = new Set<Taking>();
  readonly #notes: string[] = [];
  #worker: Worker | undefined;
  #meeting: Promise<void> | undefined;
  #checker: PathChecker | undefined;

  constructor(use: BoardUse, identity: AgentIdentity) {
    this.use = use;
    this.#identity = identity;
    this.held = new HeldTasks(use, (note) => void this.#notes.push(displayText(note)));
  }

  /** The agent, as soon as it has said what it is. Who has been here before has what it had. */
  async meet(program: string | undefined): Promise<void> {
    this.#meeting ??= this.#arrive(program);
    try {
      await this.#meeting;
    } catch (error) {
      // Whoever asks next tries again.
      this.#meeting = undefined;
      throw error;
    }
  }

  get worker(): Worker {
    assert(this.#worker !== undefined, 'whoever calls a tool has been met');
    return this.#worker;
  }

  get checker(): PathChecker {
    this.#checker ??= new PathChecker(this.use, this.worker.id);
    return this.#checker;
  }

  /** What has happened since it was last told something; it is told once. */
  takeNotes(): readonly string[] {
    return this.#notes.splice(0);
  }

  /** Something that waits hears of what happens for as long as `work` takes. */
  async whileTaking<T>(taking: Taking, work: () => Promise<T>): Promise<T> {
    this.#takings.add(taking);
    try {
      return await work();
    } finally {
      this.#takings.delete(taking);
    }
  }

  changed(entries: readonly LedgerEntry[]): void {
    for (const taking of this.#takings) taking.changed(entries);
  }

  /** What it has stays its own until the lease ends: an agent may only be connecting anew. */
  async leave(): Promise<void> {
    for (const taking of this.#takings) taking.interrupt();
    this.held[Symbol.dispose]();
    if (this.#worker !== undefined && this.use.open.keeper.isDeciding)
      await this.use.open.keeper.calls.leave(this.#worker.id);
  }

  async #arrive(program: string | undefined): Promise<void> {
    const { args, terminal, open, takePart } = this.use;
    const { name, needs } = this.#identity;
    const [mark] = terminal.callers();
    const read = agentNamed(name ?? markedName(program ?? 'agent', mark), needs);
    if (read.kind === 'refused') throw new RangeError(read.message);
    // Nobody wakes it: it comes when its model says so.
    const since = open.clock.now();
    const worker: Worker = { ...read.worker, isIdle: false, root: args.folder, since };
    this.#worker = worker;
    await takePart();
    await open.keeper.calls.greet(worker);
    for (const { holder, entry } of open.keeper.board.claims.pulled)
      if (holder.worker === worker.id)
        this.held.keep({ run: entry.run.manifest.id, task: entry.id, ...holder });
  }
}
