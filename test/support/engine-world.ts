import { assert } from '../../server/domain/assert.ts';
import type { RunId } from '../../server/domain/ids.ts';
import { type Instant, instant } from '../../server/domain/time.ts';
import { Engine } from '../../server/engine/engine.ts';
import type {
  BoardLock,
  Clock,
  CommandEnd,
  Ids,
  Launch,
  Leftover,
  LockResult,
  Runner,
  RunningCommand,
  Store,
} from '../../server/engine/ports.ts';
import { MemoryStore } from './memory-store.ts';
import { runId } from './runs.ts';

/** Moves one millisecond forward each time somebody looks. */
class SteppingClock implements Clock {
  #now = 1000;

  now(): Instant {
    this.#now += 1;
    return instant(this.#now);
  }
}

/** Numbers the runs of a store from 1. */
class CountingIds implements Ids {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  runId(): RunId {
    const events = this.#store.eventsAfter(0, 10_000);
    return runId(events.filter(({ what }) => what.kind === 'runSubmitted').length + 1);
  }
}

/** One lock that several engines may share; it can also be held by somebody else. */
export class SharedLock implements BoardLock {
  holder: string | undefined;

  acquire(): LockResult {
    if (this.holder !== undefined) return { kind: 'held', holder: this.holder };
    this.holder = 'an engine';
    const dispose = (): void => {
      this.holder = undefined;
    };
    return { kind: 'acquired', lock: { [Symbol.dispose]: dispose } };
  }
}

interface Started {
  readonly launch: Launch;
  readonly end: (end: CommandEnd) => void;
  isStopped: boolean;
}

/** Commands that end when the test says so; stopping one only notes that it was asked to. */
export class HandRunner implements Runner {
  readonly log: string[] = [];
  readonly leftovers: Leftover[] = [];
  readonly #running = new Map<string, Started>();

  start(launch: Launch): RunningCommand {
    const { id } = launch.definition;
    this.log.push(`start ${id}`);
    const ended = Promise.withResolvers<CommandEnd>();
    const started: Started = { launch, end: ended.resolve, isStopped: false };
    this.#running.set(id, started);
    const stop = (): void => {
      if (!started.isStopped) this.log.push(`stop ${id}`);
      started.isStopped = true;
    };
    const process = { bootId: 'boot', pid: this.log.length, startTime: '1' };
    return { process, ended: ended.promise, stop };
  }

  async stopLeftover(leftover: Leftover): Promise<void> {
    this.leftovers.push(leftover);
  }

  launchOf(id: string): Launch {
    return this.#get(id).launch;
  }

  get running(): readonly string[] {
    return [...this.#running.keys()];
  }

  async succeed(id: string): Promise<void> {
    await this.#end(id, { kind: 'succeeded' });
  }

  async fail(id: string, code = 1): Promise<void> {
    await this.#end(id, { kind: 'failed', failure: { kind: 'exit', code } });
  }

  async #end(id: string, end: CommandEnd): Promise<void> {
    const started = this.#get(id);
    this.#running.delete(id);
    started.end(end);
    // The engine hears of it in the next turn of the event loop.
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
  }

  #get(id: string): Started {
    const started = this.#running.get(id);
    assert(started !== undefined, `"${id}" is running`);
    return started;
  }
}

export interface EngineWorld {
  readonly engine: Engine;
  readonly store: Store;
  readonly runner: HandRunner;
  readonly lock: SharedLock;
  readonly faults: unknown[];
  /** The states in the newest run, as `a running, b pending`. */
  readonly states: () => string;
}

/** A real engine whose world the test holds in its hands. Parts can be shared with another one. */
export function engineWorld(
  parts: { store?: Store; lock?: SharedLock; runner?: HandRunner; isTrusted?: boolean } = {},
): EngineWorld {
  const store = parts.store ?? new MemoryStore();
  const lock = parts.lock ?? new SharedLock();
  const runner = parts.runner ?? new HandRunner();
  const faults: unknown[] = [];
  const listener = { changed: () => {}, faulted: (error: unknown) => faults.push(error) };
  const ports = {
    clock: new SteppingClock(),
    ids: new CountingIds(store),
    store,
    lock,
    runner,
    listener,
  };
  const options = { rules: { foldCase: false }, isTrusted: parts.isTrusted ?? true };
  const states = (): string =>
    store
      .latestStates('/project')
      .map(({ task, state }) => `${task} ${state.kind}`)
      .join(', ');
  return { engine: new Engine(ports, options), store, runner, lock, faults, states };
}
