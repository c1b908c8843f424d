import type { CommandEnd, SeenPlace } from '../../server/engine/ports.ts';
import type { Failure, LossCause } from '../../server/domain/task.ts';
import type { Saying } from '../../server/scheduler/requests/settle.ts';
import type { Actor, Physical } from './physical.ts';
import { lengthOf, type Work } from './work.ts';
import type { World } from './world.ts';

export interface Order {
  readonly work: Work;
  readonly term: number;
}

/** What is found on a machine of an attempt. */
export type Found =
  | { readonly kind: 'alive' }
  | { readonly kind: 'ended'; readonly end: CommandEnd }
  | { readonly kind: 'gone'; readonly cause: LossCause }
  | { readonly kind: 'never-started' };

interface Process {
  readonly order: Order;
  readonly actor: Actor;
  readonly beganAt: number;
  readonly isHung: boolean;
  isAlive: boolean;
}

/** Why nothing starts: what is in the way may pass, or the task can never start as it is. */
export interface Refusal {
  readonly message: string;
  readonly mayPass: boolean;
}

/** Whoever runs commands on a machine, while there is somebody. */
export interface Listener {
  readonly ended: (order: Order, end: CommandEnd) => void;
  /** A command, or its agent, says from inside how it ends. */
  readonly said: (order: Order, says: Saying) => void;
  /** Nobody reaches it any more, and what runs there goes on. */
  readonly lost: (machine: Machine) => void;
}

/** A computer of ours: its processes are the physical truth. */
export class Machine {
  readonly name: string;
  /** What the user's settings say of it; absent of what is no host of theirs. */
  host: Omit<SeenPlace, 'name' | 'isReachable'> | undefined;
  /** They have taken it out of their settings for a while. */
  isTakenOut = false;
  /** Whatever is to start on it does not. */
  isSpoilt = false;
  readonly #world: World;
  readonly #physical: Physical;
  readonly #listener: Listener;
  /** Ordered, and still on the way. */
  readonly #underWay = new Map<number, Order>();
  readonly #processes = new Map<number, Process>();
  /** How commands ended, on its disk. */
  readonly #ends = new Map<number, CommandEnd>();
  /** Terms that have started, or may not any more, on its disk. */
  readonly #fenced = new Set<number>();
  readonly #bootOf = new Map<number, number>();
  #boot = 1;
  #lostAt: number | undefined;

  constructor(name: string, facts: { world: World; physical: Physical; listener: Listener }) {
    this.name = name;
    this.#world = facts.world;
    this.#physical = facts.physical;
    this.#listener = facts.listener;
  }

  get isReachable(): boolean {
    return this.#lostAt === undefined;
  }

  /** Since when it cannot be reached. */
  get lostAt(): number | undefined {
    return this.#lostAt;
  }

  cutOff(): void {
    this.#lostAt ??= this.#world.now;
    this.#physical.silentUntil.set(this.name, Infinity);
  }

  comeBack(): void {
    if (this.#lostAt !== undefined) this.#physical.silentUntil.set(this.name, this.#world.now);
    this.#lostAt = undefined;
  }

  /** Answers with the reason when it does not start. */
  order(order: Order): Refusal | undefined {
    const { faults, checks, random } = this.#world;
    const isNew = !this.#fenced.has(order.term) && !this.#underWay.has(order.term);
    checks.holds('I8', isNew, () => `term ${order.term} starts twice`);
    if (this.isSpoilt) return this.#refuse(order, true);
    if (faults.hits('processNotStarted')) return this.#refuse(order, random.chance(0.8));
    this.#begin(order);
    return undefined;
  }

  /** An order on its way to a host; it may be sent again. What comes of it is answered there. */
  send(order: Order, answer: (refusal: Refusal | undefined) => void): void {
    const { faults, random } = this.#world;
    if (!this.#fenced.has(order.term)) this.#underWay.set(order.term, order);
    for (let copies = faults.hits('messageDoubled') ? 2 : 1; copies > 0; copies -= 1) {
      const isLate = faults.hits('messageDelayed');
      const delayMs = isLate ? random.between(500, 30_000) : random.between(1, 50);
      this.#world.after(delayMs, () => {
        if (!this.isReachable || !this.#underWay.delete(order.term)) return;
        answer(this.order(order));
      });
    }
  }

  /** What has come to it, and neither started nor was refused, has not arrived. */
  hasArrived(term: number): boolean {
    return this.#fenced.has(term);
  }

  #refuse({ term }: Order, mayPass: boolean): Refusal {
    this.#fenced.add(term);
    const message = mayPass ? 'There are too many processes.' : 'There is no such program.';
    if (!mayPass) this.#physical.truth.set(term, failedWith({ kind: 'not-started', message }));
    return { message, mayPass };
  }

