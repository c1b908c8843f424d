import type { Failure } from '../../server/domain/task.ts';
import type { Actor, Physical } from './physical.ts';
import { lengthOf, type Work } from './work.ts';
import type { World } from './world.ts';

export interface Order {
  readonly work: Work;
  readonly term: number;
}

/** What the wrapper of a command leaves on disk when it ends. */
export type Result =
  | { readonly kind: 'completed' }
  | { readonly kind: 'failed'; readonly failure: Failure }
  | { readonly kind: 'asked' }
  | { readonly kind: 'rate-limited'; readonly retryAfterMs: number | undefined };

export type Sight =
  | { readonly kind: 'alive' }
  | { readonly kind: 'ended'; readonly result: Result }
  | { readonly kind: 'nothing'; readonly hasRebooted: boolean };

interface Process {
  readonly order: Order;
  readonly actor: Actor;
  isAlive: boolean;
}

/** Told of what happens on a machine; the message may be lost. */
export interface Listener {
  readonly started: (order: Order) => void;
  readonly ended: (order: Order, result: Result) => void;
}

/** A computer of ours: its processes are the physical truth. */
export class Machine {
  readonly name: string;
  isReachable = true;
  /** Whatever is to start on it does not. */
  isSpoilt = false;
  readonly #world: World;
  readonly #physical: Physical;
  readonly #listener: Listener;
  readonly #processes = new Map<number, Process>();
  readonly #results = new Map<number, Result>();
  /** Terms that have started, or may not any more, on disk. */
  readonly #fenced = new Set<number>();
  readonly #bootOf = new Map<number, number>();
  #boot = 1;

  constructor(name: string, facts: { world: World; physical: Physical; listener: Listener }) {
    this.name = name;
    this.#world = facts.world;
    this.#physical = facts.physical;
    this.#listener = facts.listener;
  }

  get aliveCount(): number {
    return this.#processes.size;
  }

  /** An order travels; what was under way when the machine went down never arrives. */
  order(order: Order): void {
    const boot = this.#boot;
    if (!this.isReachable) return;
    this.#bootOf.set(order.term, boot);
    this.#world.send(() => {
      if (boot === this.#boot) this.#start(order);
    });
  }

  signal(term: number, signal: 'terminate' | 'kill'): void {
    if (!this.isReachable) return;
    const boot = this.#boot;
    this.#world.send(() => {
      if (boot !== this.#boot) return;
      const process = this.#processes.get(term);
      if (process === undefined) this.#fenced.add(term);
      else if (signal === 'kill') this.#end(process, killedBy('SIGKILL'));
      else if (!this.#world.faults.hits('processIgnoredTerm'))
        this.#world.after(this.#world.random.between(1, 4000), () =>
          this.#end(process, killedBy('SIGTERM')),
        );
    });
  }

  look(term: number): Sight {
    if (this.#processes.has(term)) return { kind: 'alive' };
    const result = this.#results.get(term);
    if (result !== undefined) return { kind: 'ended', result };
    const boot = this.#bootOf.get(term);
    return { kind: 'nothing', hasRebooted: boot !== undefined && boot !== this.#boot };
  }

  /** Whatever of this attempt is alive ends now, and none of it ever starts. */
  sweep(term: number): void {
    this.#fenced.add(term);
    const process = this.#processes.get(term);
    if (process !== undefined) this.#end(process, undefined);
    this.#results.delete(term);
  }

  forget(term: number): void {
    this.#results.delete(term);
  }

  /** Everything on it dies without a word. */
  reboot(): void {
    this.#boot += 1;
    for (const process of this.#processes.values()) this.#end(process, undefined);
  }

  /** What hangs is let go on. */
  heal(): void {
    this.isReachable = true;
    this.isSpoilt = false;
    for (const process of this.#processes.values())
      this.#world.after(this.#world.random.between(100, 20_000), () =>
        this.#end(process, { kind: 'completed' }),
      );
  }

  #start(order: Order): void {
    const { term, work } = order;
    const { faults, random } = this.#world;
    if (this.#fenced.has(term)) return;
    if (this.#bootOf.get(term) !== this.#boot) return;
    this.#world.say(`start ${work.run}/${work.task} #${term} at ${this.name}`);
    // Whatever is delivered once more comes too late.
    this.#fenced.add(term);
    if (this.isSpoilt || faults.hits('processNotStarted')) {
      this.#settle(order, failedWith({ kind: 'not-started', message: 'ENOENT' }));
      return;
    }
    const process: Process = {
      order,
      actor: { work, term, place: this.name, isBounded: true, isActing: () => process.isAlive },
      isAlive: true,
    };
    this.#processes.set(term, process);
    this.#physical.begin(process.actor);
    this.#world.send(() => this.#tell(() => this.#listener.started(order)));
    if (faults.hits('processHung')) return;
    if (faults.hits('processVanished')) {
      this.#world.after(random.between(10, 5000), () => this.#end(process, undefined));
      return;
    }
    const lasts = Math.round(lengthOf(work) * (0.2 + 2 * random.next()));
    this.#world.after(lasts, () => this.#end(process, this.#resultOf(order)));
  }

  #resultOf({ work }: Order): Result {
    const { faults, random } = this.#world;
    if (work.asks.doer.kind === 'started-agent' && faults.hits('processRateLimited'))
      return { kind: 'rate-limited', retryAfterMs: random.chance(0.5) ? 20_000 : undefined };
    if (work.asks.doer.kind === 'started-agent' && faults.hits('workerAsked'))
      return { kind: 'asked' };
    if (!faults.hits('processFailed')) return { kind: 'completed' };
    return failedWith({ kind: 'exit', code: random.between(1, 2) });
  }

  #end(process: Process, result: Result | undefined): void {
    if (!process.isAlive) return;
    process.isAlive = false;
    const { order, actor } = process;
    this.#processes.delete(order.term);
    this.#physical.end(actor);
    this.#world.say(
      `end ${order.work.run}/${order.work.task} #${order.term} ${result?.kind ?? 'dead'}`,
    );
    if (result !== undefined) this.#settle(order, result);
  }

  #settle(order: Order, result: Result): void {
    this.#results.set(order.term, result);
    this.#world.send(() => this.#tell(() => this.#listener.ended(order, result)));
  }

  #tell(report: () => void): void {
    if (this.isReachable) report();
  }
}

function killedBy(signal: string): Result {
  return failedWith({ kind: 'signal', signal });
}

function failedWith(failure: Failure): Result {
  return { kind: 'failed', failure };
}
