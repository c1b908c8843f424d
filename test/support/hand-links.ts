import type { RunId, TaskId, WorkerId } from '../../server/domain/ids.ts';
import type { BoardCalls } from '../../server/engine/board-calls.ts';
import type { BoardLock, LockResult, LockSight } from '../../server/engine/ports.ts';
import type { Worker } from '../../server/scheduler/model/workers.ts';
import type { LedgerEntry } from '../../server/engine/store-port.ts';
import {
  type ConnectResult,
  type LinkListener,
  LinkLost,
  type Links,
  type LinkServer,
} from '../../server/keeper/links.ts';

/** One lock that several processes may want; it can also be held by somebody else. */
export class SharedLock implements BoardLock {
  holder: string | undefined;
  /** It is stopped, and does not beat. */
  isStopped = false;
  /** Whoever holds it is alive. */
  isBusy = false;
  #times = 0;
  #beats = 0;
  #generation = 1;

  look(): LockSight {
    if (this.isBusy) this.#beats += 1;
    return { generation: this.#generation, beats: this.#beats };
  }

  takeOver({ generation, beats }: LockSight): LockResult {
    const isSilent = generation === this.#generation && beats === this.#beats;
    if (!isSilent) return { kind: 'held', holder: this.holder ?? '' };
    this.#generation += 1;
    this.holder = undefined;
    this.isStopped = false;
    return this.acquire();
  }

  acquire(): LockResult {
    if (this.holder !== undefined) return { kind: 'held', holder: this.holder };
    this.holder = 'a process';
    this.#times += 1;
    const own = this.#times;
    const free = (): void => {
      if (this.#times === own) this.holder = undefined;
    };
    const beat = (): boolean => {
      if (!this.isStopped) this.#beats += 1;
      return this.#times === own || this.holder === undefined;
    };
    return { kind: 'acquired', lock: { beat, [Symbol.dispose]: free } };
  }
}

/** What is between the processes of a test. Whoever serves can be made to vanish. */
export class HandLinks implements Links {
  readonly present = new Map<WorkerId, Worker>();
  #calls: BoardCalls | undefined;
  readonly #listeners = new Set<LinkListener>();
  #halt: string | undefined;
  /** How often the way to who serves was looked after. */
  restored = 0;
  /** Why nobody may connect, where that is so. */
  refusal: string | undefined;

  server(): LinkServer {
    let own: BoardCalls | undefined;
    return {
      open: async (calls) => {
        own = calls;
        this.#calls = calls;
      },
      tell: (entries: readonly LedgerEntry[]) => {
        for (const listener of this.#listeners) listener.told(entries);
      },
      wake: (worker: WorkerId, task: { run: RunId; task: TaskId }) => {
        for (const listener of this.#listeners) listener.woken(worker, task);
      },
      halt: (sentence: string) => {
        this.#halt = sentence;
        for (const listener of this.#listeners) listener.halted(sentence);
      },
      restore: async () => {
        this.restored += 1;
      },
      close: async () => {
        if (this.#calls === own) this.cut();
      },
    };
  }

  async connect(listener: LinkListener): Promise<ConnectResult> {
    if (this.refusal !== undefined) return { kind: 'refused', message: this.refusal };
    const calls = this.#calls;
    if (calls === undefined) return { kind: 'absent' };
    this.#listeners.add(listener);
    if (this.#halt !== undefined) listener.halted(this.#halt);
    return { kind: 'connected', link: { calls, close: () => this.#listeners.delete(listener) } };
  }

  cutOff(): void {
    this.#calls = undefined;
  }

  /** The one who decides is gone. */
  cut(): void {
    this.#calls = undefined;
    this.#halt = undefined;
    const listeners = [...this.#listeners];
    this.#listeners.clear();
    for (const listener of listeners) listener.gone();
  }

  /** As `cut`, and the next request is lost on the way. */
  loseNext(): void {
    const lost = async (): Promise<never> => {
      this.cut();
      throw new LinkLost();
    };
    this.#calls = { ...this.#calls!, submit: lost, control: lost, claim: lost, say: lost };
  }
}
