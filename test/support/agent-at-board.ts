import { onTestFinished } from 'vitest';
import { parseTaskId, type RunId, type TaskId, type WorkerId } from '../../server/domain/ids.ts';
import type { OpenBoard } from '../../server/board/ports.ts';
import { instant } from '../../server/domain/time.ts';
import type { Clock } from '../../server/engine/ports.ts';
import type { Grant } from '../../server/engine/store-port.ts';
import { terminalOf, withoutWindow } from '../../server/scheduler/model/workers.ts';
import type { Keeper } from '../../server/keeper/keeper.ts';
import { realWorld } from '../../server/world.ts';
import { workerId } from './snapshots.ts';

/** An agent that takes part in the board of a folder by itself, as one over the command line does. */
class AgentAtBoard {
  readonly #keeper: Keeper;
  readonly #clock: Clock;
  readonly #worker: WorkerId;
  readonly #heard: (() => void)[] = [];
  #operation = 0;

  constructor({ keeper, clock }: Pick<OpenBoard, 'keeper' | 'clock'>, worker: WorkerId) {
    this.#keeper = keeper;
    this.#clock = clock;
    this.#worker = worker;
  }

  async claim(name: string): Promise<Grant> {
    const worker = {
      id: this.#worker,
      kind: terminalOf(this.#worker) === undefined ? 'agent' : 'terminal',
      capabilities: [],
      isIdle: true,
      since: this.#keeper.board.now,
    } as const;
    const which = this.#which(name);
    const reply = await this.#keeper.calls.claim({ worker, task: which, operation: this.#next() });
    if (reply.kind !== 'granted') throw new Error(`"${name}" was not granted: ${reply.kind}`);
    return reply.grant;
  }

  /** Who asks for what. */
  async renew(name: string, term: number): Promise<readonly string[] | 'stale'> {
    const by = { kind: 'worker', worker: this.#worker } as const;
    const request = { ...this.#which(name), term, by, says: { kind: 'renew' } } as const;
    const reply = await this.#keeper.calls.say(request, this.#next());
    if (reply.kind !== 'accepted') return 'stale';
    return (reply.asked ?? []).map(
      ({ worker, path }) => `${withoutWindow(worker)} asks for ${path}`,
    );
  }

  async release(name: string, term: number): Promise<void> {
    const says = { kind: 'released', reason: 'released' } as const;
    const by = { kind: 'worker', worker: this.#worker } as const;
    await this.#keeper.calls.say({ ...this.#which(name), term, by, says }, this.#next());
  }

  /** Takes paths without a task. */
  async own(writes: readonly string[], tree: string, durationMs: number): Promise<void> {
    const until = instant(this.#clock.now() + durationMs);
    const request = {
      id: 'o',
      worker: this.#worker,
      tree,
      reads: [],
      writes,
      isUnsaved: false,
      until,
    };
    const reply = await this.#keeper.calls.own(request, this.#next());
    if (reply.kind !== 'accepted') throw new Error(`It was not given: ${reply.kind}`);
  }

  /** Asks whoever has a task for one of its files. */
  async askFor(name: string, path: string): Promise<void> {
    const owner = { kind: 'task', ...this.#which(name) } as const;
    const request = { owner, worker: this.#worker, path };
    const reply = await this.#keeper.calls.askRelease(request, this.#next());
    if (reply.kind !== 'accepted') throw new Error(`Nobody was asked: ${reply.why}`);
  }

  /** When the lease of whoever has a task ends, once it has been renewed so often. */
  async leaseEnd(name: string, renewals: number): Promise<number> {
    const { run, task } = this.#which(name);
    const ends = new Set<number>();
    while (ends.size <= renewals) {
      const end = this.#keeper.board.find(run, task)?.claim?.holder.expiresAt;
      if (end === undefined) throw new Error(`Nobody has "${name}" for a time.`);
      ends.add(end);
      await new Promise<void>((resolve) => {
        this.#heard.push(resolve);
      });
    }
    return Math.max(...ends);
  }

  /** Once that worker waits for a task. */
  async seesWaiting(name: string): Promise<void> {
    while (this.#keeper.board.workers.sessions.get(workerId(name))?.isIdle !== true)
      await new Promise<void>((resolve) => {
        this.#heard.push(resolve);
      });
  }

  /** Once a task of the newest run is in that state. */
  async seesState(name: string, kind: string): Promise<void> {
    const { run, task } = this.#which(name);
    while (this.#keeper.board.find(run, task)?.state.kind !== kind)
      await new Promise<void>((resolve) => {
        this.#heard.push(resolve);
      });
  }

  /** Something has happened on the board. */
  heard(): void {
    for (const resolve of this.#heard.splice(0)) resolve();
  }

  #which(name: string): { readonly run: RunId; readonly task: TaskId } {
    const task = parseTaskId(name);
    const run = [...this.#keeper.board.runs.keys()].at(-1);
    if (task === undefined || run === undefined) throw new Error(`There is no "${name}".`);
    return { run, task };
  }

  #next(): string {
    this.#operation += 1;
    return `${this.#worker} ${this.#operation}`;
  }
}

export async function agentAt(
  env: NodeJS.ProcessEnv,
  folder: string,
  /** `agent/a1`, `person/kim`, `terminal/kim:t1` */
  name: string,
): Promise<AgentAtBoard> {
  let agent: AgentAtBoard | undefined;
  const board = realWorld(name, env).open(folder, {
    permission: 'granted',
    carriesOn: 'none',
    listener: {
      changed: () => agent?.heard(),
      noticed: () => {},
      faulted: () => {},
      halted: () => {},
    },
  });
  const { keeper, store } = board;
  onTestFinished(async () => {
    await keeper.close();
    store.close();
  });
  await keeper.takePart();
  agent = new AgentAtBoard(board, workerId(name));
  return agent;
}