  signal(term: number, signal: 'terminate' | 'kill'): void {
    const process = this.#processes.get(term);
    const order = this.#underWay.get(term);
    if (order !== undefined) this.#callOff(order, killedBy('SIGTERM'));
    else if (process === undefined) return;
    else if (signal === 'kill') this.#end(process, killedBy('SIGKILL'));
    else if (!this.#world.faults.hits('processIgnoredTerm'))
      this.#world.after(this.#world.random.between(1, 4000), () => this.#terminate(process));
  }

  /** What has not started by now never will. */
  look(term: number): Found {
    if (this.#processes.has(term)) return { kind: 'alive' };
    const end = this.#ends.get(term);
    if (end !== undefined) return { kind: 'ended', end };
    const boot = this.#bootOf.get(term);
    this.#underWay.delete(term);
    this.#fenced.add(term);
    if (boot === undefined) return { kind: 'never-started' };
    return { kind: 'gone', cause: boot === this.#boot ? 'killed' : 'host-lost' };
  }

  /** Whatever of this attempt is alive ends now, and none of it ever starts. */
  sweep(term: number): void {
    this.#fenced.add(term);
    const order = this.#underWay.get(term);
    if (order !== undefined) this.#callOff(order, LOST);
    const process = this.#processes.get(term);
    if (process !== undefined) this.#end(process, LOST);
    this.#ends.delete(term);
  }

  /** Whatever hangs prints nothing. */
  outputOf(term: number): number | undefined {
    const process = this.#processes.get(term);
    if (process === undefined) return this.#underWay.has(term) ? 0 : undefined;
    return process.isHung ? 1 : 1 + Math.floor((this.#world.now - process.beganAt) / 3000);
  }

  /** Everything on it dies without a word; what is on its way to it comes to it after that. */
  reboot(): void {
    this.#boot += 1;
    const end = { kind: 'lost', cause: 'host-lost' } as const;
    for (const process of this.#processes.values()) this.#end(process, end);
  }

  /** What hangs is let go on. */
  heal(): void {
    // One that is away may be so for a while.
    if (this.#world.random.chance(0.5)) this.comeBack();
    this.isSpoilt = false;
    this.isTakenOut = false;
    for (const process of this.#processes.values())
      this.#world.after(this.#world.random.between(100, 20_000), () =>
        this.#end(process, { kind: 'succeeded' }),
      );
  }

  /** It will never start, and that is the end of it. */
  #callOff(order: Order, end: CommandEnd): void {
    const { term } = order;
    this.#underWay.delete(term);
    this.#fenced.add(term);
    this.#physical.truth.set(term, end);
    if (end.kind !== 'lost') this.#ends.set(term, end);
    this.#listener.ended(order, end);
  }

  #begin(order: Order): void {
    const { term, work } = order;
    const { faults, random } = this.#world;
    if (this.#fenced.has(term)) return;
    this.#world.say(`start ${this.#nameOf(order)} at ${this.name}`);
    this.#underWay.delete(term);
    this.#fenced.add(term);
    this.#bootOf.set(term, this.#boot);
    const isHung = faults.hits('processHung');
    const process: Process = {
      order,
      actor: {
        work,
        term,
        place: this.name,
        isBounded: true,
        isApart: this.host?.isIsolated === true,
        isActing: () => process.isAlive,
      },
      beganAt: this.#world.now,
      isHung,
      isAlive: true,
    };
    this.#processes.set(term, process);
    this.#physical.begin(process.actor);
    if (this.host !== undefined && faults.hits('linkLost'))
      this.#world.after(random.between(1, 2000), () => this.#listener.lost(this));
    if (isHung) {
      this.#physical.hung.set(term, this.#world.now);
      return;
    }
    if (faults.hits('processVanished')) {
      this.#world.after(random.between(10, 5000), () => this.#end(process, LOST));
      return;
    }
    const lasts = Math.round(lengthOf(work) * (0.2 + 2 * random.next()));
    this.#world.after(lasts, () => this.#finish(process));
    if (faults.hits('commandAnnounced'))
      this.#world.after(random.between(0, lasts), () => this.#announce(process));
  }

  /** A command says from inside how it will end, and goes on for a while. */
  #announce({ isAlive, order }: Process): void {
    if (!isAlive) return;
    const failure = { kind: 'exit', code: 3 } as const;
    const says: readonly Saying[] = [
      { kind: 'completed' },
      { kind: 'failed', failure },
      { kind: 'released', reason: 'released' },
    ];
    this.#listener.said(order, this.#world.random.pick(says));
  }

  /** An agent that is told to end may have a last word. */
  #terminate(process: Process): void {
    if (!process.isAlive) return;
    const { order } = process;
    this.#end(process, killedBy('SIGTERM'));
    if (order.work.asks.doer.kind === 'started-agent' && this.#world.faults.hits('workerAsked'))
      this.#listener.said(order, { kind: 'asked' });
  }

  #finish(process: Process): void {
    if (!process.isAlive) return;
    const { faults, random } = this.#world;
    const { order } = process;
    const isAgent = order.work.asks.doer.kind === 'started-agent';
    if (isAgent && faults.hits('processRateLimited')) {
      this.#end(process, failedWith({ kind: 'exit', code: 75 }));
      const retryAfterMs = random.chance(0.5) ? { retryAfterMs: 20_000 } : {};
      this.#listener.said(order, { kind: 'rate-limited', ...retryAfterMs });
    } else if (isAgent && faults.hits('workerAsked')) {
      this.#end(process, { kind: 'succeeded' });
      this.#listener.said(order, { kind: 'asked' });
    } else if (faults.hits('processFailed'))
      this.#end(process, failedWith({ kind: 'exit', code: random.between(1, 2) }));
    else this.#end(process, { kind: 'succeeded' });
  }

  #end(process: Process, end: CommandEnd): void {
    if (!process.isAlive) return;
    process.isAlive = false;
    const { order, actor } = process;
    this.#processes.delete(order.term);
    this.#physical.hung.delete(order.term);
    this.#physical.end(actor);
    this.#world.say(`end ${this.#nameOf(order)} ${end.kind}`);
    this.#physical.truth.set(order.term, end);
    if (end.kind !== 'lost') this.#ends.set(order.term, end);
    this.#listener.ended(order, end);
  }

  #nameOf({ work, term }: Order): string {
    return `${work.run}/${work.task} ${this.#world.termName(term)}`;
  }
}

const LOST: CommandEnd = { kind: 'lost', cause: 'killed' };

function killedBy(signal: string): CommandEnd {
  return failedWith({ kind: 'signal', signal });
}

function failedWith(failure: Failure): CommandEnd {
  return { kind: 'failed', failure };
}
